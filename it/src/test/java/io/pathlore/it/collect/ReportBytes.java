package io.pathlore.it.collect;

import io.pathlore.testkit.vectors.GoldenVectors;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Report datagrams: the worked examples of the specifications, with other numbers in them. */
final class ReportBytes {
    /** Version 2.0: a group header, and a report about an IPv4 packet. */
    private static final byte[] V20 = GoldenVectors.bytes("R7");

    private static final byte[] V10 = GoldenVectors.bytes("R4");
    private static final byte[] V05 = GoldenVectors.bytes("R1");

    static final int GROUP = 8;
    /** Of one report of version 2.0. */
    static final int REPORT = V20.length - GROUP;

    private static final int SEQUENCE_MASK = 0x3F_FFFF;
    private static final int HW_ID_SHIFT = 22;
    private static final int VERSION_20 = 0x2000_0000;
    private static final int IP_LENGTH_AT = 22;
    private static final int IP_LENGTH = 40;
    private static final int SOURCE_AT = 32;
    private static final int PORTS_AT = 40;
    private static final int TCP_SEQUENCE_AT = 44;
    private static final int RFC_1918_10 = 0x0A00_0000;
    private static final int BENCHMARK_198_18 = 0xC612_0000;

    private ReportBytes() {}

    /** One report; {@code mark} makes its bytes its own. */
    static byte[] v20(int hwId, long sequence, int node, int mark) {
        return v20(hwId, sequence, node, mark, 1, mark & 0xFF, 0);
    }

    /** Each report is of the next flow from {@code flow} on, and followed by so many octets of its packet's payload. */
    static byte[] v20(int hwId, long sequence, int node, int mark, int reports, long flow, int payload) {
        if (payload % Integer.BYTES != 0) {
            throw new IllegalArgumentException("payload of " + payload + " is not whole words");
        }
        int length = REPORT + payload;
        ByteBuffer out = ByteBuffer.allocate(GROUP + reports * length);
        out.putInt(VERSION_20 | hwId << HW_ID_SHIFT | (int) sequence & SEQUENCE_MASK)
                .putInt(node);
        for (int i = 0; i < reports; i++) {
            int at = GROUP + i * length;
            out.put(at, V20, GROUP, REPORT);
            out.put(at + 1, (byte) (length / Integer.BYTES - 1));
            out.putShort(at + IP_LENGTH_AT, (short) (IP_LENGTH + payload));
            long of = flow + i;
            out.putInt(at + SOURCE_AT, RFC_1918_10 | (int) (of >>> 16) & 0xFF_FFFF);
            out.putInt(at + SOURCE_AT + Integer.BYTES, BENCHMARK_198_18 | (int) (of >>> 40) & 0xFFFF);
            out.putShort(at + PORTS_AT, (short) of);
            out.putInt(at + TCP_SEQUENCE_AT, mark);
        }
        return out.array();
    }

    static byte[] v10(int hwId, long sequence, int node) {
        ByteBuffer out = ByteBuffer.wrap(V10.clone());
        out.putInt(0, out.getInt(0) & ~0x3F | hwId);
        return out.putInt(4, node).putInt(8, (int) sequence).array();
    }

    static byte[] v05(int hwId, long sequence) {
        ByteBuffer out = ByteBuffer.wrap(V05.clone());
        out.putInt(0, out.getInt(0) & ~0x3F | hwId);
        return out.putInt(4, (int) sequence).array();
    }

    /** The same, cut or filled up with zeros. */
    static byte[] sized(byte[] datagram, int length) {
        return Arrays.copyOf(datagram, length);
    }
}
