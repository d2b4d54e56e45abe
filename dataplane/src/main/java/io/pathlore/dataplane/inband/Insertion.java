package io.pathlore.dataplane.inband;

/** What became of a source's wish to put INT into a packet. All but the first two leave the packet as it was. */
public enum Insertion {
    DONE,
    /** The source's metadata did not fit the MTU: the header stands alone, with M set in versions that have it. */
    HEADER_ONLY,
    /** Not even the fixed header fits the MTU. */
    NO_ROOM,
    /** The carrier does not fit this packet: no such L4 or tunnel, or a later fragment. */
    NOT_APPLICABLE,
    /** Somebody else's INT is left alone [INT 2.1 §3]. */
    ALREADY_INT
}
