package io.pathlore.dataplane.node;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportDestination;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Nodes in a line, 1 to n, each with interface 1 towards the first and 2 towards the last. Remembers all that comes out. */
final class NodeChain {
    static final ReportDestination COLLECTOR = ReportDestination.ipv4(0x0A00_0009, 8555);

    record Datagram(int node, byte[] payload) {}

    final List<Node> nodes = new ArrayList<>();
    final List<Datagram> reports = new ArrayList<>();
    final List<byte[]> made = new ArrayList<>();
    final Passage passage = new Passage();
    int mtu = 9000;

    NodeChain(int length, IntFunction<NodeConfig> configOf) {
        for (int i = 1; i <= length; i++) {
            nodes.add(new Node(configOf.apply(i)));
        }
    }

    /** Through all nodes; false when one of them discards it. */
    boolean send(Packet packet) {
        for (int i = 1; i <= nodes.size(); i++) {
            if (forward(i, packet) == Verdict.DISCARD) {
                return false;
            }
        }
        return true;
    }

    Verdict forward(int node, Packet packet) {
        return nodes.get(node - 1).forward(packet, passage(node), output(node));
    }

    void drop(int node, Packet packet, int reason) {
        nodes.get(node - 1).drop(packet, passage(node), reason, output(node));
    }

    /** What node n sees: latency n µs, queue 1 with 1000 n octets, times from 1 s on. */
    Passage passage(int node) {
        passage.ingressInterface = 1;
        passage.egressInterface = 2;
        passage.queueId = 1;
        passage.queueOccupancy = 1000L * node;
        passage.queueCongestion = node;
        passage.txUtilization = 100L * node;
        passage.bufferId = 3;
        passage.bufferOccupancy = 2000L * node;
        passage.level2IngressInterface = 0x1_0000L + node;
        passage.level2EgressInterface = 0x2_0000L + node;
        passage.ingressTimestamp = 1_000_000_000L + 10_000L * node;
        passage.egressTimestamp = passage.ingressTimestamp + 1000L * node;
        passage.nowNanos = passage.egressTimestamp;
        passage.mtu = mtu;
        passage.alternativeCount = 0;
        return passage;
    }

    NodeOutput output(int node) {
        return new NodeOutput() {
            @Override
            public void onPacket(Packet packet, int egressInterface) {
                made.add(packet.toByteArray());
            }

            @Override
            public void onReport(ReportDestination destination, int sourcePort, ByteBuffer payload, int from, int end) {
                byte[] bytes = new byte[end - from];
                payload.get(from, bytes);
                reports.add(new Datagram(node, bytes));
            }
        };
    }
}
