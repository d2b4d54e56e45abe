package io.pathlore.analysis.ddos;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts scanners together: those that ask for one port at a time are one scan, whatever number of them there is. Sees no reports: who scans is told by
 * those who do, wherever the sources of packets are counted, and goes by its source, so that it makes no difference who is told of first.
 */
public final class Scans implements Operator {
    private static final int TCP = 6;
    private static final int WHOLE = 10_000;
    private static final int FEW = 8;
    private static final int LISTED = 100;
    private static final long AGAIN_NANOS = 10_000_000_000L;
    private static final long NONE = Long.MIN_VALUE;

    /** One source and the port it asks for. */
    private static final class Member {
        final long since;
        ScanSign last;
        /** Of when it was looked at before. */
        long earlier;

        /** Scans that it is in. */
        int scans;

        Member(ScanSign first) {
            since = first.sinceNanos();
            last = first;
        }

        void on(ScanSign sign) {
            if (sign.sinceNanos() != last.sinceNanos()) {
                earlier += last.syns();
            }
            last = sign;
        }

        ScanSign.Source source() {
            return last.source();
        }

        long syns() {
            return earlier + last.syns();
        }
    }

    /** One that was told. */
    private static final class Scan {
        final long start;
        final long detectedAt;
        final Prefix victim;
        final int port;
        final List<Member> by = new ArrayList<>();
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

        void add(Member member) {
            by.add(member);
            member.scans++;
        }
    }

    /** What scans of one kind have in common. */
    private record Key(boolean v6, int port) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return v6 != other.v6 ? Boolean.compare(v6, other.v6) : Integer.compare(port, other.port);
        }
    }

    private final transient long holdNanos;
    private final transient EventSink events;
    private final TreeMap<ScanSign.Source, Member> members = new TreeMap<>();
    private final TreeMap<Key, Scan> scans = new TreeMap<>();
    private long now = NONE;
    private long next = NEVER;
    private long newest = NONE;

    /** {@code holdNanos} of silence end a scan. */
    public Scans(long holdNanos, EventSink events) {
        this.holdNanos = holdNanos;
        this.events = events;
    }

    /** In the tick that ended. */
    public void sign(ScanSign sign) {
        Member member = members.get(sign.source());
        if (member == null) {
            members.put(sign.source(), new Member(sign));
        } else {
            member.on(sign);
        }
        next = Math.min(next, now);
    }

    /** When the last report was received, as far as that is known. */
    public void newest(long nanos) {
        newest = Math.max(newest, nanos);
    }

    @Override
    public void on(ReportRow report) {}

    @Override
    public boolean seesReports() {
        return false;
    }

    @Override
    public void at(long nanos) {
        now = nanos;
    }

    @Override
    public long wakeAtNanos() {
        return next;
    }

    @Override
    public void onWake(long nowNanos) {
        if (nowNanos >= next) {
            look(nowNanos);
            next = scans.isEmpty() ? NEVER : AttackWatch.tickEnd(nowNanos);
        }
    }

    private void look(long nanos) {
        gather(nanos);
        tell(nanos);
    }

    /** Puts scanners together that ask for the same. */
    private void gather(long nanos) {
        Map<List<Long>, Set<Integer>> ports = new HashMap<>();
        for (ScanSign.Source source : members.keySet()) {
            ports.computeIfAbsent(List.of(source.high(), source.low()), each -> new HashSet<>())
                    .add(source.port());
        }
        for (Member member : members.values()) {
            if (member.scans > 0) {
                continue;
            }
            ScanSign.Source source = member.source();
            Set<Integer> own = ports.getOrDefault(List.of(source.high(), source.low()), Set.of());
            Key key = new Key(source.v6(), own.size() == 1 ? source.port() : Event.ABSENT);
            Scan scan = scans.get(key);
            if (scan == null) {
                List<Member> together = members.values().stream()
                        .filter(one -> one.source().v6() == key.v6)
                        .filter(one -> key.port == Event.ABSENT || one.source().port() == key.port)
                        .toList();
                long start = together.stream().mapToLong(one -> one.since).min().orElse(member.since);
                Scan begun = new Scan(start, nanos, covering(together), key.port);
                together.forEach(begun::add);
                scans.put(key, begun);
            } else {
                scan.add(member);
            }
        }
    }

    private static Prefix covering(Collection<Member> together) {
        long highOr = 0;
        long lowOr = 0;
        long highAnd = -1;
        long lowAnd = -1;
        boolean v6 = together.iterator().next().source().v6();
        for (Member member : together) {
            ScanSign.Bits one = member.last.victims();
            highOr |= one.highOr();
            lowOr |= one.lowOr();
            highAnd &= one.highAnd();
            lowAnd &= one.lowAnd();
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

    private void tell(long nanos) {
        List<Key> over = new ArrayList<>();
        scans.forEach((key, scan) -> {
            scan.lastNanos = scan.by.stream()
                    .mapToLong(one -> one.last.lastNanos())
                    .max()
                    .orElse(nanos);
            scan.windows++;
            if (nanos - scan.lastNanos >= holdNanos) {
                events.on(event(scan, scan.lastNanos));
                over.add(key);
            } else if (scan.by.size() != scan.told
                    || nanos - scan.toldNanos >= AGAIN_NANOS && scan.lastNanos > scan.toldNanos) {
                events.on(event(scan, Event.OPEN));
                scan.told = scan.by.size();
                scan.toldNanos = nanos;
            }
        });
        over.forEach(this::forget);
    }

    private void forget(Key key) {
        Scan scan = scans.remove(key);
        if (scan != null) {
            for (Member member : scan.by) {
                if (--member.scans == 0) {
                    members.remove(member.source());
                }
            }
        }
    }

    private Event event(Scan scan, long end) {
        long syns = scan.by.stream().mapToLong(Member::syns).sum();
        double rate = 0;
        boolean known = true;
        Set<Long> reporters = new HashSet<>();
        List<AttackSource> by = new ArrayList<>();
        for (Member one : scan.by) {
            ScanSign.Way way = one.last.way();
            long lasted = Math.max(1, one.last.lastNanos() - one.since);
            rate += one.syns() * 1e9 / lasted;
            known &= one.last.known();
            reporters.add(way.reporter());
            by.add(new AttackSource(
                    way.mac(),
                    way.node(),
                    way.ingress(),
                    Prefix.address(
                            one.source().v6(), one.source().high(), one.source().low()),
                    (int) (one.syns() * WHOLE / Math.max(1, syns)),
                    0,
                    Senders.witness(way.mac(), way.marks())));
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

    @Override
    public void end() {
        if (newest != NONE) {
            look(AttackWatch.tickEnd(newest));
            scans.values().forEach(scan -> events.on(event(scan, Event.OPEN)));
        }
    }
}
