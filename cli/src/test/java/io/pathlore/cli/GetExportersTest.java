package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.cli.Program.Ended;
import io.pathlore.model.TimeText;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GetExportersTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended get(CannedCollector collector, String... options) {
        String[] args = Stream.concat(Stream.of("get", "exporters", "--server", collector.url()), Stream.of(options))
                .toArray(String[]::new);
        return new Program().in(directory).with(args);
    }

    private static void threeSwitches(CannedCollector collector) {
        collector
                .addExporter("10.0.0.20")
                .put("name", "leaf-20")
                .put("completeness", 0.99912)
                .put("lost", 12_345);
        collector
                .addExporter("10.0.0.3")
                .put("name", "leaf-3")
                .put("datagrams", 12_345_678_901L)
                .put("bytes", 2_518_518_495_804L)
                .put("reports", 98_765_432_100L);
        collector
                .addExporter("2001:db8::7")
                .put("lastFault", "TR_UNKNOWN_VERSION")
                .put("undecodable", 4)
                .put("restarts", 1);
        collector.exporters.get(2).remove("completeness");
        collector.exporters.get(2).putArray("nodes");
        collector
                .exporters
                .get(1)
                .putArray("nodes")
                .add(3)
                .add(4294967295L)
                .add(5)
                .add(6)
                .add(7);
    }

    @Test
    void theTableIsAlignedAndSaysWhatItDoesNotKnow() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            threeSwitches(collector);
            Ended ended = get(collector);

            assertThat(ended.err()).isEmpty();
            assertThat(ended.status()).isZero();
            assertThat(ended.out()).isEqualTo("""
                    EXPORTER     NAME     NODES               LAST SEEN              DATAGRAMS    BYTES         REPORTS  REJECTED    LOST  COMPLETE  REMARKS
                    10.0.0.3     leaf-3   3,4294967295,5,6,…  2020-01-02 03:04  12,345,678,901  2.3 TiB  98,765,432,100         0       0     100 %
                    10.0.0.20    leaf-20  3                   2020-01-02 03:04           1,000  199 KiB           1,000         0  12,345   99.91 %
                    2001:db8::7  -        ?                   2020-01-02 03:04           1,000  199 KiB           1,000         0       0         ?  4 undecodable, last fault TR_UNKNOWN_VERSION, 1 restart
                    """);
        }
    }

    @Test
    void whatNobodyHasIsNoColumn() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.1");
            assertThat(get(collector).lines())
                    .containsExactly(
                            "EXPORTER  NODES  LAST SEEN         DATAGRAMS    BYTES  REPORTS  REJECTED  LOST  COMPLETE",
                            "10.0.0.1  3      2020-01-02 03:04      1,000  199 KiB    1,000         0     0     100 %");
            assertThat(get(collector, "--no-header").lines()).hasSize(1);
        }
    }

    @Test
    void agesAreByTheClockOfTheServer() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector
                    .addExporter("10.0.0.1")
                    .put("lastSeen", TimeText.of(CannedCollector.nowNanos() - 3_600_000_000_000L));
            assertThat(get(collector).out()).containsPattern("  60 min ago +1,000 ");
        }
        // The JDK's server writes the time of day itself; this one lives in another year.
        String body = "{\"items\":[{\"address\":\"10.0.0.1\",\"lastSeen\":\"2021-05-04T03:02:01Z\"}]}";
        String answer = "HTTP/1.1 200 OK\r\nDate: Tue, 04 May 2021 03:02:43 GMT\r\nContent-Length: " + body.length()
                + "\r\nConnection: close\r\n\r\n" + body;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = server.accept()) {
                    assertThat(socket.getInputStream().read()).isEqualTo('G');
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    socket.shutdownOutput();
                    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(Program.run("get", "exporters", "--server", "127.0.0.1:" + server.getLocalPort())
                            .out())
                    .contains(" 42 s ago ");
        }
    }

    @Test
    void jsonIsTheListOfTheServerAsOneArray() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            threeSwitches(collector);
            collector.exporters.getFirst().put("newerKey", "kept");
            Ended json = get(collector, "-o", "json");
            List<JsonNode> array = elements(json.out());

            assertThat(array)
                    .extracting(each -> each.path("address").asText())
                    .containsExactly("10.0.0.3", "10.0.0.20", "2001:db8::7");
            assertThat(array.get(1)).isEqualTo(collector.exporters.getFirst());
            assertThat(get(collector, "-o", "jsonl").lines())
                    .containsExactlyElementsOf(
                            array.stream().map(JsonNode::toString).toList());
            collector.exporters.clear();
            Ended none = get(collector, "-o", "json");
            assertThat(none.out()).isEqualTo("[]\n");
            assertThat(none.err()).isEmpty();
        }
    }

    private static List<JsonNode> elements(String array) throws IOException {
        return StreamSupport.stream(new JsonMapper().readTree(array).spliterator(), false)
                .toList();
    }

    @Test
    void csvHasEveryCountAndLeavesTheUnknownEmpty() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            threeSwitches(collector);
            assertThat(get(collector, "-o", "csv", "--sort", "lost").lines())
                    .containsExactly(
                            "address,name,nodes,first_seen,last_seen,datagrams,bytes,reports,rejected_reports,lost,"
                                    + "completeness,undecodable,over_rate,last_fault,streams,missing,duplicates,reordered,"
                                    + "late,restarts,unknown_gaps,suspected,clock_ahead_ns",
                            "10.0.0.20,leaf-20,3,2020-01-01T00:00:00Z,2020-01-02T03:04:05.678Z,1000,204000,1000,0,12345,"
                                    + "0.99912,0,0,,1,0,0,0,0,0,0,false,",
                            "10.0.0.3,leaf-3,3;4294967295;5;6;7,2020-01-01T00:00:00Z,2020-01-02T03:04:05.678Z,12345678901,"
                                    + "2518518495804,98765432100,0,0,1.0,0,0,,1,0,0,0,0,0,0,false,",
                            "2001:db8::7,,,2020-01-01T00:00:00Z,2020-01-02T03:04:05.678Z,1000,204000,1000,0,0,,4,0,"
                                    + "TR_UNKNOWN_VERSION,1,0,0,0,0,1,0,false,");
        }
    }

    @Test
    void aNameIsNoFormulaInCsvAndANumberStaysOne() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.20").put("name", "=cmd|' /C calc'!A0").put("clockAheadNs", -1_500);
            assertThat(get(collector, "-o", "csv", "--no-header").lines())
                    .singleElement()
                    .asString()
                    .startsWith("10.0.0.20,'=cmd|' /C calc'!A0,")
                    .endsWith(",-1500");
        }
    }

    @Test
    void sortsByAnyKeyWithTheUnknownLast() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            threeSwitches(collector);
            collector.exporters.get(2).remove("restarts");
            assertThat(sorted(collector, "address")).containsExactly("10.0.0.3", "10.0.0.20", "2001:db8::7");
            assertThat(sorted(collector, "NAME")).containsExactly("10.0.0.20", "10.0.0.3", "2001:db8::7");
            assertThat(sorted(collector, "LAST SEEN")).containsExactly("10.0.0.3", "10.0.0.20", "2001:db8::7");
            assertThat(sorted(collector, "bytes")).containsExactly("10.0.0.3", "10.0.0.20", "2001:db8::7");
            assertThat(sorted(collector, "complete")).containsExactly("10.0.0.20", "10.0.0.3", "2001:db8::7");
            assertThat(sorted(collector, "undecodable")).containsExactly("2001:db8::7", "10.0.0.3", "10.0.0.20");
            assertThat(sorted(collector, "restarts")).containsExactly("10.0.0.3", "10.0.0.20", "2001:db8::7");
            collector.exporters.getFirst().put("suspected", true).put("lastSeen", "2020-01-02T03:04:06Z");
            assertThat(sorted(collector, "suspected")).startsWith("10.0.0.20");
            assertThat(sorted(collector, "last-seen")).startsWith("10.0.0.20");
            assertThat(sorted(collector, "nodes")).containsExactly("10.0.0.3", "10.0.0.20", "2001:db8::7");

            Ended wrong = get(collector, "--sort", "lots");
            assertThat(wrong.status()).isEqualTo(2);
            assertThat(wrong.err())
                    .startsWith("pathlore get exporters: --sort: there is no 'lots'; did you mean 'lost'?\n");
        }
    }

    private List<String> sorted(CannedCollector collector, String key) throws IOException {
        return elements(get(collector, "--sort", key, "-o", "json").out()).stream()
                .map(each -> each.path("address").asText())
                .toList();
    }

    @Test
    void followsTheListToItsEndAndCutsItAfterSorting() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            for (int i = 0; i < 25; i++) {
                collector.addExporter("10.0.1." + i).put("lost", i);
            }
            collector.largestPage = 7;
            assertThat(elements(get(collector, "-o", "json").out())).hasSize(25);
            assertThat(collector.pagesAsked.get()).isEqualTo(4);
            Ended most = get(collector, "--sort", "lost", "--limit", "2");
            assertThat(most.lines()).hasSize(3);
            assertThat(most.lines().get(1)).startsWith("10.0.1.24 ");
            assertThat(most.err()).isEqualTo("pathlore: 2 of 25 exporters shown\n");
            assertThat(get(collector, "--limit", "0").err())
                    .startsWith("pathlore get exporters: --limit: 0 is not positive\n");
        }
    }

    @Test
    void anEmptyListSaysWhereToLookNext() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            Ended ended = get(collector);
            assertThat(ended.status()).isZero();
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err())
                    .isEqualTo("pathlore: no exporter has sent anything yet; 'pathlore doctor' says why\n");
        }
    }

    /** Names come from a file of the server's, faults from a stranger perhaps. */
    @Test
    void whatItQuotesCannotSteerATerminal() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector
                    .addExporter("10.0.0.1")
                    .put("name", "a\u001b[2Jb\nc\u009bd\u202ee")
                    .put("lastFault", "\u001b]0;x");
            for (String format : List.of("table", "csv")) {
                assertThat(get(collector, "-o", format).out())
                        .contains("a?[2Jb?c?d?e")
                        .doesNotContain("\u001b", "\u009b", "\u202e");
            }
        }
    }

    @Test
    void lossIsRedOnATerminalOnly() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.1").put("lost", 5);
            String[] args = {"get", "exporters", "--server", collector.url()};
            assertThat(new Program().onTerminal().with(args).out()).contains("\u001b[31m5\u001b[0m");
            assertThat(new Program()
                            .onTerminal()
                            .set("NO_COLOR", "1")
                            .with(args)
                            .out())
                    .doesNotContain("\u001b");
            assertThat(get(collector, "--color", "always").out()).contains("\u001b[31m5\u001b[0m");
        }
    }

    @Test
    void watchingShowsRatesUntilItIsInterrupted() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.1");
            Interruption inTheThird = stop -> {
                collector.onPage = count -> {
                    if (count == 3) {
                        stop.run();
                    }
                };
                return () -> {};
            };
            Ended ended = new Program()
                    .interruptedBy(inTheThird)
                    .with("get", "exporters", "--server", collector.url(), "--watch", "100ms");
            assertThat(ended.status()).isZero();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).contains("\n\nEXPORTER");
            assertThat(ended.lines().getFirst()).doesNotContain("PER SECOND");
            assertThat(ended.lines().get(3)).contains("REPORTS  PER SECOND");
            assertThat(ended.lines().get(4)).containsPattern(" 1,000 +0\\.0 ");
            assertThat(get(collector, "--watch", "5ms").err())
                    .startsWith("pathlore get exporters: --watch: '5ms' is less than 100ms\n");
        }
    }

    @Test
    void aClosedPipeIsQuiet() throws Exception {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.1");
            for (String[] more : new String[][] {{"-o", "table"}, {"-o", "json"}, {"--watch", "100ms"}}) {
                String[] args = Stream.concat(
                                Stream.of("get", "exporters", "--server", collector.url()), Stream.of(more))
                        .toArray(String[]::new);
                assertThat(Main.run(args, InputStream.nullInputStream(), closed, err))
                        .isZero();
            }
            assertThat(err.size()).isZero();
        }
    }

    @Test
    void theConfigurationSaysWhereTheCollectorIs() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.1");
            Program program = new Program().in(directory).set("HOME", directory.toString());
            assertThat(program.with("get", "exporters", "--set", "http.port=" + collector.port())
                            .out())
                    .contains("10.0.0.1");
            Files.writeString(directory.resolve("pathlore.yaml"), "http: { port: " + collector.port() + " }\n");
            assertThat(program.with("get", "exporters").out()).contains("10.0.0.1");
            Ended wrong = program.with("get", "exporters", "--server", collector.url(), "--set", "http.prot=1");
            assertThat(wrong.status()).isEqualTo(2);
        }
    }

    @Test
    void asksOverIpv6() throws Exception {
        InetAddress loopback = InetAddress.ofLiteral("::1");
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null);
        try (CannedCollector collector = new CannedCollector(directory, "::1", null)) {
            collector.addExporter("10.0.0.1");
            for (String server : List.of("http://[::1]:" + collector.port(), "[::1]:" + collector.port() + "/")) {
                Ended ended = Program.run("get", "exporters", "--server", server);
                assertThat(ended.status()).as(ended.err()).isZero();
                assertThat(ended.out()).contains("10.0.0.1");
            }
        }
    }

    @Test
    void nobodyThereIsOneLineAndStatusFive() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            free = socket.getLocalPort();
        }
        Ended ended = Program.run("get", "exporters", "--server", "http://127.0.0.1:" + free);
        assertThat(ended.status()).isEqualTo(5);
        assertThat(ended.err())
                .isEqualTo("pathlore: http://127.0.0.1:" + free + ": connection refused: nobody listens there\n");
    }

    @Test
    void aTokenThatIsNotGoodIsStatusFourAndNamesTheFile() throws Exception {
        try (CannedCollector collector = new CannedCollector(directory)) {
            collector.addExporter("10.0.0.1");
            String token = collector.tokens.add("v", Role.VIEWER, CannedCollector.nowNanos(), Token.NEVER);
            Files.writeString(directory.resolve("v.token"), token + "\n");
            assertThat(get(collector, "--token-file", "v.token").status()).isZero();
            collector.tokens.revoke("v");
            Ended ended = get(collector, "--token-file", "v.token");

            assertThat(ended.status()).isEqualTo(4);
            assertThat(ended.err())
                    .isEqualTo(
                            "pathlore: " + collector.url() + ": not authorised: the token is not known; the token was"
                                    + " that of " + directory.resolve("v.token") + "\n");
            assertThat(ended.err()).doesNotContain(token);
            Ended none = get(collector, "--token-file", "none.token");
            assertThat(none.status()).isEqualTo(1);
            assertThat(none.err())
                    .isEqualTo("pathlore: --token-file " + directory.resolve("none.token") + ": no such file\n");
        }
    }

    @Test
    void theAdminTokenOfThisMachineIsFound() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("admin.token"), "pathlore_secret\n");
        try (Stranger strict = new Stranger(exchange -> {
            if ("Bearer pathlore_secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                Stranger.send(exchange, 200, "application/json", "{\"items\":[]}");
                return;
            }
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"pathlore\"");
            Stranger.send(
                    exchange, 401, "application/problem+json", "{\"detail\":\"this needs a token of role viewer\"}");
        })) {
            String[] args = {"get", "exporters", "--server", strict.url(), "--set", "data=" + data};
            assertThat(new Program().in(directory).with(args).status()).isZero();
            assertThat(strict.tokens()).containsExactly("null", "Bearer pathlore_secret");

            Files.writeString(data.resolve("admin.token"), "pathlore_other\n");
            Ended other = new Program().in(directory).with(args);
            assertThat(other.status()).isEqualTo(4);
            assertThat(other.err())
                    .endsWith("; the token was that of " + data.resolve("admin.token")
                            + ", --token-file names another\n");

            Files.delete(data.resolve("admin.token"));
            Ended none = new Program().in(directory).with(args);
            assertThat(none.status()).isEqualTo(4);
            assertThat(none.err())
                    .isEqualTo("pathlore: " + strict.url()
                            + ": not authorised: this needs a token of role viewer; no token"
                            + " was found (" + data.resolve("admin.token")
                            + ": no such file), --token-file names one\n");
        }
    }

    /** Else whoever sits on the port, or at the end of a redirect, could collect the token by asking for it. */
    @Test
    void aTokenIsNotShownToStrangers() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("admin.token"), "pathlore_secret\n");
        try (Stranger greedy = Stranger.saying(401, "text/html", "who are you?")) {
            Ended ended = new Program()
                    .in(directory)
                    .with("get", "exporters", "--server", greedy.url(), "--set", "data=" + data);
            assertThat(ended.status()).isEqualTo(4);
            assertThat(greedy.tokens()).containsExactly("null");

            try (Stranger pointing = new Stranger(exchange -> {
                exchange.getResponseHeaders().set("Location", greedy.url() + "/api/v1/exporters");
                Stranger.send(exchange, 302, "text/html", "");
            })) {
                Ended pointed = new Program()
                        .in(directory)
                        .with("get", "exporters", "--server", pointing.url(), "--token-file", "data/admin.token");
                assertThat(pointed.status()).isEqualTo(1);
                assertThat(pointed.err())
                        .contains("it points to " + greedy.url())
                        .hasLineCount(1);
                assertThat(pointing.tokens()).containsExactly("Bearer pathlore_secret");
                assertThat(greedy.tokens()).hasSize(1);
            }
        }
    }

    @Test
    void whoeverDoesNotAnswerLikeACollectorIsCalledThat() throws Exception {
        for (String[] answer : new String[][] {
            {"200", "text/html", "<html>hello\nworld</html>", "what it answers is not a JSON object"},
            {"200", "application/json", "{\"items\":[", "what it answers is not a JSON object"},
            {"200", "application/json", "[]", "what it answers is not a JSON object"},
            {"200", "application/json", "", "what it answers is not a JSON object"},
            {"200", "application/json", "{} {}", "what it answers is not a JSON object"},
            {"200", "application/json", "{\"things\":[]}", "there is no 'items' in its answer"},
            {"200", "application/json", "{\"items\":[1]}", "an item of its list is not an object"},
            {"200", "application/json", "{\"items\":[],\"next\":\"again\"}", "its list does not end"},
            {"404", "text/html", "no", "it answers 404"},
            {"500", "text/plain", "oops", "it answers 500"}
        }) {
            try (Stranger stranger = Stranger.saying(Integer.parseInt(answer[0]), answer[1], answer[2])) {
                Ended ended = Program.run("get", "exporters", "--server", stranger.url());
                assertThat(ended.status()).isEqualTo(1);
                assertThat(ended.out()).isEmpty();
                assertThat(ended.err())
                        .isEqualTo("pathlore: " + stranger.url() + "/api/v1/exporters: does not answer like a"
                                + " collector: " + answer[3] + "\n");
            }
        }
        String problem = "{\"status\":503,\"detail\":\"too many requests at once: \\u001b[2Jtry again\"}";
        try (Stranger busy = Stranger.saying(503, "application/problem+json", problem)) {
            Ended ended = Program.run("get", "exporters", "--server", busy.url());
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.err())
                    .contains(": 503: too many requests at once: ?[2Jtry again")
                    .hasLineCount(1);
        }
    }

    @Test
    void aServerThatIsNoAddressIsMisuse() {
        Ended ended = Program.run("get", "exporters", "--server", "ftp://x");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err())
                .startsWith(
                        "pathlore get exporters: Invalid value for option '--server': 'ftp://x' is not a server, like");
        assertThat(Program.run("get").err())
                .startsWith(
                        "pathlore get: what should it list? Lists: exporters, nodes, links, flows, paths, drops, queues,"
                                + " events, attacks, mitigations\n");
        assertThat(Program.run("get", "exportres").err())
                .startsWith("pathlore get: unknown command 'exportres'; did you mean 'exporters'?\n");
    }
}
