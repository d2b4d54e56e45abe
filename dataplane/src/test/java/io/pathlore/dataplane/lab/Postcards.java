package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.NodeOutput;
import io.pathlore.dataplane.node.Passage;
import io.pathlore.dataplane.node.Verdict;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;

/** A node that says one number per packet, counted from its last restart or drop. */
public final class Postcards implements IntProcessor {
    public static final ReportDestination COLLECTOR = ReportDestination.ipv4(0x0A00_0009, 8555);

    private final ByteBuffer payload = ByteBuffer.allocate(4);
    private int number;
    long lastHopLatency = -1;
    long lastOccupancy = -1;
    long lastUtilization = -1;
    int lastAlternatives = -1;
    int lastReason = -1;

    @Override
    public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
        lastHopLatency = passage.egressTimestamp - passage.ingressTimestamp;
        lastOccupancy = passage.queueOccupancy;
        lastUtilization = passage.txUtilization;
        lastAlternatives = passage.alternativeCount;
        out.onReport(COLLECTOR, 0, payload.putInt(0, number++), 0, 4);
        return Verdict.FORWARD;
    }

    @Override
    public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {
        lastReason = reason;
        out.onReport(COLLECTOR, 0, payload.putInt(0, number++), 0, 4);
    }

    @Override
    public void tick(long nowNanos, NodeOutput out) {}

    @Override
    public void restart() {
        number = 0;
    }
}
