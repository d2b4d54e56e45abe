package io.pathlore.analysis.ddos;

/** How many packets a report of a node stands for. Hot path: allocates nothing. */
@FunctionalInterface
public interface Sampling {
    int UNKNOWN = 0;

    /** One packet in so many is reported by this node, or {@link #UNKNOWN}. */
    int oneIn(long node);
}
