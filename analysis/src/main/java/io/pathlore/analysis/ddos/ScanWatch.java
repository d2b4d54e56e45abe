package io.pathlore.analysis.ddos;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who asks many hosts for the same port and does not go on: a scan. Those that ask for one port at a time are one scan, whatever
 * number of them there is. Hot path: {@link #onSyn} and {@link #onOther}.
 */
final class ScanWatch {
    private static final int SCAN = 6;
    private static final int TCP = 6;

    /** From so many victims on, a source is looked at closely. */
    private static final int SUSPICIOUS = 8;

    /** It has to go on for so long: what comes in one moment is somebody who starts up. */
    private static final long LASTING_NANOS = 3_000_000_000L;

    /** A minute to find the victims in. */
    private static final long WINDOW_NANOS = 60_000_000_000L;

    /** Of four SYN, at most one is followed by anything. */
    private static final int FOLLOWED = 4;

    private static final int MOST = 1_024;
    private static final int BITS = 1_024;
    private static final int WHOLE = 10_000;
    private static final int FEW = 8;
    private static final int LISTED = 100;
    private static final long AGAIN_NANOS = 10_000_000_000L;

    /** One source and the port it asks for. */
    private static final class Scanner {
        final int slot;
        final boolean v6;
        final long high;
        final long low;
        final int port;
        final long[] victims = new long[BITS / Long.SIZE];
        long since;
        long lastNanos;
        long syns;
        long others;
        long highOr;
        long lowOr;
        long highAnd = -1;
        long lowAnd = -1;
        long mac = ReportRow.ABSENT;
        long node = ReportRow.ABSENT;
        long ingress = ReportRow.ABSENT;
        int marks;
        int ttl = (int) ReportRow.ABSENT;
        long reporter = ReportRow.ABSENT;
        boolean known = true;
        boolean scanning;

        Scanner(int slot, boolean v6, long high, long low, int port, long since) {
            this.slot = slot;
            this.v6 = v6;
            this.high = high;
            this.low = low;
            this.port = port;
            this.since = since;
        }

        double count() {
            int filled = 0;
            for (long word : victims) {
                filled += Long.bitCount(word);
            }
            return -BITS * StrictMath.log((double) Math.max(1, BITS - filled) / BITS);
        }
    }

    /** One that was told. */
    private static final class Scan {
        final long start;
        final long detectedAt;
        final Prefix victim;
        final int port;
        final List<Scanner> by = new ArrayList<>();
        int told;
        int windows;
        long toldNanos;
        long lastNanos;

        Scan(long start, long detectedAt, Prefix victim, int port) {
            this.start = start;
            this.detectedAt = detectedAt;
            this.victim = victim;
            this.port = port;
        }
    }

    /** What scans of one kind have in common. */
    private record Key(boolean v6, int port) {}

    private final transient Rules rules;
    private final transient EventSink events;
    private final Counters sources;
    private final @Nullable Scanner[] scanners = new Scanner[MOST];
    private final List<Scanner> watched = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    private final Map<Key, Scan> scans = new HashMap<>();
    private long unwatched;

    ScanWatch(Rules rules, EventSink events) {
        this.rules = rules;
        this.events = events;
        sources = new Counters(Math.max(64, rules.keys() / 2), rules.seed() + 1);
        for (int i = MOST - 1; i >= 0; i--) {
            free.add(i);
        }
    }

    void onSyn(ReportRow row, int hop, long mac, int times, boolean known, long tick) {
        int slot = sources.at(
                Counters.meta(SCAN, row.isV6(), row.destinationPort()),
                row.sourceHigh(),
                row.sourceLow(),
                tick,
                row.receivedNanos());
        if (slot == Counters.NOBODY) {
            return;
        }
        long victim = ReportRow.mix(ReportRow.mix(row.destinationHigh()) ^ row.destinationLow());
        sources.add(slot, tick, times, 0, (int) (row.receivedNanos() - tick * AttackWatch.TICK_NANOS));
        sources.mark(slot, victim);
        int index = sources.suspect(slot);
        if (index == Counters.NOBODY) {
            return;
        }
        Scanner scanner = scanners[index];
        if (scanner == null) {
            return;
        }
        int bit = (int) (victim >>> 40) & BITS - 1;
        scanner.victims[bit / Long.SIZE] |= 1L << bit % Long.SIZE;
        scanner.syns += times;
        scanner.highOr |= row.destinationHigh();
        scanner.lowOr |= row.destinationLow();
        scanner.highAnd &= row.destinationHigh();
        scanner.lowAnd &= row.destinationLow();
        scanner.lastNanos = Math.max(scanner.lastNanos, row.receivedNanos());
        if (row.ttl() >= scanner.ttl) { // who has more of it left is nearer to the source
            scanner.mac = mac;
            scanner.node = hop < 0 ? row.node() : row.hopNode(hop);
            scanner.ingress = hop < 0 ? ReportRow.ABSENT : row.ingress(hop);
            scanner.ttl = row.ttl();
        }
        scanner.marks = row.marks();
        scanner.reporter = row.node();
        scanner.known &= known;
    }

    void onOther(ReportRow row, int times) {
        if (watched.isEmpty()) {
            return;
        }
        int slot =
                sources.find(Counters.meta(SCAN, row.isV6(), row.destinationPort()), row.sourceHigh(), row.sourceLow());
        int index = slot == Counters.NOBODY ? Counters.NOBODY : sources.suspect(slot);
        Scanner scanner = index == Counters.NOBODY ? null : scanners[index];
        if (scanner != null) {
            scanner.others += times;
        }
    }

    boolean isIdle() {
        return watched.isEmpty() && sources.touchedCount() == 0 && scans.isEmpty();
    }

    void decide(long tick) {
        long now = (tick + 1) * AttackWatch.TICK_NANOS;
        for (int i = 0; i < sources.touchedCount(); i++) {
            look(sources.touched(i), now);
        }
        for (Scanner scanner : watched) {
            Limits limits = rules.of(scanner.v6, scanner.highAnd, scanner.lowAnd);
            scanner.scanning |= scanner.count() >= limits.of(AttackVector.SCAN) - 0.5
                    && scanner.others * FOLLOWED <= scanner.syns
                    && scanner.lastNanos - scanner.since >= LASTING_NANOS;
        }
        gather(now);
        tell(now);
        watched.removeIf(scanner -> isLetGo(scanner, now));
        sources.settle(tick);
    }

    private void look(int slot, long now) {
        if (sources.suspect(slot) != Counters.NOBODY) {
            return;
        }
        if (Long.bitCount(sources.distinct(slot)) < SUSPICIOUS) {
            if (now - sources.since(slot) > WINDOW_NANOS) {
                sources.forgetDistinct(slot, now);
            }
            return;
        }
        if (free.isEmpty()) {
            unwatched++;
            return;
        }
        int meta = sources.meta(slot);
        Scanner scanner = new Scanner(
                slot,
                Counters.isV6(meta),
                sources.high(slot),
                sources.low(slot),
                Counters.port(meta),
                sources.since(slot));
        scanner.lastNanos = now;
        int index = free.removeLast();
        scanners[index] = scanner;
        sources.suspect(slot, index);
        watched.add(scanner);
    }

    /** Puts scanners together that ask for the same. */
    private void gather(long now) {
        Map<List<Long>, Set<Integer>> ports = new HashMap<>();
        for (Scanner scanner : watched) {
            if (scanner.scanning) {
                ports.computeIfAbsent(List.of(scanner.high, scanner.low), each -> new HashSet<>())
                        .add(scanner.port);
            }
        }
        for (Scanner scanner : watched) {
            if (!scanner.scanning || scans.values().stream().anyMatch(scan -> scan.by.contains(scanner))) {
                continue;
            }
            Set<Integer> own = ports.getOrDefault(List.of(scanner.high, scanner.low), Set.of());
            Key key = new Key(scanner.v6, own.size() == 1 ? scanner.port : Event.ABSENT);
            Scan scan = scans.get(key);
            if (scan == null) {
                List<Scanner> together = watched.stream()
                        .filter(one -> one.scanning && one.v6 == scanner.v6)
                        .filter(one -> key.port == Event.ABSENT || one.port == scanner.port)
                        .toList();
                long start = together.stream().mapToLong(one -> one.since).min().orElse(scanner.since);
                scan = new Scan(start, now, covering(together), key.port);
                scan.by.addAll(together);
                scans.put(key, scan);
            } else {
                scan.by.add(scanner);
            }
        }
    }

    private static Prefix covering(List<Scanner> together) {
        long highOr = 0;
        long lowOr = 0;
        long highAnd = -1;
        long lowAnd = -1;
        boolean v6 = together.getFirst().v6;
        for (Scanner one : together) {
            highOr |= one.highOr;
            lowOr |= one.lowOr;
            highAnd &= one.highAnd;
            lowAnd &= one.lowAnd;
        }
        long differentHigh = highOr ^ highAnd;
        long differentLow = lowOr ^ lowAnd;
        int common = !v6
                ? Math.max(0, Long.numberOfLeadingZeros(differentLow) - 32)
                : differentHigh != 0
                        ? Long.numberOfLeadingZeros(differentHigh)
                        : Long.SIZE + Long.numberOfLeadingZeros(differentLow);
        return new Prefix(v6, highAnd, lowAnd, common);
    }

    private void tell(long now) {
        List<Key> keys = new ArrayList<>(scans.keySet());
        keys.sort(Comparator.comparing(Key::v6).thenComparingInt(Key::port));
        for (Key key : keys) {
            Scan scan = scans.get(key);
            if (scan == null) {
                continue;
            }
            scan.lastNanos =
                    scan.by.stream().mapToLong(one -> one.lastNanos).max().orElse(now);
            scan.windows++;
            if (now - scan.lastNanos >= rules.holdNanos()) {
                events.on(event(scan, scan.lastNanos));
                scan.by.forEach(one -> one.scanning = false);
                scans.remove(key);
            } else if (scan.by.size() != scan.told || now - scan.toldNanos >= AGAIN_NANOS && isSeen(scan)) {
                events.on(event(scan, Event.OPEN));
                scan.told = scan.by.size();
                scan.toldNanos = now;
            }
        }
    }

    private static boolean isSeen(Scan scan) {
        return scan.lastNanos > scan.toldNanos;
    }

    private Event event(Scan scan, long end) {
        long syns = scan.by.stream().mapToLong(one -> one.syns).sum();
        double rate = 0;
        boolean known = true;
        Set<Long> reporters = new HashSet<>();
        List<AttackSource> by = new ArrayList<>();
        for (Scanner one : scan.by) {
            long lasted = Math.max(1, one.lastNanos - one.since);
            rate += one.syns * 1e9 / lasted;
            known &= one.known;
            reporters.add(one.reporter);
            by.add(new AttackSource(
                    one.mac,
                    one.node,
                    one.ingress,
                    Prefix.address(one.v6, one.high, one.low),
                    (int) (one.syns * WHOLE / Math.max(1, syns)),
                    0,
                    Senders.witness(one.mac, one.marks)));
        }
        // A device that asks for several ports is one.
        Map<String, AttackSource> devices = new HashMap<>();
        for (AttackSource one : by) {
            devices.merge(
                    one.device(),
                    one,
                    (a, b) -> new AttackSource(
                            a.mac(), a.firstNode(), a.ingress(), a.address(), a.share() + b.share(), 0, a.witness()));
        }
        List<AttackSource> listed = devices.values().stream()
                .sorted(Comparator.comparingInt((AttackSource one) -> -one.share())
                        .thenComparing(AttackSource::device))
                .limit(LISTED)
                .toList();
        reporters.remove(ReportRow.ABSENT);
        List<Long> few = reporters.stream().sorted().limit(FEW).toList();
        int trust = listed.isEmpty() ? 0 : listed.getFirst().witness().trust();
        return new Event(
                scan.start,
                end,
                scan.detectedAt,
                new Details.Attack(
                        AttackVector.SCAN,
                        scan.victim,
                        scan.port,
                        TCP,
                        listed,
                        devices.size(),
                        Math.max(1, Math.round(rate)),
                        known,
                        Event.ABSENT,
                        Event.ABSENT,
                        scan.windows,
                        few,
                        few,
                        trust,
                        scan.lastNanos));
    }

    private boolean isLetGo(Scanner scanner, long now) {
        boolean silent = now - scanner.lastNanos >= WINDOW_NANOS;
        boolean harmless = !scanner.scanning && now - scanner.since >= WINDOW_NANOS;
        if (!silent && !harmless || scanner.scanning && !silent) {
            return false;
        }
        if (scans.values().stream().anyMatch(scan -> scan.by.contains(scanner))) {
            return false;
        }
        int index = sources.suspect(scanner.slot);
        sources.suspect(scanner.slot, Counters.NOBODY);
        sources.forgetDistinct(scanner.slot, now);
        scanners[index] = null;
        free.add(index);
        return true;
    }

    void end(long tick) {
        long now = (tick + 1) * AttackWatch.TICK_NANOS;
        tell(now);
        List<Key> keys = new ArrayList<>(scans.keySet());
        keys.sort(Comparator.comparing(Key::v6).thenComparingInt(Key::port));
        keys.forEach(key -> {
            Scan scan = scans.get(key);
            if (scan != null) {
                events.on(event(scan, Event.OPEN));
            }
        });
    }

    long evicted() {
        return sources.evicted() + sources.refused();
    }

    long unwatched() {
        return unwatched;
    }
}
