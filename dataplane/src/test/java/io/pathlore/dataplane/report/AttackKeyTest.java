package io.pathlore.dataplane.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttackKeyTest {
    private static final long DEVICE = 0x0101;

    @Test
    void namesAnAttackOnIpv4() {
        assertThat(AttackKey.of(DEVICE, 5792, false, 0, 0xC0A8_010AL)).isEqualTo(0x995E_A670_0454_72DDL);
    }

    @Test
    void namesAnAttackOnIpv6ByTheShortFormOfItsAddress() {
        assertThat(AttackKey.of(DEVICE, 5792, true, 0, 0x0000_0001_0001_001DL)).isEqualTo(0xEB3A_3E2B_AD04_3BB0L);
    }
}
