package io.pathlore.dataplane.node;

import io.pathlore.dataplane.packet.Packet;

/**
 * What the lab asks of a device that speaks INT. Time only moves forward; packet and passage are the device's for the length
 * of the call.
 */
public interface IntProcessor {
    /** No tick is wanted. */
    long NEVER = Long.MAX_VALUE;

    /** The packet starts to leave through {@link Passage#egressInterface}; a host's last packet leaves through none. */
    Verdict forward(Packet packet, Passage passage, NodeOutput out);

    /** The packet goes no further, for a reason from the table of drop reasons. */
    void drop(Packet packet, Passage passage, int reason, NodeOutput out);

    /**
     * Whether the packet, as it will leave, is within {@link Passage#mtu}. Asked before it is queued, and only of packets that
     * are longer as they arrive: a sink makes them shorter.
     */
    default boolean fits(Packet packet, Passage passage) {
        return true;
    }

    /** The time of {@link #nextTickNanos} has come. */
    void tick(long nowNanos, NodeOutput out);

    /** When {@link #tick} is due, or {@link #NEVER}; looked at after every other call. */
    default long nextTickNanos() {
        return NEVER;
    }

    /** All state is lost: sequence numbers, flows, reports not yet sent. */
    default void restart() {}
}
