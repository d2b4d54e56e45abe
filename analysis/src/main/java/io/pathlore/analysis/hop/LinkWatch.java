package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.Event.LinkEnd;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.analysis.path.Link;
import io.pathlore.model.FlowKey;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Links that flows have left and that nothing travels any more. A flow that changes its way leaves several links, of which one is
 * down: the one that most of the flows had in common, in both directions, since links mostly fail as a whole. A link is up again
 * with the first packet on it.
 */
final class LinkWatch implements FlowPaths.Moves {
    private static final int PORTS = 100_000;
    private static final int LEFT = 1_000;
    private static final int FLOWS = 256;

    /** Reports may overtake each other. */
    private static final long OVERLAP_NANOS = 100_000_000L;

    private static final long SILENCE_NANOS = 1_500_000_000L;
    private static final long LONGEST_NANOS = 5_000_000_000L;
    private static final long REMEMBERED_NANOS = 60_000_000_000L;
    private static final int GAPS = 5;
    private static final double MEMORY = 0.1;

    /** So many that say so in a row: the port leads elsewhere now. */
    private static final int RECABLED = 3;

    /** That is over. */
    private record Outage(long down, long up) {}

    /** Where a port leads. */
    private static final class Cable {
        Link link;
        int others;

        Cable(Link link) {
            this.link = link;
        }
    }

    /** A link that flows left, and when the first did. */
    private static final class Left {
        long first;
        boolean down;
        long found;
        final Set<FlowKey> flows = new HashSet<>();
    }

    private final LongMap<Port> ports;
    private final Map<Link, Left> left = new TreeMap<>(Link.ORDER);
    private final LongMap<Cable> cables = new LongMap<>(PORTS);
    private final LongMap<Link> downByPort = new LongMap<>(LEFT);
    private final Map<Link, Outage> outages = new TreeMap<>(Link.ORDER);
    private final transient EventSink events;

    LinkWatch(LongMap<Port> ports, EventSink events) {
        this.ports = ports;
        this.events = events;
    }

    /** Hot path: a packet left a node. */
    void on(Port port, long now) {
        if (port.left != Port.NEVER && now > port.left) {
            port.gap += MEMORY * (now - port.left - port.gap);
        }
        port.left = Math.max(port.left, now);
        if (downByPort.size() > 0) {
            long key = Port.key(port.node, port.egress);
            Link link = downByPort.get(key);
            if (link != null) {
                up(link, key, now);
            }
        }
    }

    private void up(Link link, long key, long now) {
        Left was = left.get(link);
        if (was == null || now <= was.first + OVERLAP_NANOS) {
            return;
        }
        events.on(down(link, was.first, now, was.found));
        events.on(new Event(now, now, now, new Details.LinkUp(from(link), to(link))));
        left.remove(link);
        downByPort.remove(key);
        outages.put(link, new Outage(was.first, now));
        outages.values().removeIf(past -> now - past.up > REMEMBERED_NANOS);
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

    @Override
    public void seen(Link link) {
        if (!link.hasEnd()) {
            return;
        }
        Cable cable = cables.get(Port.key(link.fromNode(), link.fromInterface()), () -> new Cable(link), gone -> {});
        if (cable.link.equals(link)) {
            cable.others = 0;
        } else if (++cable.others >= RECABLED) {
            cable.link = link;
            cable.others = 0;
        }
    }

    /** What all flows have shown of a port counts for more than what one of them did, which may mix two ways. */
    private @Nullable Link whole(Link link) {
        Cable cable = cables.get(Port.key(link.fromNode(), link.fromInterface()));
        return cable != null ? cable.link : link.hasEnd() ? link : null;
    }

    @Override
    public void moved(long nanos, FlowKey flow, List<Link> before, List<Link> after) {
        after.forEach(this::seen);
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

    void onTick(long now) {
        left.entrySet().removeIf(entry -> !entry.getValue().down && isUsed(entry.getKey(), entry.getValue()));
        for (Map.Entry<Link, Left> entry : left.entrySet()) {
            Left one = entry.getValue();
            if (!one.down && now - one.first >= patience(entry.getKey())) {
                decide(entry.getKey(), one, now);
            }
        }
        left.entrySet().removeIf(entry -> !entry.getValue().down && now - entry.getValue().first > 2 * LONGEST_NANOS);
    }

    private boolean isUsed(Link link, Left one) {
        Port port = ports.get(Port.key(link.fromNode(), link.fromInterface()));
        return port != null && port.left > one.first + OVERLAP_NANOS;
    }

    /** A link that is seldom used is not down because nobody uses it just now. */
    private long patience(Link link) {
        Port port = ports.get(Port.key(link.fromNode(), link.fromInterface()));
        long usual = port == null ? 0 : (long) (GAPS * port.gap);
        return Math.clamp(usual, SILENCE_NANOS, LONGEST_NANOS);
    }

    /** Flows that left it, in either direction. */
    private int weight(Link link) {
        Left there = left.get(link);
        Left back = left.get(link.reverse());
        return (there == null ? 0 : there.flows.size()) + (back == null ? 0 : back.flows.size());
    }

    private void decide(Link link, Left one, long now) {
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
            boolean early = now - one.first < LONGEST_NANOS;
            if (more == 0 && (other.getValue().down || early || gap(rival) < gap(link))) {
                return;
            }
        }
        one.down = true;
        one.found = now;
        downByPort.get(Port.key(link.fromNode(), link.fromInterface()), () -> link, gone -> {});
        events.on(down(link, one.first, Event.OPEN, now));
    }

    private double gap(Link link) {
        Port port = ports.get(Port.key(link.fromNode(), link.fromInterface()));
        return port == null ? Double.MAX_VALUE : port.gap;
    }
}
