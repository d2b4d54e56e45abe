package io.pathlore.wire.tr20;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class TransparentSecurityReportTest {
    /** The constants differ by IP version: 10 or 15 words, InType 4 or 5. */
    @Test
    void writesTheHeaderOfAnIpv4Flow() {
        ByteBuffer out = ByteBuffer.allocate(24);
        assertThat(TransparentSecurityReport.encodeTrackedFlow(out, 0, 0x8000_0001L, false, 0x88))
                .isEqualTo(24);
        assertThat(Hex.text(out))
                .isEqualTo("20000040" + "80000001" + "040a8800" + "00005453" + "00000000" + "00000000");
    }

    @Test
    void writesADropReportWithTopBits() {
        ByteBuffer out = ByteBuffer.allocate(71);
        assertThat(TransparentSecurityReport.encodeDrop(
                        out, 0, 0x8000_0001L, 0x9000_0002L, 0xA000_0003L, 0xB000_0000_0000_0004L))
                .isEqualTo(71);
        assertThat(Hex.text(out))
                .startsWith("20000000" + "80000001" + "02090700" + "00015453" + "00000000" + "000f0000" + "90000002"
                        + "a0000003" + "0000000000000000" + "b000000000000004" + "1bbe0f5d00170000");
    }
}
