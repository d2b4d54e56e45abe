package io.pathlore.analysis.hop;

import io.pathlore.analysis.path.Link;

/** What {@link LinkWatch} has to know of the ports of nodes, wherever those are watched. */
public sealed interface LinkSign {
    /**
     * What a port that flows have left has done until now.
     *
     * @param first packet since this was last told, or {@link Port#NEVER}
     * @param left when the last packet did
     * @param gap how far apart packets usually are
     */
    record Used(long node, long egress, long first, long left, double gap) implements LinkSign {}

    /** A port leads there, as far as flows have shown. */
    record Leads(Link link) implements LinkSign {}
}
