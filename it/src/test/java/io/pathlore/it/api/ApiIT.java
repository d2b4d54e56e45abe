package io.pathlore.it.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.api.ServedDemo.Answer;
import io.pathlore.it.collect.RunningCollector;
import io.pathlore.testkit.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A living collector against its own document: that it answers as the document says, lets in whom the document says, whatever is
 * asked, and nobody else.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ApiIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private ServedDemo demo;

    @SuppressWarnings("NullAway.Init")
    private Document document;

    @BeforeAll
    void start() throws Exception {
        demo = ServedDemo.start(temp, List.of(), RunningCollector.JVM, "--speed", "6")
                .untilMuchHappened();
        document = new Document(demo.get("/openapi.json").body());
    }

    @AfterAll
    void stop() {
        demo.close();
    }

    // The document
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void everySchemaIsUsedAndThere() {
        assertThat(document.referred())
                .isEqualTo(new TreeSet<>(document.schemas().keySet()));
        assertThat(document.operations()).hasSizeGreaterThan(40);
    }

    @Test
    void answersHaveTheShapesOfTheDocument() throws Exception {
        List<String> faults = new ArrayList<>();
        Set<String> asked = new TreeSet<>();
        Samples samples = Samples.of(demo);
        for (Document.Operation operation : document.operations()) {
            if (!operation.method().equals("GET")) {
                continue;
            }
            for (String path : samples.good(operation)) {
                Answer answer = demo.ask("GET", path, demo.admin, null);
                asked.add(operation.toString());
                if (answer.status() != 200) {
                    faults.add(path + ": " + answer);
                } else {
                    faults.addAll(document.faults(operation, 200, answer.type(), answer.body()));
                }
            }
        }
        assertThat(faults).isEmpty();
        assertThat(asked).hasSize((int) document.operations().stream()
                .filter(each -> each.method().equals("GET"))
                .count());
    }

    @Test
    void whatIsChangedIsAnsweredInTheShapesOfTheDocument() throws Exception {
        List<String> faults = new ArrayList<>();
        for (Document.Operation operation : document.operations()) {
            if (operation.isMore()) {
                String body = operation.hasBody() ? "{\"revision\": 1, \"sql\": 1}" : null;
                Answer answer = demo.ask("POST", operation.path("0000000000000000"), demo.admin, body);
                faults.addAll(document.faults(operation, answer.status(), answer.type(), answer.body()));
            }
        }
        Document.Operation query = document.operations().stream()
                .filter(each -> each.path().equals("/api/v1/query"))
                .findFirst()
                .orElseThrow();
        Answer rows = demo.ask("POST", "/api/v1/query", null, "{\"sql\": \"SELECT * FROM flows_1m LIMIT 3\"}");
        assertThat(rows.status()).isEqualTo(200);
        faults.addAll(document.faults(query, 200, rows.type(), rows.body()));
        assertThat(faults).isEmpty();
    }

    // Who may
    // --------------------------------------------------------------------------------------------------------------

    private record Sent(
            String method, String path, @Nullable String token, List<String> headers) {}

    /** On a connection of its own, byte by byte as it is written here. */
    private int raw(Sent sent) throws IOException {
        URI uri = URI.create(demo.url());
        StringBuilder text = new StringBuilder(sent.method + " " + sent.path + " HTTP/1.1\r\nConnection: close\r\n");
        if (sent.headers.stream().noneMatch(line -> line.startsWith("Host:"))) {
            text.append("Host: ").append(demo.host()).append("\r\n");
        }
        sent.headers.forEach(line -> text.append(line).append("\r\n"));
        if (sent.token != null) {
            text.append("Authorization: Bearer ").append(sent.token).append("\r\n");
        }
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
            String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            return line.startsWith("HTTP/1.1 ") ? Integer.parseInt(line.substring(9)) : 0;
        }
    }

    private Map<String, @Nullable String> callers() {
        Map<String, @Nullable String> callers = new LinkedHashMap<>();
        callers.put("none", null);
        callers.put("viewer", demo.viewer);
        callers.put("operator", demo.operator);
        callers.put("admin", demo.admin);
        return callers;
    }

    /** Written down once more, apart from the code that decides; 0: let in. */
    private static int expected(Document.Operation operation, String caller, boolean here, boolean own) {
        List<String> roles = List.of("viewer", "operator", "admin");
        if (!own) {
            return 403;
        }
        if (operation.role().isEmpty()) {
            return 0;
        }
        if (caller.equals("none")) {
            return here && operation.role().equals("viewer") ? 0 : 401;
        }
        return roles.indexOf(caller) >= roles.indexOf(operation.role()) ? 0 : 403;
    }

    /** GET by HEAD, for streams do not end; what changes something by a body it does not take. */
    @Test
    void everyOperationLetsInWhomTheDocumentSays() throws Exception {
        List<String> wrong = new ArrayList<>();
        int cases = 0;
        for (Document.Operation operation : document.operations()) {
            for (var caller : callers().entrySet()) {
                for (boolean here : new boolean[] {true, false}) {
                    for (String foreign : List.of("", "Host: evil.test", "Origin: http://evil.test", "Origin: null")) {
                        List<String> headers = new ArrayList<>();
                        if (!here) {
                            headers.add("X-Forwarded-For: 192.0.2.1");
                        }
                        if (!foreign.isEmpty()) {
                            headers.add(foreign);
                        }
                        if (operation.isMore()) {
                            headers.add("Content-Encoding: none"); // let in, and refused before anything happens
                        }
                        String method = operation.isMore() ? operation.method() : "HEAD";
                        int status = raw(new Sent(method, operation.path("x"), caller.getValue(), headers));
                        int expected = expected(operation, caller.getKey(), here, foreign.isEmpty());
                        boolean right = expected == 0
                                ? operation.isMore() ? status == 415 : status != 401 && status != 403
                                : status == expected;
                        if (!right) {
                            wrong.add(operation + " by " + caller.getKey() + " here=" + here + " " + foreign + ": "
                                    + status + " and not " + expected);
                        }
                        cases++;
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(cases).isEqualTo(document.operations().size() * 32);
    }

    /** The last: whoever shows so many cannot log in for a while. */
    @Test
    @Order(Integer.MAX_VALUE)
    void tokensThatAreNotGoodOpenNothing() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Document.Operation operation : document.operations()) {
            for (String token : List.of(demo.expired, "pathlore_" + "A".repeat(43))) {
                String method = operation.isMore() ? operation.method() : "HEAD";
                int status = raw(new Sent(method, operation.path("x"), token, List.of()));
                boolean login = operation.path().equals("/api/v1/login"); // by then too many were shown
                boolean refused = status == (login ? 429 : 401);
                if (refused == operation.role().isEmpty()) {
                    wrong.add(operation + ": " + status);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(raw(new Sent("GET", "/api/v1/ledger", demo.viewer, List.of())))
                .isEqualTo(200);
    }

    @Test
    void aCookieAloneChangesNothing() throws Exception {
        Browser mine = Browser.of(demo, demo.admin);
        Browser other = Browser.of(demo, demo.admin);
        List<String> wrong = new ArrayList<>();
        int cases = 0;
        for (Document.Operation operation : document.operations()) {
            if (!operation.isMore()) {
                continue;
            }
            for (String csrf : List.of("", "Pathlore-Csrf: x", "Pathlore-Csrf: " + other.csrf())) {
                List<String> headers = new ArrayList<>(List.of("Cookie: " + mine.cookie()));
                if (!csrf.isEmpty()) {
                    headers.add(csrf);
                }
                int status = raw(new Sent(operation.method(), operation.path("x"), null, headers));
                if (status != 403) {
                    wrong.add(operation + " with '" + csrf + "': " + status);
                }
                cases++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(cases).isGreaterThan(20);
        assertThat(demo.ask("POST", "/api/v1/reload", null, null, "Cookie", mine.cookie(), "Pathlore-Csrf", mine.csrf())
                        .status())
                .isEqualTo(409); // the demo has no configuration to read again; but it was asked
    }

    /** What a browser has after it logged in. */
    private record Browser(String cookie, String csrf) {
        static Browser of(ServedDemo demo, String token) throws IOException {
            Answer answer = demo.ask("POST", "/api/v1/login", token, null);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
            return new Browser(
                    cookie.substring(0, cookie.indexOf(';')),
                    String.valueOf(Json.object(answer.body()).get("csrf")));
        }
    }

    @Test
    void anotherSpellingIsNoWayIn() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Document.Operation operation : document.operations()) {
            if (operation.role().isEmpty()) {
                continue;
            }
            String path = operation.path("x");
            String last = path.substring(path.lastIndexOf('/') + 1);
            for (String trick : List.of(
                    path.replace("/api", "/%61pi"),
                    path + "%2e%2e%2f",
                    "/healthz/.." + path,
                    "/healthz/%2e%2e" + path,
                    "//" + path,
                    path.replace("/v1", "//v1"),
                    path + "/",
                    path + ".css",
                    path + ";.css",
                    path + "%00.css",
                    path + "?/healthz",
                    path.replace(last, last.toUpperCase(Locale.ROOT)),
                    path + "/" + "a".repeat(300),
                    "/assets/../" + path)) {
                // Nobody, from elsewhere: whatever it is, it is not answered.
                String method = operation.isMore() ? operation.method() : "HEAD";
                int status = raw(new Sent(method, trick, null, List.of("X-Forwarded-For: 192.0.2.1")));
                if (status != 400 && status != 401 && status != 403) {
                    wrong.add(method + " " + trick + ": " + status);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    // Whatever is asked
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void whateverIsAskedIsAnsweredAsTheDocumentSays() throws Exception {
        fuzz(20_26, 1_500);
    }

    @Test
    @Tag("slow")
    @Timeout(2_400)
    void whateverIsAskedForHalfAnHourIsToo() throws Exception {
        fuzz(Long.getLong("fuzz.seed", 1), 150_000);
    }

    private void fuzz(long seed, int questions) throws Exception {
        Questions generator = new Questions(document, Samples.of(demo), seed);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < questions && wrong.size() < 20; i++) {
            Questions.Question question = generator.next();
            Answer answer = demo.ask(question.method(), question.path(), demo.operator, question.body());
            boolean fault = answer.status() >= 500 && answer.status() != 503;
            if (fault || answer.status() == 200 && answer.type().isEmpty()) {
                wrong.add(question + ": " + answer);
            } else {
                for (String each :
                        document.faults(question.operation(), answer.status(), answer.type(), answer.body())) {
                    wrong.add(question + ": " + each);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    // Pages
    // --------------------------------------------------------------------------------------------------------------

    /** Of lists that stay as they are while somebody turns their pages, though the network goes on. */
    @Test
    void pagesOfAListMissNothingAndTellNothingTwice() throws Exception {
        for (String list : List.of(
                "exporters",
                "nodes",
                "links",
                "flows",
                "paths",
                "queues",
                "events",
                "attacks",
                "audit",
                "mitigations")) {
            List<String> seen = new ArrayList<>();
            String next = "";
            int pages = 0;
            do {
                Answer answer = demo.get("/api/v1/" + list + "?limit=3" + next);
                assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
                Map<String, Object> json = Json.object(answer.body());
                for (Object item : Document.list(json.get("items"))) {
                    seen.add(key(list, Document.asObject(item)));
                }
                assertThat(Document.list(json.get("items")).size()).isLessThanOrEqualTo(3);
                Object more = json.get("next");
                next = more == null ? "" : "&cursor=" + more;
                pages++;
            } while (!next.isEmpty() && pages < 40);
            assertThat(seen).as(list).isNotEmpty().doesNotHaveDuplicates();
        }
    }

    private static String key(String list, Map<String, Object> item) {
        return switch (list) {
            case "exporters" -> String.valueOf(item.get("address"));
            case "links" -> item.get("from") + " " + item.get("to");
            case "queues" -> item.get("node") + " " + item.get("interface") + " " + item.get("queue");
            case "audit" -> String.valueOf(item.get("line"));
            default -> String.valueOf(item.get("id"));
        };
    }
}
