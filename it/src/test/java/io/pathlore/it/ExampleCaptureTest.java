package io.pathlore.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The capture the README starts with is made of the worked examples and nothing else. */
class ExampleCaptureTest {
    private static final Path CAPTURE = Path.of("..", "examples", "first-reports.pcap");
    private static final long FIRST_NANOS = 1_794_765_600_000_000_000L; // 2026-11-15T18:00:00Z
    private static final long STEP_NANOS = 1_250_000;

    /** A worked example, who sends it, and to which port. */
    private record Sent(String vector, String exporter, int port) {}

    private static final List<Sent> SENT = List.of(
            new Sent("R1", "10.0.0.1", 32766),
            new Sent("R2", "10.0.0.1", 32766),
            new Sent("R3", "10.0.0.5", 32766),
            new Sent("R4", "10.0.0.2", 8555),
            new Sent("R5", "10.0.0.2", 8555),
            new Sent("R6", "10.0.0.6", 8555),
            new Sent("R7", "10.0.0.3", 8555),
            new Sent("R8", "10.0.0.3", 8555),
            new Sent("R9", "10.0.0.3", 8555),
            new Sent("R10", "10.0.0.4", 8555),
            new Sent("R11", "10.0.0.9", 8555),
            new Sent("I1", "10.0.0.7", 8555),
            new Sent("O1", "10.0.0.8", 8555),
            new Sent("T1", "10.0.0.34", 556),
            new Sent("T2", "10.0.0.12", 556));

    @Test
    void isMadeOfTheWorkedExamples() throws IOException {
        byte[] expected = capture();
        if (Boolean.getBoolean("pathlore.rewrite")) {
            Files.write(CAPTURE, expected);
        }
        assertThat(Files.readAllBytes(CAPTURE))
                .as("rewrite it with -Dpathlore.rewrite=true")
                .isEqualTo(expected);
    }

    private static byte[] capture() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CaptureWriter writer = CaptureWriter.to(bytes)) {
            long time = FIRST_NANOS;
            for (Sent sent : SENT) {
                InetSocketAddress source = new InetSocketAddress(InetAddress.getByName(sent.exporter), 0);
                InetSocketAddress collector = new InetSocketAddress(InetAddress.getByName("10.0.0.254"), sent.port);
                writer.writeDatagram(time, source, collector, GoldenVectors.bytes(sent.vector));
                time += STEP_NANOS;
            }
        }
        return bytes.toByteArray();
    }
}
