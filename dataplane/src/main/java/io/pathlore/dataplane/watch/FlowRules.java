package io.pathlore.dataplane.watch;

/**
 * What makes a packet of a flow worth a report. The first packet of a flow and a change of its path always do.
 *
 * @param everyPacket nothing is held back
 * @param latencyQuantumNanos a hop latency that moves to another multiple of it is reported, 0 for never
 * @param refreshNanos a flow that goes on unchanged is reported again after so long, 0 for never
 */
public record FlowRules(boolean everyPacket, long latencyQuantumNanos, long refreshNanos) {
    public static final FlowRules EVERY_PACKET = new FlowRules(true, 0, 0);

    public static FlowRules onChange(long latencyQuantumNanos, long refreshNanos) {
        return new FlowRules(false, latencyQuantumNanos, refreshNanos);
    }

    public FlowRules {
        if (latencyQuantumNanos < 0 || refreshNanos < 0) {
            throw new IllegalArgumentException("negative time");
        }
    }
}
