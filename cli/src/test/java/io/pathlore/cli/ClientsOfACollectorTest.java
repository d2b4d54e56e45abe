package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code collect} tells and what the commands around it ask for are written in two places; here they meet. */
@Tag("alone")
class ClientsOfACollectorTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void theyUnderstandARealOne() throws Exception {
        int udp;
        int tcp;
        try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
                ServerSocket other = new ServerSocket(0, 1, LOOPBACK)) {
            udp = one.getLocalPort();
            tcp = other.getLocalPort();
        }
        CompletableFuture<Runnable> stop = new CompletableFuture<>();
        Program program = new Program().in(directory).interruptedBy(interrupt -> {
            stop.complete(interrupt);
            return () -> {};
        });
        CompletableFuture<Ended> collecting = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> collecting.complete(program.with(
                        "collect",
                        "--port",
                        Integer.toString(udp),
                        "--http-port",
                        Integer.toString(tcp),
                        "--data",
                        directory.resolve("data").toString(),
                        "--set",
                        "listen.addresses=127.0.0.1",
                        "--set",
                        "memory=128MiB",
                        "--set",
                        "analysis.flows=1000")));
        String server = "http://127.0.0.1:" + tcp;
        Supplier<Ended> list = () -> Program.run("get", "exporters", "--server", server, "-o", "csv");
        Supplier<Ended> doctor = () -> Program.run("doctor", "--server", server, "-o", "json");
        try {
            assertThat(until(list, 0).lines()).hasSize(1);
            assertThat(until(doctor, 1).out()).contains("\"reason\":\"nothing-arrives\"", "udp port " + udp);
            send(udp);
            Ended fine = until(doctor, 0);
            JsonNode stages = new JsonMapper().readTree(fine.out()).path("stages");
            assertThat(stages).hasSize(7).allSatisfy(stage -> {
                assertThat(stage.path("state").asText()).isEqualTo("green");
                assertThat(stage.path("text").asText()).doesNotContain("?");
            });
            Ended exporters = list.get();
            assertThat(exporters.lines()).hasSize(2);
            assertThat(exporters.lines().get(1)).startsWith("127.0.0.1,,3,20").contains(",5,");
            // One counter that does not move, and no clock: completeness, and how far that is off, are all that is
            // unknown.
            assertThat(exporters.lines().get(1).split(",", -1))
                    .filteredOn(String::isEmpty)
                    .hasSize(4);
        } finally {
            stop.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).run();
            Ended collected = collecting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(collected.status()).as(collected.err()).isZero();
        }
    }

    private static Ended until(Supplier<Ended> command, int status) {
        long start = System.nanoTime();
        Ended ended = command.get();
        while (ended.status() != status && System.nanoTime() - start < PATIENCE.toNanos()) {
            ended = command.get();
        }
        assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(status);
        return ended;
    }

    private static void send(int port) throws IOException {
        byte[] report = GoldenVectors.bytes("R7");
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
            for (int i = 0; i < 5; i++) {
                socket.send(new DatagramPacket(report, report.length, LOOPBACK, port));
            }
        }
    }
}
