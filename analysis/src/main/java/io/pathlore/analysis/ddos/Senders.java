package io.pathlore.analysis.ddos;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.AttackSource.Witness;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The devices that send to one suspect, with their shares. As many as there is room for; where there is none, the least one leaves and
 * its count is carried on by who takes its place [Metwally et al., Space-Saving], so that the large ones are right. Hot path: grows a few
 * times, then never.
 */
final class Senders {
    private static final int FIRST = 8;
    private static final int MOST = 128;
    private static final int BITS = 256;
    private static final int WORDS = BITS / Long.SIZE;
    /** Filled so far, a set of bits no longer tells how many there were. */
    private static final int FULL = BITS * 3 / 4;

    private static final int TICKS = Counters.TICKS;

    /** So much of the packets is told of by name, in ten-thousandths; and who has this part of the first one's. */
    private static final int TOLD = 9_900;

    private static final int TOLD_PART = 20;
    private static final int WHOLE = 10_000;
    private static final double SIGMAS = 3;

    /** Addresses that one device may have without lying. */
    private static final int OWN_ADDRESSES = 8;

    private long[] macs = new long[FIRST];
    private long[] nodes = new long[FIRST];
    private long[] ingresses = new long[FIRST];
    private int[] marks = new int[FIRST];
    private long[] counts = new long[FIRST];
    private long[] errors = new long[FIRST];
    private long[] addresses = new long[FIRST * WORDS];
    /** Bits of it that are set. */
    private int[] filled = new int[FIRST];

    private long[] addressed = new long[FIRST];
    private int[] recent = new int[FIRST * TICKS];
    private long[] ticks = new long[FIRST];
    private long[] highs = new long[FIRST];
    private long[] lows = new long[FIRST];
    private boolean[] v6s = new boolean[FIRST];
    private boolean[] many = new boolean[FIRST];
    /** What is left of the TTL where a node alone tells of its packets; ABSENT where a stack says where they came in. */
    private int[] ttls = new int[FIRST];

    private int size;
    private int hint;
    private long total;
    private long left;

    void add(ReportRow row, int hop, long mac, int weight, long tick) {
        long node = hop < 0 ? row.node() : row.hopNode(hop);
        long ingress = hop < 0 ? ReportRow.ABSENT : row.ingress(hop);
        total += weight;
        int at = find(mac, node, ingress);
        if (at < 0) {
            at = place(mac, node, ingress, row.marks());
            ttls[at] = (row.way() & ReportRow.STACK) != 0 ? (int) ReportRow.ABSENT : row.ttl();
        }
        hint = at;
        counts[at] += weight;
        long away = tick - ticks[at];
        if (away > 0) {
            for (long t = Math.max(ticks[at] + 1, tick - TICKS + 1); t <= tick; t++) {
                recent[at * TICKS + (int) Math.floorMod(t, (long) TICKS)] = 0;
            }
            ticks[at] = tick;
        }
        if (away > -TICKS) {
            recent[at * TICKS + (int) Math.floorMod(tick, (long) TICKS)] += weight;
        }
        if (addressed[at] == 0) {
            highs[at] = row.sourceHigh();
            lows[at] = row.sourceLow();
            v6s[at] = row.isV6();
            many[at] = false;
        } else {
            many[at] |= lows[at] != row.sourceLow() || highs[at] != row.sourceHigh();
        }
        long source = ReportRow.mix(ReportRow.mix(row.sourceHigh()) ^ row.sourceLow());
        spoofed(at, source);
    }

    private void spoofed(int at, long source) {
        if (filled[at] < FULL) {
            addressed[at]++;
            int bit = (int) (source >>> 40) & BITS - 1;
            int word = at * WORDS + bit / Long.SIZE;
            long with = addresses[word] | 1L << bit % Long.SIZE;
            if (with != addresses[word]) {
                addresses[word] = with;
                filled[at]++;
            }
        }
    }

    private boolean is(int at, long mac, long node, long ingress) {
        return macs[at] == mac && (mac != ReportRow.ABSENT || nodes[at] == node && ingresses[at] == ingress);
    }

    private int find(long mac, long node, long ingress) {
        if (hint < size && is(hint, mac, node, ingress)) {
            return hint;
        }
        for (int at = 0; at < size; at++) {
            if (is(at, mac, node, ingress)) {
                return at;
            }
        }
        return -1;
    }

    private int place(long mac, long node, long ingress, int witness) {
        int at = size;
        long inherited = 0;
        if (size == MOST) {
            at = 0;
            for (int i = 1; i < size; i++) {
                at = counts[i] < counts[at] ? i : at;
            }
            inherited = counts[at];
            left++;
        } else {
            if (size == macs.length) {
                grow();
            }
            size++;
        }
        macs[at] = mac;
        nodes[at] = node;
        ingresses[at] = ingress;
        marks[at] = witness;
        counts[at] = inherited;
        errors[at] = inherited;
        addressed[at] = 0;
        ticks[at] = Long.MIN_VALUE / 2;
        Arrays.fill(addresses, at * WORDS, (at + 1) * WORDS, 0);
        filled[at] = 0;
        Arrays.fill(recent, at * TICKS, (at + 1) * TICKS, 0);
        return at;
    }

    private void grow() {
        int length = 2 * macs.length;
        macs = Arrays.copyOf(macs, length);
        nodes = Arrays.copyOf(nodes, length);
        ingresses = Arrays.copyOf(ingresses, length);
        marks = Arrays.copyOf(marks, length);
        counts = Arrays.copyOf(counts, length);
        errors = Arrays.copyOf(errors, length);
        addresses = Arrays.copyOf(addresses, length * WORDS);
        filled = Arrays.copyOf(filled, length);
        addressed = Arrays.copyOf(addressed, length);
        recent = Arrays.copyOf(recent, length * TICKS);
        ticks = Arrays.copyOf(ticks, length);
        highs = Arrays.copyOf(highs, length);
        lows = Arrays.copyOf(lows, length);
        v6s = Arrays.copyOf(v6s, length);
        many = Arrays.copyOf(many, length);
        ttls = Arrays.copyOf(ttls, length);
    }

    /** What the device that sends most sent in the second that ends with a tick. */
    long mostOfSecond(long until) {
        long most = 0;
        for (int at = 0; at < size; at++) {
            long sum = 0;
            for (long t = until - TICKS + 1; t <= until; t++) {
                boolean kept = t <= ticks[at] && ticks[at] - t < TICKS;
                sum += kept ? recent[at * TICKS + (int) Math.floorMod(t, (long) TICKS)] : 0;
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    /** Devices that were seen. */
    int devices() {
        return (int) Math.min(Integer.MAX_VALUE, size + left);
    }

    /** An attack begins: what was before does not count. */
    void forget() {
        size = 0;
        hint = 0;
        total = 0;
        left = 0;
    }

    long total() {
        return total;
    }

    /**
     * The largest first, until nearly all packets are told of; those far smaller than the first are bystanders, and those whose
     * packets others met before are only on their way.
     *
     * @param weight of a report, which tells how far counts of the same packets may be apart
     */
    List<AttackSource> largest(int limit, Entries entries, long nowNanos, int weight) {
        List<Integer> order = entering(entries, nowNanos, weight);
        // Equal counts have an order that does not depend on who came first.
        order.sort(Comparator.<Integer>comparingLong(at -> -certain(at))
                .thenComparingLong(at -> macs[at])
                .thenComparingLong(at -> nodes[at])
                .thenComparingLong(at -> ingresses[at]));
        long all = order.stream().mapToLong(this::certain).sum();
        List<AttackSource> sources = new ArrayList<>();
        long told = 0;
        for (int at : order) {
            boolean enough = told * WHOLE >= all * TOLD || sources.size() == limit;
            if (enough || certain(at) * TOLD_PART < certain(order.getFirst()) || certain(at) == 0) {
                break;
            }
            told += certain(at);
            if (macs[at] == ReportRow.ABSENT && ingresses[at] == ReportRow.ABSENT) {
                continue; // somewhere before this node: that is no device
            }
            sources.add(new AttackSource(
                    macs[at],
                    nodes[at],
                    ingresses[at],
                    many[at] ? null : Prefix.address(v6s[at], highs[at], lows[at]),
                    (int) (certain(at) * WHOLE / all),
                    spoofedShare(at),
                    witness(macs[at], marks[at])));
        }
        return sources;
    }

    /** Of what was counted, the part that came in there and was not only on its way. */
    double entered(Entries entries, long nowNanos, int weight) {
        long in = entering(entries, nowNanos, weight).stream()
                .mapToLong(this::certain)
                .sum();
        long all = 0;
        for (int at = 0; at < size; at++) {
            all += certain(at);
        }
        return all == 0 ? 1 : (double) in / all;
    }

    /**
     * Where nodes report packets each for itself: not the places that are known to have another node before them, nor those with
     * a lower TTL where all they have is what those with a higher one had before.
     */
    private List<Integer> entering(Entries entries, long nowNanos, int weight) {
        List<Integer> places = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int at = 0; at < size; at++) {
            boolean alone = macs[at] == ReportRow.ABSENT && ttls[at] != ReportRow.ABSENT;
            if (!alone) {
                all.add(at);
            } else if (!entries.isInner(nodes[at], ingresses[at], nowNanos)) {
                places.add(at);
            }
        }
        places.sort(Comparator.comparingInt(at -> -ttls[at]));
        long before = 0;
        for (int from = 0; from < places.size(); ) {
            int to = from;
            long here = 0;
            while (to < places.size() && ttls[places.get(to)] == ttls[places.get(from)]) {
                here += certain(places.get(to++));
            }
            if (before == 0 || here > before + SIGMAS * StrictMath.sqrt((double) (before + here) * weight)) {
                all.addAll(places.subList(from, to));
                before += here;
            }
            from = to;
        }
        return all;
    }

    private long certain(int at) {
        return counts[at] - errors[at];
    }

    private int spoofedShare(int at) {
        double seen = -BITS * StrictMath.log((double) (BITS - Math.min(filled[at], BITS - 1)) / BITS);
        return seen <= OWN_ADDRESSES ? 0 : (int) Math.min(WHOLE, seen * WHOLE / addressed[at]);
    }

    static Witness witness(long mac, int marks) {
        if (mac == ReportRow.ABSENT) {
            return Witness.PLACE;
        }
        return (marks & ReportRow.NAMED_BY_GATEWAY) != 0
                ? Witness.GATEWAY
                : (marks & ReportRow.NAMED_BY_SWITCH) != 0
                        ? Witness.SWITCH
                        : (marks & ReportRow.NAMED_BY_DEVICE) != 0 ? Witness.DEVICE : Witness.NOBODY;
    }
}
