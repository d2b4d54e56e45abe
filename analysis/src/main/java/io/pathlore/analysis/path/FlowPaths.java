package io.pathlore.analysis.path;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Follows the way of each flow: says when it changes, and when packets run in circles. From stacks a packet's whole way is known at
 * once; from postcards it is put together by TTL. What is not the whole way (hop limit, MTU, cut short, a report missing) is never
 * a change. A change is believed when, a moment after its first report, no packet takes the former way any more: reports overtake
 * each other, and some networks send every packet another way.
 */
public final class FlowPaths implements Operator {
    /** Drop reasons that stand for a TTL used up. */
    @FunctionalInterface
    public interface TtlReasons {
        boolean contains(long node, int reason);
    }

    /** Is told where flows go, and where they went from and to. */
    public interface Moves {
        void seen(Link link);

        void moved(long nanos, FlowKey flow, List<Link> before, List<Link> after);
    }

    /** Is told which way each flow takes, as it becomes known; {@code whole} if no hop is missing. */
    @FunctionalInterface
    public interface Ways {
        void takes(long flowHash, List<Long> nodes, boolean whole);
    }

    /**
     * What may differ from site to site.
     *
     * @param windowNanos how long reports of one packet may be apart
     * @param flows that are followed at once
     */
    public record Rules(long windowNanos, int flows) {}

    private static final long PATIENCE_NANOS = 1_000_000_000L;
    private static final long LOOP_OVER_NANOS = 5_000_000_000L;
    private static final int TTL_DROPS = 2;
    private static final int RECENT = 1 << 14;

    private record Due(long nanos, FlowTrack track) {}

    private final transient Rules rules;
    private final transient TtlReasons ttlReasons;
    private final transient Moves moves;
    private final transient Ways ways;
    private final transient EventSink events;
    private final LongMap<FlowTrack> flows;
    private final Steady steady = new Steady();
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::nanos).thenComparing(one -> one.track.flow.canonical()));
    private long newest = Long.MIN_VALUE;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    // Postcards of late: a node that speaks twice of one packet, with another TTL, has met it twice.
    private final long[] recentPrints = new long[RECENT];
    private final int[] recentTtls = new int[RECENT];

    public FlowPaths(Rules rules, TtlReasons ttlReasons, Moves moves, EventSink events) {
        this(rules, ttlReasons, moves, (flow, nodes, whole) -> {}, events);
    }

    /** {@code ways} of flows that are put together from postcards; a stack says it itself. */
    public FlowPaths(Rules rules, TtlReasons ttlReasons, Moves moves, Ways ways, EventSink events) {
        this.ways = ways;
        this.rules = rules;
        this.ttlReasons = ttlReasons;
        this.moves = moves;
        this.events = events;
        flows = new LongMap<>(rules.flows);
    }

    public int size() {
        return flows.size();
    }

    /** Flows that were forgotten to make room. */
    public long evicted() {
        return flows.evicted();
    }

    @Override
    public void on(ReportRow row) {
        if (!row.hasFlow() || row.unbound() || row.hops() == 0 || (row.way() & ReportRow.REPLICA) != 0) {
            return;
        }
        long now = row.receivedNanos();
        newest = Math.max(newest, now);
        long hash = row.flowHash();
        boolean plain =
                row.isWholeStack() && !row.dropped() && !flows.isFull(); // a full map has to know who is asked for
        if (plain && steady.goesOn(hash, row.route(), now)) {
            return;
        }
        if (steady.has(hash)) {
            settle(hash);
        }
        FlowTrack track = flows.get(hash);
        if (track == null) {
            FlowKey key = row.flow();
            if (key == null) {
                return;
            }
            track = flows.get(hash, () -> new FlowTrack(key), left -> {});
        }
        if (isOnItsWay(track, row)) {
            track.wayLast = Math.max(track.wayLast, now);
            if (plain) {
                settle(hash);
                steady.put(hash, row.route(), now);
            }
        } else if (runsInCircles(track, row)) {
            onLoop(track, row);
        } else if (!row.dropped() && track.loopLast < row.receivedNanos() - PATIENCE_NANOS) {
            onWay(track, row);
        }
    }

    /** Who stands where this flow would makes room, and is remembered. */
    private void settle(long hash) {
        if (steady.isPlaceTaken(hash)) {
            FlowTrack track = flows.look(steady.flowInPlaceOf(hash));
            if (track != null) {
                track.wayLast = Math.max(track.wayLast, steady.lastInPlaceOf(hash));
            }
            steady.clearPlaceOf(hash);
        }
    }

    @Override
    public void expect(ReportRow[] reports, int count) {
        for (int i = 0; i < count; i++) {
            long hash = reports[i].flowHash();
            FlowTrack track = steady.has(hash) ? null : flows.look(hash);
            if (track != null) {
                looked ^= track.route ^ track.dueNanos;
            }
        }
    }

    /** Nothing is new, as with nearly all packets. */
    private static boolean isOnItsWay(FlowTrack track, ReportRow row) {
        return track.route == row.route()
                && row.isWholeStack()
                && !row.dropped()
                && !track.hasCandidate()
                && track.loopLast < row.receivedNanos() - PATIENCE_NANOS;
    }

    private void onWay(FlowTrack track, ReportRow row) {
        int way = row.way();
        if ((way & ReportRow.STACK) != 0) {
            boolean whole = (way & (ReportRow.GAPS | ReportRow.PARTIAL)) == 0
                    && (way & ReportRow.REPORTER) != 0
                    && !row.intermediate();
            if (whole && row.namesAll()) {
                onStack(track, row);
            }
        } else if (row.hops() == 1 && row.ttl() >= 0 && track.way.length() == 0) {
            onCard(track, row);
        }
    }

    // ---- stacks

    private void onStack(FlowTrack track, ReportRow row) {
        long now = row.receivedNanos();
        long ripe = track.candidateFirst + rules.windowNanos;
        if (track.hasCandidate() && now > ripe) {
            decideStack(track, ripe); // a batch may span more than the window
        }
        if (track.way.length() == 0) {
            track.way.read(row);
            track.wayLast = now;
            track.route = row.route();
            track.cards = null;
            track.way.links().forEach(moves::seen);
        } else if (track.way.renew(row)) {
            track.wayLast = Math.max(track.wayLast, now);
            track.route = row.route();
        } else if (track.hasCandidate() && track.candidate.renew(row)) {
            track.candidateFirst = Math.min(track.candidateFirst, now);
            track.candidateLast = Math.max(track.candidateLast, now);
            track.candidateCount++;
            wake(track, track.candidateFirst + rules.windowNanos);
        } else {
            if (track.hasCandidate() && track.candidateCount > 1 && now > track.candidateLast) {
                decideStack(track, now);
            }
            track.candidate.read(row);
            track.candidateFirst = now;
            track.candidateLast = now;
            track.candidateCount = 1;
            wake(track, now + rules.windowNanos);
        }
    }

    /** Packets that were overtaken come soon; those that come later still take the former way. */
    private void decideStack(FlowTrack track, long now) {
        boolean left = track.wayLast < track.candidateFirst + rules.windowNanos / 2;
        if (left && track.candidateLast >= track.wayLast) {
            changed(track.candidateFirst, now, track.flow, track.way, track.candidate);
            track.route = 0;
            track.way.clear();
            for (int i = 0; i < track.candidate.length(); i++) {
                track.way.add(track.candidate.node(i), track.candidate.ingress(i), track.candidate.egress(i));
            }
            track.wayLast = track.candidateLast;
        }
        track.dropCandidate();
    }

    private void changed(long start, long now, FlowKey flow, Way before, Way after) {
        moves.moved(start, flow, before.links(), after.links());
        events.on(new Event(start, start, now, new Details.PathChange(flow, before.nodes(), after.nodes())));
    }

    // ---- postcards

    private void onCard(FlowTrack track, ReportRow row) {
        Cards cards = track.cards;
        if (cards == null) {
            cards = new Cards();
            track.cards = cards;
        }
        if (cards.on(row, moves)) {
            wake(track, row.receivedNanos() + rules.windowNanos);
        }
        if (cards.isNew()) {
            Way way = new Way();
            cards.way(way);
            ways.takes(row.flowHash(), way.nodes(), cards.isWhole());
        }
    }

    private void decideCards(FlowTrack track, Cards cards, long now, boolean last) {
        long start = cards.doubtFrom();
        Way before = new Way();
        cards.way(before, start - rules.windowNanos);
        if (!cards.decide(last || now - start >= PATIENCE_NANOS)) {
            wake(track, now + rules.windowNanos);
            return;
        }
        Way after = new Way();
        cards.way(after);
        if (!after.isSame(before)) {
            changed(start, now, track.flow, before, after);
        }
    }

    // ---- circles

    private boolean runsInCircles(FlowTrack track, ReportRow row) {
        if ((row.way() & ReportRow.STACK) != 0) {
            return firstRepeated(row) >= 0;
        }
        if (row.dropped()) {
            boolean ttl = ttlReasons.contains(row.node(), row.dropReason());
            track.ttlDrops = ttl ? track.ttlDrops + 1 : track.ttlDrops;
            return ttl && track.ttlDrops >= TTL_DROPS;
        }
        return row.hops() == 1 && row.ttl() >= 0 && row.packetPrint() != 0 && metBefore(row);
    }

    private boolean metBefore(ReportRow row) {
        long print = ReportRow.mix(row.packetPrint() ^ row.hopNode(0) << 8);
        int at = (int) (print >>> 20) & RECENT - 1;
        boolean again = recentPrints[at] == print && recentTtls[at] != row.ttl();
        recentPrints[at] = print;
        recentTtls[at] = row.ttl();
        return again;
    }

    /** Where a node stands that stood before, or -1. */
    private static int firstRepeated(ReportRow row) {
        for (int i = 1; i < row.hops(); i++) {
            long node = row.hopNode(i);
            for (int j = 0; j < i && node != ReportRow.ABSENT; j++) {
                if (row.hopNode(j) == node) {
                    return i;
                }
            }
        }
        return -1;
    }

    private void onLoop(FlowTrack track, ReportRow row) {
        long now = row.receivedNanos();
        track.dropCandidate();
        if (track.cards != null) {
            track.cards.forgetSince(now - rules.windowNanos);
        }
        boolean first = track.loopFirst == FlowTrack.NEVER;
        track.loopLast = Math.max(track.loopLast, now);
        if (first) {
            track.loopFirst = now;
            track.loopFound = now;
            track.loop.clear();
            int end = firstRepeated(row);
            for (int i = 0; i <= end; i++) {
                track.loop.add(row.hopNode(i), row.ingress(i), row.egress(i));
            }
            events.on(loop(track, Event.OPEN));
            wake(track, now + LOOP_OVER_NANOS);
        }
    }

    private static Event loop(FlowTrack track, long end) {
        return new Event(track.loopFirst, end, track.loopFound, new Details.Loop(track.flow, track.loop.nodes()));
    }

    // ---- time

    private void wake(FlowTrack track, long nanos) {
        if (track.dueNanos == FlowTrack.NEVER || nanos < track.dueNanos) {
            track.dueNanos = nanos;
            due.add(new Due(nanos, track));
        }
    }

    @Override
    public long wakeAtNanos() {
        Due next = due.peek();
        return next == null ? NEVER : next.nanos;
    }

    @Override
    public void onWake(long nowNanos) {
        for (Due next = due.peek(); next != null && next.nanos <= nowNanos; next = due.peek()) {
            due.poll();
            if (next.track.dueNanos == next.nanos) {
                next.track.dueNanos = FlowTrack.NEVER;
                look(next.track, nowNanos, false);
            }
        }
    }

    private void look(FlowTrack track, long now, boolean last) {
        if (track.hasCandidate()) {
            if (last || now >= track.candidateFirst + rules.windowNanos) {
                decideStack(track, now);
            } else {
                wake(track, track.candidateFirst + rules.windowNanos);
            }
        }
        Cards cards = track.cards;
        if (cards != null && cards.doubtFrom() != FlowTrack.NEVER) {
            decideCards(track, cards, now, last);
        }
        if (track.loopFirst != FlowTrack.NEVER) {
            if (now - track.loopLast >= LOOP_OVER_NANOS) {
                events.on(loop(track, track.loopLast));
                track.loopFirst = FlowTrack.NEVER;
                track.ttlDrops = 0;
            } else if (!last) {
                wake(track, track.loopLast + LOOP_OVER_NANOS);
            }
        }
    }

    @Override
    public void end() {
        for (@Nullable Due next = due.poll(); next != null; next = due.poll()) {
            if (next.track.dueNanos == next.nanos) {
                next.track.dueNanos = FlowTrack.NEVER;
                look(next.track, newest, true);
            }
        }
    }
}
