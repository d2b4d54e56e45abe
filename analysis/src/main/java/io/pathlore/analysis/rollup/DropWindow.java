package io.pathlore.analysis.rollup;

/** What a queue of a node dropped for one reason in a second. Borrowed by those who are told of it. */
public final class DropWindow {
    final long second;
    final long node;
    final long egress;
    final long queue;
    final long reason;
    long reports;

    DropWindow(long second, long node, long egress, long queue, long reason) {
        this.second = second;
        this.node = node;
        this.egress = egress;
        this.queue = queue;
        this.reason = reason;
    }

    public long node() {
        return node;
    }

    public long interfaceId() {
        return egress;
    }

    public long queue() {
        return queue;
    }

    /** As on the wire. */
    public long reason() {
        return reason;
    }

    public long reports() {
        return reports;
    }
}
