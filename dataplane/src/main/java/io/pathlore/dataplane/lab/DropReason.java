package io.pathlore.dataplane.lab;

/** Why a device of the lab drops, in the numbers of p4lang/switch that fabrics in the field send. */
public final class DropReason {
    /** Also of packets that are longer than the egress link carries: the table has no number for that. */
    public static final int UNKNOWN = 0;

    public static final int TTL_ZERO = 26;
    public static final int NO_ROUTE = 29;
    /** The queue was full. */
    public static final int TRAFFIC_MANAGER = 71;

    public static final int ACL_DENY = 80;

    private DropReason() {}
}
