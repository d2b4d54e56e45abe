package io.pathlore.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A pcap file with nanoseconds, made frame by frame: datagrams from 10.0.0.N to 10.0.0.9, one each millisecond. */
final class CaptureFile {
    static final int PORT = 8555;
    private static final long START_SECONDS = 1_700_000_000L;
    private static final int HEADERS = 14 + 20 + 8;

    private final List<byte[]> frames = new ArrayList<>();

    CaptureFile datagram(int exporter, byte[] payload) {
        return datagram(exporter, PORT, payload, payload.length);
    }

    /** {@code udpPayload} is what the UDP header claims. */
    CaptureFile datagram(int exporter, int port, byte[] payload, int udpPayload) {
        ByteBuffer frame = ByteBuffer.allocate(HEADERS + payload.length);
        frame.putShort((short) 0x0200).putInt(9).putShort((short) 0x0200).putInt(exporter);
        frame.putShort((short) 0x0800);
        frame.putShort((short) 0x4500).putShort((short) (28 + udpPayload)).putInt(0x4000);
        frame.putShort((short) 0x4011).putShort((short) 0);
        frame.putInt(0x0A000000 | exporter).putInt(0x0A000009);
        frame.putShort((short) 0).putShort((short) port).putShort((short) (8 + udpPayload));
        frame.putShort((short) 0).put(payload);
        return frame(frame.array());
    }

    CaptureFile frame(byte[] frame) {
        frames.add(frame);
        return this;
    }

    byte[] bytes() {
        int size = 24;
        for (byte[] frame : frames) {
            size += 16 + frame.length;
        }
        ByteBuffer file = ByteBuffer.allocate(size);
        file.putInt(0xA1B23C4D)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65_535)
                .putInt(1);
        for (int i = 0; i < frames.size(); i++) {
            byte[] frame = frames.get(i);
            file.putInt((int) START_SECONDS).putInt((i + 1) * 1_000_000);
            file.putInt(frame.length).putInt(frame.length).put(frame);
        }
        return file.array();
    }

    Path in(Path directory) throws IOException {
        return Files.write(directory.resolve("reports.pcap"), bytes());
    }
}
