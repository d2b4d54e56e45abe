package io.pathlore.analysis.ddos;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.ddos.Looks.Role;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.AttackVector;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks for attacks in the reports of all flows. Per report, packets are added up by victim and kind, in tables that do not grow;
 * once in a tenth of a second those that have much are looked at: a second of it that is above the limit, and not what the
 * victim asked for, is an attack. It is told at once, again when it grows, and when it is over, with the devices that send it.
 *
 * <p>Where that is divided, each has some of the widest networks of {@link Networks}: it counts what is sent to them, and hears what is said from them.
 */
public final class AttackWatch implements Operator {
    static final long TICK_NANOS = 100_000_000L;

    /** Of a second of an attack it tells no longer after it began: those before it are told with the first of it. */
    public static final long LATEST_NANOS = (Suspect.HISTORY + Counters.TICKS) * TICK_NANOS;

    // Kinds of packets that are counted apart.
    static final int UDP = 1;
    static final int REFLECTED = 2;
    static final int ICMP = 3;
    static final int FRAGMENT = 4;
    static final int SYN = 5;

    private static final int PROTOCOL_ICMP = 1;
    private static final int PROTOCOL_TCP = 6;
    private static final int PROTOCOL_UDP = 17;
    private static final int PROTOCOL_ICMPV6 = 58;

    private static final AttackVector[] VECTORS = {
        AttackVector.SCAN, // no kind
        AttackVector.UDP_FLOOD,
        AttackVector.REFLECTION,
        AttackVector.ICMP_FLOOD,
        AttackVector.FRAGMENT_FLOOD,
        AttackVector.SYN_FLOOD
    };

    /** Networks in which little to each address may be much to all; those that hold others come later. */
    private static final int[] LENGTHS_V4 = {24, Networks.WIDEST_V4};

    private static final int[] LENGTHS_V6 = {112, 64, Networks.WIDEST_V6};
    private static final int[] NARROWER_V4 = {24};
    private static final int[] NARROWER_V6 = {112, 64};

    /** As many as there are of one family. */
    private static final int LENGTHS = LENGTHS_V6.length;

    /** So many addresses at least, and none with more than a quarter: else it is a flood of one, beside others. */
    private static final int CARPET_ADDRESSES = 14;

    private static final int CARPET_PART = 4;

    /** From this part of the limit on, a victim is looked at closely, and its ports are counted one by one. */
    private static final int SUSPICIOUS = 4;

    /** Victims that are looked at together, before they are dealt with one by one. */
    private static final int TOGETHER = 32;

    private static final int CALM_TICKS = 600;
    private static final int LATE_TICKS = 5;
    private static final int BYTES_UNIT = 64;

    private static final int ANY = -1;

    /** Nobody has asked yet whether the packet at hand is looked at. */
    private static final int OPEN = -1;

    private final transient Share share;
    private final transient Rules rules;
    private final transient Sampling sampling;
    private final transient EventSink events;
    private final Entries entries = new Entries();
    private final Counters victims;
    private final VictimFront front;
    private final Scores networkScores;
    private final Counters prefixes;
    private final ScanWatch scans;
    private final @Nullable Suspect[] suspects;
    private final Looks looks;
    /** Of each suspect, where its looks are counted. */
    private final int[] counted;

    private final List<Suspect> watched = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    /** Suspects whose answers matter, and those that are networks. */
    private int talkers;

    private int networks;
    /** Of each kind: no victim with less in a second is worth a look, whatever its limits. And of networks. */
    private final transient long[] worth = new long[VECTORS.length];

    private final transient long networkWorth;

    // Of a tick: the hashes of the networks that each is in who had something, and of which lengths some have much.
    private final transient long[] hashes;
    private final transient boolean[] worthy = new boolean[LENGTHS];

    private long numbers;
    private long unwatched;
    private long next;
    private boolean begun;
    private long newest = Long.MIN_VALUE;

    // Of the report at hand: packets it stands for, and whether that is known.
    private int times = 1;
    private boolean isSamplingKnown;
    /** For how many it stands if it is looked at closely; 0 where it is not. */
    private int standing = OPEN;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    /** Of reports that are expected: who may look at them. */
    private final transient @Nullable Suspect[] asked = new Suspect[TOGETHER];

    private volatile Figures figures = new Figures(0, 0, 0);

    /** {@code share} says which networks are its own. */
    public AttackWatch(Rules rules, Share share, Sampling sampling, Consumer<ScanSign> signs, EventSink events) {
        this.rules = rules;
        this.share = share;
        this.sampling = sampling;
        this.events = events;
        victims = new Counters(rules.keys(), rules.seed());
        for (int kind = UDP; kind < VECTORS.length; kind++) {
            worth[kind] = rules.least(VECTORS[kind]) / SUSPICIOUS;
        }
        networkWorth = rules.least(AttackVector.CARPET_BOMBING) / SUSPICIOUS;
        front = new VictimFront(victims, kind -> worth[kind]);
        networkScores = new Scores(victims.capacity());
        hashes = new long[victims.capacity() * LENGTHS];
        prefixes = new Counters(Math.max(64, rules.keys() / 8), rules.seed());
        scans = new ScanWatch(rules, signs);
        suspects = new Suspect[rules.suspects()];
        looks = new Looks(suspects.length);
        counted = new int[suspects.length];
        for (int i = suspects.length - 1; i >= 0; i--) {
            free.add(i);
        }
    }

    /** What the tables take, for so many keys. */
    public static long bytes(int keys) {
        int ofNetworks = Scores.BYTES_PER_KEY + LENGTHS * Long.BYTES;
        return 2L * (Counters.BYTES_PER_KEY + VictimFront.BYTES_PER_KEY + ofNetworks) * keys;
    }

    // ---- per report

    /** Whether it says nothing of attacks: nobody's word, no packet, or one that another report tells of. */
    static boolean ignores(ReportRow row) {
        return row.unbound()
                || !row.hasFlow()
                || row.intermediate()
                || row.dropCount() != ReportRow.ABSENT
                || (row.way() & ReportRow.REPLICA) != 0
                || row.congested() && !row.tracked() && !row.dropped();
    }

    /** Whether it is to be counted by who has the network that its packet is sent to. */
    public static boolean isOfVictim(ReportRow row) {
        int protocol = row.protocol();
        return !ignores(row)
                && (protocol == PROTOCOL_UDP
                        || protocol == PROTOCOL_TCP && row.tcpFlags() != ReportRow.ABSENT
                        || protocol == PROTOCOL_ICMP
                        || protocol == PROTOCOL_ICMPV6
                        || isFragment(row));
    }

    /** Whether one that {@link #isOfVictim} is to be heard by who has the network that its packet comes from, too. */
    public static boolean isOfSender(ReportRow row) {
        return !isFragment(row);
    }

    /** Who has the network that a packet is sent to, of so many. */
    public static int partOfVictim(ReportRow row, int parts) {
        return Share.of(to(row), parts);
    }

    /** Who has the network that it comes from. */
    public static int partOfSender(ReportRow row, int parts) {
        return Share.of(from(row), parts);
    }

    /** The only one of its hops that those need who have the network that its packet comes from; below 0 where it has none. */
    public static int firstHop(ReportRow row) {
        return (row.way() & ReportRow.STACK) != 0 ? Math.min(0, row.hops() - 1) : row.hops() - 1;
    }

    private static boolean isFragment(ReportRow row) {
        return (row.marks() & ReportRow.FRAGMENT) != 0;
    }

    private static long to(ReportRow row) {
        return Networks.widest(row.isV6(), row.destinationHigh(), row.destinationLow());
    }

    private static long from(ReportRow row) {
        return Networks.widest(row.isV6(), row.sourceHigh(), row.sourceLow());
    }

    /** The end of the tick that a time belongs to. */
    static long tickEnd(long nanos) {
        return (Math.floorDiv(nanos, TICK_NANOS) + 1) * TICK_NANOS;
    }

    @Override
    public void on(ReportRow row) {
        if (!isOfVictim(row)) {
            return;
        }
        int hop = entries.of(row);
        if (hop == Entries.NOT_COUNTED) {
            return;
        }
        long nanos = row.receivedNanos();
        long tick = Math.floorDiv(nanos, TICK_NANOS);
        comeTo(tick, nanos);
        int oneIn = sampling.oneIn(row.node());
        times = Math.max(1, oneIn);
        isSamplingKnown = oneIn != Sampling.UNKNOWN;
        standing = OPEN;
        boolean counts = share.has(to(row));
        boolean hears = share.has(from(row));
        int protocol = row.protocol();
        if (isFragment(row)) {
            if (counts) {
                count(row, hop, FRAGMENT, row.destinationPort(), false, tick);
            }
        } else if (protocol == PROTOCOL_UDP) {
            if (counts) {
                int kind = Services.answers(row.sourcePort()) ? REFLECTED : UDP;
                count(row, hop, kind, row.destinationPort(), true, tick);
            }
            if (hears && talkers > 0) {
                answer(row);
            }
        } else if (protocol == PROTOCOL_TCP) {
            tcp(row, hop, tick, counts, hears);
        } else if (protocol == PROTOCOL_ICMP || protocol == PROTOCOL_ICMPV6) {
            if (counts) {
                count(row, hop, ICMP, ANY, false, tick);
            }
            int place = hears && talkers > 0 ? looks.find(from(row)) : Looks.NOBODY;
            int of = place == Looks.NOBODY ? 0 : looks.standingOfAnswer(place);
            if (of > 0) {
                answered(place, Role.ICMP_ADDRESS, ICMP, ANY, row, of);
            }
        }
    }

    @Override
    public void expect(ReportRow[] reports, int count) {
        for (int i = 0; i < count; i++) {
            ReportRow row = reports[i];
            if (share.has(to(row))) {
                front.look(victims.hash(expectedMeta(row), row.destinationHigh(), row.destinationLow()));
            }
        }
        if (networks > 0) {
            expectLooks(reports, count);
        }
    }

    /** Where networks are suspected: what looks will need, one step after the other. */
    private void expectLooks(ReportRow[] reports, int count) {
        long seen = 0;
        for (int from = 0; from < count; from += asked.length) {
            int until = Math.min(count, from + asked.length);
            for (int i = from; i < until; i++) {
                int place = looks.find(to(reports[i]));
                int index = place == Looks.NOBODY || !looks.areLeft(place) ? Looks.NOBODY : looks.whole(place);
                Suspect suspect = index == Looks.NOBODY ? null : suspects[index];
                asked[i - from] = suspect;
                seen ^= suspect == null ? 0 : suspect.look(reports[i]);
            }
            for (int i = from; i < until; i++) {
                Suspect suspect = asked[i - from];
                seen ^= suspect == null ? 0 : suspect.lookAtSender(reports[i], firstHop(reports[i]), mac(reports[i]));
            }
        }
        looked ^= seen;
    }

    /** What the packet will be counted as, mostly. */
    private static int expectedMeta(ReportRow row) {
        int kind = row.protocol() != PROTOCOL_UDP ? SYN : Services.answers(row.sourcePort()) ? REFLECTED : UDP;
        return Counters.meta(kind, row.isV6(), ANY);
    }

    private void comeTo(long tick, long nanos) {
        newest = Math.max(newest, nanos);
        if (!begun || isIdle() && tick > next) {
            begun = true;
            next = tick;
        } else if (tick - next >= LATE_TICKS) {
            advance(tick - LATE_TICKS); // a batch may span more than a table remembers
        }
    }

    private static long mac(ReportRow row) {
        return row.device() == 0 ? ReportRow.ABSENT : row.device();
    }

    private void count(ReportRow row, int hop, int kind, int port, boolean byPort, long tick) {
        boolean v6 = row.isV6();
        long high = row.destinationHigh();
        long low = row.destinationLow();
        int octets = Math.max(0, row.ipLength()) * times / BYTES_UNIT;
        int offset = (int) (row.receivedNanos() - tick * TICK_NANOS);
        int meta = Counters.meta(kind, v6, ANY);
        int cell = front.at(victims.hash(meta, high, low), meta, high, low, tick);
        front.add(cell, times, octets, offset);
        if (port >= 0) {
            front.vote(cell, port, times);
        }
        watch(front.suspect(cell), row, hop, tick);
        // No port has more than its address: where that is far from too much, nobody needs to know which port it was.
        if (byPort && port >= 0 && front.atMostOfSecond(cell) >= worth[kind]) {
            meta = Counters.meta(kind, v6, port);
            cell = front.at(victims.hash(meta, high, low), meta, high, low, tick);
            front.add(cell, times, octets, offset);
            watch(front.suspect(cell), row, hop, tick);
        }
        if (networks > 0 && kind == UDP && standing != 0) {
            watchNetworks(row, hop, tick);
        }
    }

    /** The networks it is sent to that are suspected. */
    private void watchNetworks(ReportRow row, int hop, long tick) {
        int place = looks.find(to(row));
        if (place == Looks.NOBODY) {
            return;
        }
        if (standing == OPEN) {
            standing = looks.standing(place); // it is one of its packets, whether or not a network asks for it
        }
        if (standing == 0) {
            return;
        }
        if (looks.has(place, Role.NARROWER)) {
            boolean v6 = row.isV6();
            long high = row.destinationHigh();
            long low = row.destinationLow();
            for (int length : v6 ? NARROWER_V6 : NARROWER_V4) {
                int at = prefixes.find(
                        Counters.meta(UDP, v6, length), Networks.high(v6, high, length), Networks.low(v6, low, length));
                if (at != Counters.NOBODY) {
                    watch(prefixes.suspect(at), row, hop, tick);
                }
            }
        }
        watch(looks.whole(place), row, hop, tick);
    }

    /** Who looks at it closely, if anybody does, looks at this packet. */
    private void watch(int index, ReportRow row, int hop, long tick) {
        if (index == Counters.NOBODY) {
            return;
        }
        int place = counted[index];
        if (standing == OPEN) {
            standing = looks.standing(place);
        }
        if (standing == 0) {
            return;
        }
        looks.take(place);
        Suspect suspect = suspects[index];
        if (suspect != null) {
            suspect.on(row, hop, mac(row), times, standing, isSamplingKnown, tick);
        }
    }

    private void tcp(ReportRow row, int hop, long tick, boolean counts, boolean hears) {
        int flags = row.tcpFlags();
        if (flags == ReportRow.ABSENT) {
            return;
        }
        boolean begins = (flags & (ReportRow.SYN | ReportRow.ACK)) == ReportRow.SYN;
        if (counts) {
            countTcp(row, hop, begins, tick);
        }
        if (hears && begins) {
            scans.onSyn(row, hop, mac(row), times, isSamplingKnown, tick);
        } else if (hears) {
            scans.onOther(row, times);
        }
    }

    private void countTcp(ReportRow row, int hop, boolean begins, long tick) {
        long high = row.destinationHigh();
        long low = row.destinationLow();
        int meta = Counters.meta(SYN, row.isV6(), ANY);
        long hash = victims.hash(meta, high, low);
        if (begins) {
            int cell = front.at(hash, meta, high, low, tick);
            front.add(cell, times, 0, (int) (row.receivedNanos() - tick * TICK_NANOS));
            front.vote(cell, row.destinationPort(), times);
            watch(front.suspect(cell), row, hop, tick);
        } else {
            front.addOther(hash, meta, high, low, tick, times);
        }
    }

    /** Whoever is suspected to be a victim says something: to that port, from that port, or from its network. */
    private void answer(ReportRow row) {
        long network = from(row);
        int place = looks.find(network);
        int of = place == Looks.NOBODY ? 0 : looks.standingOfAnswer(place);
        if (of == 0) {
            return;
        }
        int port = row.sourcePort();
        answered(place, Role.UDP_ADDRESS, UDP, ANY, row, of);
        if (port >= 0) {
            answered(place, Role.UDP_PORT, UDP, port, row, of);
        }
        if (Services.answers(row.destinationPort())) {
            answered(place, Role.REFLECTED_ADDRESS, REFLECTED, ANY, row, of);
            if (port >= 0) {
                answered(place, Role.REFLECTED_PORT, REFLECTED, port, row, of);
            }
        }
        if (looks.has(place, Role.NARROWER)) {
            boolean v6 = row.isV6();
            long high = row.sourceHigh();
            long low = row.sourceLow();
            for (int length : v6 ? NARROWER_V6 : NARROWER_V4) {
                long networkHigh = Networks.high(v6, high, length);
                long networkLow = Networks.low(v6, low, length);
                boolean inside = networkHigh == Networks.high(v6, row.destinationHigh(), length)
                        && networkLow == Networks.low(v6, row.destinationLow(), length);
                if (!inside) {
                    int slot = prefixes.find(Counters.meta(UDP, v6, length), networkHigh, networkLow);
                    answered(slot == Counters.NOBODY ? Counters.NOBODY : prefixes.suspect(slot), row, of);
                }
            }
        }
        if (network != to(row)) {
            answered(looks.whole(place), row, of);
        }
    }

    /** If anybody there is suspected whom such an answer may be from. */
    private void answered(int place, Role role, int kind, int port, ReportRow row, int of) {
        if (looks.has(place, role)) {
            int slot = victims.find(Counters.meta(kind, row.isV6(), port), row.sourceHigh(), row.sourceLow());
            answered(slot == Counters.NOBODY ? Counters.NOBODY : victims.suspect(slot), row, of);
        }
    }

    private void answered(int index, ReportRow row, int of) {
        if (index != Counters.NOBODY) {
            Suspect suspect = suspects[index];
            if (suspect != null) {
                suspect.onAnswer(row, times * of);
            }
        }
    }

    // ---- per tenth of a second

    private boolean isIdle() {
        return watched.isEmpty() && front.listedCount() == 0 && victims.touchedCount() == 0 && scans.isIdle();
    }

    @Override
    public long wakeAtNanos() {
        return !begun || isIdle() ? NEVER : (next + 1) * TICK_NANOS;
    }

    @Override
    public void onWake(long nowNanos) {
        advance(Math.floorDiv(nowNanos, TICK_NANOS) - 1);
    }

    private void advance(long until) {
        while (next <= until) {
            decide(next++);
            if (isIdle()) {
                next = Math.max(next, until + 1);
            }
        }
    }

    private void decide(long tick) {
        settleVictims(tick);
        for (int i = 0; i < victims.touchedCount(); i++) {
            look(victims.touched(i), tick);
        }
        for (int i = 0; i < prefixes.touchedCount(); i++) {
            lookAtNetwork(prefixes.touched(i), tick);
        }
        for (Suspect suspect : watched) {
            Counters table = suspect.isPrefix() ? prefixes : victims;
            suspect.push(
                    tick,
                    table.first(suspect.slot, tick),
                    table.second(suspect.slot, tick),
                    table.last(suspect.slot, tick));
        }
        // A port before its address, an address before its network: who has been told of explains the rest.
        for (Suspect suspect : List.copyOf(watched)) {
            if (suspect.port >= 0) {
                judge(suspect, tick, List.of());
            }
        }
        Map<Address, List<Suspect>> ports = attackedPorts();
        List<Suspect> wide = new ArrayList<>();
        for (Suspect suspect : List.copyOf(watched)) {
            if (suspect.isPrefix()) {
                wide.add(suspect);
            } else if (suspect.port < 0) {
                suspect.favour(victims.favourite(suspect.slot));
                judge(suspect, tick, ports.isEmpty() ? List.of() : ports.getOrDefault(address(suspect), List.of()));
            }
        }
        wide.forEach(network -> judgeNetwork(network, wide, tick));
        if (Math.floorMod(tick + 1, (long) Counters.TICKS) == 0) {
            for (Suspect suspect : watched) {
                if (suspect.attacking) {
                    suspect.pace(tick, events);
                }
            }
        }
        watched.removeIf(suspect -> isLetGo(suspect, tick));
        looks.settle();
        for (Suspect suspect : watched) {
            if (suspect.isNear(tick, rules)) {
                Counters table = suspect.isPrefix() ? prefixes : victims;
                looks.near(counted[table.suspect(suspect.slot)]);
            }
        }
        victims.settle(tick);
        prefixes.settle(tick);
        scans.decide(tick);
        figures = count();
    }

    private void look(int slot, long tick) {
        int meta = victims.meta(slot);
        int kind = Counters.kind(meta);
        if (victims.suspect(slot) != Counters.NOBODY || victims.atMostOfSecond(slot) < worth[kind]) {
            return;
        }
        boolean v6 = Counters.isV6(meta);
        Limits limits = rules.of(v6, victims.high(slot), victims.low(slot));
        long limit = limits.of(VECTORS[kind]);
        if (rules.perDevice() > 0) {
            limit = Math.min(limit, rules.perDevice());
        }
        boolean much = victims.firstOfSecond(slot, tick) * SUSPICIOUS >= limit;
        boolean many = limits.bytesPerSecond() > 0
                && kind != SYN
                && victims.secondOfSecond(slot, tick) * BYTES_UNIT * SUSPICIOUS >= limits.bytesPerSecond();
        if (much || many) {
            suspect(slot, tick);
        }
    }

    private @Nullable Suspect suspect(int slot, long tick) {
        int meta = victims.meta(slot);
        int kind = Counters.kind(meta);
        boolean v6 = Counters.isV6(meta);
        return add(
                victims,
                new Suspect(
                        kind,
                        v6,
                        victims.high(slot),
                        victims.low(slot),
                        Counters.port(meta),
                        v6 ? 128 : 32,
                        slot,
                        numbers++,
                        VECTORS[kind],
                        rules.of(v6, victims.high(slot), victims.low(slot)),
                        rules.perDevice() > 0,
                        entries,
                        tick),
                tick);
    }

    private @Nullable Suspect add(Counters table, Suspect suspect, long tick) {
        if (free.isEmpty()) {
            unwatched++;
            return null;
        }
        int index = free.removeLast();
        suspects[index] = suspect;
        int place = looks.enter(Networks.widest(suspect.v6, suspect.high, suspect.low));
        counted[index] = place;
        looks.count(place, role(suspect), 1);
        if (isWhole(suspect)) {
            looks.whole(place, index);
        }
        table.suspect(suspect.slot, index);
        for (long t = tick - Counters.TICKS + 1; t < tick; t++) {
            suspect.push(t, table.first(suspect.slot, t), table.second(suspect.slot, t), table.last(suspect.slot, t));
        }
        if (!suspect.isPrefix()) {
            suspect.favour(victims.favourite(suspect.slot));
        }
        watched.add(suspect);
        talkers += suspect.kind == UDP || suspect.kind == REFLECTED || suspect.kind == ICMP ? 1 : 0;
        networks += suspect.isPrefix() ? 1 : 0;
        return suspect;
    }

    private static boolean isWhole(Suspect suspect) {
        return suspect.prefixLength == (suspect.v6 ? Networks.WIDEST_V6 : Networks.WIDEST_V4);
    }

    private static Role role(Suspect suspect) {
        if (suspect.isPrefix()) {
            return isWhole(suspect) ? Role.OTHER : Role.NARROWER;
        }
        return switch (suspect.kind) {
            case UDP -> suspect.port < 0 ? Role.UDP_ADDRESS : Role.UDP_PORT;
            case REFLECTED -> suspect.port < 0 ? Role.REFLECTED_ADDRESS : Role.REFLECTED_PORT;
            case ICMP -> Role.ICMP_ADDRESS;
            default -> Role.OTHER;
        };
    }

    private boolean isLetGo(Suspect suspect, long tick) {
        if (suspect.attacking || tick - suspect.calmSinceTick < CALM_TICKS) {
            return false;
        }
        Counters table = suspect.isPrefix() ? prefixes : victims;
        int index = table.suspect(suspect.slot);
        table.suspect(suspect.slot, Counters.NOBODY);
        suspects[index] = null;
        int place = counted[index];
        looks.count(place, role(suspect), -1);
        if (isWhole(suspect)) {
            looks.whole(place, Looks.NOBODY);
        }
        looks.leave(place);
        free.add(index);
        talkers -= suspect.kind == UDP || suspect.kind == REFLECTED || suspect.kind == ICMP ? 1 : 0;
        networks -= suspect.isPrefix() ? 1 : 0;
        return true;
    }

    private record Address(int kind, boolean v6, long high, long low) {}

    /** Ports that are attacked by themselves, by their address. */
    private Map<Address, List<Suspect>> attackedPorts() {
        Map<Address, List<Suspect>> ports = new HashMap<>();
        for (Suspect suspect : watched) {
            if (suspect.attacking && suspect.port >= 0) {
                ports.computeIfAbsent(address(suspect), each -> new ArrayList<>())
                        .add(suspect);
            }
        }
        return ports;
    }

    private static Address address(Suspect suspect) {
        return new Address(suspect.kind, suspect.v6, suspect.high, suspect.low);
    }

    /** Whether one port has most of what is too much for the address: then that one is attacked, and half of the limit is enough. */
    private boolean isOnePort(Suspect address, long tick) {
        int favourite = victims.favourite(address.slot);
        if (address.kind != UDP && address.kind != REFLECTED || favourite < 0) {
            return false;
        }
        int slot = victims.find(Counters.meta(address.kind, address.v6, favourite), address.high, address.low);
        if (slot == Counters.NOBODY
                || victims.firstOfSecond(slot, tick) * 2 < victims.firstOfSecond(address.slot, tick)) {
            return false;
        }
        int index = victims.suspect(slot);
        Suspect port = index == Counters.NOBODY ? suspect(slot, tick) : suspects[index];
        if (port == null) {
            return false;
        }
        port.boosted = true;
        if (index == Counters.NOBODY) {
            port.push(tick, victims.first(slot, tick), victims.second(slot, tick), victims.last(slot, tick));
        }
        return true;
    }

    private void judge(Suspect suspect, long tick, List<Suspect> explained) {
        boolean loud = suspect.isLoud(tick, rules, explained);
        if (loud && !suspect.attacking && suspect.agrees(rules)) {
            if (suspect.port < 0 && isOnePort(suspect, tick)) {
                return;
            }
            suspect.begin(tick);
        }
        if (suspect.attacking) {
            goOn(suspect, tick, loud);
        } else if (!loud) {
            suspect.learn(tick, rules);
        }
    }

    private void goOn(Suspect suspect, long tick, boolean loud) {
        if (loud) {
            suspect.loud(tick);
            if (suspect.hasGrown(tick)) {
                events.on(suspect.tell(tick, false));
            }
        } else if (suspect.isUnclear(tick, rules)) {
            suspect.unclear(tick);
        } else if (suspect.isOver(tick, rules)) {
            events.on(suspect.tell(tick, true));
            suspect.attacking = false;
            suspect.boosted = false;
            suspect.calmSinceTick = tick;
        }
    }

    // ---- networks

    /** Whether what an address has in a tick counts for the networks that it is in. */
    private boolean isOfNetworks(int cell, long tick) {
        int meta = front.meta(cell);
        if (Counters.kind(meta) != UDP || Counters.port(meta) != ANY || front.amount(cell, tick) <= 0) {
            return false;
        }
        int index = front.suspect(cell);
        Suspect own = index == Counters.NOBODY ? null : suspects[index];
        return own == null || !own.attacking;
    }

    /**
     * Who had something is counted for his networks, and goes to the counters. Networks with so much that it may matter are counted closely; who has how much is
     * known when all have been added up.
     */
    private void settleVictims(long tick) {
        int listed = front.listedCount();
        int[] most = new int[LENGTHS];
        for (int from = 0; from < listed; from += TOGETHER) {
            int until = Math.min(listed, from + TOGETHER);
            front.lookAtListed(from, until);
            for (int i = from; i < until; i++) {
                hashNetworks(front.listed(i), i * LENGTHS, tick);
            }
            networkScores.look(hashes, from * LENGTHS, until * LENGTHS);
            for (int i = from; i < until; i++) {
                scoreNetworks(i * LENGTHS, front.amount(front.listed(i), tick), most, tick);
            }
        }
        boolean some = prefixes.size() > 0;
        for (int of = 0; of < LENGTHS; of++) {
            worthy[of] = Counters.atMostOf(most[of]) >= networkWorth;
            some |= worthy[of];
        }
        for (int from = 0; from < listed; from += TOGETHER) {
            int until = Math.min(listed, from + TOGETHER);
            front.lookAtListed(from, until);
            for (int i = from; some && i < until; i++) {
                addToNetworks(front.listed(i), i * LENGTHS, tick);
            }
            front.settle(from, until);
        }
        front.beginList();
    }

    /** 0 where there is nothing to be counted. */
    private void hashNetworks(int cell, int at, long tick) {
        Arrays.fill(hashes, at, at + LENGTHS, 0);
        if (isOfNetworks(cell, tick)) {
            boolean v6 = Counters.isV6(front.meta(cell));
            int[] lengths = v6 ? LENGTHS_V6 : LENGTHS_V4;
            for (int of = 0; of < lengths.length; of++) {
                hashes[at + of] = prefixes.hash(
                        Counters.meta(UDP, v6, lengths[of]),
                        Networks.high(v6, front.high(cell), lengths[of]),
                        Networks.low(v6, front.low(cell), lengths[of]));
            }
        }
    }

    private void scoreNetworks(int at, int amount, int[] most, long tick) {
        for (int of = 0; of < LENGTHS && hashes[at + of] != 0; of++) {
            most[of] = Math.max(most[of], networkScores.add(hashes[at + of], tick, amount));
        }
    }

    private void addToNetworks(int cell, int at, long tick) {
        for (int of = 0; of < LENGTHS && hashes[at + of] != 0; of++) {
            long hash = hashes[at + of];
            boolean isWorthIt = worthy[of] && Counters.atMostOf(networkScores.of(hash)) >= networkWorth;
            if (isWorthIt || prefixes.mayHave(hash)) {
                int length = (Counters.isV6(front.meta(cell)) ? LENGTHS_V6 : LENGTHS_V4)[of];
                addToNetwork(cell, length, hash, isWorthIt, tick);
            }
        }
    }

    private void addToNetwork(int cell, int length, long hash, boolean isWorthIt, long tick) {
        boolean v6 = Counters.isV6(front.meta(cell));
        long high = front.high(cell);
        long low = front.low(cell);
        int meta = Counters.meta(UDP, v6, length);
        long networkHigh = Networks.high(v6, high, length);
        long networkLow = Networks.low(v6, low, length);
        int at = isWorthIt
                ? prefixes.at(hash, meta, networkHigh, networkLow, tick, tick * TICK_NANOS)
                : prefixes.find(hash, meta, networkHigh, networkLow);
        if (at == Counters.NOBODY) {
            return;
        }
        int count = front.amount(cell, tick);
        prefixes.add(at, tick, count, 0, front.last(cell));
        prefixes.raiseOther(at, tick, count);
        prefixes.mark(at, ReportRow.mix(ReportRow.mix(high) ^ low));
        if (front.favourite(cell) >= 0) {
            prefixes.vote(at, front.favourite(cell), count);
        }
        int index = prefixes.suspect(at);
        Suspect suspect = index == Counters.NOBODY ? null : suspects[index];
        if (suspect != null) {
            suspect.cover(high, low);
        }
    }

    private void lookAtNetwork(int slot, long tick) {
        int meta = prefixes.meta(slot);
        boolean v6 = Counters.isV6(meta);
        if (prefixes.suspect(slot) != Counters.NOBODY) {
            return;
        }
        Limits limits = rules.of(v6, prefixes.high(slot), prefixes.low(slot));
        long second = prefixes.firstOfSecond(slot, tick);
        if (second * SUSPICIOUS < limits.of(AttackVector.CARPET_BOMBING) || !isSpreadOut(slot, tick)) {
            if (tick % Counters.TICKS == 0) {
                prefixes.forgetDistinct(slot, tick * TICK_NANOS);
            }
            return;
        }
        add(
                prefixes,
                new Suspect(
                        UDP,
                        v6,
                        prefixes.high(slot),
                        prefixes.low(slot),
                        ANY,
                        Counters.port(meta),
                        slot,
                        numbers++,
                        AttackVector.CARPET_BOMBING,
                        limits,
                        rules.perDevice() > 0,
                        entries,
                        tick),
                tick);
    }

    private boolean isSpreadOut(int slot, long tick) {
        return Long.bitCount(prefixes.distinct(slot)) >= CARPET_ADDRESSES
                && prefixes.secondOfSecond(slot, tick) * CARPET_PART <= prefixes.firstOfSecond(slot, tick);
    }

    private void judgeNetwork(Suspect network, List<Suspect> all, long tick) {
        network.favour(prefixes.favourite(network.slot));
        boolean wider = false;
        for (Suspect other : all) {
            wider |= other != network
                    && other.prefixLength > network.prefixLength
                    && (other.attacking || other.lastSecond(tick) * 2 >= network.lastSecond(tick))
                    && other.v6 == network.v6
                    && Networks.high(other.v6, other.high, network.prefixLength) == network.high
                    && Networks.low(other.v6, other.low, network.prefixLength) == network.low;
        }
        if (network.attacking) {
            goOn(network, tick, network.isLoud(tick, rules, List.of()));
            return;
        }
        boolean loud = !wider && isSpreadOut(network.slot, tick) && network.isLoud(tick, rules, List.of());
        if (loud && network.agrees(rules)) {
            network.begin(tick);
            goOn(network, tick, true);
        } else if (!loud) {
            network.learn(tick, rules);
            if (tick % Counters.TICKS == 0) {
                prefixes.forgetDistinct(network.slot, tick * TICK_NANOS);
            }
        }
    }

    /** By these interfaces packets come in that have met another node before. */
    public void learn(Inner told) {
        entries.learn(told);
    }

    /** When the last report was received, as far as that is known. */
    public void newest(long nanos) {
        newest = Math.max(newest, nanos);
    }

    @Override
    public void end() {
        if (!begun) {
            return;
        }
        long last = Math.floorDiv(newest, TICK_NANOS);
        advance(last);
        watched.sort(Comparator.comparingLong(suspect -> suspect.number));
        for (Suspect suspect : watched) {
            if (suspect.attacking) {
                // Nobody knows whether it would have gone on.
                events.on(suspect.tell(last, false));
            }
        }
    }

    // ---- figures

    private record Figures(int keys, long evicted, long unwatched) {}

    private Figures count() {
        return new Figures(
                front.size(),
                front.evicted() + victims.evicted() + victims.refused() + prefixes.evicted() + scans.evicted(),
                unwatched + scans.unwatched());
    }

    /** Victims that were counted, a moment ago. Any thread, as those that follow. */
    public int keys() {
        return figures.keys;
    }

    /** Keys that had to leave the tables for others. */
    public long evicted() {
        return figures.evicted;
    }

    /** Victims that had too much and could not be looked at closely. */
    public long unwatched() {
        return figures.unwatched;
    }
}
