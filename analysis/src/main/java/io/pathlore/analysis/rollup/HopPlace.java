package io.pathlore.analysis.rollup;

import java.util.Arrays;

/** A queue of a node, and its windows that are open. Who does not name interface or queue has one that is called absent. */
final class HopPlace {
    final long node;
    final long egress;
    final long queue;
    final NodeSighting ofNode;
    final HopWindow[] seconds = new HopWindow[HopRollup.OPEN];
    final HopWindow minute;

    HopPlace(long node, long egress, long queue, NodeSighting ofNode) {
        this.node = node;
        this.egress = egress;
        this.queue = queue;
        this.ofNode = ofNode;
        Arrays.setAll(seconds, unused -> new HopWindow(this));
        minute = new HopWindow(this);
    }
}
