package io.pathlore.analysis.event;

import io.pathlore.model.FlowKey;
import java.util.List;

/**
 * The packets that met a full queue, in the order its node saw them, so that a microburst can be looked at packet by packet.
 *
 * @param event the congestion it belongs to, at its end
 * @param flows those that {@link Packet#flow} means
 * @param seen packets in all; more than are kept where there was no room
 */
public record Burst(Event event, List<FlowKey> flows, List<Packet> packets, long seen) {
    /** What is absent is -1. */
    public static final long ABSENT = -1;

    /**
     * One of them.
     *
     * @param nanos by the node's own clock, where it tells the time; else when the report was received
     * @param flow index in the list of flows, or {@link #ABSENT}
     * @param octets of the IP packet
     */
    public record Packet(long nanos, int flow, int octets, long occupancy, long latency, boolean dropped) {}

    public Burst {
        flows = List.copyOf(flows);
        packets = List.copyOf(packets);
    }
}
