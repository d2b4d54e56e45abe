package io.pathlore.dataplane.node;

import io.pathlore.wire.inband.HopView;

/**
 * What a node knows of one packet's way through it, beyond the bytes. A plain struct that is filled again for every packet;
 * {@link HopView#ABSENT} where the node does not know.
 */
public final class Passage {
    /** No interface: the packet came from the node itself, or goes nowhere. */
    public static final int NOWHERE = 0;

    public int ingressInterface;
    public int egressInterface;
    public long level2IngressInterface = HopView.ABSENT;
    public long level2EgressInterface = HopView.ABSENT;
    public int queueId;
    public long queueOccupancy = HopView.ABSENT;
    /** Occupancy as percentage of the queue's limit. */
    public long queueCongestion = HopView.ABSENT;

    public long bufferId = HopView.ABSENT;
    public long bufferOccupancy = HopView.ABSENT;
    public long txUtilization = HopView.ABSENT;

    /** By the node's own clock, which may be off and drift. */
    public long ingressTimestamp;

    public long egressTimestamp;

    /** The time of the world: for timers, intervals and quotas. */
    public long nowNanos;

    /** Largest IP packet the egress link carries. */
    public int mtu;

    /** The other interfaces this packet could have left through, at equal cost: where replicas go. */
    public final int[] alternatives = new int[64];

    public int alternativeCount;
}
