package io.pathlore.testkit.vectors;

import io.pathlore.testkit.Hex;
import java.io.ByteArrayOutputStream;
import java.util.Locale;

/** The layer a vector starts at. What is not a report can be dressed up as a frame, so that any decoder can read it. */
public enum Start {
    REPORT,
    IPV4,
    IPV6,
    GENEVE,
    VXLAN_GPE,
    IOAM_INCREMENTAL_TRACE,
    IOAM_E2E,
    IPV6_OPTION;

    private static final String MACS = "000000000202 000000000101";
    private static final int GENEVE_PORT = 6081;
    private static final int GPE_PORT = 4790;
    private static final int IOAM_OPTION = 0x31;
    private static final int NO_NEXT_HEADER = 59;

    /** As in the files: {@code vxlan-gpe}. */
    static Start named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** An Ethernet frame around the bytes. IP lengths are 0, which means: to the end of the bytes present. */
    public byte[] frame(byte[] bytes) {
        return switch (this) {
            case REPORT -> throw new IllegalStateException("a report is a datagram, not a packet");
            case IPV4 -> join(Hex.bytes(MACS + "0800"), bytes);
            case IPV6 -> join(Hex.bytes(MACS + "86dd"), bytes);
            case GENEVE -> udp(GENEVE_PORT, bytes);
            case VXLAN_GPE -> udp(GPE_PORT, bytes);
            case IOAM_INCREMENTAL_TRACE -> hopByHop(option(1, bytes));
            case IOAM_E2E -> hopByHop(option(3, bytes));
            case IPV6_OPTION -> hopByHop(bytes);
        };
    }

    private static byte[] udp(int port, byte[] payload) {
        String ip = "45000000 00010000 40110000 c0a80101 c0a80202";
        String udp = "%04x%04x%04x0000".formatted(49152, port, 8 + payload.length);
        return join(Hex.bytes(MACS + "0800" + ip + udp), payload);
    }

    private static byte[] option(int ioamType, byte[] body) {
        return join(new byte[] {IOAM_OPTION, (byte) (body.length + 2), 0, (byte) ioamType}, body);
    }

    private static byte[] hopByHop(byte[] option) {
        int padding = (8 - (2 + option.length) % 8) % 8;
        int words = (2 + option.length + padding) / 8 - 1;
        String ip = "60000000 00000040 20010db8000000000000000000000001 20010db8000000000000000000000002";
        byte[] headers = Hex.bytes(MACS + "86dd" + ip + "%02x%02x".formatted(NO_NEXT_HEADER, words));
        return join(join(headers, option), new byte[padding]); // zeros are Pad1 options
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(first);
        out.writeBytes(second);
        return out.toByteArray();
    }
}
