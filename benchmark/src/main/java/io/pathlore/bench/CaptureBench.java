package io.pathlore.bench;

import io.pathlore.ingest.pcap.CaptureReader;
import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.ingest.pcap.CapturedDatagrams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A capture of reports as long as most are, from memory: the cost of a frame without the disk. One op is one frame. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CaptureBench {
    private static final int FRAMES = 100_000;
    private static final int REPORT_BYTES = 162;
    private static final int PORT = 8555;
    private byte[] file = new byte[0];

    @Setup
    public void write() throws IOException {
        var out = new ByteArrayOutputStream();
        var random = new SplittableRandom(1);
        byte[] report = new byte[REPORT_BYTES];
        var v4 = new InetSocketAddress("10.0.0.3", 7);
        var v6 = new InetSocketAddress("2001:db8::3", 7);
        try (CaptureWriter writer = CaptureWriter.to(out)) {
            for (int i = 0; i < FRAMES; i++) {
                random.nextBytes(report);
                InetSocketAddress node = i % 4 == 3 ? v6 : v4;
                writer.writeDatagram(i, node, new InetSocketAddress(node.getAddress(), PORT), report);
            }
        }
        file = out.toByteArray();
    }

    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long frames() throws IOException {
        long bytes = 0;
        try (CaptureReader reader = open()) {
            while (reader.next()) {
                bytes += reader.length();
            }
        }
        return bytes;
    }

    @Benchmark
    @OperationsPerInvocation(FRAMES)
    public long datagrams() throws IOException {
        long bytes = 0;
        try (CaptureReader reader = open()) {
            var datagrams = CapturedDatagrams.toPorts(reader, List.of(PORT));
            while (datagrams.next()) {
                bytes += datagrams.end() - datagrams.offset();
            }
        }
        return bytes;
    }

    private CaptureReader open() throws IOException {
        return CaptureReader.open(new ByteArrayInputStream(file), "memory");
    }
}
