package io.pathlore.analysis.rollup;

import io.pathlore.model.ReportRow;
import org.jspecify.annotations.Nullable;

/** A queue of a node, and its windows that are open. Who does not name interface or queue has one that is called absent. */
final class HopPlace {
    final long node;
    final long egress;
    final long queue;
    final NodeSighting ofNode;
    final @Nullable HopWindow[] seconds = new HopWindow[HopRollup.OPEN];

    /** The one of them that reports came for last, and its second: most of those that follow are of it, too. */
    @Nullable
    HopWindow open;

    long openSecond;

    /** It had to leave; there may be another in its place. */
    boolean isGone;

    @Nullable
    HopWindow minute;

    /** The one that packets last took from here: most take it again. */
    @Nullable
    LinkWindow link;

    HopPlace(long node, long egress, long queue, NodeSighting ofNode) {
        this.node = node;
        this.egress = egress;
        this.queue = queue;
        this.ofNode = ofNode;
        ofNode.places++;
    }

    boolean is(ReportRow row, int hop) {
        return node == row.hopNode(hop) && egress == row.egress(hop) && queue == row.queue(hop) && !isGone;
    }
}
