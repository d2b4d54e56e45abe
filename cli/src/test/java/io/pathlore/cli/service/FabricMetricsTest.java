package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.serve.metrics.MetricWriter;
import io.pathlore.store.tables.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of the inventory have numbers of their own; all others share. */
class FabricMetricsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private FabricMetrics fabric;

    @BeforeEach
    void load() throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), """
                data: data
                inventory: [ { node: 1, name: leaf-1 }, { node: 2 } ]
                """);
        fabric = new FabricMetrics(new ConfigLoader(directory, directory, Map.of())
                .loadService(null, List.of())
                .config()
                .inventory());
    }

    private static Row.Hop hop(long second, long node, long occupancy, long... latencies) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (long latency : latencies) {
            histogram.record(latency);
        }
        byte @Nullable [] encoded = latencies.length == 0 ? null : histogram.encode();
        return new Row.Hop(false, second * SECOND, node, 1, 0, 5, 0, 0, 0, 0, encoded, occupancy, Row.ABSENT, 0, 1);
    }

    private String scrape() {
        MetricWriter out = new MetricWriter();
        fabric.write(out);
        return out.finish();
    }

    @Test
    void latenciesAreAddedUpInTheBucketsTheyBelongTo() {
        fabric.row(hop(1, 1, Row.ABSENT, 900, 30_000, 30_000, 3_000_000_000L));
        fabric.row(hop(2, 1, Row.ABSENT, 900));
        assertThat(scrape())
                .contains("pathlore_hop_reports_total{node=\"leaf-1\"} 10\n")
                .contains("pathlore_hop_latency_seconds_bucket{node=\"leaf-1\",le=\"1.0E-6\"} 2\n")
                .contains("pathlore_hop_latency_seconds_bucket{node=\"leaf-1\",le=\"2.0E-5\"} 2\n")
                .contains("pathlore_hop_latency_seconds_bucket{node=\"leaf-1\",le=\"5.0E-5\"} 4\n")
                .contains("pathlore_hop_latency_seconds_bucket{node=\"leaf-1\",le=\"1.0\"} 4\n")
                .contains("pathlore_hop_latency_seconds_bucket{node=\"leaf-1\",le=\"+Inf\"} 5\n")
                .containsPattern("pathlore_hop_latency_seconds_sum\\{node=\"leaf-1\"} [23]\\.");
    }

    @Test
    void whatANodeDoesNotTellIsNotThere() {
        fabric.row(hop(1, 2, Row.ABSENT));
        assertThat(scrape())
                .contains("pathlore_hop_reports_total{node=\"2\"} 5\n")
                .doesNotContain("pathlore_hop_latency_seconds_count")
                .doesNotContain("pathlore_queue_occupancy_max{");
    }

    @Test
    void queuesAreThoseOfTheLastSecondUntilThatIsOld() {
        fabric.row(hop(1, 1, 900));
        fabric.row(hop(2, 1, 10));
        fabric.row(hop(2, 1, 40));
        fabric.row(hop(1, 1, 800));
        assertThat(scrape()).contains("pathlore_queue_occupancy_max{node=\"leaf-1\"} 40\n");
        fabric.row(hop(62, 2, 1));
        assertThat(scrape()).doesNotContain("pathlore_queue_occupancy_max{node=\"leaf-1\"}");
    }

    /** Whoever can send a report can invent nodes and reasons. */
    @Test
    void inventedNodesAndReasonsMakeNoSeries() {
        for (int i = 0; i < 100_000; i++) {
            fabric.row(hop(1, 1_000 + i, 1));
            fabric.row(new Row.Drop(SECOND, 1, 1, 0, i, 1, Row.ABSENT));
        }
        String scrape = scrape();
        assertThat(scrape).contains("pathlore_hop_reports_total{node=\"other\"} 500000\n");
        assertThat(scrape.lines().filter(line -> line.startsWith("pathlore_drops_reported_total")))
                .hasSize(17)
                .anyMatch(line -> line.contains("reason=\"other\"} 99984"));
    }

    @Test
    void dropsHaveTheNameOfTheirReason() {
        fabric.row(new Row.Drop(SECOND, 1, 1, 0, 80, 3, 30));
        fabric.row(new Row.Drop(SECOND, 1, 1, 0, Row.ABSENT, 1, 30));
        assertThat(scrape())
                .contains("pathlore_drops_reported_total{node=\"leaf-1\",reason=\"ACL deny\"} 3\n")
                .contains("pathlore_drops_reported_total{node=\"leaf-1\",reason=\"unknown\"} 1\n");
    }
}
