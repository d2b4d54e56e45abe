package io.pathlore.cli.network;

import io.pathlore.model.LatencyHistogram;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.TableRow;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** One node of a flow's path, with what its queues said: in the time that is asked about, and in the hours before. */
final class Hop {
    final long node;

    /** By which the flow may leave it; empty where that is not known, and then all of them count. */
    final Set<Long> interfaces = new TreeSet<>();

    long reports;
    long latencyMax = Row.ABSENT;
    long occupancyMax = Row.ABSENT;
    long drops = Row.ABSENT;

    private final LatencyHistogram latencies = new LatencyHistogram();
    /** Time and number of the latencies of each minute before. */
    private final Map<Long, double[]> before = new TreeMap<>();

    private long baseline = Row.ABSENT;

    Hop(long node) {
        this.node = node;
    }

    boolean leavesBy(long interfaceId) {
        return interfaces.isEmpty() || interfaces.contains(interfaceId);
    }

    void onRow(TableRow row) throws SQLException {
        reports += row.number("reports");
        latencyMax = Math.max(latencyMax, row.number("latency_max"));
        occupancyMax = Math.max(occupancyMax, row.number("occupancy_max"));
        long dropped = row.number("drops");
        if (dropped != Row.ABSENT) {
            drops = Math.max(0, drops) + dropped;
        }
        byte[] octets = row.bytes("latency_histogram");
        if (octets != null) {
            latencies.add(octets);
        }
    }

    void onMinuteBefore(TableRow row) throws SQLException {
        byte[] octets = row.bytes("latency_histogram");
        if (octets != null) {
            LatencyHistogram minute = LatencyHistogram.decode(octets);
            double[] sums = before.computeIfAbsent(row.number("minute"), unseen -> new double[2]);
            sums[0] += (double) minute.mean() * minute.total();
            sums[1] += minute.total();
        }
    }

    /** What an event says is usual here, for want of anything better. */
    void onBaseline(long nanos) {
        baseline = nanos;
    }

    boolean hasLatency() {
        return latencies.total() > 0;
    }

    long mean() {
        return latencies.mean();
    }

    LatencyHistogram latencies() {
        return latencies;
    }

    /** The median of the means of all minutes before: bad ones in between do not make a bad time usual. */
    long usual() {
        double[] means = before.values().stream()
                .filter(sums -> sums[1] > 0)
                .mapToDouble(sums -> sums[0] / sums[1])
                .toArray();
        if (means.length == 0) {
            return baseline;
        }
        Arrays.sort(means);
        return Math.max(1, Math.round(means[means.length / 2]));
    }

    int minutesBefore() {
        return before.size();
    }

    /** Not a number where either is unknown. */
    double factor() {
        long usual = usual();
        return usual == Row.ABSENT || !hasLatency() ? Double.NaN : (double) mean() / usual;
    }
}
