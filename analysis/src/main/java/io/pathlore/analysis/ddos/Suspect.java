package io.pathlore.analysis.ddos;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.AttackVector;
import io.pathlore.model.EventId;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A victim that gets so much of one kind that it is looked at closely: who sends, how it was before, since when it is too much. Hot
 * path: {@link #on}; everything else is done once in a tenth of a second.
 */
final class Suspect {
    /** Of ten seconds: where packets are sampled, few reports have to be looked at for longer. */
    static final int HISTORY = 100;

    private static final int SECOND = Counters.TICKS;
    private static final int[] WINDOWS = {SECOND, 3 * SECOND, HISTORY};
    /** Of the last second, so many tenths were loud themselves: a burst of a moment is none. */
    private static final int SPREAD = 5;

    private static final double SIGMAS = 3;
    private static final double LEARNING = 1.0 / (60 * SECOND);
    /** Not more of what is usual is believed, in limits: who rises slowly must not teach us to look away. */
    private static final double MOST_USUAL = 10;

    /** A victim that answers one in so many packets is in a conversation. */
    private static final long ANSWERS = 16;

    /** Services answer with more than they were asked with, but not with so much more. */
    private static final long AMPLIFIED = 10;

    /** What is said and answered is that of the last ticks, so many on average. */
    private static final int FADING = 16;

    private static final int FLOW_BITS = 2_048;
    private static final int FEW = 8;
    private static final int LISTED = 100;
    private static final int WHOLE = 10_000;
    private static final int BYTES_UNIT = 64;

    final int kind;
    final boolean v6;
    final long high;
    final long low;
    final int port;
    final int prefixLength;
    final int slot;
    final long number;
    final AttackVector vector;
    private final Limits limits;
    /** Packets of its kind in a second. */
    private final long allowed;

    private final long createdTick;

    private final int[] first = new int[HISTORY];
    private final int[] second = new int[HISTORY];
    private final int[] last = new int[HISTORY];
    private final Entries entries;
    private final Senders senders = new Senders();
    private long lastSeenNanos;
    private final long[] flows = new long[FLOW_BITS / Long.SIZE];
    private final long[] reporters = new long[FEW];
    private final long[] hops = new long[FEW];
    private int reporterCount;
    private int hopCount;
    private long flowsPerSecond = Event.ABSENT;
    private long bytes;
    private long bytePackets;
    private int weight = 1;
    private boolean packets = true;
    private int protocol;
    private int favourite = Event.ABSENT;
    private long favourites;
    private long withPort;
    private double usual;
    private double usualOthers;
    private double usualAnswers;
    private long in;
    private long inBytes;
    private long out;
    private long outBytes;
    /** Half the limit is enough: together with little else it is too much for its victim. */
    boolean boosted;

    // Addresses of a prefix.
    private long highOr;
    private long lowOr;
    private long highAnd = -1;
    private long lowAnd = -1;

    boolean attacking;
    long calmSinceTick;
    private Prefix victim;
    private int victimPort;
    private long startNanos;
    private long detectedAtNanos;
    private long lastLoudNanos;
    private int windows;
    private long peak;
    private long flowsPeak;
    private long toldRate;
    private int toldSources;
    private int toldWindows;
    private long toldTick;
    private @Nullable EventId id;
    private long pacedTick;

    Suspect(
            int kind,
            boolean v6,
            long high,
            long low,
            int port,
            int prefixLength,
            int slot,
            long number,
            AttackVector vector,
            Limits limits,
            boolean perDevice,
            Entries entries,
            long tick) {
        this.kind = kind;
        this.v6 = v6;
        this.high = high;
        this.low = low;
        this.port = port;
        this.prefixLength = prefixLength;
        this.slot = slot;
        this.number = number;
        this.vector = vector;
        this.limits = limits;
        allowed = limits.of(vector);
        this.entries = entries;
        createdTick = tick;
        calmSinceTick = tick;
        victim = Prefix.address(v6, high, low);
        if (perDevice) {
            senders.keepTicks();
        }
    }

    boolean isPrefix() {
        return prefixLength < (v6 ? 128 : 32);
    }

    /** @param standing for so many reports that are not looked at */
    void on(ReportRow row, int hop, long mac, int sampled, int standing, boolean known, long tick) {
        int times = sampled * standing;
        senders.add(row, hop, mac, times, tick);
        lastSeenNanos = row.receivedNanos();
        weight = sampled;
        packets &= known;
        protocol = row.protocol();
        in += times;
        if (row.ipLength() > 0) {
            bytes += (long) row.ipLength() * times;
            bytePackets += times;
            inBytes += (long) row.ipLength() * times;
        }
        int bit = flowBit(row);
        flows[bit / Long.SIZE] |= 1L << bit % Long.SIZE;
        int to = row.destinationPort();
        if (to >= 0) {
            withPort++;
            favourites += to == favourite ? 1 : 0;
        }
        if (reporterCount < FEW) {
            reporterCount = note(reporters, reporterCount, row.node());
        }
        for (int i = 0; i < row.hops() && hopCount < FEW; i++) {
            hopCount = note(hops, hopCount, row.hopNode(i));
        }
    }

    /** Looks at what {@link #on} will need, and changes nothing. */
    long look(ReportRow row) {
        return senders.look() ^ in ^ hopCount ^ flows[flowBit(row) / Long.SIZE];
    }

    /** And at what it will need of who sent it. */
    long lookAtSender(ReportRow row, int hop, long mac) {
        return senders.look(row, hop, mac);
    }

    private static int flowBit(ReportRow row) {
        return (int) (row.flowHash() >>> 40) & FLOW_BITS - 1;
    }

    private static int note(long[] all, int count, long node) {
        if (node == ReportRow.ABSENT) {
            return count;
        }
        for (int i = 0; i < count; i++) {
            if (all[i] == node) {
                return count;
            }
        }
        if (count < all.length) {
            all[count] = node;
            return count + 1;
        }
        return count;
    }

    /** The victim says something itself. */
    void onAnswer(ReportRow row, int times) {
        out += times;
        outBytes += (long) Math.max(0, row.ipLength()) * times;
    }

    /** One of the addresses in a prefix. */
    void cover(long addressHigh, long addressLow) {
        highOr |= addressHigh;
        lowOr |= addressLow;
        highAnd &= addressHigh;
        lowAnd &= addressLow;
    }

    /** What of the votes is for a port is counted from now on. */
    void favour(int candidate) {
        if (favourite != candidate && favourites * 2 <= withPort) {
            favourite = candidate;
            favourites = 0;
            withPort = 0;
        }
    }

    /** Takes over what was counted in a tick. */
    void push(long tick, int amount, int other, int offset) {
        in -= in / FADING;
        inBytes -= inBytes / FADING;
        out -= out / FADING;
        outBytes -= outBytes / FADING;
        int at = cell(tick);
        first[at] = amount;
        second[at] = other;
        last[at] = offset;
        if (Math.floorMod(tick, (long) SECOND) == SECOND - 1) {
            int filled = 0;
            for (long word : flows) {
                filled += Long.bitCount(word);
            }
            int empty = Math.max(1, FLOW_BITS - filled);
            if (tick - createdTick >= SECOND) {
                flowsPerSecond = Math.round(-FLOW_BITS * StrictMath.log((double) empty / FLOW_BITS));
            }
            Arrays.fill(flows, 0);
        }
    }

    private static int cell(long tick) {
        return (int) Math.floorMod(tick, (long) HISTORY);
    }

    private static long sum(int[] of, long until, int ticks) {
        int end = cell(until) + 1;
        int begin = end - ticks;
        return begin >= 0 ? between(of, begin, end) : between(of, begin + HISTORY, HISTORY) + between(of, 0, end);
    }

    private static long between(int[] of, int begin, int end) {
        long sum = 0;
        for (int i = begin; i < end; i++) {
            sum += of[i];
        }
        return sum;
    }

    /** What there is too much of, in the window that ends with a tick. */
    private double excess(long until, int ticks) {
        double counted = sum(first, until, ticks);
        if (kind != AttackWatch.SYN) {
            return counted;
        }
        // Who means to connect goes on: at least two packets for each SYN. What was usual before says nothing of the
        // new ones.
        double begun = counted - usual * ticks / SECOND;
        double others = sum(second, until, ticks) - usualOthers * ticks / SECOND;
        return begun - Math.max(0, others) / 2;
    }

    /** What is surely there, if a packet in so many is reported by chance. */
    private double surely(double counted) {
        return counted - SIGMAS * StrictMath.sqrt(Math.max(0, counted) * (weight - 1));
    }

    long lastSecond(long until) {
        return sum(first, until, SECOND);
    }

    private double limit() {
        double fixed = allowed * (boosted ? 0.5 : 1);
        double adaptive = kind == AttackWatch.SYN ? 0 : Math.min(usual, MOST_USUAL * fixed);
        return Math.max(fixed, adaptive * factor);
    }

    private double factor;

    /** Whether it may soon be too much, or is: from half of what is allowed on. Who sends it is worth more looks then. */
    boolean isNear(long tick, Rules rules) {
        return attacking
                || rules.perDevice() > 0
                || sum(first, tick, SECOND) * 2 >= allowed
                || limits.bytesPerSecond() > 0
                        && kind != AttackWatch.SYN
                        && sum(second, tick, SECOND) * BYTES_UNIT * 2 >= limits.bytesPerSecond()
                || limits.flowsPerSecond() > 0 && flowsPerSecond * 2 >= limits.flowsPerSecond();
    }

    /** Whether it is too much in a time that ends with this tick, beside what others of the same packets {@code explain}. */
    boolean isLoud(long tick, Rules rules, List<Suspect> explain) {
        factor = rules.factor();
        double limit = limit();
        boolean tooMuch = false;
        if (spread(tick, limit)) {
            for (int ticks : WINDOWS) {
                double left = excess(tick, ticks);
                for (Suspect other : explain) {
                    left -= sum(other.first, tick, ticks);
                }
                tooMuch |= surely(left) * SECOND >= limit * ticks;
            }
            tooMuch |= limits.bytesPerSecond() > 0
                    && explain.isEmpty()
                    && kind != AttackWatch.SYN
                    && surely((double) sum(second, tick, SECOND)) * BYTES_UNIT >= limits.bytesPerSecond();
            tooMuch |= limits.flowsPerSecond() > 0 && explain.isEmpty() && flowsPerSecond >= limits.flowsPerSecond();
        }
        tooMuch |= rules.perDevice() > 0
                && !isPrefix()
                && explain.isEmpty()
                && senders.mostOfSecond(tick) >= rules.perDevice();
        return tooMuch && !isConversation();
    }

    private boolean spread(long tick, double limit) {
        double least = Math.max(1, limit / (2 * SECOND));
        int loud = 0;
        int at = cell(tick);
        for (int i = 0; i < SECOND; i++) {
            loud += first[at] >= least ? 1 : 0;
            at = at == 0 ? HISTORY - 1 : at - 1;
        }
        return loud >= SPREAD;
    }

    /** Of what fades by a part in each tick. */
    private static double perSecond(long faded) {
        return (double) faded * SECOND / FADING;
    }

    /** Whether the victim answers what is new to it. */
    private boolean isConversation() {
        return switch (kind) {
            case AttackWatch.UDP, AttackWatch.ICMP ->
                in == 0 || (perSecond(out) - usualAnswers) * ANSWERS >= perSecond(in) - usual;
            case AttackWatch.REFLECTED -> outBytes * AMPLIFIED >= inBytes;
            default -> false;
        };
    }

    /** Nothing happens: what is seen now is usual, and who sends is no sender of an attack. */
    void learn(long tick, Rules rules) {
        double now = sum(first, tick, SECOND);
        usual += LEARNING * (now - usual);
        usualOthers += LEARNING * (sum(second, tick, SECOND) - usualOthers);
        usualAnswers += LEARNING * (perSecond(out) - usualAnswers);
        if (now * 2 < allowed && rules.perDevice() == 0) {
            senders.forget();
            bytes = 0;
            bytePackets = 0;
            highOr = 0;
            lowOr = 0;
            highAnd = -1;
            lowAnd = -1;
        }
        if (now * 8 >= Math.min(allowed, rules.perDevice() == 0 ? Long.MAX_VALUE : rules.perDevice())) {
            calmSinceTick = tick;
        }
    }

    boolean agrees(Rules rules) {
        return reporterCount >= rules.reporters()
                && (rules.sources() <= 1
                        || senders.largest(LISTED, entries, lastSeenNanos, weight)
                                        .size()
                                >= rules.sources());
    }

    void begin(long tick) {
        attacking = true;
        windows = 0;
        peak = 0;
        flowsPeak = Event.ABSENT;
        toldRate = 0;
        toldSources = 0;
        id = null;
        // The second it was first seen in has tenths that nobody counted.
        pacedTick = Math.max(createdTick - SECOND, tick - HISTORY + SECOND);
        startNanos = started(tick);
        detectedAtNanos = (tick + 1) * AttackWatch.TICK_NANOS;
        victim = isPrefix() ? covering() : Prefix.address(v6, high, low);
        boolean counted = !isPrefix() && (kind == AttackWatch.UDP || kind == AttackWatch.REFLECTED);
        boolean one = !counted && withPort > 0 && favourites * 2 >= withPort;
        victimPort = port >= 0 ? port : one ? favourite : Event.ABSENT; // where ports are counted, no one has it all
    }

    /** All leading bits that its addresses have in common. */
    private Prefix covering() {
        long differentHigh = highOr ^ highAnd;
        long differentLow = lowOr ^ lowAnd;
        int common = !v6
                ? Math.max(0, Long.numberOfLeadingZeros(differentLow) - 32)
                : differentHigh != 0
                        ? Long.numberOfLeadingZeros(differentHigh)
                        : Long.SIZE + Long.numberOfLeadingZeros(differentLow);
        return new Prefix(v6, highAnd, lowAnd, Math.max(prefixLength, common));
    }

    /**
     * When the last reports of the first loud tenth came: of all moments the one since when most is above a quarter of what there
     * is now.
     */
    private long started(long tick) {
        double middle = sum(first, tick, SECOND) / (4.0 * SECOND);
        double best = Double.NEGATIVE_INFINITY;
        double sum = 0;
        long begun = tick;
        for (long t = tick; t > tick - HISTORY; t--) {
            sum += first[cell(t)] - middle;
            if (sum > best) {
                best = sum;
                begun = t;
            }
        }
        return begun * AttackWatch.TICK_NANOS + last[cell(begun)];
    }

    void loud(long tick) {
        windows++;
        flowsPeak = Math.max(flowsPeak, flowsPerSecond);
        lastLoudNanos = tick * AttackWatch.TICK_NANOS + last[cell(tick)];
        peak = Math.max(peak, rate(tick));
    }

    /** Of three seconds, or as much of them as it has lasted. */
    private long rate(long tick) {
        long ticks = Math.clamp(tick - Math.floorDiv(startNanos, AttackWatch.TICK_NANOS), 1, 3 * SECOND);
        return sum(first, tick, (int) ticks) * SECOND / ticks;
    }

    /** Not loud, but more than what it has to come down to. */
    boolean isUnclear(long tick, Rules rules) {
        return excess(tick, SECOND) * 100 >= limit() * rules.clearPercent();
    }

    void unclear(long tick) {
        lastLoudNanos = Math.max(lastLoudNanos, tick * AttackWatch.TICK_NANOS + last[cell(tick)]);
    }

    boolean isOver(long tick, Rules rules) {
        return (tick + 1) * AttackWatch.TICK_NANOS - lastLoudNanos >= rules.holdNanos();
    }

    /** Whether there is something new to be told, or it is time to say that it goes on. */
    boolean hasGrown(long tick) {
        if (toldRate == 0 || toldWindows < Details.Attack.SUSTAINED && windows >= Details.Attack.SUSTAINED) {
            return true;
        }
        long since = tick - toldTick;
        return since >= HISTORY
                || since >= SECOND
                        && (peak * 2 >= toldRate * 3
                                || senders.largest(LISTED, entries, lastSeenNanos, weight)
                                                .size()
                                        > toldSources);
    }

    Event tell(long tick, boolean over) {
        List<AttackSource> sources = senders.largest(LISTED, entries, lastSeenNanos, weight);
        toldRate = Math.max(1, peak);
        toldSources = sources.size();
        toldWindows = windows;
        toldTick = tick;
        long perSecond = Math.max(1, Math.round(peak * senders.entered(entries, lastSeenNanos, weight)));
        long bytesPerSecond = bytePackets == 0 ? Event.ABSENT : Math.round((double) bytes / bytePackets * perSecond);
        Event event = new Event(
                startNanos,
                over ? lastLoudNanos : Event.OPEN,
                detectedAtNanos,
                new Details.Attack(
                        vector,
                        victim,
                        victimPort,
                        protocol,
                        sources,
                        senders.devices(),
                        perSecond,
                        packets,
                        bytesPerSecond,
                        flowsPeak,
                        windows,
                        listed(reporters, reporterCount),
                        listed(hops, hopCount),
                        confidence(sources, perSecond),
                        lastLoudNanos));
        id = event.id();
        return event;
    }

    /** Tells of the seconds that ended since it was told of them last, at the end of a second. */
    void pace(long tick, EventSink events) {
        EventId attack = id;
        if (attack == null) {
            return;
        }
        double entered = senders.entered(entries, lastSeenNanos, weight);
        long limit = Math.round(limit());
        for (long from = Math.ceilDiv(pacedTick + 1, SECOND) * SECOND; from + SECOND - 1 <= tick; from += SECOND) {
            pacedTick = from + SECOND - 1;
            long amount = Math.round(sum(first, pacedTick, SECOND) * entered);
            events.on(new AttackSecond(attack, from * AttackWatch.TICK_NANOS, amount, packets, limit));
        }
    }

    private static List<Long> listed(long[] all, int count) {
        List<Long> listed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            listed.add(all[i]);
        }
        listed.sort(null);
        return listed;
    }

    /** By who named the devices, how many places agree, and how many reports there were. */
    private int confidence(List<AttackSource> sources, long perSecond) {
        long trust = 0;
        long shares = 0;
        for (AttackSource source : sources) {
            trust += (long) source.share() * source.witness().trust();
            shares += source.share();
        }
        double named = shares == 0 ? 0 : (double) trust / shares / WHOLE;
        double agreed = hopCount > 1 || reporterCount > 1 ? 1 : 0.8;
        double sure = Math.max(0, surely((double) perSecond)) / perSecond;
        return (int) Math.round(named * agreed * sure * WHOLE);
    }

    Prefix victim() {
        return victim;
    }

    boolean holds(boolean ofV6, long addressHigh, long addressLow) {
        return victim.holds(ofV6, addressHigh, addressLow);
    }
}
