package io.pathlore.cli.service;

import static io.pathlore.cli.service.LiveCollector.SECOND;
import static io.pathlore.cli.service.LiveCollector.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.store.tables.Row;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL, whole tables and filters over HTTP, asked of a real collector. */
class TableRoutesTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b, range(1000) c";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static LiveCollector collector;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(directory.resolve("secret.csv"), "a secret\n");
        Files.writeString(
                directory.resolve("pathlore.yaml"),
                "inventory: [{ node: 3, name: leaf-3 }, { node: 4, name: leaf-4 }]\n");
        collector = new LiveCollector(directory);
        Row[] drops = new Row[100];
        for (int i = 0; i < drops.length; i++) {
            drops[i] = new Row.Drop(START + i * SECOND, i, 2, Row.ABSENT, 80, 5, 500);
        }
        collector.store(START + 100 * SECOND, drops);
    }

    @AfterAll
    static void stop() {
        collector.close();
    }

    private static HttpResponse<String> ask(String sql) throws Exception {
        return collector.post(
                "/api/v1/query", JSON.createObjectNode().put("sql", sql).toString());
    }

    @Test
    void aQuestionIsAnsweredWithColumnsAndRows() throws Exception {
        HttpResponse<String> answer = ask("SELECT node, queue, 'a\"b' AS t FROM drops_1s ORDER BY node LIMIT 2");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("{\"columns\":[\"node\",\"queue\",\"t\"],\"rows\":["
                        + "{\"node\":0,\"queue\":null,\"t\":\"a\\\"b\"},{\"node\":1,\"queue\":null,\"t\":\"a\\\"b\"}],"
                        + "\"truncated\":false}");
        JsonNode many = JSON.readTree(ask("SELECT range AS r FROM range(20000)").body());
        assertThat(many.path("rows")).hasSize(10_000);
        assertThat(many.path("truncated").asBoolean()).isTrue();
        assertThat(JSON.readTree(ask("SELECT 1 AS a WHERE false").body()).path("rows"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | SELEC 1",
                "400 | SELECT nothing FROM drops_1s",
                "403 | SELECT * FROM read_csv('%s/secret.csv')",
                "403 | SELECT * FROM '%s/secret.csv'",
                "403 | ATTACH '%s/other.duckdb'",
                "403 | COPY drops_1s TO '%s/out.csv'",
                "403 | INSTALL httpfs",
                "403 | LOAD httpfs",
                "403 | SET memory_limit = '100GB'",
                "403 | PRAGMA threads = 8",
                "403 | DELETE FROM drops_1s",
                "403 | SELECT current_setting('memory_limit')",
                "403 | SELECT 1; DROP TABLE drops_1s",
                "422 | SELECT a.range, b.range FROM range(100000) a, range(100000) b ORDER BY 2 DESC, 1"
            })
    void whatIsNotAnsweredIsAProblemOfOneLine(int status, String sql) throws Exception {
        HttpResponse<String> answer = ask(sql.replace("%s", directory.toString()));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        JsonNode problem = JSON.readTree(answer.body());
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        assertThat(problem.path("title").asText()).isNotEqualTo("Error");
        assertThat(problem.path("detail").asText()).isNotBlank().doesNotContain("\n", "a secret");
        assertThat(directory.resolve("out.csv")).doesNotExist();
        assertThat(ask("SELECT count(*) AS n FROM drops_1s").body()).contains("{\"n\":100}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "SELECT 1",
                "{\"sql\":1}",
                "{\"sql\":\"SELECT 1\",\"limit\":1}",
                "{\"sql\":\"a\"} x"
            })
    void aBodyIsOneObjectWithTheQuestion(String body) throws Exception {
        assertThat(collector.post("/api/v1/query", body).statusCode()).isEqualTo(400);
    }

    @Test
    void aQuestionHasALimitAndIsAskedByPost() throws Exception {
        assertThat(ask("SELECT '" + "x".repeat(65_536) + "'").statusCode()).isEqualTo(413);
        assertThat(collector.get("/api/v1/query").statusCode()).isEqualTo(405);
    }

    /** Each takes a thread of the system, and not one of those that all requests share. */
    @Test
    void questionsThatLastDoNotKeepOthersFromAnAnswer() throws Exception {
        List<CompletableFuture<Integer>> asking = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return ask(ENDLESS).statusCode();
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        task -> Thread.ofPlatform().start(task)))
                .limit(2)
                .toList();
        long started = System.nanoTime();
        int answers = 0;
        while (!asking.stream().allMatch(CompletableFuture::isDone)) {
            assertThat(collector.get("/healthz").statusCode()).isEqualTo(200);
            answers++;
            assertThat(System.nanoTime() - started).isLessThan(60 * SECOND);
        }
        assertThat(answers).isGreaterThan(20);
        assertThat(asking).extracting(CompletableFuture::join).containsOnly(422);
    }

    @Test
    void aTableIsAFile() throws Exception {
        HttpResponse<String> csv = collector.get("/api/v1/export/drops_1s?format=csv");
        assertThat(csv.statusCode()).isEqualTo(200);
        assertThat(csv.headers().firstValue("Content-Disposition")).hasValue("attachment; filename=\"drops_1s.csv\"");
        assertThat(csv.body().lines()).hasSize(101).startsWith("time,node,interface,queue,reason,reports,packets");
        HttpResponse<String> part = collector.get(
                "/api/v1/export/drops_1s?format=jsonl&since=2026-11-15T18:00:10Z&until=2026-11-15T18:00:12Z");
        assertThat(part.body().lines().map(line -> line.replaceAll(".*\"node\":(\\d+).*", "$1")))
                .containsExactly("10", "11");
        byte[] parquet = collector.bytes("/api/v1/export/drops_1s").body();
        assertThat(new String(parquet, 0, 4, java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("PAR1");
        // The client has the last octet before the server tidies up.
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!exported().isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        assertThat(exported()).isEmpty();
    }

    private List<Path> exported() throws IOException {
        try (Stream<Path> left = Files.list(directory.resolve("data/store/export"))) {
            return left.toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "404, stored_to",
        "404, secret.csv",
        "400, drops_1s?format=xlsx",
        "400, drops_1s?since=yesterday",
        "400, drops_1s?limit=1"
    })
    void whatCannotBeExportedIsAProblem(int status, String path) throws Exception {
        assertThat(collector.get("/api/v1/export/" + path).statusCode()).isEqualTo(status);
    }

    @Test
    void aFilterCanBeCompleted() throws Exception {
        assertThat(collector.get("/api/v1/filter/complete?text=node%20%3D%20le").body())
                .isEqualTo("{\"from\":7,\"to\":9,\"suggestions\":["
                        + "{\"text\":\"leaf-3\",\"kind\":\"name\",\"detail\":\"3\"},"
                        + "{\"text\":\"leaf-4\",\"kind\":\"name\",\"detail\":\"4\"}]}");
        assertThat(collector
                        .json("/api/v1/filter/complete?text=nodexyz&cursor=3")
                        .path("suggestions"))
                .anySatisfy(each -> assertThat(each.path("text").asText()).isEqualTo("node"));
        assertThat(collector.json("/api/v1/filter/complete").path("suggestions"))
                .isNotEmpty();
        assertThat(collector.get("/api/v1/filter/complete?text=a&cursor=2").statusCode())
                .isEqualTo(400);
        assertThat(collector.get("/api/v1/filter/complete?filter=a").statusCode())
                .isEqualTo(400);
    }
}
