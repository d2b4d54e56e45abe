package io.pathlore.wire.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Headers by hand from their figures; every field has its top bit set, and the bytes around stay as they were. */
class PacketEncoderTest {
    private static final int FROM = 3;

    private final ByteBuffer out = dirty();

    private static ByteBuffer dirty() {
        byte[] bytes = new byte[96];
        Arrays.fill(bytes, (byte) 0xD1);
        return ByteBuffer.wrap(bytes);
    }

    private void assertWritten(int end, String hex) {
        String wanted = hex.replace(" ", "");
        assertThat(end).isEqualTo(FROM + wanted.length() / 2);
        assertThat(Hex.text(out)).isEqualTo("d1".repeat(FROM) + wanted + "d1".repeat(96 - end));
    }

    @Test
    void writesEthernet() {
        assertWritten(
                PacketEncoder.ethernet(out, FROM, 0x8001_0203_0405L, 0x9001_0203_0405L, 0x86DD),
                "8001 0203 0405 9001 0203 0405 86dd");
    }

    @Test
    void writesAVlanTag() {
        assertWritten(PacketEncoder.vlan(out, FROM, 5, 0x801, 0x88A8), "a801 88a8"); // 101 0 100000000001
    }

    @Test
    void writesIpv4() {
        assertWritten(
                PacketEncoder.ipv4(out, FROM, 0xB8, 0x8001, true, 0x81, 0x84, 0xC0A8_0101, 0x8A00_0001),
                "45b8 0000 8001 4000 8184 0000 c0a8 0101 8a00 0001");
        PacketEncoder.ipv4(out, FROM, 0, 1, false, 64, 6, 0, 0);
        assertThat(out.getShort(FROM + 6)).isZero();
    }

    /** The example of [RFC 1071] spread over the web: 0xB861. */
    @Test
    void finishesIpv4() {
        PacketEncoder.ipv4(out, FROM, 0, 0, true, 64, 17, 0xC0A8_0001, 0xC0A8_00C7);
        PacketEncoder.finishIpv4(out, FROM, FROM + 0x73);
        assertWritten(FROM + 20, "4500 0073 0000 4000 4011 b861 c0a8 0001 c0a8 00c7");
        PacketEncoder.finishIpv4(out, FROM, FROM + 0x73); // what was there before does not count
        assertThat(out.getShort(FROM + 10)).isEqualTo((short) 0xB861);
    }

    @Test
    void writesIpv6() {
        int end = PacketEncoder.ipv6(
                out,
                FROM,
                0xB8,
                0x8_0001,
                0x84,
                0x81,
                0xFD00_0000_0000_0001L,
                0x8000_0000_0000_0002L,
                0xFE80_0000_0000_0003L,
                0x8000_0000_0000_0004L);
        PacketEncoder.finishIpv6(out, FROM, end + 0x8001);
        assertWritten(end, "6b88 0001 8001 8481 fd00000000000001 8000000000000002 fe80000000000003 8000000000000004");
    }

    @Test
    void writesUdp() {
        int end = PacketEncoder.udp(out, FROM, 0x8001, 0x9002);
        PacketEncoder.finishUdp(out, FROM, FROM + 0x8003);
        assertWritten(end, "8001 9002 8003 0000");
    }

    @Test
    void writesTcp() {
        assertWritten(
                PacketEncoder.tcp(out, FROM, 0x8001, 0x9002, 0x8000_0003L, 0x9000_0004L, 0x92, 0x8005),
                "8001 9002 8000 0003 9000 0004 5092 8005 0000 0000");
    }

    @Test
    void writesTcpWithOptions() {
        byte[] options = Hex.bytes("0204 05b4 0101 0402");
        assertWritten(
                PacketEncoder.tcp(out, FROM, 1, 2, 3, 4, 0x02, 5, options),
                "0001 0002 0000 0003 0000 0004 7002 0005 0000 0000 0204 05b4 0101 0402");
    }

    @Test
    void refusesTcpOptionsThatAreNoWords() {
        assertThatThrownBy(() -> PacketEncoder.tcp(out, FROM, 1, 2, 3, 4, 0, 0, new byte[3]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PacketEncoder.tcp(out, FROM, 1, 2, 3, 4, 0, 0, new byte[44]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writesIcmpEcho() {
        assertWritten(PacketEncoder.icmpEcho(out, FROM, 8, 0x8001, 0x9002), "0800 0000 8001 9002");
    }
}
