package io.pathlore.dataplane.node;

/** What becomes of a packet that a node has handled. */
public enum Verdict {
    FORWARD,
    /** A clone or replica that must not leave the INT domain [INT 2.1 §5.8]. */
    DISCARD
}
