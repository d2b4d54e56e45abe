package io.pathlore.cli.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.model.LatencyHistogram;
import io.pathlore.serve.Problem;
import io.pathlore.store.tables.Queries;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Latencies of many places over a time, from the histograms of its seconds and minutes: they can be added, which quantiles
 * cannot.
 *
 * @param <K> what tells places apart
 */
final class Latencies<K> {
    /** From a row to the place it is of. */
    interface Place<K> {
        K of(TableRow row) throws SQLException;
    }

    private final Map<K, LatencyHistogram> histograms = new HashMap<>();

    /** @param rows with a column {@code latency_histogram} */
    static <K> Latencies<K> of(Question rows, Queries queries, Place<K> place) throws Problem {
        Latencies<K> latencies = new Latencies<>();
        rows.ask(queries, row -> {
            byte[] octets = row.bytes("latency_histogram");
            if (octets != null) {
                latencies
                        .histograms
                        .computeIfAbsent(place.of(row), unseen -> new LatencyHistogram())
                        .add(octets);
            }
        });
        return latencies;
    }

    /**
     * Writes {@code latencyNs}, where it is known.
     *
     * @param max the greatest that was seen, which is exact
     */
    void write(ObjectNode json, K place, long max) {
        LatencyHistogram histogram = histograms.get(place);
        if (histogram != null && histogram.total() > 0) {
            ObjectNode latency = json.putObject("latencyNs");
            latency.put("p50", atMost(histogram.quantile(0.5), max));
            latency.put("p99", atMost(histogram.quantile(0.99), max));
            Labels.number(latency, "max", max);
        }
    }

    /** Quantiles are ends of buckets, and may lie beyond all values. */
    static long atMost(long quantile, long max) {
        return max == Row.ABSENT ? quantile : Math.min(quantile, max);
    }
}
