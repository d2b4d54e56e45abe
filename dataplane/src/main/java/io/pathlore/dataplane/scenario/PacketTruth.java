package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.inband.EntropyPort;
import io.pathlore.dataplane.inband.IntEditor;
import io.pathlore.dataplane.lab.Frame;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LossCause;
import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.NodeOutput;
import io.pathlore.dataplane.node.Passage;
import io.pathlore.dataplane.node.Verdict;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.truth.TruthWriter;
import io.pathlore.model.FlowId;
import io.pathlore.model.FlowKey;
import io.pathlore.wire.net.FlowView;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What became of every single packet, as lines for the truth file. Not for speed. */
public final class PacketTruth implements LabListener {
    private static final int NOWHERE = -1;

    private final Topology topology;
    private final WorldTime world;
    private final TruthWriter writer = new TruthWriter();
    private final Consumer<String> lines;
    private final IntEditor packets;
    /** Packets are used again, so an entry goes when its packet arrives or is lost. */
    private final Map<Packet, int[]> reports = new HashMap<>();

    private final Map<Long, FlowId> flows = new HashMap<>();

    public PacketTruth(Scenario scenario, WorldTime world, Consumer<String> lines) {
        topology = scenario.topology();
        this.world = world;
        this.lines = lines;
        Telemetry telemetry = scenario.telemetry();
        packets = new IntEditor(
                telemetry.codepoints(),
                telemetry.june2016(),
                telemetry.reporting().transparentSecurity(),
                EntropyPort.FLOW_HASH);
    }

    /** Nodes that are watched as they report. Reports that wait for others to share a datagram are not seen. */
    public ScenarioRun.NodeFactory watch(ScenarioRun.NodeFactory nodes) {
        return (scenario, at) -> new Watched(nodes.node(scenario, at));
    }

    @Override
    public void onSent(long nowNanos, Frame frame) {
        flows.put(frame.number(), key(packets.parse(frame.packet()).flow()).id());
        reports.put(frame.packet(), new int[1]);
    }

    private static FlowKey key(FlowView flow) {
        return new FlowKey(
                flow.v6(),
                flow.sourceHigh(),
                flow.sourceLow(),
                flow.destinationHigh(),
                flow.destinationLow(),
                flow.protocol(),
                flow.sourcePort(),
                flow.destinationPort(),
                flow.icmpType(),
                flow.icmpCode(),
                flow.vni());
    }

    @Override
    public void onDelivered(long nowNanos, int host, Frame frame) {
        FlowId flow = flows.remove(frame.number());
        if (flow != null) {
            lines.accept(writer.delivered(
                    world.at(frame.sentNanos()),
                    world.at(nowNanos),
                    flow,
                    path(frame),
                    frame.hops(),
                    reportsOf(frame)));
        }
    }

    @Override
    public void onDropped(
            long nowNanos, int device, int ingressInterface, int egressInterface, int queue, int reason, Frame frame) {
        boolean atSwitch = device < topology.switches().size();
        gone(nowNanos, frame, atSwitch ? topology.switches().get(device).nodeId() : NOWHERE, reason);
    }

    @Override
    public void onLost(long nowNanos, int device, int egressInterface, LossCause cause, Frame frame) {
        gone(nowNanos, frame, NOWHERE, NOWHERE);
    }

    @Override
    public void onDiscarded(long nowNanos, int device, Frame frame) {
        gone(nowNanos, frame, topology.switches().get(device).nodeId(), NOWHERE);
    }

    private void gone(long nowNanos, Frame frame, long node, int reason) {
        FlowId flow = flows.remove(frame.number());
        if (flow != null) {
            lines.accept(writer.dropped(
                    world.at(frame.sentNanos()),
                    world.at(nowNanos),
                    flow,
                    path(frame),
                    frame.hops(),
                    reportsOf(frame),
                    node,
                    reason));
        }
    }

    private int reportsOf(Frame frame) {
        int[] count = reports.remove(frame.packet());
        return count == null ? 0 : count[0];
    }

    private long[] path(Frame frame) {
        long[] path = new long[frame.hops()];
        for (int i = 0; i < path.length; i++) {
            path[i] = topology.switches().get(frame.hopDevice(i)).nodeId();
        }
        return path;
    }

    private final class Watched implements IntProcessor, NodeOutput {
        private final IntProcessor node;
        private NodeOutput out = this;
        private int[] count = new int[1];

        Watched(IntProcessor node) {
            this.node = node;
        }

        private NodeOutput counting(Packet packet, NodeOutput out) {
            this.out = out;
            int[] known = reports.get(packet);
            count = known == null ? new int[1] : known;
            return this;
        }

        @Override
        public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
            return node.forward(packet, passage, counting(packet, out));
        }

        @Override
        public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {
            node.drop(packet, passage, reason, counting(packet, out));
        }

        @Override
        public boolean fits(Packet packet, Passage passage) {
            return node.fits(packet, passage);
        }

        @Override
        public void tick(long nowNanos, NodeOutput out) {
            node.tick(nowNanos, out);
        }

        @Override
        public long nextTickNanos() {
            return node.nextTickNanos();
        }

        @Override
        public void restart() {
            node.restart();
        }

        @Override
        public void onPacket(Packet packet, int egressInterface) {
            out.onPacket(packet, egressInterface);
        }

        @Override
        public void onReport(ReportDestination destination, int sourcePort, ByteBuffer payload, int from, int end) {
            count[0]++;
            out.onReport(destination, sourcePort, payload, from, end);
        }
    }
}
