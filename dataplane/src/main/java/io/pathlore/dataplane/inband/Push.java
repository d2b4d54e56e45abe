package io.pathlore.dataplane.inband;

/**
 * What became of a node's wish to add its metadata to a packet. Tested in this order: is there a header to push to, are hops
 * left, can the exact number of octets be added, does the MTU allow them, is everything asked for known [INT 2.1 §5.8].
 */
public enum Push {
    PUSHED,
    /** Nothing was changed: no header to push to, or one this node cannot serve with the exact number of octets. */
    UNABLE,
    /** No hops are left: only E was set. */
    HOP_LIMIT,
    /** The MTU leaves no room: only M was set, in versions that have it. */
    MTU,
    /**
     * The MTU leaves no room and the node reports what the stack holds before it goes on: nothing was changed. Make the
     * intermediate report, clear the stack, parse and push again [INT 2.1 §5.8].
     */
    REPORT_FIRST
}
