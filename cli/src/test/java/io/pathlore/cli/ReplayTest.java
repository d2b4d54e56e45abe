package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final byte[] R7 = GoldenVectors.bytes("R7");
    private static final byte[] R9 = GoldenVectors.bytes("R9");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @BeforeEach
    void capture() throws IOException {
        // The third is for somebody else.
        new CaptureFile()
                .datagram(3, R7)
                .datagram(4, R9)
                .datagram(4, 9999, R7, R7.length)
                .datagram(5, R7)
                .in(directory);
    }

    private static DatagramSocket receiver() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"));
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void assertReceived(DatagramSocket socket, List<byte[]> expected) throws IOException {
        for (byte[] datagram : expected) {
            DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
            socket.receive(packet);
            assertThat(Arrays.copyOf(packet.getData(), packet.getLength())).isEqualTo(datagram);
        }
    }

    private Ended replay(int port, String... options) {
        String[] args = {"replay", "reports.pcap", "--to", "127.0.0.1:" + port};
        String[] all = Arrays.copyOf(args, args.length + options.length);
        System.arraycopy(options, 0, all, args.length, options.length);
        return new Program().in(directory).with(all);
    }

    @Test
    void everyReportArrivesInOrderAndByteForByte() throws IOException {
        try (DatagramSocket receiver = receiver()) {
            for (String[] pace : new String[][] {{"--max"}, {"--speed", "1000"}, {"--rate", "1e6"}, {}}) {
                Ended ended = replay(receiver.getLocalPort(), pace);
                assertThat(ended.err()).isEmpty();
                assertThat(ended.status()).isZero();
                assertThat(ended.out()).startsWith("3 datagrams, ").contains(" octets in ", "rate: ");
                assertReceived(receiver, List.of(R7, R9, R7));
            }
        }
    }

    @Test
    void portsLoopsAndStdinAreAsAskedFor() throws IOException {
        try (DatagramSocket receiver = receiver()) {
            int port = receiver.getLocalPort();
            assertThat(replay(port, "--max", "--loop", "3").out()).startsWith("9 datagrams, ");
            assertReceived(receiver, List.of(R7, R9, R7, R7, R9, R7, R7, R9, R7));
            assertThat(replay(port, "--max", "--port", "9999").out()).startsWith("1 datagram, ");
            assertReceived(receiver, List.of(R7));
            byte[] bytes = Files.readAllBytes(directory.resolve("reports.pcap"));
            Ended piped = new Program().input(bytes).with("replay", "-", "--to", "127.0.0.1:" + port, "--max");
            assertThat(piped.status()).isZero();
            assertReceived(receiver, List.of(R7, R9, R7));
        }
    }

    @Test
    void theSummaryIsJsonOnDemand() throws IOException {
        try (DatagramSocket receiver = receiver()) {
            Ended ended = replay(receiver.getLocalPort(), "--rate", "1000", "-o", "json");
            Map<String, Object> summary = Json.object(ended.out());
            assertThat(summary)
                    .containsKeys("seconds", "perSecond", "askedPerSecond", "worstLagNanos")
                    .containsEntry("datagrams", 3L)
                    .containsEntry("octets", (long) (2 * R7.length + R9.length))
                    .containsEntry("failed", 0L)
                    .containsEntry("refused", 0L);
        }
    }

    @Test
    void aClosedPortIsToldAndNoError() throws IOException {
        int port;
        try (DatagramSocket receiver = receiver()) {
            port = receiver.getLocalPort();
        }
        Ended ended = replay(port, "--rate", "200");
        assertThat(ended.status()).isZero();
        assertThat(ended.out())
                .startsWith("3 datagrams, ")
                .contains("nobody listens at 127.0.0.1:" + port + ": its port is closed");
    }

    @Test
    void whatWasSentBeforeTheCutIsTold() throws IOException {
        byte[] whole = Files.readAllBytes(directory.resolve("reports.pcap"));
        Files.write(directory.resolve("reports.pcap"), Arrays.copyOf(whole, whole.length - 10));
        try (DatagramSocket receiver = receiver()) {
            Ended ended = replay(receiver.getLocalPort(), "--max");
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.out()).startsWith("2 datagrams, ");
            assertThat(ended.err())
                    .startsWith("pathlore: ")
                    .contains("reports.pcap")
                    .hasLineCount(1);
            assertReceived(receiver, List.of(R7, R9));
        }
    }

    @Test
    void ctrlCEndsItWithTheSummary() throws IOException {
        AtomicReference<Runnable> stop = new AtomicReference<>(() -> {});
        Interruption interruption = then -> {
            stop.set(then);
            return () -> {};
        };
        try (DatagramSocket receiver = receiver()) {
            Thread presser = new Thread(() -> {
                try {
                    assertReceived(receiver, List.of(R7, R9));
                    stop.get().run();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            presser.start();
            Ended ended = new Program()
                    .in(directory)
                    .interruptedBy(interruption)
                    .with("replay", "reports.pcap", "--to", "127.0.0.1:" + receiver.getLocalPort(), "--loop", "0");
            assertThat(ended.status()).isZero();
            assertThat(ended.out()).contains(" datagrams, ");
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    void whatCannotBeIsOneLine() {
        assertMisused("name a capture file, - for stdin, or a journal", "--to", "127.0.0.1:8555");
        assertMisused("say where to send it: --to HOST:PORT", "a.pcap");
        assertMisused("give only one of --speed, --rate and --max", "a.pcap", "--to", "h:1", "--max", "--rate", "1");
        assertMisused("--rate: 0.0 is not a positive number", "a.pcap", "--to", "h:1", "--rate", "0");
        assertMisused("--speed: -1.0 is not a positive number", "a.pcap", "--to", "h:1", "--speed", "-1");
        assertMisused("--loop: -1 is negative", "a.pcap", "--to", "h:1", "--loop", "-1");
        assertMisused("--loop: stdin can be read only once", "-", "--to", "h:1", "--loop", "2");
        for (String bad : List.of("localhost", ":8555", "::1", "[::1]", "::1:8555")) {
            assertMisused(
                    "Invalid value for option '--to': '" + bad
                            + "' is not HOST:PORT, like 127.0.0.1:8555 or [::1]:8555",
                    "a.pcap",
                    "--to",
                    bad);
        }
        assertMisused(
                "Invalid value for option '--to': port '65536' is not in 1 to 65535", "a.pcap", "--to", "h:65536");
    }

    private static void assertMisused(String message, String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "replay";
        System.arraycopy(args, 0, all, 1, args.length);
        Ended ended = Program.run(all);
        assertThat(ended.status()).as(ended.err()).isEqualTo(2);
        assertThat(ended.err().lines().toList()).hasSize(2).first().isEqualTo("pathlore replay: " + message);
    }

    @Test
    void badHostsAndFilesAreOneLineWithStatusOne() {
        Ended host = new Program().in(directory).with("replay", "reports.pcap", "--to", "no.such.host.invalid:8555");
        assertThat(host.status()).isEqualTo(1);
        assertThat(host.err()).isEqualTo("pathlore: cannot resolve no.such.host.invalid\n");
        Ended file = new Program().in(directory).with("replay", "missing.pcap", "--to", "127.0.0.1:8555");
        assertThat(file.status()).isEqualTo(1);
        assertThat(file.err()).endsWith("missing.pcap: no such file\n").hasLineCount(1);
        Ended none =
                new Program().in(directory).with("replay", "reports.pcap", "--to", "127.0.0.1:8555", "--port", "1");
        assertThat(none.status()).isZero();
        assertThat(none.err())
                .startsWith("pathlore: no telemetry reports: 4 frames")
                .hasLineCount(1);
    }
}
