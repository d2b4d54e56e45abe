package io.pathlore.dataplane.node;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;

/** What comes out of a node beside the packet that went in. Everything handed over is borrowed: copy what you keep. */
public interface NodeOutput {
    /** A packet the node made: a replica or a follow-up. */
    void onPacket(Packet packet, int egressInterface);

    /** The payload of a report datagram, in {@code [from, end)}. */
    void onReport(ReportDestination destination, int sourcePort, ByteBuffer payload, int from, int end);
}
