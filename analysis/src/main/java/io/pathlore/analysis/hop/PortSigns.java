package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.analysis.path.Link;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Knows where ports lead, and looks at those that flows have left: whether anything travels them still, or again. */
final class PortSigns implements FlowPaths.Moves {
    private static final int PORTS = 100_000;
    private static final int LEFT = 4_096;

    /** So many that say so in a row: the port leads elsewhere now. */
    private static final int RECABLED = 3;

    /** Where a port leads. */
    private static final class Cable {
        Link link;
        int others;

        Cable(Link link) {
            this.link = link;
        }
    }

    /** A port that flows left, the last of them then. */
    private static final class Watched {
        final long node;
        final long egress;
        long since;
        long first = Port.NEVER;
        boolean fresh = true;

        Watched(long node, long egress, long since) {
            this.node = node;
            this.egress = egress;
            this.since = since;
        }
    }

    private final LongMap<Port> ports;
    private final transient Share share;
    private final transient Consumer<LinkSign> to;
    private final LongMap<Cable> cables = new LongMap<>(PORTS);
    private final LongMap<Watched> watched = new LongMap<>(LEFT);

    PortSigns(LongMap<Port> ports, Share share, Consumer<LinkSign> to) {
        this.ports = ports;
        this.share = share;
        this.to = to;
    }

    /** Hot path: a packet left a node. */
    void on(Port port, long now) {
        port.leaves(now);
        if (watched.size() > 0) {
            Watched one = watched.get(Port.key(port.node, port.egress));
            if (one != null && one.first == Port.NEVER) {
                one.first = now;
            }
        }
    }

    @Override
    public void seen(Link link) {
        if (!link.hasEnd() || !share.has(link.fromNode())) {
            return;
        }
        long key = Port.key(link.fromNode(), link.fromInterface());
        Cable cable = cables.get(key);
        if (cable == null) {
            cables.get(key, () -> new Cable(link), gone -> {});
            to.accept(new LinkSign.Leads(link));
        } else if (cable.link.equals(link)) {
            cable.others = 0;
        } else if (++cable.others >= RECABLED) {
            cable.link = link;
            cable.others = 0;
            to.accept(new LinkSign.Leads(link));
        }
    }

    @Override
    public void moved(long nanos, FlowKey flow, List<Link> before, List<Link> after) {
        after.forEach(this::seen);
        for (Link link : before) {
            if (link.fromNode() != ReportRow.ABSENT && share.has(link.fromNode())) {
                watch(link.fromNode(), link.fromInterface(), nanos);
            }
        }
    }

    private void watch(long node, long egress, long nanos) {
        long key = Port.key(node, egress);
        Watched known = watched.get(key);
        if (known == null) {
            watched.get(key, () -> new Watched(node, egress, nanos), gone -> {});
        } else {
            known.since = Math.max(known.since, nanos);
            known.fresh = true;
        }
    }

    void onTick() {
        if (watched.size() == 0) {
            return;
        }
        List<Watched> used = new ArrayList<>();
        watched.forEach(one -> {
            Port port = ports.look(Port.key(one.node, one.egress));
            if (port == null || one.first == Port.NEVER && !one.fresh) {
                return;
            }
            to.accept(new LinkSign.Used(one.node, one.egress, one.first, port.left, port.gap));
            one.first = Port.NEVER;
            one.fresh = false;
            if (port.left > one.since + LinkWatch.OVERLAP_NANOS) {
                used.add(one); // whoever says that it is down is answered
            }
        });
        used.forEach(one -> watched.remove(Port.key(one.node, one.egress)));
    }
}
