package io.pathlore.cli;

import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.ingest.pcap.CaptureWriter;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a run of the lab writes. A full disk or a missing directory is one line for the user. */
final class LabFiles implements Closeable {
    private final Surroundings around;
    private final @Nullable String pcapName;
    private final @Nullable CaptureWriter pcap;
    private final @Nullable String truthName;
    private final @Nullable BufferedWriter truth;

    LabFiles(Surroundings around, @Nullable String pcapName, @Nullable String truthName) throws IOException {
        this.around = around;
        this.pcapName = pcapName;
        this.truthName = truthName;
        pcap = pcapName == null ? null : openCapture(pcapName);
        truth = truthName == null ? null : openText(truthName);
    }

    private CaptureWriter openCapture(String name) throws IOException {
        if (name.equals("-")) {
            return CaptureWriter.to(new Stdout(around.out()));
        }
        try {
            return CaptureWriter.create(path(name));
        } catch (IOException e) {
            throw cannotWrite(name, e);
        }
    }

    private BufferedWriter openText(String name) {
        try {
            return Files.newBufferedWriter(path(name));
        } catch (IOException e) {
            throw cannotWrite(name, e);
        }
    }

    private Path path(String name) {
        return around.directory().resolve(name);
    }

    /** Not ours to close. */
    private static final class Stdout extends FilterOutputStream {
        Stdout(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    boolean usesStdout() {
        return "-".equals(pcapName);
    }

    void datagram(
            long timeNanos,
            int sourceAddress,
            int sourcePort,
            ReportDestination to,
            ByteBuffer payload,
            int from,
            int end) {
        if (pcap == null) {
            return;
        }
        try {
            pcap.writeDatagram(
                    timeNanos,
                    to.v6(),
                    0,
                    Integer.toUnsignedLong(sourceAddress),
                    sourcePort,
                    to.addressHigh(),
                    to.addressLow(),
                    to.port(),
                    payload,
                    from,
                    end);
        } catch (IOException e) {
            throw cannotWrite(String.valueOf(pcapName), e);
        }
    }

    /** Lines with their line feeds. */
    void truth(String lines) {
        if (truth == null) {
            return;
        }
        try {
            truth.write(lines);
        } catch (IOException e) {
            throw cannotWrite(String.valueOf(truthName), e);
        }
    }

    void write(String name, String text) {
        try {
            Files.writeString(path(name), text);
        } catch (IOException e) {
            throw cannotWrite(name, e);
        }
    }

    /** Before anyone is told that it is done. */
    void flush() {
        try {
            if (pcap != null) {
                pcap.flush();
            }
        } catch (IOException e) {
            throw cannotWrite(String.valueOf(pcapName), e);
        }
        try {
            if (truth != null) {
                truth.flush();
            }
        } catch (IOException e) {
            throw cannotWrite(String.valueOf(truthName), e);
        }
    }

    private static RuntimeException cannotWrite(String name, IOException e) {
        if (name.equals("-") && String.valueOf(e.getMessage()).contains("Broken pipe")) {
            return new Output.ClosedPipe(e);
        }
        return Failure.cannotWrite(name, e);
    }

    @Override
    public void close() throws IOException {
        try (truth;
                pcap) {
            // what is left is written by closing
        }
    }
}
