package io.pathlore.analysis.rollup;

import io.pathlore.model.ReportRow;

/** A node that reports named. Borrowed by those who are told of it. */
public final class NodeSighting {
    final long node;
    long firstNanos = Long.MAX_VALUE;
    long lastNanos = Long.MIN_VALUE;
    long exporterHigh;
    long exporterLow;
    int version = (int) ReportRow.ABSENT;

    /** It has told of packets it dropped, so where it tells of none there are none. */
    boolean dropsTold;

    boolean fresh;

    /** Of its queues that are followed one by one. */
    int places;

    NodeSighting(long node) {
        this.node = node;
    }

    void seen(long nanos) {
        firstNanos = Math.min(firstNanos, nanos);
        lastNanos = Math.max(lastNanos, nanos);
        fresh = true;
    }

    void speaks(ReportRow row) {
        exporterHigh = row.exporterHigh();
        exporterLow = row.exporterLow();
        version = row.version();
        dropsTold |= row.dropped();
    }

    public long node() {
        return node;
    }

    public long firstNanos() {
        return firstNanos;
    }

    public long lastNanos() {
        return lastNanos;
    }

    /** Whether it sends reports itself, and does not only appear in those of others. */
    public boolean speaks() {
        return version != ReportRow.ABSENT;
    }

    public long exporterHigh() {
        return exporterHigh;
    }

    public long exporterLow() {
        return exporterLow;
    }

    /** 5, 10 or 20. */
    public int version() {
        return version;
    }
}
