package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.cli.Program.Ended;
import io.pathlore.cli.service.ServedCollector;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObserveTest {
    private static final byte[] DROP = GoldenVectors.bytes("R2");
    private static final byte[] STACK = GoldenVectors.bytes("R9");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /** Runs it beside the test, and waits until it listens. */
    private static CompletableFuture<Ended> observe(ServedCollector collector, String... args) throws IOException {
        return observe(new Program(), collector, args);
    }

    private static CompletableFuture<Ended> observe(Program program, ServedCollector collector, String... args)
            throws IOException {
        String[] all = new String[args.length + 3];
        all[0] = "observe";
        System.arraycopy(args, 0, all, 1, args.length);
        all[args.length + 1] = "--server";
        all[args.length + 2] = collector.url();
        CompletableFuture<Ended> ended = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> ended.complete(program.with(all)));
        ServedCollector.until(() -> ended.isDone() || collector.listeners() == 1);
        return ended;
    }

    private static Ended end(CompletableFuture<Ended> command) throws Exception {
        Ended ended = command.get(60, TimeUnit.SECONDS);
        assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
        return ended;
    }

    @Test
    void reportsAreShownAsTheyCome() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            CompletableFuture<Ended> command = observe(collector, "-c", "3");
            collector.send(DROP, STACK, new byte[] {0x70, 0, 0, 0});
            Ended ended = end(command);
            assertThat(ended.lines()).hasSize(4);
            assertThat(ended.lines().getFirst()).matches("TIME +NODE +FLOW +PATH +LATENCY +REMARKS");
            assertThat(ended.lines().get(1))
                    .matches("[0-9:.]{15} +257 +10.0.1.1:45678 > 10.0.2.2:80 tcp +257 +\\? +DROP 80 \\(ACL deny\\)");
            assertThat(ended.lines().get(2)).contains("-");
            assertThat(ended.lines().get(3)).contains("127.0.0.1", "TR_UNKNOWN_VERSION");
            assertThat(ended.err()).isEmpty();
        }
    }

    @Test
    void theLastOnesComeFirstAndNoneTwice() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            collector.send(STACK, DROP, STACK, DROP);
            CompletableFuture<Ended> command =
                    observe(collector, "--last", "2", "--filter", "dropped", "-o", "json", "-c", "3");
            // What is sent now may be among the last ones already.
            ServedCollector.until(() -> {
                collector.send(STACK, DROP);
                return command.isDone();
            });
            Ended ended = end(command);
            assertThat(ended.lines()).hasSize(3).doesNotHaveDuplicates();
            long before = -1;
            for (String line : ended.lines()) {
                String id = new JsonMapper().readTree(line).path("id").asText();
                long position = Long.parseLong(id.split("-", -1)[1]);
                assertThat(position).isGreaterThan(before);
                before = position;
            }
        }
    }

    @Test
    void eventsAreShownAndFiltered() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            CompletableFuture<Ended> command =
                    observe(collector, "events", "--filter", "severity = critical", "-c", "1", "--no-header");
            LinkEnd from = new LinkEnd(1, 2);
            LinkEnd to = new LinkEnd(4, 1);
            collector.happens(new Event(5, 5, 6, new Details.LinkUp(from, to)));
            collector.happens(new Event(7, 1_500_000_007L, 8, new Details.LinkDown(from, to)));
            assertThat(end(command).out())
                    .isEqualTo(
                            "00:00:00.000000  critical  link-down  1.500 s  node 1 interface 2 to node 4 interface 1\n");
            assertThat(collector
                            .get("/api/v1/events?filter=severity%20%3D%20info")
                            .path("items"))
                    .hasSize(1);
            assertThat(collector
                            .get("/api/v1/events?filter=dropped")
                            .path("detail")
                            .asText())
                    .startsWith("filter: events have no 'dropped'");
        }
    }

    @Test
    void onATerminalTheLastLineTellsOfHowMany() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            CompletableFuture<Runnable> stop = new CompletableFuture<>();
            Program program = new Program().onTerminal().interruptedBy(interrupt -> {
                stop.complete(interrupt);
                return () -> {};
            });
            CompletableFuture<Ended> command = observe(program, collector, "--rate", "7");
            collector.send(STACK);
            ServedCollector.until(() -> {
                collector.send(STACK);
                return program.errors().contains("/s received");
            });
            stop.get(60, TimeUnit.SECONDS).run();
            assertThat(end(command).err()).containsPattern("showing [0-7]/s of [0-9,]+/s, [0-9,]+/s received");
        }
    }

    @Test
    void aMistakeInTheFilterIsShownWithItsPlace() throws Exception {
        try (ServedCollector collector = new ServedCollector(directory)) {
            Ended ended = Program.run("observe", "--filter", "node = 3 and dropt", "--server", collector.url());
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.err())
                    .startsWith("pathlore: " + collector.url()
                            + "/api/v1/stream/reports: 400: filter: unknown field 'dropt'")
                    .endsWith("\n  node = 3 and dropt\n               ^~~~~\n");
        }
    }

    @Test
    void whatCannotBeWatchedIsOneLine() throws Exception {
        assertThat(Program.run("observe", "--server", "http://127.0.0.1:1").status())
                .isEqualTo(5);
        assertThat(Program.run("observe", "flows").status()).isEqualTo(2);
        assertThat(Program.run("observe", "--rate", "0").status()).isEqualTo(2);
        assertThat(Program.run("observe", "-o", "csv").status()).isEqualTo(2);
        try (ServedCollector collector = new ServedCollector(directory, "journal.enabled=false")) {
            Ended ended = Program.run("observe", "--server", collector.url());
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.err()).contains("409: the journal is off").contains("journal.enabled: true");
        }
    }

    /** A server that hangs up after the first event; the second connection gets another one. */
    @Test
    void aLostConnectionIsToldAndMadeAgain() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            Thread.ofVirtual().start(() -> serve(server));
            Ended ended = Program.run(
                    "observe",
                    "events",
                    "-c",
                    "2",
                    "-o",
                    "jsonl",
                    "--server",
                    "http://127.0.0.1:" + server.getLocalPort());
            assertThat(ended.status()).isZero();
            assertThat(ended.lines()).containsExactly("{\"kind\":\"loop\",\"n\":1}", "{\"kind\":\"loop\",\"n\":2}");
            assertThat(ended.err()).contains("is lost; trying again\n").contains("connected again");
        }
    }

    private static void serve(ServerSocket server) {
        int streams = 0;
        while (true) {
            try (Socket socket = server.accept()) {
                byte[] request = new byte[4_096];
                int length = socket.getInputStream().read(request);
                String line = new String(request, 0, Math.max(0, length), StandardCharsets.US_ASCII);
                boolean stream = line.startsWith("GET /api/v1/stream");
                String body = stream
                        ? "event: event\ndata: {\"kind\":\"loop\",\"n\":" + ++streams + "}\n\n"
                        : "{\"version\":\"0\"}";
                String type = stream ? "text/event-stream" : "application/json";
                String head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + type + "\r\n";
                String size = stream ? "\r\n" : "Content-Length: " + body.length() + "\r\n\r\n";
                socket.getOutputStream().write((head + size + body).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                return; // the test has ended
            }
        }
    }
}
