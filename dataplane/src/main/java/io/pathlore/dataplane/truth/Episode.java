package io.pathlore.dataplane.truth;

import io.pathlore.dataplane.truth.Fact.AttackSource;
import io.pathlore.dataplane.truth.Fact.Culprit;
import io.pathlore.dataplane.truth.Fact.LinkEnd;
import io.pathlore.dataplane.truth.Fact.Prefix;
import io.pathlore.dataplane.truth.Fact.Victim;
import io.pathlore.model.FlowId;
import io.pathlore.model.FlowKey;
import io.pathlore.wire.net.FlowView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fact in the making: what is known of it so far, and which report would show it. */
abstract sealed class Episode {
    long startNanos;
    long endNanos = Span.ABSENT;
    long visibleAtNanos = Span.ABSENT;
    /** No report has shown it yet, and one still might. */
    boolean pending = true;

    Episode(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Whether the hop {@code hop} of a report shows it; where the whole report decides, {@code hop} means nothing. */
    abstract boolean isShownBy(Sighting report, int hop);

    /** {@code span} is that of the episode at the end of the run. */
    abstract Fact fact(Span span, FlowTable flows, TruthOptions options);

    Span span(long runEndNanos, TruthOptions options) {
        return new Span(startNanos, endNanos, visibleAtNanos);
    }

    private static List<Long> list(long[] nodes) {
        return Arrays.stream(nodes).boxed().toList();
    }

    static boolean contains(long[] nodes, long node) {
        for (long one : nodes) {
            if (one == node) {
                return true;
            }
        }
        return false;
    }

    static boolean containsLink(long[] nodes, long from, long to) {
        for (int i = 1; i < nodes.length; i++) {
            if (nodes[i - 1] == from && nodes[i] == to) {
                return true;
            }
        }
        return false;
    }

    /** A flow and an amount, named so that equal amounts have an order that does not depend on who came first. */
    private record Ranked(FlowId id, FlowKey flow, long amount) {
        static List<Ranked> of(Tally tally, FlowTable flows) {
            List<Ranked> ranked = new ArrayList<>();
            for (int i = 0; i < tally.size(); i++) {
                FlowKey flow = flows.key(tally.flow(i));
                ranked.add(new Ranked(flow.id(), flow, tally.amount(i)));
            }
            ranked.sort(Comparator.comparingLong((Ranked one) -> -one.amount).thenComparing(Ranked::id));
            return ranked;
        }
    }

    static final class RouteChange extends Episode {
        final int flow;
        final long[] before;
        final long[] after;
        /** Who knows of no other way cannot know that this one is new. */
        private final boolean canBeKnown;

        /** Only joined postcards can tell that the flow left a node out. */
        private final boolean newNodes;

        private final PacketJoin join = new PacketJoin();

        /** Of the same flow, while a report may still show it. */
        @Nullable
        RouteChange previous;

        /** {@code believed} is the way that reports last told of, or null where they told of none. */
        RouteChange(long startNanos, int flow, long[] before, long[] after, long @Nullable [] believed) {
            super(startNanos);
            canBeKnown = believed != null && !Arrays.equals(believed, after);
            endNanos = startNanos;
            this.flow = flow;
            this.before = before.clone();
            this.after = after.clone();
            newNodes = Arrays.stream(after).anyMatch(node -> !contains(before, node));
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            if (report.replica || !canBeKnown) {
                return false;
            }
            for (int i = 0; i < report.hops; i++) {
                long node = report.nodes[i];
                if (contains(after, node) && !contains(before, node)) {
                    return true;
                }
                if (i > 0 && report.stack && !report.gaps && isNewLink(report.nodes[i - 1], node)) {
                    return true;
                }
            }
            if (report.stack) {
                return report.complete && isAfter(report);
            }
            return !newNodes && report.hops == 1 && !report.dropped && isWholeByPostcards(report);
        }

        private boolean isNewLink(long from, long to) {
            return containsLink(after, from, to) && !containsLink(before, from, to);
        }

        private boolean isAfter(Sighting report) {
            return Arrays.equals(report.nodes, 0, report.hops, after, 0, after.length);
        }

        /** Postcards of one packet from every node of the new way, and from none that was left. */
        private boolean isWholeByPostcards(Sighting report) {
            if (after.length >= Long.SIZE) {
                return false;
            }
            long seen = join.add(report.packetHash(), bit(report.reporter));
            return seen == (1L << after.length) - 1;
        }

        /** The top bit is for every node that is no longer on the way. */
        private long bit(long node) {
            for (int i = 0; i < after.length; i++) {
                if (after[i] == node) {
                    return 1L << i;
                }
            }
            return Long.MIN_VALUE;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.PathChange(span, flows.key(flow), list(before), list(after));
        }
    }

    static final class Loop extends Episode {
        final int flow;
        private final long[] path;
        private final int ttlReason;
        private final PacketJoin join = new PacketJoin();

        Loop(long startNanos, int flow, long[] path, int ttlReason) {
            super(startNanos);
            this.flow = flow;
            this.path = path.clone();
            this.ttlReason = ttlReason;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            if (report.hasRepeatedNode() || report.dropped && report.dropReason == ttlReason) {
                return true;
            }
            int ttl = report.ttl();
            if (report.stack || ttl < 0 || report.reporter == Sighting.ABSENT) {
                return false;
            }
            // The same TTL again is a datagram that came twice, not a packet that did.
            long key = FlowTable.mix(report.packetHash(), report.reporter);
            long low = join.add(key, 1L << (ttl & 31) | 1L << 32 + (ttl >> 5));
            return Long.bitCount(low) > 2;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.Loop(span, flows.key(flow), list(path));
        }
    }

    static final class Congestion extends Episode {
        private static final int MAX_CULPRITS = 10;
        private static final int MAX_VICTIMS = 100;
        /** Ten-thousandths of the bytes from which on a flow is a culprit. */
        private static final int CULPRIT_SHARE = 500;

        private final QueueWatch queue;
        final Tally bytes = new Tally();
        long peak;

        Congestion(long startNanos, QueueWatch queue) {
            super(startNanos);
            this.queue = queue;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            if (report.egress[hop] != queue.interfaceId || report.queues[hop] != queue.queueId) {
                return false;
            }
            return report.congested && report.isReporter(hop) || report.occupancies[hop] >= queue.thresholdBytes;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            List<Culprit> culprits = new ArrayList<>();
            List<FlowKey> victims = new ArrayList<>();
            for (Ranked one : Ranked.of(bytes, flows)) {
                int share = (int) (one.amount * 10_000 / bytes.total());
                if (share >= CULPRIT_SHARE && culprits.size() < MAX_CULPRITS) {
                    culprits.add(new Culprit(one.flow, share));
                } else if (victims.size() < MAX_VICTIMS) {
                    victims.add(one.flow);
                }
            }
            return new Fact.Congestion(
                    span, queue.node, queue.interfaceId, queue.queueId, peak, bytes.total(), culprits, victims);
        }
    }

    static final class Latency extends Episode {
        private static final int REPORTS = 20;

        private final long interfaceId;
        private final Fact.Latency what;
        private int reports;

        Latency(Fact.Latency what) {
            super(what.span().startNanos());
            this.what = what;
            interfaceId = what.interfaceId();
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            return tells(report, hop) && isFirst(report, hop) && ++reports >= REPORTS;
        }

        private boolean tells(Sighting report, int hop) {
            return report.egress[hop] == interfaceId && report.timed[hop];
        }

        /** A packet in a loop comes by again and again; it is one report. */
        private boolean isFirst(Sighting report, int hop) {
            for (int i = 0; i < hop; i++) {
                if (report.nodes[i] == report.nodes[hop] && tells(report, i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.Latency(
                    span, what.node(), what.interfaceId(), what.queue(), what.baselineNanos(), what.observedNanos());
        }
    }

    /** Things that come one by one and are told as one while they come close together. */
    abstract static sealed class Series extends Episode {
        long lastNanos;

        Series(long startNanos) {
            super(startNanos);
            lastNanos = startNanos;
        }

        @Override
        Span span(long runEndNanos, TruthOptions options) {
            boolean over = runEndNanos - lastNanos >= options.mergeNanos();
            return new Span(startNanos, over ? lastNanos : Span.ABSENT, visibleAtNanos);
        }
    }

    static final class Drops extends Series {
        private static final int MAX_FLOWS = 100;

        private final long node;
        private final int reason;
        final Tally packets = new Tally();

        Drops(long startNanos, long node, int reason) {
            super(startNanos);
            this.node = node;
            this.reason = reason;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            return report.dropped && report.isReporter(hop) && report.dropReason == reason;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            List<FlowKey> most = Ranked.of(packets, flows).stream()
                    .limit(MAX_FLOWS)
                    .map(Ranked::flow)
                    .toList();
            return new Fact.Drops(span, node, reason, options.reasonName(reason), most, packets.total());
        }
    }

    static final class ReportLoss extends Series {
        /** Sequence numbers have at least 22 bits [TR 2.0 §3.2]; those are compared, as they wrap. */
        private static final int SEQUENCE_MASK = 0x3F_FFFF;

        private static final int HALF = 0x20_0000;

        private final long node;
        private final int hwId;
        private final long firstLost;
        long lost;

        ReportLoss(long startNanos, long node, int hwId, long firstLost) {
            super(startNanos);
            this.node = node;
            this.hwId = hwId;
            this.firstLost = firstLost;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            long ahead = report.sequence - firstLost & SEQUENCE_MASK;
            return report.isReporter(hop) && report.hwId == hwId && ahead > 0 && ahead < HALF;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.ReportLoss(span, node, hwId, lost);
        }
    }

    static final class LinkDown extends Episode {
        final LinkEnd from;
        final LinkEnd to;

        LinkDown(long startNanos, LinkEnd from, LinkEnd to) {
            super(startNanos);
            this.from = from;
            this.to = to;
        }

        boolean isLink(LinkEnd otherFrom, LinkEnd otherTo) {
            return from.equals(otherFrom) && to.equals(otherTo);
        }

        /** Of a flow that had used the link: it now leaves the node another way. */
        @Override
        boolean isShownBy(Sighting report, int hop) {
            if (report.replica || report.dropped) {
                return false;
            }
            for (int i = 0; i < report.hops; i++) {
                if (report.nodes[i] == from.node()
                        && report.egress[i] != Sighting.ABSENT
                        && report.egress[i] != from.interfaceId()) {
                    return true;
                }
            }
            return false;
        }

        /** The change of a flow's route took it off the link. */
        boolean isShownBy(RouteChange change) {
            return change.startNanos >= startNanos
                    && containsLink(change.before, from.node(), to.node())
                    && !containsLink(change.after, from.node(), to.node());
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.LinkDown(span, from, to);
        }
    }

    static final class LinkUp extends Episode {
        private final LinkEnd from;
        private final LinkEnd to;

        LinkUp(long startNanos, LinkEnd from, LinkEnd to) {
            super(startNanos);
            endNanos = startNanos;
            this.from = from;
            this.to = to;
        }

        boolean isLink(LinkEnd otherFrom, LinkEnd otherTo) {
            return from.equals(otherFrom) && to.equals(otherTo);
        }

        /** {@code hop} is one of the node the link begins at. */
        @Override
        boolean isShownBy(Sighting report, int hop) {
            if (report.dropped && report.isReporter(hop)) {
                return false;
            }
            boolean followed =
                    report.stack && !report.gaps && hop + 1 < report.hops && report.nodes[hop + 1] == to.node();
            return report.egress[hop] == Sighting.ABSENT ? followed : report.egress[hop] == from.interfaceId();
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.LinkUp(span, from, to);
        }
    }

    static final class Restart extends Episode {
        private final long node;
        final int hwId;

        Restart(long startNanos, long node, int hwId) {
            super(startNanos);
            endNanos = startNanos;
            this.node = node;
            this.hwId = hwId;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            return report.isReporter(hop) && report.hwId == hwId && report.numbered;
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.ExporterRestart(span, node, hwId);
        }
    }

    /** Shown by no report, but by the lack of any. */
    static final class Silence extends Episode {
        private final long node;
        private final int hwId;
        /** Whether there ever was a datagram; a collector cannot miss what it never heard. */
        boolean heard;

        Silence(long startNanos, long node, int hwId) {
            super(startNanos);
            this.node = node;
            this.hwId = hwId;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            return false;
        }

        @Override
        Span span(long runEndNanos, TruthOptions options) {
            long until = endNanos == Span.ABSENT ? runEndNanos : endNanos;
            boolean visible = heard && until - startNanos >= options.silentAfterNanos();
            return new Span(startNanos, endNanos, visible ? startNanos : Span.ABSENT);
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.ExporterSilent(span, node, hwId);
        }
    }

    static final class Spoof extends Episode {
        final long node;
        private final long[] addresses;

        Spoof(long startNanos, long node, long[] addresses) {
            super(startNanos);
            this.node = node;
            this.addresses = Arrays.stream(addresses).sorted().distinct().toArray();
        }

        boolean isShownBy(long claimedNode, long address) {
            return claimedNode == node && contains(addresses, address);
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            return isShownBy(report.reporter, report.exporter);
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            List<String> texts = Arrays.stream(addresses)
                    .mapToObj(address -> Prefix.ipv4((int) address, 32).toString())
                    .toList();
            return new Fact.SpoofSuspected(span, node, texts);
        }
    }

    static final class Attack extends Episode {
        private final String vector;
        private final Victim victim;
        private final List<Prefix> from;
        private final List<AttackSource> sources;
        private final long packetsPerSecond;

        Attack(
                long startNanos,
                String vector,
                Victim victim,
                List<Prefix> from,
                List<AttackSource> sources,
                long packetsPerSecond) {
            super(startNanos);
            this.vector = vector;
            this.victim = victim;
            this.from = List.copyOf(from);
            this.sources = List.copyOf(sources);
            this.packetsPerSecond = packetsPerSecond;
        }

        @Override
        boolean isShownBy(Sighting report, int hop) {
            FlowView flow = report.packet().flow();
            return flow.known()
                    && victim.prefix().contains(flow.v6(), flow.destinationHigh(), flow.destinationLow())
                    && (victim.protocol() == Fact.ABSENT || victim.protocol() == flow.protocol())
                    && (victim.port() == Fact.ABSENT || victim.port() == flow.destinationPort())
                    && isFromSources(flow);
        }

        boolean isSame(String otherVector, Victim otherVictim) {
            return vector.equals(otherVector) && victim.equals(otherVictim);
        }

        private boolean isFromSources(FlowView flow) {
            for (int i = 0; i < from.size(); i++) {
                if (from.get(i).contains(flow.v6(), flow.sourceHigh(), flow.sourceLow())) {
                    return true;
                }
            }
            return from.isEmpty();
        }

        @Override
        Fact fact(Span span, FlowTable flows, TruthOptions options) {
            return new Fact.Attack(span, vector, victim, sources, packetsPerSecond);
        }
    }
}
