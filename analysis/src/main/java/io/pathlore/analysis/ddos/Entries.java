package io.pathlore.analysis.ddos;

import io.pathlore.model.ReportRow;

/**
 * Where packets first meet telemetry. A stack says it: its first hop. Of postcards there is one from every node; the one to count is
 * that of the node through whose interface no other node's packets come in: {@link EntryWatch} learns which are others. Hot path.
 */
final class Entries {
    /** The report is not to be counted: another one tells of the same packet. */
    static final int NOT_COUNTED = -1;

    /** It is, but it does not name where the packet came in. */
    static final int NOWHERE = -2;

    /** Not an interface: some node does not say by which one packets came in. */
    static final long SOME_UNSAID = Places.place(ReportRow.ABSENT, ReportRow.ABSENT);

    private static final int PLACES = 65_536;
    private static final int PRINTS = 16_384;

    private final Places inner = new Places(PLACES);
    /** The first node to tell of a packet, where some do not say by which interface it came in. */
    private final Prints prints = new Prints(PRINTS);

    private long unsaidUntil;

    /** The hop by which the packet came in, {@link #NOWHERE}, or {@link #NOT_COUNTED}. */
    int of(ReportRow row) {
        int hops = row.hops();
        if ((row.way() & ReportRow.STACK) != 0 && hops > 0) {
            return 0;
        }
        if (hops == 0) {
            return NOWHERE;
        }
        int hop = hops - 1;
        long ingress = row.ingress(hop);
        boolean said = ingress != ReportRow.ABSENT;
        boolean first = said && row.receivedNanos() >= unsaidUntil || isFirst(row, row.hopNode(hop));
        boolean counted = said ? !isInner(row.hopNode(hop), ingress, row.receivedNanos()) : first;
        return counted ? hop : NOT_COUNTED;
    }

    /** Whether no other node has told of this packet before. */
    private boolean isFirst(ReportRow row, long node) {
        long print = row.packetPrint();
        if (print == 0 || row.ttl() < 0) {
            return true;
        }
        int cell = prints.find(print);
        if (cell == Prints.NOBODY) {
            prints.put(prints.room(print), print, node, 0, 0, row.receivedNanos());
            return true;
        }
        return prints.node(cell) == node;
    }

    void learn(Inner told) {
        if (told.place() == SOME_UNSAID) {
            unsaidUntil = Math.max(unsaidUntil, told.untilNanos());
        } else {
            inner.add(told.place(), told.untilNanos());
        }
    }

    /** Whether packets that came in there are known to have met another node before. */
    boolean isInner(long node, long ingress, long now) {
        return now < inner.until(Places.place(node, ingress));
    }
}
