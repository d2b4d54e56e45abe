package io.pathlore.bench.decode;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A corpus as a capture file: classic pcap, Ethernet, one UDP datagram to port 8555 in each frame. */
final class Capture {
    private static final int MAGIC_NANOSECONDS = 0xA1B2_3C4D;
    private static final int VERSION_2_4 = 2 << 16 | 4;
    private static final int SNAPLEN = 65_535;
    private static final int LINK_ETHERNET = 1;
    private static final int FIRST_SECOND = 1_790_000_000;
    private static final int IP_AND_UDP = 28;

    private Capture() {}

    static void write(ByteBuffer corpus, Path file) throws IOException {
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            out.writeInt(MAGIC_NANOSECONDS);
            out.writeInt(VERSION_2_4);
            out.writeLong(0);
            out.writeInt(SNAPLEN);
            out.writeInt(LINK_ETHERNET);
            byte[] datagram = new byte[SNAPLEN];
            int micros = 0;
            for (int at = 0; at < corpus.capacity(); micros++) {
                int length = corpus.getShort(at) & 0xFFFF;
                corpus.get(at + Corpus.LENGTH_BYTES, datagram, 0, length);
                frame(out, micros, datagram, length);
                at += Corpus.LENGTH_BYTES + length;
            }
        }
    }

    private static void frame(DataOutputStream out, int micros, byte[] datagram, int length) throws IOException {
        int frameBytes = 14 + IP_AND_UDP + length;
        out.writeInt(FIRST_SECOND + micros / 1_000_000);
        out.writeInt(micros % 1_000_000 * 1000);
        out.writeInt(frameBytes);
        out.writeInt(frameBytes);
        out.writeLong(0x0200_0000_0002_0200L);
        out.writeInt(0x0000_0001);
        out.writeShort(0x0800);
        out.writeInt(0x4500_0000 | IP_AND_UDP + length);
        out.writeInt(0);
        out.writeInt(0x4011_0000); // TTL, UDP, no checksum
        out.writeInt(0x0A00_0001);
        out.writeInt(0x0A00_0002);
        out.writeInt(40_000 << 16 | 8555);
        out.writeInt(8 + length << 16);
        out.write(datagram, 0, length);
    }
}
