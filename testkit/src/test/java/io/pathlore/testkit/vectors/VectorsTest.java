package io.pathlore.testkit.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import java.util.List;
import org.junit.jupiter.api.Test;

class VectorsTest {
    @Test
    void holdsEveryWorkedExample() {
        assertThat(GoldenVectors.all())
                .hasSize(30)
                .allSatisfy(vector -> assertThat(vector.origin()).startsWith("worked example " + vector.name() + ": "));
        assertThat(Hex.text(GoldenVectors.bytes("R1")))
                .startsWith("0220000100000007")
                .endsWith("deadbeef");
        assertThat(GoldenVectors.vector("D9").start()).isEqualTo(Start.VXLAN_GPE);
    }

    /** Payload byte k = k mod 256: the example shows the first 8 only. */
    @Test
    void completesTheLongExampleByItsRule() {
        byte[] bytes = GoldenVectors.bytes("R12");
        assertThat(bytes).hasSize(1041);
        for (int k = 0; 48 + k < bytes.length; k++) {
            assertThat(bytes[48 + k]).isEqualTo((byte) k);
        }
    }

    @Test
    void editsVectorsAsTheTableSays() {
        List<Triggers.Trigger> triggers = Triggers.all();
        assertThat(triggers).hasSize(82);
        assertThat(new Triggers.Trigger("X", true, "I3", "2=f0,len=6,+aabb").bytes())
                .isEqualTo(Hex.bytes("0001f000 0000aabb"));
        assertThat(new Triggers.Trigger("X", true, "-", "hex=").bytes()).isEmpty();
        assertThat(triggers).allSatisfy(trigger -> assertThat(trigger.bytes()).isNotNull());
    }

    @Test
    void holdsEveryCapture() {
        assertThat(Captures.names()).hasSize(8);
        for (String name : Captures.names()) {
            assertThat(Captures.frames(name))
                    .hasSameSizeAs((List<?>) Captures.expected(name).get("packets"));
        }
        assertThat(Hex.text(Captures.frames("fabric_v05_reports").getFirst().datagram()))
                .startsWith("02200002fffffffe");
    }
}
