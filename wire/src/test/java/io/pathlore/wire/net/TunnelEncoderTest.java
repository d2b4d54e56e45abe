package io.pathlore.wire.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Headers by hand from their figures; every field has its top bit set, and the bytes around stay as they were. */
class TunnelEncoderTest {
    private static final int FROM = 3;

    private final ByteBuffer out = dirty();

    private static ByteBuffer dirty() {
        byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte) 0xD1);
        return ByteBuffer.wrap(bytes);
    }

    private void assertWritten(int end, String hex) {
        String wanted = hex.replace(" ", "");
        assertThat(end).isEqualTo(FROM + wanted.length() / 2);
        assertThat(Hex.text(out)).isEqualTo("d1".repeat(FROM) + wanted + "d1".repeat(64 - end));
    }

    @Test
    void writesVxlan() {
        assertWritten(TunnelEncoder.vxlan(out, FROM, 0x80_0001), "0800 0000 8000 0100");
    }

    @Test
    void writesVxlanGpe() {
        assertWritten(TunnelEncoder.vxlanGpe(out, FROM, 0x82, 0x80_0001), "0c00 0082 8000 0100");
    }

    @Test
    void writesGeneve() {
        assertWritten(TunnelEncoder.geneve(out, FROM, 0x3F, 0x86DD, 0x80_0001), "3f00 86dd 8000 0100");
    }

    @Test
    void writesAGeneveOption() {
        assertWritten(TunnelEncoder.geneveOption(out, FROM, 0x8103, 0x81, 0x1F), "8103 811f");
    }

    @Test
    void writesGreWithWhatIsAskedFor() {
        assertWritten(TunnelEncoder.gre(out, FROM, 0x88B6, false, TunnelEncoder.NONE, TunnelEncoder.NONE), "0000 88b6");
        assertWritten(
                TunnelEncoder.gre(out, FROM, 0x88B6, false, 0x8000_0001L, TunnelEncoder.NONE), "2000 88b6 8000 0001");
        assertWritten(
                TunnelEncoder.gre(out, FROM, 0x6558, true, 0x8000_0001L, 0x9000_0002L),
                "b000 6558 0000 0000 8000 0001 9000 0002");
    }

    @Test
    void finishesGreOnlyWhereItHasAChecksum() {
        int end = TunnelEncoder.gre(out, FROM, 0x0800, true, TunnelEncoder.NONE, TunnelEncoder.NONE);
        out.putInt(end, 0x0001_0002);
        TunnelEncoder.finishGre(out, FROM, end + 4);
        // ~(8000 + 0800 + 0001 + 0002)
        assertWritten(end + 4, "8000 0800 77fc 0000 0001 0002");
        assertThat(InternetChecksum.finish(InternetChecksum.add(0, out, FROM, end + 4)))
                .isZero();

        end = TunnelEncoder.gre(out, FROM, 0x0800, false, 0x1111_2222, TunnelEncoder.NONE);
        TunnelEncoder.finishGre(out, FROM, end);
        assertThat(out.getInt(FROM + 4)).isEqualTo(0x1111_2222);
    }

    /** 00 0 0 111111 000110 0000 0001 next | path, index [RFC 8300 §2.2]. */
    @Test
    void writesNsh() {
        assertWritten(TunnelEncoder.nsh(out, FROM, 6, 1, 0x83, 0x80_0001, 0x82), "0fc6 0183 8000 0182");
        TunnelEncoder.nsh(out, FROM, 0x3F, 0xF, 6, 0, 0);
        assertThat(out.getInt(FROM)).isEqualTo(0x0FFF_0F06);
    }
}
