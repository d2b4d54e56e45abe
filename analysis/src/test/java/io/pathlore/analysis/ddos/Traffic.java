package io.pathlore.analysis.ddos;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Relay;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Packets of somebody to somebody, as reports tell of them: what is not said is usual. Operators live in the time of the packets. */
final class Traffic {
    static final long SECOND = 1_000_000_000L;
    static final int UDP = 17;
    static final int TCP = 6;
    static final int ICMP = 1;
    static final long VICTIM = 0xC633_6401L; // 198.51.100.1
    private static final long V6 = 0x2001_0DB8_0000_0000L;
    private static final byte POISON = (byte) 0xA5;

    /** Operators, each with its share of the networks, and what they told. */
    static final class Watched {
        private static final int PRINTS = 1_024;

        final List<Event> events = new ArrayList<>();
        final List<AttackSecond> seconds = new ArrayList<>();
        /** The first of them. */
        final AttackWatch watch;

        private final List<AttackWatch> watches = new ArrayList<>();
        private final List<Operator> operators = new ArrayList<>();
        private final Scans scans;
        private final ByteBuffer bytes = ByteBuffer.allocate(ReportRow.MAX_LENGTH);
        private final ReportRow row = new ReportRow();
        private long now;

        Watched(Rules rules, Sampling sampling) {
            this(rules, sampling, 1);
        }

        /** So many of them, told of all reports. */
        Watched(Rules rules, Sampling sampling, int parts) {
            EventSink sink = new EventSink() {
                @Override
                public void on(Event event) {
                    events.add(event);
                }

                @Override
                public void on(AttackSecond second) {
                    seconds.add(second);
                }
            };
            scans = new Scans(rules.holdNanos(), sink);
            Relay<Inner> inner = new Relay<>(told -> watches.forEach(each -> each.learn(told)));
            operators.add(new EntryWatch(PRINTS, told -> inner.add(told.nanos(), told)));
            operators.add(inner);
            for (int part = 0; part < parts; part++) {
                watches.add(new AttackWatch(rules, new Share(part, parts), sampling, scans::sign, sink));
            }
            operators.addAll(watches);
            operators.add(scans);
            watch = watches.getFirst();
        }

        static Watched usual() {
            return new Watched(Rules.usual(1), node -> 1);
        }

        void until(long nanos) {
            now = Math.max(now, nanos);
            for (long due = earliest(); due <= now; due = earliest()) {
                for (Operator operator : operators) {
                    operator.at(due);
                }
                for (Operator operator : operators) {
                    if (operator.wakeAtNanos() <= due) {
                        operator.onWake(due);
                    }
                }
            }
        }

        /** When one of them wants to be woken next. */
        long earliest() {
            return operators.stream().mapToLong(Operator::wakeAtNanos).min().orElse(Operator.NEVER);
        }

        private void on(ReportRow report) {
            watches.forEach(each -> each.newest(report.receivedNanos()));
            scans.newest(report.receivedNanos());
            operators.forEach(each -> each.on(report));
        }

        void end() {
            operators.forEach(each -> each.at(Operator.NEVER));
            operators.forEach(Operator::end);
        }

        /** All of it in the order of time. */
        Watched see(Traffic... all) {
            long[] next = new long[all.length];
            for (int i = 0; i < all.length; i++) {
                next[i] = all[i].from;
            }
            while (true) {
                int first = 0;
                for (int i = 1; i < all.length; i++) {
                    first = next[i] < next[first] ? i : first;
                }
                if (next[first] >= all[first].until) {
                    boolean more = false;
                    for (int i = 0; i < all.length; i++) {
                        more |= next[i] < all[i].until;
                    }
                    if (!more) {
                        return this;
                    }
                    next[first] = Long.MAX_VALUE;
                    continue;
                }
                give(all[first], next[first]);
                next[first] += SECOND / all[first].perSecond;
            }
        }

        void give(Traffic traffic, long nanos) {
            until(nanos);
            for (int hop = 0; hop < traffic.reports(); hop++) {
                traffic.write(bytes, nanos, hop);
                on(row.wrap(bytes, 0));
                Arrays.fill(bytes.array(), POISON);
            }
            traffic.sent++;
        }

        List<Event.Details.Attack> attacks() {
            return events.stream()
                    .map(event -> (Event.Details.Attack) event.details())
                    .toList();
        }

        /** The only attack there was, as it was told last. */
        Event.Details.Attack last() {
            if (events.stream().map(Event::id).distinct().count() != 1) {
                throw new AssertionError("not one attack: " + events);
            }
            return attacks().getLast();
        }
    }

    long from;
    long until = 5 * SECOND;
    long perSecond = 100;
    int protocol = UDP;
    boolean v6;
    long source = 0x0A00_0001L;
    long destination = VICTIM;
    int sourcePort = 40_000;
    int destinationPort = 80;
    int flags = -1;
    int marks;
    long device = ReportRow.ABSENT;
    int reportFlags = ReportRow.TRACKED;
    /** Nodes of the way; as one stack, or as a postcard of each. */
    long[] way = {1, 2};

    boolean postcards;
    long ingress = 7;

    /** Whether nodes behind the first say by which interface packets came in. */
    boolean innerIngress = true;

    int octets = 500;
    /** Of the source address, the destination address, the destination port: others for each packet. */
    boolean forged;

    boolean everyPort;
    int everyAddress;
    private long sent;
    private final SplittableRandom random = new SplittableRandom(5);

    static Traffic udp(long perSecond) {
        Traffic traffic = new Traffic();
        traffic.perSecond = perSecond;
        return traffic;
    }

    static Traffic tcp(long perSecond, int flags) {
        Traffic traffic = udp(perSecond);
        traffic.protocol = TCP;
        traffic.flags = flags;
        traffic.destinationPort = 443;
        traffic.marks = ReportRow.TCP_FLAGS;
        return traffic;
    }

    static Traffic icmp(long perSecond) {
        Traffic traffic = udp(perSecond);
        traffic.protocol = ICMP;
        return traffic;
    }

    Traffic at(long begin, long end) {
        from = begin;
        until = end;
        return this;
    }

    Traffic by(long mac) {
        device = mac;
        source += mac & 0xFF;
        return this;
    }

    Traffic sixth() {
        v6 = true;
        protocol = protocol == ICMP ? 58 : protocol;
        return this;
    }

    /** What the victim says to who sends this. */
    Traffic answered(long times) {
        Traffic back = udp(times);
        back.protocol = protocol;
        back.v6 = v6;
        back.source = destination;
        back.destination = source;
        back.sourcePort = destinationPort;
        back.destinationPort = sourcePort;
        return back.at(from, until);
    }

    private int reports() {
        return postcards ? way.length : 1;
    }

    private void write(ByteBuffer to, long nanos, int hop) {
        long node = postcards ? way[hop] : way[way.length - 1];
        ReportRow.begin(to, 0, reportFlags, 20, nanos, 0, ReportRow.mapped(0x0A00_0100L + node), node);
        boolean icmp = protocol == ICMP || protocol == 58;
        boolean later = (marks & ReportRow.LATER_FRAGMENT) != 0;
        if (hop == 0) {
            drawn = new long[] {
                forged ? random.nextLong(0x0B00_0000L, 0x7000_0000L) : source,
                destination & -1L << everyAddress | random.nextLong(1L << everyAddress),
                everyPort ? random.nextInt(1024, 65_536) : destinationPort
            };
        }
        ReportRow.flow(
                to,
                0,
                v6,
                icmp,
                protocol,
                v6 ? V6 : 0,
                drawn[0],
                v6 ? V6 : 0,
                drawn[1],
                icmp ? 8 : later ? -1 : sourcePort,
                icmp ? 0 : later ? -1 : (int) drawn[2],
                -1,
                7);
        ReportRow.packet(to, 0, ReportRow.mix(sent + 1), 63 - hop, octets, device);
        ReportRow.marks(to, 0, Math.max(0, flags), marks);
        ReportRow.drop(to, 0, -1, ReportRow.ABSENT);
        int hops = postcards ? 1 : way.length;
        for (int i = 0; i < hops; i++) {
            int at = postcards ? hop : i;
            long in = at == 0 ? ingress : innerIngress ? way[at - 1] : ReportRow.ABSENT;
            ReportRow.hop(to, 0, i, way[at], in, 99, -1, -1, -1, -1, -1, -1, 64);
        }
        ReportRow.way(to, 0, 0, ReportRow.REPORTER | (postcards ? 0 : ReportRow.STACK), hops);
        ReportRow.numbers(to, 0, 0, 0);
    }

    private long[] drawn = new long[3];
}
