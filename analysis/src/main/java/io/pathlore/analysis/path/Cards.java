package io.pathlore.analysis.path;

import io.pathlore.model.ReportRow;
import java.util.Arrays;

/**
 * The way of one flow from what its nodes say one by one. TTLs order them; a node that was not heard with one packet is heard with
 * another, so the way is that of the flow and not of a packet. A node that stands where none was known completes the way; one that
 * contradicts it is the first sign of another way, which is decided upon when all of it had the chance to speak.
 */
final class Cards {
    private static final int MAX = 32;

    /** Most ways are short, and there are many flows. */
    private static final int FIRST = 4;

    private static final long NONE = Long.MIN_VALUE;

    /** So many packets without a word from a node that spoke with each of them before: it is no longer on the way. */
    private static final double ENOUGH = 5;

    private int size;
    private int[] ttls = new int[FIRST];
    private long[] nodes = new long[FIRST];
    private long[] ingress = new long[FIRST];
    private long[] egress = new long[FIRST];

    // Nodes that stay on the way say first that it goes on elsewhere: what they said before, and until when.
    private long[] ingressBefore = new long[FIRST];
    private long[] egressBefore = new long[FIRST];
    private long[] portsSince = new long[FIRST];
    private long[] born = new long[FIRST];
    private long[] seen = new long[FIRST];
    private int[] total = new int[FIRST];
    private int[] since = new int[FIRST];
    private boolean[] onWay = new boolean[FIRST];
    private long doubtFrom = NONE;
    private boolean fresh;

    /** Whether the way is another since this was last asked. */
    boolean isNew() {
        boolean was = fresh;
        fresh = false;
        return was;
    }

    /** No TTL is missing between the first and the last. */
    boolean isWhole() {
        int least = Integer.MAX_VALUE;
        int most = Integer.MIN_VALUE;
        int count = 0;
        for (int i = 0; i < size; i++) {
            if (onWay[i]) {
                least = Math.min(least, ttls[i]);
                most = Math.max(most, ttls[i]);
                count++;
            }
        }
        return count > 0 && most - least == count - 1;
    }

    /** When the sign that is being looked into came, or {@link Long#MIN_VALUE}. */
    long doubtFrom() {
        return doubtFrom;
    }

    /** Whether this is the first sign of another way, or an earlier one that was overtaken. */
    boolean on(ReportRow row, FlowPaths.Moves moves) {
        int ttl = row.ttl();
        long node = row.hopNode(0);
        long now = row.receivedNanos();
        int at = find(ttl, node);
        boolean known = at >= 0;
        if (!known) {
            at = place();
            ttls[at] = ttl;
            nodes[at] = node;
            ingress[at] = row.ingress(0);
            egress[at] = row.egress(0);
            ingressBefore[at] = ingress[at];
            egressBefore[at] = egress[at];
            portsSince[at] = NONE;
            born[at] = now;
            seen[at] = now;
            total[at] = 0;
            since[at] = 0;
            onWay[at] = false;
        }
        seen[at] = Math.max(seen[at], now);
        total[at]++;
        since[at]++;
        ports(at, row, now);
        if (onWay[at]) {
            return false;
        }
        if (doubtFrom != NONE) {
            boolean earlier = now < doubtFrom;
            doubtFrom = Math.min(doubtFrom, now);
            return earlier;
        }
        if (!contradicts(at)) {
            onWay[at] = true;
            fresh = true;
            tellNeighbours(at, moves);
            return false;
        }
        doubtFrom = now;
        for (int i = 0; i < size; i++) {
            since[i] = seen[i] >= now ? 1 : 0;
        }
        return true;
    }

    private int place() {
        if (size == MAX) {
            return oldest();
        }
        if (size == ttls.length) {
            int room = 2 * size;
            ttls = Arrays.copyOf(ttls, room);
            nodes = Arrays.copyOf(nodes, room);
            ingress = Arrays.copyOf(ingress, room);
            egress = Arrays.copyOf(egress, room);
            ingressBefore = Arrays.copyOf(ingressBefore, room);
            egressBefore = Arrays.copyOf(egressBefore, room);
            portsSince = Arrays.copyOf(portsSince, room);
            born = Arrays.copyOf(born, room);
            seen = Arrays.copyOf(seen, room);
            total = Arrays.copyOf(total, room);
            since = Arrays.copyOf(since, room);
            onWay = Arrays.copyOf(onWay, room);
        }
        return size++;
    }

    private void tellNeighbours(int at, FlowPaths.Moves moves) {
        for (int i = 0; i < size; i++) {
            if (onWay[i] && ttls[i] == ttls[at] + 1 && egress[i] != ReportRow.ABSENT) {
                moves.seen(new Link(nodes[i], egress[i], nodes[at], ingress[at]));
            } else if (onWay[i] && ttls[i] == ttls[at] - 1 && egress[at] != ReportRow.ABSENT) {
                moves.seen(new Link(nodes[at], egress[at], nodes[i], ingress[i]));
            }
        }
    }

    private void ports(int at, ReportRow row, long now) {
        long in = row.ingress(0) == ReportRow.ABSENT ? ingress[at] : row.ingress(0);
        long out = row.egress(0) == ReportRow.ABSENT ? egress[at] : row.egress(0);
        if (in != ingress[at] || out != egress[at]) {
            ingressBefore[at] = ingress[at];
            egressBefore[at] = egress[at];
            portsSince[at] = now;
            ingress[at] = in;
            egress[at] = out;
        }
    }

    private int find(int ttl, long node) {
        for (int i = 0; i < size; i++) {
            if (ttls[i] == ttl && nodes[i] == node) {
                return i;
            }
        }
        return -1;
    }

    private int oldest() {
        int oldest = 0;
        for (int i = 1; i < size; i++) {
            if (seen[i] < seen[oldest]) {
                oldest = i;
            }
        }
        return oldest;
    }

    private boolean contradicts(int at) {
        for (int i = 0; i < size; i++) {
            if (i != at && onWay[i] && (ttls[i] == ttls[at] || nodes[i] == nodes[at])) {
                return true;
            }
        }
        return false;
    }

    /** The way as it is believed to be now. */
    void way(Way into) {
        way(into, Long.MAX_VALUE);
    }

    /**
     * The way as it was then, with the interfaces it took: those a node told of before it began to tell of others, and before its
     * neighbour on the way was heard of for the last time.
     */
    void way(Way into, long nanos) {
        into.clear();
        for (int ttl = 255; ttl >= 0; ttl--) {
            for (int i = 0; i < size; i++) {
                if (onWay[i] && ttls[i] == ttl) {
                    into.add(
                            nodes[i],
                            isFormer(i, ttl + 1, nanos) ? ingressBefore[i] : ingress[i],
                            isFormer(i, ttl - 1, nanos) ? egressBefore[i] : egress[i]);
                }
            }
        }
    }

    private boolean isFormer(int at, int neighbourTtl, long nanos) {
        if (nanos == Long.MAX_VALUE || portsSince[at] >= nanos) {
            return nanos != Long.MAX_VALUE;
        }
        for (int i = 0; i < size; i++) {
            if (onWay[i] && ttls[i] == neighbourTtl && portsSince[at] > seen[i]) {
                return true;
            }
        }
        return false;
    }

    /**
     * Settles the doubt.
     *
     * @param last there is no time left to wait for those that have not spoken
     * @return false where more has to be heard first
     */
    boolean decide(boolean last) {
        int most = 0;
        int mostBefore = 1;
        for (int i = 0; i < size; i++) {
            if (seen[i] >= doubtFrom) {
                most = Math.max(most, since[i]);
            }
            mostBefore = Math.max(mostBefore, total[i]);
        }
        boolean[] chosen = new boolean[MAX];
        boolean open = false;
        for (int i = 0; i < size; i++) {
            if (seen[i] >= doubtFrom) {
                chosen[i] = isNewest(i);
            } else if (onWay[i] && isFree(i)) {
                boolean gone = (double) most * total[i] / mostBefore >= ENOUGH;
                open |= !gone;
                chosen[i] = !gone;
            }
        }
        if (open && !last) {
            return false;
        }
        for (int i = 0; i < size; i++) {
            onWay[i] = chosen[i];
            fresh = true;
        }
        doubtFrom = NONE;
        return true;
    }

    /** Of those with this TTL, and of the places of this node, the one heard of last. */
    private boolean isNewest(int at) {
        for (int i = 0; i < size; i++) {
            boolean rival = i != at && seen[i] >= doubtFrom && (ttls[i] == ttls[at] || nodes[i] == nodes[at]);
            if (rival && (seen[i] > seen[at] || seen[i] == seen[at] && i > at)) {
                return false;
            }
        }
        return true;
    }

    /** Nobody heard since has its place, and it was not heard elsewhere. */
    private boolean isFree(int at) {
        for (int i = 0; i < size; i++) {
            if (i != at && seen[i] >= doubtFrom && (ttls[i] == ttls[at] || nodes[i] == nodes[at])) {
                return false;
            }
        }
        return true;
    }

    /** Packets run in circles: what was said since that time is no way. */
    void forgetSince(long nanos) {
        doubtFrom = NONE;
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (onWay[i] && born[i] < nanos) {
                move(i, kept++);
            }
        }
        size = kept;
    }

    private void move(int from, int to) {
        ttls[to] = ttls[from];
        nodes[to] = nodes[from];
        ingress[to] = ingress[from];
        egress[to] = egress[from];
        ingressBefore[to] = ingressBefore[from];
        egressBefore[to] = egressBefore[from];
        portsSince[to] = portsSince[from];
        born[to] = born[from];
        seen[to] = seen[from];
        total[to] = total[from];
        since[to] = since[from];
        onWay[to] = onWay[from];
    }
}
