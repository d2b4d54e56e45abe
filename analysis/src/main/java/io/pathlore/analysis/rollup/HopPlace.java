package io.pathlore.analysis.rollup;

import org.jspecify.annotations.Nullable;

/** A queue of a node, and its windows that are open. Who does not name interface or queue has one that is called absent. */
final class HopPlace {
    final long node;
    final long egress;
    final long queue;
    final NodeSighting ofNode;
    final @Nullable HopWindow[] seconds = new HopWindow[HopRollup.OPEN];

    @Nullable
    HopWindow minute;

    /** The one that packets last took from here: most take it again. */
    @Nullable
    LinkWindow link;

    /** When a packet last went from here to a neighbour that told of it, too. */
    long directMinute = Long.MIN_VALUE;

    HopPlace(long node, long egress, long queue, NodeSighting ofNode) {
        this.node = node;
        this.egress = egress;
        this.queue = queue;
        this.ofNode = ofNode;
    }
}
