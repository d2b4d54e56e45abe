package io.pathlore.cli.scale;

import io.pathlore.analysis.Share;
import io.pathlore.analysis.path.Link;
import io.pathlore.analysis.path.Move;
import io.pathlore.analysis.rollup.HopRollup;
import io.pathlore.analysis.rollup.Neighbours;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/** Gives the parts of nodes what one part of exporters or flows has for them: each what is about its nodes, and no more. */
final class ToHops {
    private static final long MINUTE = 60_000_000_000L;

    private final transient int parts;
    private final transient Outbox outbox;
    private final transient int[] of = new int[ReportRow.MAX_HOPS + 1];
    private final transient ReportRow row = new ReportRow();
    private final Neighbours neighbours = new Neighbours(HopRollup.MOST_NEIGHBOURS);

    ToHops(int parts, Outbox outbox) {
        this.parts = parts;
        this.outbox = outbox;
    }

    /** Hot path. */
    void report(ByteBuffer bytes, int at) {
        row.wrap(bytes, at);
        if (row.unbound()) {
            return;
        }
        int count = ofHops(row);
        if (row.dropped()) {
            count = add(row.node(), count);
        }
        for (int i = 0; i < count; i++) {
            outbox.report(Stage.HOPS, of[i], bytes, at);
        }
    }

    /** How many parts the nodes of a report belong to; {@link #of} are those. */
    private int ofHops(ReportRow report) {
        int count = 0;
        int hops = report.hops();
        for (int hop = 0; hop < hops; hop++) {
            count = add(report.hopNode(hop), count);
        }
        return count;
    }

    private int add(long node, int count) {
        int part = Share.of(node, parts);
        for (int i = 0; i < count; i++) {
            if (of[i] == part) {
                return count;
            }
        }
        of[count] = part;
        return count + 1;
    }

    /** To the parts of its nodes; to all of them where it is the first in a minute that reached a neighbour: that says something of other links, too. */
    void packet(long nanos, ReportRow packet) {
        long minute = Math.floorDiv(packet.receivedNanos(), MINUTE);
        boolean late = minute != Math.floorDiv(nanos, MINUTE);
        boolean all = false;
        for (int hop = 0; hop < packet.hops() - 1; hop++) {
            if (packet.hiddenAfter(hop) == 0) {
                all |= neighbours.reached(packet.hopNode(hop), packet.egress(hop), minute) || late;
            }
        }
        int count = all ? parts : ofHops(packet);
        for (int i = 0; i < count; i++) {
            outbox.packet(all ? i : of[i], nanos, packet);
        }
    }

    void move(long nanos, Move move) {
        BitSet to = new BitSet(parts);
        switch (move) {
            case Move.Seen(Link link) -> to.set(Share.of(link.fromNode(), parts));
            case Move.Moved moved -> {
                outbox.found(Stage.VERDICTS, 0, nanos, moved);
                starts(to, moved.before());
                starts(to, moved.after());
            }
        }
        to.stream().forEach(part -> outbox.found(Stage.HOPS, part, nanos, move));
    }

    private void starts(BitSet to, List<Link> links) {
        links.forEach(link -> to.set(Share.of(link.fromNode(), parts)));
    }
}
