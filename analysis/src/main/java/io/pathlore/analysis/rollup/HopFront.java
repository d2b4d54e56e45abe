package io.pathlore.analysis.rollup;

import io.pathlore.model.LatencyHistogram;
import io.pathlore.model.ReportRow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was said of queues in the second at hand, before it goes to their windows. A queue takes three lines of memory here, side by
 * side and found without a detour, and ten there; so a report of four hops asks memory for a dozen lines that it can bring all at once. A
 * cache: whoever finds no place takes that of another, whose part goes to its window before its time, and adds up there. Hot path.
 */
final class HopFront {
    private static final int MOST = 16_384;
    private static final int LEAST = 64;

    /** Places that a queue may be in, one behind the other. */
    private static final int PROBES = 4;

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final long EMPTY = Long.MIN_VALUE;

    /** Empty, and others may be behind it. */
    private static final long LEFT = Long.MIN_VALUE + 1;

    private static final int NOWHERE = -1;
    private static final int HALF = 32;
    private static final long LOW_HALF = 0xFFFF_FFFFL;

    // Of a head. Two numbers of 32 bits share a word: the first above, the second below.
    private static final int NODE = 0;
    private static final int PORT_QUEUE = 1;
    private static final int SECOND = 2;
    private static final int REPORTS_DROPS = 3;
    /** The shortest and the longest, unsigned. */
    private static final int LATENCY_RANGE = 4;
    /** Each and one, so that nothing is 0. */
    private static final int OCCUPANCY_UTILIZATION = 5;
    /** The numbers of four, each and one. */
    private static final int TELLERS = 6;
    /** When the first report came, and the last, counted from the beginning of the second. */
    private static final int TIMES = 7;

    private static final int LINK_NODE = 8;
    private static final int LINK_INTERFACE_REPORTS = 9;
    /** The first bucket, and how many latencies there are. */
    private static final int BUCKETS_FROM = 10;

    private static final int HEAD = 12;

    /** Latencies of one queue lie close together: four powers of two, from the one below the first. Others go to the window at once. */
    private static final int BUCKETS = 64;

    private static final int PARTS = 16;
    private static final int TELLER_BITS = 16;
    private static final int MAX_TELLERS = 4;

    private final int mask;
    private final int shift;
    private final long[] heads;
    private final short[] counts;
    private final @Nullable HopPlace[] places;
    private final @Nullable LinkWindow[] links;
    /** Of the packets of a link those that its window knows of. */
    private final int[] known;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    HopFront(int queues) {
        int slots = Math.clamp(Integer.highestOneBit(queues) * 4L, LEAST, MOST);
        mask = slots - 1;
        shift = Long.SIZE - Integer.bitCount(mask);
        heads = new long[slots * HEAD];
        counts = new short[slots * BUCKETS];
        places = new HopPlace[slots];
        links = new LinkWindow[slots];
        known = new int[slots];
        for (int slot = 0; slot < slots; slot++) {
            heads[slot * HEAD + SECOND] = EMPTY;
        }
    }

    int slots() {
        return mask + 1;
    }

    private int home(long node, long portQueue) {
        return (int) ((node * SPREAD ^ portQueue) * SPREAD >>> shift);
    }

    private static long portQueue(ReportRow row, int hop) {
        return row.egress(hop) << HALF | row.queue(hop) & LOW_HALF;
    }

    /** Where the queue of a hop is with this second, or below 0: the place it may have, and one, if it were above 0. */
    int find(ReportRow row, int hop, long second) {
        int slot = find(row.hopNode(hop), portQueue(row, hop));
        return slot >= 0 && heads[slot * HEAD + SECOND] != second ? -slot - 1 : slot;
    }

    /** Where a queue is with any second, or likewise below 0. */
    int find(HopPlace place) {
        return find(place.node, place.egress << HALF | place.queue & LOW_HALF);
    }

    private int find(long node, long portQueue) {
        int home = home(node, portQueue);
        int free = NOWHERE;
        for (int i = 0; i < PROBES; i++) {
            int slot = home + i & mask;
            int head = slot * HEAD;
            long second = heads[head + SECOND];
            if (second <= LEFT) {
                free = free == NOWHERE ? slot : free;
                if (second == EMPTY) {
                    break;
                }
            } else if (heads[head + NODE] == node && heads[head + PORT_QUEUE] == portQueue) {
                return slot;
            }
        }
        return -(free == NOWHERE ? home : free) - 1;
    }

    /** Looks at what a report will need, and changes nothing. */
    void look(ReportRow row, int hop) {
        int slot = home(row.hopNode(hop), portQueue(row, hop));
        int head = slot * HEAD;
        int first = slot * BUCKETS;
        // An array does not begin with a line: each of these may have a part in three.
        looked ^= heads[head] ^ heads[head + HEAD / 2] ^ heads[head + HEAD - 1];
        looked ^= counts[first] ^ counts[first + BUCKETS / 2] ^ counts[first + BUCKETS - 1];
    }

    @Nullable
    HopPlace place(int slot) {
        return places[slot];
    }

    long second(int slot) {
        return heads[slot * HEAD + SECOND];
    }

    void begin(int slot, HopPlace place, long second) {
        int head = slot * HEAD;
        Arrays.fill(heads, head, head + HEAD, 0);
        heads[head + NODE] = place.node;
        heads[head + PORT_QUEUE] = place.egress << HALF | place.queue & LOW_HALF;
        heads[head + SECOND] = second;
        heads[head + LATENCY_RANGE] = LOW_HALF << HALF;
        heads[head + TIMES] = LOW_HALF << HALF;
        places[slot] = place;
    }

    /** Nobody is here any more. */
    void leave(int slot) {
        heads[slot * HEAD + SECOND] = LEFT;
        places[slot] = null;
        links[slot] = null;
    }

    /** When all have left. */
    void clear() {
        for (int slot = 0; slot <= mask; slot++) {
            heads[slot * HEAD + SECOND] = EMPTY;
        }
    }

    /**
     * Counts a report.
     *
     * @param dropped the packet got no further than here
     * @param offset how far into the second it came
     * @return whether this exporter has not told of it before, in this second
     */
    boolean add(int slot, ReportRow row, int hop, boolean dropped, int offset, int teller) {
        int head = slot * HEAD;
        heads[head + REPORTS_DROPS] += (1L << HALF) + (dropped ? 1 : 0);
        long times = heads[head + TIMES];
        heads[head + TIMES] = Math.min(times >>> HALF, offset) << HALF | Math.max(times & LOW_HALF, offset);
        long most = heads[head + OCCUPANCY_UTILIZATION];
        heads[head + OCCUPANCY_UTILIZATION] = Math.max(most >>> HALF, row.occupancy(hop) + 1) << HALF
                | Math.max(most & LOW_HALF, row.utilization(hop) + 1);
        return isNewTeller(head, teller);
    }

    private boolean isNewTeller(int head, int teller) {
        long tellers = heads[head + TELLERS];
        for (int i = 0; i < MAX_TELLERS; i++) {
            int known = (int) (tellers >>> i * TELLER_BITS) & 0xFFFF;
            if (known == teller + 1) {
                return false;
            }
            if (known == 0) {
                heads[head + TELLERS] = tellers | (teller + 1L) << i * TELLER_BITS;
                return true;
            }
        }
        return false;
    }

    /** Counts a latency; false where it is too far from the others, or there are too many of them, to be counted here. */
    boolean record(int slot, long nanos) {
        int head = slot * HEAD;
        int bucket = LatencyHistogram.bucket(nanos);
        long from = heads[head + BUCKETS_FROM];
        if (from == 0) {
            from = (long) Math.max(0, bucket / PARTS * PARTS - PARTS) << HALF;
            Arrays.fill(counts, slot * BUCKETS, (slot + 1) * BUCKETS, (short) 0);
        }
        int at = bucket - (int) (from >>> HALF);
        if (at < 0 && lower(slot, bucket)) {
            from = heads[head + BUCKETS_FROM];
            at = bucket - (int) (from >>> HALF);
        }
        if (at < 0 || at >= BUCKETS || counts[slot * BUCKETS + at] == -1) {
            return false;
        }
        counts[slot * BUCKETS + at]++;
        heads[head + BUCKETS_FROM] = from + 1;
        long range = heads[head + LATENCY_RANGE];
        heads[head + LATENCY_RANGE] = Math.min(range >>> HALF, nanos) << HALF | Math.max(range & LOW_HALF, nanos);
        return true;
    }

    /** Makes room for a lower bucket, where none of the highest are in use: the first latency may have been one of the longest. */
    private boolean lower(int slot, int bucket) {
        int head = slot * HEAD;
        long from = heads[head + BUCKETS_FROM];
        int first = (int) (from >>> HALF);
        int lowest = bucket / PARTS * PARTS;
        int kept = LatencyHistogram.bucket(heads[head + LATENCY_RANGE] & LOW_HALF) - first + 1;
        if (first - lowest + kept > BUCKETS) {
            return false;
        }
        int cell = slot * BUCKETS;
        System.arraycopy(counts, cell, counts, cell + first - lowest, kept);
        Arrays.fill(counts, cell, cell + first - lowest, (short) 0);
        heads[head + BUCKETS_FROM] = (long) lowest << HALF | from & LOW_HALF;
        return true;
    }

    /** Counts a packet that went on by a link; how many it is of those that took the same one, or 0 where it is another link. */
    int countLink(int slot, long toNode, long toInterface) {
        int head = slot * HEAD;
        long link = heads[head + LINK_INTERFACE_REPORTS];
        if (heads[head + LINK_NODE] != toNode || (int) (link >>> HALF) != (int) toInterface || (int) link == 0) {
            return 0;
        }
        heads[head + LINK_INTERFACE_REPORTS] = link + 1;
        return (int) link + 1;
    }

    /** The link that packets take from here; so many of the second have been counted. */
    void beginLink(int slot, long toNode, long toInterface, LinkWindow link, int count) {
        heads[slot * HEAD + LINK_NODE] = toNode;
        heads[slot * HEAD + LINK_INTERFACE_REPORTS] = toInterface << HALF | count;
        links[slot] = link;
        known[slot] = count;
    }

    @Nullable
    LinkWindow link(int slot) {
        return links[slot];
    }

    /** Packets that took the link in its second. */
    int linkCount(int slot) {
        return (int) heads[slot * HEAD + LINK_INTERFACE_REPORTS];
    }

    /** Those of them that its window does not know of. */
    int linkReports(int slot) {
        return Math.max(0, linkCount(slot) - known[slot]);
    }

    /** Packets may take another one from here. */
    void endLink(int slot) {
        heads[slot * HEAD + LINK_INTERFACE_REPORTS] = 0;
        links[slot] = null;
    }

    long firstOffset(int slot) {
        return heads[slot * HEAD + TIMES] >>> HALF;
    }

    long lastOffset(int slot) {
        return heads[slot * HEAD + TIMES] & LOW_HALF;
    }

    /** Else only its link is of interest here. */
    boolean hasReports(int slot) {
        return heads[slot * HEAD + REPORTS_DROPS] != 0;
    }

    /** Adds all of it to the window of its second. */
    void addTo(int slot, HopWindow window, Completeness completeness) {
        int head = slot * HEAD;
        long reports = heads[head + REPORTS_DROPS];
        long most = heads[head + OCCUPANCY_UTILIZATION];
        window.add(reports >>> HALF, reports & LOW_HALF, (most >>> HALF) - 1, (most & LOW_HALF) - 1);
        long tellers = heads[head + TELLERS];
        for (long rest = tellers; rest != 0; rest >>>= TELLER_BITS) {
            window.tells(completeness.numbered((int) (rest & 0xFFFF) - 1));
        }
        long from = heads[head + BUCKETS_FROM];
        if ((int) from != 0) {
            long range = heads[head + LATENCY_RANGE];
            window.addLatencies(
                    counts, slot * BUCKETS, BUCKETS, (int) (from >>> HALF), range >>> HALF, range & LOW_HALF);
        }
    }
}
