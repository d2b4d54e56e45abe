package io.pathlore.cli.service;

import static io.pathlore.cli.service.LiveCollector.START;
import static io.pathlore.cli.service.LiveCollector.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableReader;
import io.pathlore.store.tables.TableStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of a running collector: how they are is told everywhere, and never decides whether reports are received. */
class TablesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static Row drop(long time) {
        return new Row.Drop(time, 1, 2, 3, 80, 5, 500);
    }

    @Test
    void areOpenedAskedToldOfAndClosedInOrder() throws Exception {
        try (LiveCollector collector = new LiveCollector(directory)) {
            collector.store(START, drop(START));
            assertThat(collector
                            .process()
                            .tables()
                            .ask("SELECT reason FROM drops_1s")
                            .rows())
                    .containsExactly("{\"reason\":80}");

            JsonNode store = collector.json("/api/v1/status").path("store");
            assertThat(store.path("state").asText()).isEqualTo("ok");
            assertThat(store.path("storedTo").asText()).startsWith("2026-11-15T18:00:00");
            assertThat(store.path("rowsStored").asLong()).isEqualTo(1);
            assertThat(store.path("failures").asLong()).isZero();
            assertThat(collector.get("/readyz").body()).contains("\"name\":\"store\",\"ok\":true");
            assertThat(collector.get("/metrics").body())
                    .contains(
                            "\npathlore_store_up 1\n",
                            "\npathlore_store_rows_total 1\n",
                            "\npathlore_store_stored_to_seconds 1.7947656E9\n",
                            "\npathlore_events_total{kind=\"loop\"} 0\n");
            TableStore last = collector.opened();
            assertThat(last.append(drop(START + 1))).isTrue();
            assertThat(last.mark(START + 1, Map.of())).isTrue();
        }
        try (TableReader reader = TableReader.open(directory.resolve("data/store"), TableOptions.DEFAULT)) {
            assertThat(reader.stored().storedToNanos()).isEqualTo(START + 1);
            assertThat(reader.queries(QueryLimits.DEFAULT).ask("FROM drops_1s").rows())
                    .hasSize(2);
        }
    }

    @Test
    void thatCannotBeOpenedAreAStateAndAreTriedAgain() throws Exception {
        Path inTheWay = directory.resolve("data/store");
        Files.createDirectories(inTheWay.getParent());
        Files.writeString(inTheWay, "not a directory");
        try (LiveCollector collector = new LiveCollector(directory)) {
            until(
                    "it was tried",
                    () -> collector
                                    .json("/api/v1/status")
                                    .path("store")
                                    .path("failures")
                                    .asLong()
                            > 0);
            JsonNode store = collector.json("/api/v1/status").path("store");
            assertThat(store.path("state").asText()).isEqualTo("failed");
            assertThat(store.path("detail").asText()).contains(inTheWay.toString());
            assertThat(store.has("storedTo")).isFalse();
            assertThat(collector.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(collector.get("/readyz").statusCode()).isEqualTo(503);
            assertThat(collector.get("/metrics").body()).contains("\npathlore_store_up 0\n");
            assertThat(collector.process().collector().failure()).isNull();
            assertThat(collector.log()).contains("warn tables " + inTheWay);

            Files.delete(inTheWay);
            collector.store(START, drop(START));
            assertThat(collector.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(collector.get("/metrics").body()).contains("\npathlore_store_up 1\n");
        }
    }

    @Test
    void thatNobodyCouldEverOpenDoNotKeepTheProcessFromEnding() throws Exception {
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/store"), "not a directory");
        LiveCollector collector = new LiveCollector(directory);
        collector.close();
        assertThat(collector.process().tables().store()).isNull();
    }

    @Test
    void areNotThereWhereNobodyWantsThem() throws Exception {
        try (LiveCollector collector = new LiveCollector(directory, "store.enabled=false")) {
            assertThat(collector.json("/api/v1/status").path("store").toString())
                    .isEqualTo("{\"enabled\":false}");
            assertThat(collector.get("/readyz").body()).doesNotContain("store");
            assertThat(collector.get("/metrics").body()).doesNotContain("pathlore_store");
            assertThat(directory.resolve("data/store")).doesNotExist();
        }
    }

    @Test
    void otherKeysOfTheStoreNeedARestart() throws Exception {
        try (LiveCollector collector = new LiveCollector(directory)) {
            var now = collector.process().collector().service();
            var next = new ConfigLoader(directory, directory, Map.of())
                    .loadService(
                            null,
                            List.of(
                                    "data=" + now.data(),
                                    "memory=64MiB",
                                    "store.memory=256MiB",
                                    "analysis.flows=1000",
                                    "listen.addresses=127.0.0.1",
                                    "listen.ports=" + now.listen().ports().getFirst(),
                                    "http.port=" + now.http().port()));
            assertThat(collector.process().collector().reload(next)).containsExactly("store");
        }
    }
}
