package io.pathlore.analysis.ddos;

import io.pathlore.model.ReportRow;

/**
 * Where packets first meet telemetry. A stack says it: its first hop. Of postcards there is one from every node; the one to count is
 * that of the node through whose interface no other node's packets come in. Which interfaces those are is learned from packets that
 * two nodes tell of: the one that saw the lower TTL has the other before it. Hot path.
 */
final class Entries {
    /** The report is not to be counted: another one tells of the same packet. */
    static final int NOT_COUNTED = -1;

    /** It is, but it does not name where the packet came in. */
    static final int NOWHERE = -2;

    private static final int PRINTS = 16_384;
    private static final int PLACES = 65_536;
    /** An interface that no other node's packets came in by for so long may have become a host's. */
    private static final long KEPT_NANOS = 600_000_000_000L;

    private static final int EVERY = 16;

    private final long[] prints = new long[PRINTS];
    private final long[] nodes = new long[PRINTS];
    private final int[] ingresses = new int[PRINTS];
    private final short[] ttls = new short[PRINTS];
    private final long[] inner = new long[PLACES];
    private final long[] innerUntil = new long[PLACES];
    private int turn;

    /** The hop by which the packet came in, {@link #NOWHERE}, or {@link #NOT_COUNTED}. */
    int of(ReportRow row) {
        int way = row.way();
        int hops = row.hops();
        if ((way & ReportRow.STACK) != 0 && hops > 0) {
            if (turn++ % EVERY == 0) {
                learn(row);
            }
            return 0;
        }
        if (hops == 0) {
            return NOWHERE;
        }
        int hop = hops - 1;
        boolean another = compare(row, hop, row.packetPrint());
        if (row.hasFlow()) {
            compare(
                    row,
                    hop,
                    row.flowHash()); // of few reports, two of one packet are rare, and two of one flow are not
        }
        long ingress = row.ingress(hop);
        boolean counted =
                ingress == ReportRow.ABSENT ? !another : !isInner(row.hopNode(hop), ingress, row.receivedNanos());
        return counted ? hop : NOT_COUNTED;
    }

    private void learn(ReportRow row) {
        long until = row.receivedNanos() + KEPT_NANOS;
        for (int hop = 1; hop < row.hops(); hop++) {
            if (row.ingress(hop) != ReportRow.ABSENT) {
                add(place(row.hopNode(hop), row.ingress(hop)), until);
            }
        }
    }

    /** Whether another node has told of this packet, or flow, before. */
    private boolean compare(ReportRow row, int hop, long print) {
        int ttl = row.ttl();
        if (print == 0 || ttl < 0) {
            return false;
        }
        int at = (int) (print >>> 40) & PRINTS - 1;
        long node = row.hopNode(hop);
        int ingress = (int) row.ingress(hop);
        if (prints[at] != print || nodes[at] == node || ttls[at] == ttl) {
            boolean same = prints[at] == print && nodes[at] != node;
            prints[at] = print;
            nodes[at] = node;
            ingresses[at] = ingress;
            ttls[at] = (short) ttl;
            return same;
        }
        long until = row.receivedNanos() + KEPT_NANOS;
        if (ttl < ttls[at]) {
            if (ingress != ReportRow.ABSENT) {
                add(place(node, Integer.toUnsignedLong(ingress)), until);
            }
        } else {
            if (ingresses[at] != ReportRow.ABSENT) {
                add(place(nodes[at], Integer.toUnsignedLong(ingresses[at])), until);
            }
            nodes[at] = node;
            ingresses[at] = ingress;
            ttls[at] = (short) ttl;
        }
        return true;
    }

    private static long place(long node, long ingress) {
        long mixed = ReportRow.mix(ReportRow.mix(node) ^ ingress);
        return mixed == 0 ? 1 : mixed;
    }

    /** One place in the table for each; where two want the same, the later one has it until it is needed again. */
    private void add(long place, long until) {
        int at = (int) (place >>> 40) & PLACES - 1;
        inner[at] = place;
        innerUntil[at] = until;
    }

    /** Whether packets that came in there are known to have met another node before. */
    boolean isInner(long node, long ingress, long now) {
        long place = place(node, ingress);
        int at = (int) (place >>> 40) & PLACES - 1;
        return inner[at] == place && now < innerUntil[at];
    }
}
