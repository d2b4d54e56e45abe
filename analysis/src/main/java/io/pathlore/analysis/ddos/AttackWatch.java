package io.pathlore.analysis.ddos;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.AttackVector;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks for attacks in the reports of all flows. Per report, packets are added up by victim and kind, in tables that do not grow;
 * once in a tenth of a second those that have much are looked at: a second of it that is above the limit, and not what the
 * victim asked for, is an attack. It is told at once, again when it grows, and when it is over, with the devices that send it.
 */
public final class AttackWatch implements Operator {
    static final long TICK_NANOS = 100_000_000L;

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
    private static final int[] LENGTHS_V4 = {24, 16};

    private static final int[] LENGTHS_V6 = {112, 64, 48};

    /** So many addresses at least, and none with more than a quarter: else it is a flood of one, beside others. */
    private static final int CARPET_ADDRESSES = 14;

    private static final int CARPET_PART = 4;

    /** From this part of the limit on, a victim is looked at closely, and its ports are counted one by one. */
    private static final int SUSPICIOUS = 4;

    private static final int CALM_TICKS = 600;
    private static final int LATE_TICKS = 5;
    private static final int BYTES_UNIT = 64;

    /** In a tenth of a second, so many looks are taken at packets; of the packets that follow one in some is looked at, and stands for all. */
    private static final int LOOKS = 2_000;

    private static final int SOME = 8;
    private static final int ANY = -1;

    private final transient Rules rules;
    private final transient Sampling sampling;
    private final transient EventSink events;
    private final Entries entries = new Entries();
    private final Counters victims;
    private final Counters prefixes;
    private final ScanWatch scans;
    private final @Nullable Suspect[] suspects;
    private final List<Suspect> watched = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    /** Suspects whose answers matter, and those that are networks. */
    private int talkers;

    private int networks;
    private int looks;
    private int turns;
    /** No victim with less in a second is worth a look, whatever its limits. */
    private final transient long least;

    private long numbers;
    private long unwatched;
    private long next;
    private boolean begun;
    private long newest = Long.MIN_VALUE;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    int looked;

    // Of the report at hand: packets it stands for, and whether that is known.
    private int times = 1;
    private boolean isSamplingKnown;
    /** Whether it is looked at closely, and how many it then stands for. */
    private boolean isClose;

    private int weight = 1;
    private volatile Figures figures = new Figures(0, 0, 0);

    public AttackWatch(Rules rules, Sampling sampling, EventSink events) {
        this.rules = rules;
        this.sampling = sampling;
        this.events = events;
        victims = new Counters(rules.keys(), rules.seed());
        prefixes = new Counters(Math.max(64, rules.keys() / 8), rules.seed());
        scans = new ScanWatch(rules, events);
        least = rules.least();
        suspects = new Suspect[rules.suspects()];
        for (int i = suspects.length - 1; i >= 0; i--) {
            free.add(i);
        }
    }

    /** What the tables take, for so many keys. */
    public static long bytes(int keys) {
        return 2L * Counters.BYTES_PER_KEY * keys;
    }

    // ---- per report

    @Override
    public void on(ReportRow row) {
        if (row.unbound()
                || !row.hasFlow()
                || row.intermediate()
                || row.dropCount() != ReportRow.ABSENT
                || (row.way() & ReportRow.REPLICA) != 0
                || row.congested() && !row.tracked() && !row.dropped()) {
            return; // nobody's word, no packet, or one that another report tells of
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
        boolean some = looks >= LOOKS;
        isClose = !some || ++turns % SOME == 0;
        weight = some ? SOME : 1;
        int protocol = row.protocol();
        if ((row.marks() & ReportRow.FRAGMENT) != 0) {
            count(row, hop, FRAGMENT, row.destinationPort(), false, tick);
        } else if (protocol == PROTOCOL_UDP) {
            count(row, hop, Services.answers(row.sourcePort()) ? REFLECTED : UDP, row.destinationPort(), true, tick);
            if (talkers > 0 && isClose) {
                answer(row);
            }
        } else if (protocol == PROTOCOL_TCP) {
            tcp(row, hop, tick);
        } else if (protocol == PROTOCOL_ICMP || protocol == PROTOCOL_ICMPV6) {
            count(row, hop, ICMP, ANY, false, tick);
            if (talkers > 0 && isClose) {
                answered(victims, Counters.meta(ICMP, row.isV6(), ANY), row.sourceHigh(), row.sourceLow(), row);
            }
        }
    }

    @Override
    public void expect(ReportRow row) {
        if (row.protocol() == PROTOCOL_UDP) {
            int kind = Services.answers(row.sourcePort()) ? REFLECTED : UDP;
            long tick = Math.floorDiv(row.receivedNanos(), TICK_NANOS);
            boolean v6 = row.isV6();
            int slot = victims.look(Counters.meta(kind, v6, ANY), row.destinationHigh(), row.destinationLow(), tick);
            if (slot != Counters.NOBODY && countsPorts(slot)) {
                int port = row.destinationPort();
                looked ^=
                        victims.look(Counters.meta(kind, v6, port), row.destinationHigh(), row.destinationLow(), tick);
            }
        }
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
        int slot = victims.at(Counters.meta(kind, v6, ANY), high, low, tick, row.receivedNanos());
        if (slot != Counters.NOBODY) {
            victims.add(slot, tick, times, octets, offset);
            if (port >= 0) {
                victims.vote(slot, port, times);
            }
            watch(victims, slot, row, hop, tick);
        }
        if (byPort && port >= 0 && (slot == Counters.NOBODY || countsPorts(slot))) {
            int there = victims.at(Counters.meta(kind, v6, port), high, low, tick, row.receivedNanos());
            if (there != Counters.NOBODY) {
                victims.add(there, tick, times, octets, offset);
                watch(victims, there, row, hop, tick);
            }
        }
        if (networks > 0 && kind == UDP && isClose) {
            for (int length : v6 ? LENGTHS_V6 : LENGTHS_V4) {
                int at = prefixes.find(
                        Counters.meta(UDP, v6, length), Networks.high(v6, high, length), Networks.low(v6, low, length));
                if (at != Counters.NOBODY) {
                    watch(prefixes, at, row, hop, tick);
                }
            }
        }
    }

    /** No port has more than its address: where that is far from too much, nobody needs to know which port it was. */
    private boolean countsPorts(int slot) {
        return victims.atMostOfSecond(slot) * SUSPICIOUS >= least;
    }

    private void watch(Counters table, int slot, ReportRow row, int hop, long tick) {
        int index = isClose ? table.suspect(slot) : Counters.NOBODY;
        if (index == Counters.NOBODY) {
            return;
        }
        looks++;
        Suspect suspect = suspects[index];
        if (suspect != null) {
            suspect.on(row, hop, mac(row), times, weight, isSamplingKnown, tick);
        }
    }

    private void tcp(ReportRow row, int hop, long tick) {
        int flags = row.tcpFlags();
        if (flags == ReportRow.ABSENT) {
            return;
        }
        if ((flags & (ReportRow.SYN | ReportRow.ACK)) == ReportRow.SYN) {
            int slot = victims.at(
                    Counters.meta(SYN, row.isV6(), ANY),
                    row.destinationHigh(),
                    row.destinationLow(),
                    tick,
                    row.receivedNanos());
            if (slot != Counters.NOBODY) {
                victims.add(slot, tick, times, 0, (int) (row.receivedNanos() - tick * TICK_NANOS));
                victims.vote(slot, row.destinationPort(), times);
                watch(victims, slot, row, hop, tick);
            }
            scans.onSyn(row, hop, mac(row), times, isSamplingKnown, tick);
        } else {
            int slot = victims.find(Counters.meta(SYN, row.isV6(), ANY), row.destinationHigh(), row.destinationLow());
            if (slot != Counters.NOBODY) {
                victims.addOther(slot, tick, times);
            }
            scans.onOther(row, times);
        }
    }

    /** Whoever is suspected to be a victim says something: to that port, from that port, or from its network. */
    private void answer(ReportRow row) {
        boolean v6 = row.isV6();
        long high = row.sourceHigh();
        long low = row.sourceLow();
        answered(victims, Counters.meta(UDP, v6, ANY), high, low, row);
        if (row.sourcePort() >= 0) {
            answered(victims, Counters.meta(UDP, v6, row.sourcePort()), high, low, row);
        }
        if (Services.answers(row.destinationPort())) {
            answered(victims, Counters.meta(REFLECTED, v6, ANY), high, low, row);
            if (row.sourcePort() >= 0) {
                answered(victims, Counters.meta(REFLECTED, v6, row.sourcePort()), high, low, row);
            }
        }
        if (networks > 0) {
            for (int length : v6 ? LENGTHS_V6 : LENGTHS_V4) {
                long networkHigh = Networks.high(v6, high, length);
                long networkLow = Networks.low(v6, low, length);
                boolean inside = networkHigh == Networks.high(v6, row.destinationHigh(), length)
                        && networkLow == Networks.low(v6, row.destinationLow(), length);
                if (!inside) {
                    answered(prefixes, Counters.meta(UDP, v6, length), networkHigh, networkLow, row);
                }
            }
        }
    }

    private void answered(Counters table, int meta, long high, long low, ReportRow row) {
        int slot = table.find(meta, high, low);
        int index = slot == Counters.NOBODY ? Counters.NOBODY : table.suspect(slot);
        if (index != Counters.NOBODY) {
            Suspect suspect = suspects[index];
            if (suspect != null) {
                suspect.onAnswer(row, times * weight);
            }
        }
    }

    // ---- per tenth of a second

    private boolean isIdle() {
        return watched.isEmpty() && victims.touchedCount() == 0 && scans.isIdle();
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
        looks = 0;
        victims.settle(tick);
        prefixes.settle(tick);
        scans.decide(tick);
        figures = count();
    }

    private void look(int slot, long tick) {
        int meta = victims.meta(slot);
        int kind = Counters.kind(meta);
        if (kind == UDP && Counters.port(meta) == ANY) {
            addToNetworks(slot, tick);
        }
        if (victims.suspect(slot) != Counters.NOBODY || victims.atMostOfSecond(slot) * SUSPICIOUS < least) {
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

    private boolean isLetGo(Suspect suspect, long tick) {
        if (suspect.attacking || tick - suspect.calmSinceTick < CALM_TICKS) {
            return false;
        }
        Counters table = suspect.isPrefix() ? prefixes : victims;
        int index = table.suspect(suspect.slot);
        table.suspect(suspect.slot, Counters.NOBODY);
        suspects[index] = null;
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

    private void addToNetworks(int slot, long tick) {
        int count = victims.first(slot, tick);
        int index = victims.suspect(slot);
        Suspect own = index == Counters.NOBODY ? null : suspects[index];
        if (count == 0 || own != null && own.attacking) {
            return;
        }
        boolean v6 = Counters.isV6(victims.meta(slot));
        long high = victims.high(slot);
        long low = victims.low(slot);
        for (int length : v6 ? LENGTHS_V6 : LENGTHS_V4) {
            int at = prefixes.at(
                    Counters.meta(UDP, v6, length),
                    Networks.high(v6, high, length),
                    Networks.low(v6, low, length),
                    tick,
                    tick * TICK_NANOS);
            if (at == Counters.NOBODY) {
                continue;
            }
            prefixes.add(at, tick, count, 0, victims.last(slot, tick));
            prefixes.raiseOther(at, tick, count);
            prefixes.mark(at, ReportRow.mix(ReportRow.mix(high) ^ low));
            if (victims.favourite(slot) >= 0) {
                prefixes.vote(at, victims.favourite(slot), count);
            }
            int network = prefixes.suspect(at);
            Suspect suspect = network == Counters.NOBODY ? null : suspects[network];
            if (suspect != null) {
                suspect.cover(high, low);
            }
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
        scans.end(last);
    }

    // ---- figures

    private record Figures(int keys, long evicted, long unwatched) {}

    private Figures count() {
        return new Figures(
                victims.size(),
                victims.evicted() + victims.refused() + prefixes.evicted() + scans.evicted(),
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
