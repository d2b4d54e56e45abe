package io.pathlore.analysis.rollup;

import io.pathlore.analysis.LongMap;
import io.pathlore.model.ReportRow;

/** Interfaces from which packets reached a neighbour that told of them, too, and when they last did. */
public final class Neighbours {
    private static final long NEVER = Long.MIN_VALUE;

    private static final class Port {
        long minute = NEVER;
    }

    private final LongMap<Port> ports;

    public Neighbours(int ports) {
        this.ports = new LongMap<>(ports);
    }

    private static long key(long node, long egress) {
        return ReportRow.mix(ReportRow.mix(node) ^ egress);
    }

    /** A packet did; whether that is news in this minute. */
    public boolean reached(long node, long egress, long minute) {
        Port port = ports.get(key(node, egress), Port::new, gone -> {});
        boolean news = port.minute < minute;
        port.minute = Math.max(port.minute, minute);
        return news;
    }

    /** Whether one has since this minute. */
    boolean reach(long node, long egress, long minute) {
        Port port = ports.get(key(node, egress));
        return port != null && port.minute >= minute;
    }
}
