package io.pathlore.it.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Captures as the format says they are, read by nothing of the product. */
final class PlainCapture {
    private static final int HEADER = 24;
    private static final int RECORD = 16;
    private static final int NANOSECONDS = 0xA1B2_3C4D;
    private static final long SECOND = 1_000_000_000L;

    private record Frame(long nanos, byte[] octets) {}

    private PlainCapture() {}

    /** All that is in them, in the order of time. */
    static void merge(List<Path> captures, Path into) throws IOException {
        List<Frame> all = new ArrayList<>();
        byte[] header = {};
        for (Path capture : captures) {
            ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(capture));
            in.order(in.getInt(0) == NANOSECONDS ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
            assertThat(in.getInt(0)).isEqualTo(NANOSECONDS);
            header = new byte[HEADER];
            in.get(header);
            while (in.hasRemaining()) {
                int at = in.position();
                byte[] octets = new byte[RECORD + in.getInt(at + 8)];
                in.get(octets);
                all.add(new Frame(
                        Integer.toUnsignedLong(in.getInt(at)) * SECOND + Integer.toUnsignedLong(in.getInt(at + 4)),
                        octets));
            }
        }
        all.sort(Comparator.comparingLong(Frame::nanos));
        try (OutputStream out = Files.newOutputStream(into)) {
            out.write(header);
            for (Frame frame : all) {
                out.write(frame.octets);
            }
        }
    }
}
