package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.Link;
import io.pathlore.analysis.path.Move;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Links that flows have left and that nothing travels any more. A flow that changes its way leaves several links, of which one is
 * down: the one that most of the flows had in common, in both directions, since links mostly fail as a whole. A link is up again
 * with the first packet on it. Sees no reports: ten times a second it looks at what was told of flows and ports before.
 */
public final class LinkWatch implements Operator {
    static final long TICK_NANOS = 100_000_000L;
    private static final int PORTS = 100_000;
    private static final int LEFT = 1_000;
    private static final int FLOWS = 256;

    /** Reports may overtake each other. */
    static final long OVERLAP_NANOS = 100_000_000L;

    private static final long SILENCE_NANOS = 1_500_000_000L;
    private static final long LONGEST_NANOS = 5_000_000_000L;
    private static final long REMEMBERED_NANOS = 60_000_000_000L;
    private static final int GAPS = 5;

    /** That is over. */
    private record Outage(long down, long up) {}

    /** A link that flows left, and when the first did. */
    private static final class Left {
        long first;
        boolean down;
        long found;
        final Set<FlowKey> flows = new HashSet<>();
    }

    /** When it was told. */
    private record Timed<T>(long nanos, T what) {}

    private final ArrayDeque<Timed<Link>> leading = new ArrayDeque<>();
    private final ArrayDeque<Timed<Move.Moved>> moves = new ArrayDeque<>();
    private final LongMap<Link> cables = new LongMap<>(PORTS);
    private final LongMap<LinkSign.Used> ports = new LongMap<>(PORTS);
    private final Map<Link, Left> left = new TreeMap<>(Link.ORDER);
    private final Map<Link, Outage> outages = new TreeMap<>(Link.ORDER);
    private final transient EventSink events;
    private long now = Long.MIN_VALUE;
    private long newest = Long.MIN_VALUE;
    private long tick = NEVER;

    public LinkWatch(EventSink events) {
        this.events = events;
    }

    /** Some report was received then. */
    public void newest(long nanos) {
        newest = Math.max(newest, nanos);
    }

    public void sign(LinkSign sign) {
        switch (sign) {
            case LinkSign.Used used -> use(used);
            case LinkSign.Leads(Link link) -> {
                leading.add(new Timed<>(now, link));
                wakeSoon();
            }
        }
    }

    private void use(LinkSign.Used used) {
        long key = Port.key(used.node(), used.egress());
        ports.remove(key);
        ports.get(key, () -> used, gone -> {});
    }

    public void moved(Move.Moved moved) {
        moves.add(new Timed<>(now, moved));
        wakeSoon();
    }

    private void wakeSoon() {
        if (tick == NEVER && now != NEVER) {
            tick = (Math.floorDiv(now, TICK_NANOS) + 1) * TICK_NANOS;
        }
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
        return tick;
    }

    @Override
    public void onWake(long nowNanos) {
        decide(nowNanos, nowNanos);
        boolean idle = left.isEmpty() && moves.isEmpty() && leading.isEmpty();
        tick = idle ? NEVER : (Math.floorDiv(nowNanos, TICK_NANOS) + 1) * TICK_NANOS;
    }

    @Override
    public void end() {
        if (newest != Long.MIN_VALUE) {
            decide(NEVER, newest);
        }
    }

    /** What is told in the very moment of it belongs to the next time, unless there is none. */
    private void decide(long before, long at) {
        while (isNext(leading, before)) {
            Link link = leading.removeFirst().what;
            long key = Port.key(link.fromNode(), link.fromInterface());
            cables.remove(key);
            cables.get(key, () -> link, gone -> {});
        }
        for (Link link : List.copyOf(left.keySet())) {
            up(link, at);
        }
        while (isNext(moves, before)) {
            Move.Moved moved = moves.removeFirst().what;
            follow(moved.nanos(), moved.flow(), moved.before(), moved.after());
        }
        look(at);
    }

    private static <T> boolean isNext(ArrayDeque<Timed<T>> told, long before) {
        return !told.isEmpty() && (before == NEVER || told.getFirst().nanos < before);
    }

    private void up(Link link, long found) {
        Left was = left.get(link);
        LinkSign.Used used = port(link);
        if (was == null || !was.down || used == null || used.first() <= was.first + OVERLAP_NANOS) {
            return;
        }
        long since = used.first();
        events.on(down(link, was.first, since, was.found));
        events.on(new Event(since, since, found, new Details.LinkUp(from(link), to(link))));
        left.remove(link);
        outages.put(link, new Outage(was.first, since));
        outages.values().removeIf(past -> since - past.up > REMEMBERED_NANOS);
    }

    private LinkSign.@Nullable Used port(Link link) {
        return ports.get(Port.key(link.fromNode(), link.fromInterface()));
    }

    private static LinkEnd from(Link link) {
        return new LinkEnd(link.fromNode(), link.fromInterface());
    }

    private static LinkEnd to(Link link) {
        return new LinkEnd(link.toNode(), link.toInterface());
    }

    private static Event down(Link link, long start, long end, long found) {
        return new Event(start, end, found, new Details.LinkDown(from(link), to(link)));
    }

    /** What all flows have shown of a port counts for more than what one of them did, which may mix two ways. */
    private @Nullable Link whole(Link link) {
        Link known = cables.get(Port.key(link.fromNode(), link.fromInterface()));
        return known != null ? known : link.hasEnd() ? link : null;
    }

    private void follow(long nanos, FlowKey flow, List<Link> before, List<Link> after) {
        if (comesBack(nanos, after) || isExplained(nanos, before)) {
            return;
        }
        for (Link one : before) {
            Link link = whole(one);
            if (link != null && !after.contains(one) && !after.contains(link) && left.size() < LEFT) {
                leaves(link, nanos, flow);
            }
        }
    }

    /** A flow that goes back to a link which has just come up leaves others that are well. */
    private boolean comesBack(long nanos, List<Link> after) {
        for (Link one : after) {
            Link link = whole(one);
            if (link != null && (isUpSince(nanos, link) || isUpSince(nanos, link.reverse()))) {
                return true;
            }
        }
        return false;
    }

    private boolean isUpSince(long nanos, Link link) {
        Outage past = outages.get(link);
        return past != null && Math.abs(nanos - past.up) < LONGEST_NANOS;
    }

    /** Slow flows tell of a link that is known to be down, or was. */
    private boolean isExplained(long nanos, List<Link> before) {
        for (Link one : before) {
            Link link = whole(one);
            if (link == null) {
                continue;
            }
            Left now = left.get(link);
            Outage past = outages.get(link);
            if (now != null && now.down && nanos >= now.first - OVERLAP_NANOS
                    || past != null && nanos >= past.down - OVERLAP_NANOS && nanos <= past.up + OVERLAP_NANOS) {
                return true;
            }
        }
        return false;
    }

    private void leaves(Link link, long nanos, FlowKey flow) {
        Left one = left.computeIfAbsent(link, unused -> new Left());
        if (one.flows.isEmpty()) {
            one.first = nanos;
        }
        if (!one.down) {
            one.first = Math.min(one.first, nanos);
            if (one.flows.size() < FLOWS) {
                one.flows.add(flow);
            }
        }
    }

    private void look(long at) {
        left.entrySet().removeIf(entry -> !entry.getValue().down && isUsed(entry.getKey(), entry.getValue()));
        for (Map.Entry<Link, Left> entry : left.entrySet()) {
            Left one = entry.getValue();
            if (!one.down && at - one.first >= patience(entry.getKey())) {
                judge(entry.getKey(), one, at);
            }
        }
        left.entrySet().removeIf(entry -> !entry.getValue().down && at - entry.getValue().first > 2 * LONGEST_NANOS);
    }

    private boolean isUsed(Link link, Left one) {
        LinkSign.Used used = port(link);
        return used != null && used.left() > one.first + OVERLAP_NANOS;
    }

    /** A link that is seldom used is not down because nobody uses it just now. */
    private long patience(Link link) {
        LinkSign.Used used = port(link);
        long usual = used == null ? 0 : (long) (GAPS * used.gap());
        return Math.clamp(usual, SILENCE_NANOS, LONGEST_NANOS);
    }

    /** Flows that left it, in either direction. */
    private int weight(Link link) {
        Left there = left.get(link);
        Left back = left.get(link.reverse());
        return (there == null ? 0 : there.flows.size()) + (back == null ? 0 : back.flows.size());
    }

    private void judge(Link link, Left one, long at) {
        for (Map.Entry<Link, Left> other : left.entrySet()) {
            Link rival = other.getKey();
            if (rival.equals(link) || !other.getValue().flows.containsAll(one.flows)) {
                continue;
            }
            int more = weight(rival) - weight(link);
            if (more > 0) {
                return; // that one being down explains it all
            }
            // Both would explain it. The one that is up may still show it; then the one whose silence is stranger is
            // down.
            boolean early = at - one.first < LONGEST_NANOS;
            if (more == 0 && (other.getValue().down || early || gap(rival) < gap(link))) {
                return;
            }
        }
        one.down = true;
        one.found = at;
        events.on(down(link, one.first, Event.OPEN, at));
    }

    private double gap(Link link) {
        LinkSign.Used used = port(link);
        return used == null ? Double.MAX_VALUE : used.gap();
    }
}
