package io.pathlore.serve.metrics;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricWriterTest {
    private final MetricWriter out = new MetricWriter();

    @Test
    void writesTheTextFormat() {
        out.counter("pathlore_rejected_total", "Refused,\n by \"reason\" \\.", "reason")
                .value(5, "acl")
                .value(7, "a\"\\\nb");
        out.gauge("pathlore_in_flight", "Now.").value(0.5);
        out.histogram("pathlore_wait_seconds", "Waits.", new double[] {0.1, 1}).value(new long[] {1, 2, 3}, 9.5);
        assertThat(out.finish()).isEqualTo("""
                # HELP pathlore_rejected_total Refused,\\n by "reason" \\\\.
                # TYPE pathlore_rejected_total counter
                pathlore_rejected_total{reason="acl"} 5
                pathlore_rejected_total{reason="a\\"\\\\\\nb"} 7
                # HELP pathlore_in_flight Now.
                # TYPE pathlore_in_flight gauge
                pathlore_in_flight 0.5
                # HELP pathlore_wait_seconds Waits.
                # TYPE pathlore_wait_seconds histogram
                pathlore_wait_seconds_bucket{le="0.1"} 1
                pathlore_wait_seconds_bucket{le="1.0"} 3
                pathlore_wait_seconds_bucket{le="+Inf"} 6
                pathlore_wait_seconds_sum 9.5
                pathlore_wait_seconds_count 6
                # HELP pathlore_metrics_series_dropped Series left out of this scrape because there were too many.
                # TYPE pathlore_metrics_series_dropped gauge
                pathlore_metrics_series_dropped 0
                """);
    }

    @Test
    void whateverALabelSaysTheScrapeCanBeRead() {
        forAll(
                random -> random.ints(random.nextInt(200), 0, 0x300)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString(),
                label -> {
                    MetricWriter writer = new MetricWriter();
                    writer.gauge("pathlore_x", label, "a", "b").value(1, label, "x");
                    assertThat(Exposition.parse(writer.finish())).hasSize(2);
                });
    }

    @Test
    void familiesAreBoundedAndTheRestIsCounted() {
        MetricWriter.Family family = out.gauge("pathlore_x", "X.", "id");
        for (int i = 0; i < MetricWriter.MAX_SERIES_PER_FAMILY + 7; i++) {
            family.value(1, Integer.toString(i));
        }
        assertThat(Exposition.parse(out.finish()))
                .hasSize(MetricWriter.MAX_SERIES_PER_FAMILY + 1)
                .containsEntry("pathlore_metrics_series_dropped", 7.0);
    }

    @Test
    void refusesWhatAScraperWould() {
        assertThatThrownBy(() -> out.counter("pathlore_x", "X.")).hasMessageContaining("_total");
        assertThatThrownBy(() -> out.gauge("pathlore_x_total", "X.")).hasMessageContaining("_total");
        assertThatThrownBy(() -> out.gauge("other_x", "X.")).hasMessageContaining("not a metric name");
        assertThatThrownBy(() -> out.gauge("pathlore_y", "X.", "A")).hasMessageContaining("label");
        out.gauge("pathlore_z", "Z.");
        assertThatThrownBy(() -> out.gauge("pathlore_z", "Z.")).hasMessageContaining("once");
        MetricWriter.Family family = out.gauge("pathlore_w", "W.", "a").value(1, "x");
        assertThatThrownBy(() -> family.value(2, "x")).hasMessageContaining("one sample");
        assertThatThrownBy(() -> family.value(2)).hasMessageContaining("as many");
    }

    @Test
    void theMachineTellsOfItself() {
        try (JvmMetrics jvm = new JvmMetrics()) {
            jvm.write(out);
        }
        assertThat(Exposition.parse(out.finish()))
                .containsKeys(
                        "pathlore_jvm_heap_used_bytes", "pathlore_jvm_threads", "pathlore_jvm_gc_pause_seconds_count");
        assertThat(JvmMetrics.stopsTheWorld("ZGC Major Cycles")).isFalse();
        assertThat(JvmMetrics.stopsTheWorld("G1 Young Generation")).isTrue();
    }
}
