package io.pathlore.dataplane.report;

/** Where a node that reports a stack of other nodes puts its own metadata; all are legal [TR 2.0 §3.4]. */
public enum OwnMetadata {
    /** On top of the stack in the copy of the packet. Whoever hands over the copy has pushed it there. */
    STACK,
    /** In the same report, beside the stack. */
    MAIN,
    /** In a second report without a packet, which has the same ingress timestamp as the one with the stack. */
    SEPARATE,
    /** In domain specific extension data. v2.0 only. */
    DS_EXTENSION
}
