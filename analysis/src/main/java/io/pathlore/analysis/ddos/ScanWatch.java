package io.pathlore.analysis.ddos;

import io.pathlore.model.AttackVector;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who asks many hosts for the same port and does not go on. Each source by itself: {@link Scans} makes scans of them. Hot path: {@link #onSyn} and
 * {@link #onOther}.
 */
final class ScanWatch {
    private static final int SCAN = 6;

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

    /** One source and the port it asks for. */
    private static final class Scanner {
        final int slot;
        final ScanSign.Source source;
        final long[] victims = new long[BITS / Long.SIZE];
        long since;
        long lastNanos;
        long syns;
        long told;
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

        Scanner(int slot, ScanSign.Source source, long since) {
            this.slot = slot;
            this.source = source;
            this.since = since;
        }

        double count() {
            int filled = 0;
            for (long word : victims) {
                filled += Long.bitCount(word);
            }
            return -BITS * StrictMath.log((double) Math.max(1, BITS - filled) / BITS);
        }

        ScanSign sign() {
            return new ScanSign(
                    source,
                    since,
                    lastNanos,
                    syns,
                    new ScanSign.Bits(highOr, lowOr, highAnd, lowAnd),
                    new ScanSign.Way(mac, node, ingress, marks, reporter),
                    known);
        }
    }

    private final transient Rules rules;
    private final transient Consumer<ScanSign> signs;
    private final Counters sources;
    private final @Nullable Scanner[] scanners = new Scanner[MOST];
    private final List<Scanner> watched = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();
    private long unwatched;

    ScanWatch(Rules rules, Consumer<ScanSign> signs) {
        this.rules = rules;
        this.signs = signs;
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
        return watched.isEmpty() && sources.touchedCount() == 0;
    }

    void decide(long tick) {
        long now = (tick + 1) * AttackWatch.TICK_NANOS;
        for (int i = 0; i < sources.touchedCount(); i++) {
            look(sources.touched(i), now);
        }
        for (Scanner scanner : watched) {
            Limits limits = rules.of(scanner.source.v6(), scanner.highAnd, scanner.lowAnd);
            scanner.scanning |= scanner.count() >= limits.of(AttackVector.SCAN) - 0.5
                    && scanner.others * FOLLOWED <= scanner.syns
                    && scanner.lastNanos - scanner.since >= LASTING_NANOS;
            if (scanner.scanning && scanner.syns != scanner.told) {
                scanner.told = scanner.syns;
                signs.accept(scanner.sign());
            }
        }
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
                new ScanSign.Source(Counters.isV6(meta), sources.high(slot), sources.low(slot), Counters.port(meta)),
                sources.since(slot));
        scanner.lastNanos = now;
        int index = free.removeLast();
        scanners[index] = scanner;
        sources.suspect(slot, index);
        watched.add(scanner);
    }

    private boolean isLetGo(Scanner scanner, long now) {
        boolean silent = now - scanner.lastNanos >= WINDOW_NANOS;
        boolean harmless = !scanner.scanning && now - scanner.since >= WINDOW_NANOS;
        if (!silent && !harmless) {
            return false;
        }
        int index = sources.suspect(scanner.slot);
        sources.suspect(scanner.slot, Counters.NOBODY);
        sources.forgetDistinct(scanner.slot, now);
        scanners[index] = null;
        free.add(index);
        return true;
    }

    long evicted() {
        return sources.evicted() + sources.refused();
    }

    long unwatched() {
        return unwatched;
    }
}
