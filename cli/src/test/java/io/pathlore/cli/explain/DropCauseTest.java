package io.pathlore.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.config.DropReasons;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DropCauseTest {
    @Test
    void reasonsOfFabricTnaHaveTheirCause() {
        Map<Integer, DropCause> causes = new HashMap<>();
        DropReasons.table("fabric-tna").forEach((number, name) -> causes.put(number, DropCause.of(name)));
        Map<Integer, DropCause> expected = new HashMap<>(Map.of(
                0, DropCause.UNKNOWN,
                26, DropCause.TTL,
                29, DropCause.ROUTE,
                55, DropCause.PORT,
                71, DropCause.QUEUE,
                80, DropCause.POLICY,
                89, DropCause.ROUTE,
                128, DropCause.ROUTE,
                129, DropCause.ROUTE,
                130, DropCause.ROUTE));
        expected.put(131, DropCause.TTL);
        for (int upf : new int[] {132, 133, 134, 135, 136, 137, 138, 139, 140, 150}) {
            expected.put(upf, DropCause.SESSION);
        }
        expected.put(160, DropCause.POLICY);
        expected.put(170, DropCause.ROUTE);
        expected.put(171, DropCause.ROUTE);
        assertThat(causes).isEqualTo(expected);
        assertThat(DropCause.of(DropReasons.table("transparent-security").getOrDefault(15, "")))
                .isEqualTo(DropCause.POLICY);
    }

    @Test
    void namesThatOperatorsGiveAreUnderstoodByTheirWords() {
        assertThat(DropCause.of("MTU_EXCEEDED")).isEqualTo(DropCause.MTU);
        assertThat(DropCause.of("tail-drop")).isEqualTo(DropCause.QUEUE);
        assertThat(DropCause.of("bad IPv4 checksum")).isEqualTo(DropCause.PARSE);
        assertThat(DropCause.of("hop limit")).isEqualTo(DropCause.TTL);
        assertThat(DropCause.of("no route to host")).isEqualTo(DropCause.ROUTE);
        assertThat(DropCause.of("STP blocked port")).isNotEqualTo(DropCause.UNKNOWN);
        assertThat(DropCause.of("mirrored")).isEqualTo(DropCause.UNKNOWN);
    }

    @Test
    void everyCauseSaysWhatToLookAtNext() {
        for (DropCause cause : DropCause.values()) {
            assertThat(cause.meaning()).endsWith(".");
            assertThat(cause.next()).hasSizeGreaterThan(1);
        }
    }
}
