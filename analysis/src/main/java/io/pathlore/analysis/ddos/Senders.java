package io.pathlore.analysis.ddos;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.AttackSource.Witness;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    // What a packet changes of its device lies side by side: most have others before them.
    private static final int MAC = 0;
    private static final int NODE = 1;
    private static final int INGRESS = 2;
    private static final int HIGH = 3;
    private static final int LOW = 4;
    /** Packets whose addresses were looked at. */
    private static final int ADDRESSED = 5;
    /** Bits of its addresses that are set, and two bits. */
    private static final int FILLED = 6;

    private static final int ADDRESSES = 7;
    private static final int ERROR = ADDRESSES + WORDS;
    private static final int DEVICE = ERROR + 1;

    private static final int FILLED_SHIFT = 2;
    /** Its first address is one of IPv6; it has others. */
    private static final long V6 = 2;

    private static final long MANY = 1;

    /** Where a device is looked for: at most half of them are taken. */
    private static final int HOMES = 2 * MOST;

    private long[] devices = new long[FIRST * DEVICE];
    private long[] counts = new long[FIRST];
    private int[] marks = new int[FIRST];
    /** What is left of the TTL where a node alone tells of its packets; ABSENT where a stack says where they came in. */
    private int[] ttls = new int[FIRST];

    /** One more than the number of a device; 0 where there is none. */
    private final byte[] homes = new byte[HOMES];

    // By tick, where somebody asks for it.
    private int[] recent = {};
    private long[] ticks = {};

    private int size;
    private long total;
    private long left;

    void add(ReportRow row, int hop, long mac, int weight, long tick) {
        long node = node(row, hop);
        long ingress = ingress(row, hop);
        total += weight;
        int at = find(mac, node, ingress);
        if (at < 0) {
            at = place(mac, node, ingress, row.marks());
            ttls[at] = (row.way() & ReportRow.STACK) != 0 ? (int) ReportRow.ABSENT : row.ttl();
        }
        counts[at] += weight;
        if (recent.length > 0) {
            addToTick(at, weight, tick);
        }
        int device = at * DEVICE;
        long high = row.sourceHigh();
        long low = row.sourceLow();
        if (devices[device + ADDRESSED] == 0) {
            devices[device + HIGH] = high;
            devices[device + LOW] = low;
            devices[device + FILLED] = devices[device + FILLED] & ~(V6 | MANY) | (row.isV6() ? V6 : 0);
        } else if (devices[device + LOW] != low || devices[device + HIGH] != high) {
            devices[device + FILLED] |= MANY;
        }
        if (filled(at) < FULL) {
            spoofed(device, ReportRow.mix(ReportRow.mix(high) ^ low));
        }
    }

    /** Looks at all of them, and changes nothing. */
    long look() {
        return homes[0] ^ homes[HOMES / 2] ^ homes[HOMES - 1];
    }

    /** Looks at what {@link #add} will need, and changes nothing. */
    long look(ReportRow row, int hop, long mac) {
        int at = Math.max(0, (homes[home(mac, node(row, hop), ingress(row, hop))] & 0xFF) - 1);
        int device = at * DEVICE;
        return counts[at] ^ devices[device] ^ devices[device + DEVICE - 1];
    }

    private static long node(ReportRow row, int hop) {
        return hop < 0 ? row.node() : row.hopNode(hop);
    }

    private static long ingress(ReportRow row, int hop) {
        return hop < 0 ? ReportRow.ABSENT : row.ingress(hop);
    }

    private void addToTick(int at, int weight, long tick) {
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
    }

    private void spoofed(int device, long source) {
        devices[device + ADDRESSED]++;
        int bit = (int) (source >>> 40) & BITS - 1;
        int word = device + ADDRESSES + bit / Long.SIZE;
        long with = devices[word] | 1L << bit % Long.SIZE;
        if (with != devices[word]) {
            devices[word] = with;
            devices[device + FILLED] += 1L << FILLED_SHIFT;
        }
    }

    private boolean is(int at, long mac, long node, long ingress) {
        int device = at * DEVICE;
        return devices[device + MAC] == mac
                && (mac != ReportRow.ABSENT || devices[device + NODE] == node && devices[device + INGRESS] == ingress);
    }

    private static int home(long mac, long node, long ingress) {
        long hash = ReportRow.mix(mac != ReportRow.ABSENT ? mac : ReportRow.mix(node) ^ ingress);
        return (int) (hash >>> 40) & HOMES - 1;
    }

    private int find(long mac, long node, long ingress) {
        for (int home = home(mac, node, ingress); homes[home] != 0; home = home + 1 & HOMES - 1) {
            int at = (homes[home] & 0xFF) - 1;
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
            leave(at);
            left++;
        } else {
            if (size == counts.length) {
                grow();
            }
            size++;
        }
        int device = at * DEVICE;
        Arrays.fill(devices, device, device + DEVICE, 0);
        devices[device + MAC] = mac;
        devices[device + NODE] = node;
        devices[device + INGRESS] = ingress;
        devices[device + ERROR] = inherited;
        marks[at] = witness;
        counts[at] = inherited;
        if (recent.length > 0) {
            ticks[at] = Long.MIN_VALUE / 2;
            Arrays.fill(recent, at * TICKS, (at + 1) * TICKS, 0);
        }
        int home = home(mac, node, ingress);
        while (homes[home] != 0) {
            home = home + 1 & HOMES - 1;
        }
        homes[home] = (byte) (at + 1);
        return at;
    }

    private int home(int at) {
        return home(mac(at), node(at), ingress(at));
    }

    /** Who came behind it because its place was taken comes nearer to his own. */
    private void leave(int at) {
        int hole = home(at);
        while ((homes[hole] & 0xFF) != at + 1) {
            hole = hole + 1 & HOMES - 1;
        }
        homes[hole] = 0;
        for (int next = hole + 1 & HOMES - 1; homes[next] != 0; next = next + 1 & HOMES - 1) {
            int own = home((homes[next] & 0xFF) - 1);
            if ((next - own & HOMES - 1) >= (next - hole & HOMES - 1)) {
                homes[hole] = homes[next];
                homes[next] = 0;
                hole = next;
            }
        }
    }

    private void grow() {
        int length = 2 * counts.length;
        devices = Arrays.copyOf(devices, length * DEVICE);
        counts = Arrays.copyOf(counts, length);
        marks = Arrays.copyOf(marks, length);
        ttls = Arrays.copyOf(ttls, length);
        if (recent.length > 0) {
            recent = Arrays.copyOf(recent, length * TICKS);
            ticks = Arrays.copyOf(ticks, length);
        }
    }

    private long mac(int at) {
        return devices[at * DEVICE + MAC];
    }

    private long node(int at) {
        return devices[at * DEVICE + NODE];
    }

    private long ingress(int at) {
        return devices[at * DEVICE + INGRESS];
    }

    private int filled(int at) {
        return (int) (devices[at * DEVICE + FILLED] >>> FILLED_SHIFT);
    }

    /** From now on counts by tick are kept. */
    void keepTicks() {
        if (recent.length == 0) {
            recent = new int[counts.length * TICKS];
            ticks = new long[counts.length];
            Arrays.fill(ticks, Long.MIN_VALUE / 2);
        }
    }

    /** What the device that sends most sent in the second that ends with a tick. */
    long mostOfSecond(long until) {
        keepTicks(); // whoever asks for the first time does not know more yet
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
        if (size > 0) {
            Arrays.fill(homes, (byte) 0);
        }
        size = 0;
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
                .thenComparingLong(this::mac)
                .thenComparingLong(this::node)
                .thenComparingLong(this::ingress));
        long all = order.stream().mapToLong(this::certain).sum();
        List<AttackSource> sources = new ArrayList<>();
        long told = 0;
        for (int at : order) {
            boolean enough = told * WHOLE >= all * TOLD || sources.size() == limit;
            if (enough || certain(at) * TOLD_PART < certain(order.getFirst()) || certain(at) == 0) {
                break;
            }
            told += certain(at);
            if (mac(at) == ReportRow.ABSENT && ingress(at) == ReportRow.ABSENT) {
                continue; // somewhere before this node: that is no device
            }
            sources.add(new AttackSource(
                    mac(at),
                    node(at),
                    ingress(at),
                    address(at),
                    (int) (certain(at) * WHOLE / all),
                    spoofedShare(at),
                    witness(mac(at), marks[at])));
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
            boolean alone = mac(at) == ReportRow.ABSENT && ttls[at] != ReportRow.ABSENT;
            if (!alone) {
                all.add(at);
            } else if (!entries.isInner(node(at), ingress(at), nowNanos)) {
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
        return counts[at] - devices[at * DEVICE + ERROR];
    }

    /** The only one it has; null where it has several. */
    private @Nullable Prefix address(int at) {
        int device = at * DEVICE;
        long bits = devices[device + FILLED];
        return (bits & MANY) != 0
                ? null
                : Prefix.address((bits & V6) != 0, devices[device + HIGH], devices[device + LOW]);
    }

    private int spoofedShare(int at) {
        double seen = -BITS * StrictMath.log((double) (BITS - Math.min(filled(at), BITS - 1)) / BITS);
        return seen <= OWN_ADDRESSES ? 0 : (int) Math.min(WHOLE, seen * WHOLE / devices[at * DEVICE + ADDRESSED]);
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
