package io.pathlore.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MacTextTest {
    @Test
    void isLowerCaseWithColonsAndHasAllItsZeros() {
        assertThat(MacText.of(0xA61A_F6B1_047DL)).isEqualTo("a6:1a:f6:b1:04:7d");
        assertThat(MacText.of(0)).isEqualTo("00:00:00:00:00:00");
        assertThat(MacText.of(-1)).as("the lower 48 bits").isEqualTo("ff:ff:ff:ff:ff:ff");
    }

    @Test
    void writesWhereItIsTold() {
        byte[] out = new byte[MacText.LENGTH + 2];
        assertThat(MacText.write(out, 1, 0x0102_0304_0506L)).isEqualTo(MacText.LENGTH + 1);
        assertThat(out[0]).isZero();
        assertThat(out[1]).isEqualTo((byte) '0');
        assertThat(out[MacText.LENGTH + 1]).isZero();
    }
}
