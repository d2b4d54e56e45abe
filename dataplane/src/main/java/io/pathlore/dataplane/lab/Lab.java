package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A network that runs in virtual time, from 0. The same topology, options, seed and acts give the same packets, reports and
 * callbacks, on any machine. Belongs to one thread.
 *
 * <p>Switches forward by destination host and leave MAC addresses alone, as the Transparent Security network does, so that
 * the first switch outside a home still sees the device. A packet is looked at when it arrives (hop limit, rules, route,
 * MTU), needs its time through the pipeline, waits in a queue, and is the node's to change when its transmission starts.
 */
public final class Lab implements Stage {
    private final Topology topology;
    private final LabOptions options;
    private final long durationNanos;
    private final Simulation simulation = new Simulation();
    private final LabListener listener;
    private final ManagementNetwork management;
    private final Network network;
    private final List<Act> acts;
    private boolean begun;
    private long nextPacket;

    /** By number, from 1; null when the flow has ended. */
    private @Nullable FlowState[] flows = new FlowState[64];

    private int flowCount;
    /** Flows before it have ended. */
    private int firstLive = 1;

    /**
     * A lab.
     *
     * @param processors the node of a device that has one; switches that do not speak INT are not asked for
     */
    public Lab(
            Topology topology,
            LabOptions options,
            long seed,
            long durationNanos,
            IntFunction<@Nullable IntProcessor> processors,
            List<? extends Act> acts,
            LabListener listener,
            ReportSink sink) {
        this.topology = topology;
        this.options = options;
        this.durationNanos = durationNanos;
        this.listener = listener;
        this.acts = List.copyOf(acts);
        management = new ManagementNetwork(simulation, listener, sink);
        network = new Network(topology, options, seed, simulation, listener, management, processors);
    }

    /** Runs on; true while the end has not been reached. */
    public boolean runUntil(long nanos) {
        if (!begun) {
            begun = true;
            for (Act act : acts) {
                act.begin(this);
            }
        }
        simulation.runUntil(Math.min(nanos, durationNanos));
        return simulation.nowNanos() < durationNanos;
    }

    public void run() {
        runUntil(durationNanos);
    }

    public long durationNanos() {
        return durationNanos;
    }

    public LabOptions options() {
        return options;
    }

    public Counts counts() {
        return new Counts(
                simulation.fired(),
                network.sent,
                network.made,
                network.delivered,
                network.dropped,
                network.lost,
                network.discarded,
                management.sent,
                management.lost,
                management.duplicated,
                management.reordered,
                management.forged,
                management.delivered);
    }

    /**
     * How much happened so far. What was sent or made and is nowhere else is still underway.
     *
     * @param packetsMade by nodes: replicas, follow-ups
     * @param packetsDiscarded by nodes
     * @param reports datagrams, forged ones not among them
     */
    public record Counts(
            long events,
            long packetsSent,
            long packetsMade,
            long packetsDelivered,
            long packetsDropped,
            long packetsLost,
            long packetsDiscarded,
            long reports,
            long reportsLost,
            long reportsDuplicated,
            long reportsReordered,
            long reportsForged,
            long reportsDelivered) {}

    // What traffic sees.

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public long nowNanos() {
        return simulation.nowNanos();
    }

    @Override
    public void start(Timer timer, long atNanos) {
        if (timer.order != 0) {
            throw new IllegalStateException("a timer that waits for " + timer.atNanos + " is started again");
        }
        simulation.start(timer, atNanos);
    }

    @Override
    public Packet packet() {
        return network.packet();
    }

    /** Hosts are places in the topology's list of hosts, here and wherever something is called a host. */
    @Override
    public void send(int fromHost, int toHost, int flow, Packet packet) {
        long now = simulation.nowNanos();
        host(fromHost);
        host(toHost);
        FlowState state = flowState(flow);
        Frame frame = network.frame(packet);
        frame.flowState = state;
        frame.number = ++nextPacket;
        frame.fromHost = fromHost;
        frame.toHost = toHost;
        frame.sentNanos = now;
        frame.readFields();
        frame.queue = options.classes() == 1 ? 0 : frame.dscp() * options.classes() >>> 6;
        if (!state.started) {
            state.started = true;
            state.fromHost = fromHost;
            state.toHost = toHost;
            state.hash = frame.hash;
            listener.onFlowStarted(now, frame);
            int[] way = network.trace(fromHost, toHost, state.hash);
            if (runsInCircles(way)) {
                listener.onRoute(now, flow, new int[0], way);
            }
        } else if (state.hash != frame.hash || state.toHost != toHost || state.fromHost != fromHost) {
            state.mixed = true;
        }
        listener.onSent(now, frame);
        network.send(frame, now);
    }

    @Override
    public int flow(Receiver receiver) {
        int number = ++flowCount;
        if (number == flows.length) {
            flows = Arrays.copyOf(flows, 2 * number);
        }
        flows[number] = new FlowState(number, receiver);
        return number;
    }

    @Override
    public void end(int flow) {
        FlowState state = flowState(flow);
        // Packets underway hold on to it; the lab need not.
        flows[state.number] = null;
        listener.onFlowEnded(simulation.nowNanos(), flow);
    }

    private FlowState flowState(int flow) {
        FlowState state = flow > 0 && flow <= flowCount ? flows[flow] : null;
        if (state == null) {
            throw new IllegalArgumentException("no flow " + flow + ", or it has ended");
        }
        return state;
    }

    // The hand of faults and controllers.

    /** Takes a link out of use or back into it; routes follow when they have converged. */
    public void setLink(int link, boolean up) {
        long now = simulation.nowNanos();
        Port there = port(topology.links().get(link).a());
        Port back = port(topology.links().get(link).b());
        if (there.up == up) {
            return;
        }
        there.up = up;
        back.up = up;
        if (up) {
            listener.onLinkUp(now, link);
        } else {
            there.downs++;
            back.downs++;
            listener.onLinkDown(now, link);
        }
        simulation.start(new Convergence(), now + options.convergenceNanos());
    }

    private final class Convergence extends Timer {
        @Override
        protected void fire(long nowNanos) {
            reroute(network.routing::compute);
        }
    }

    /**
     * Packets for that host leave these switches through these interfaces, whatever routes say. An interface of 0 stands for
     * as routes say again.
     */
    public void override(int toHost, int[] switchDevices, int[] egressInterfaces) {
        host(toHost);
        reroute(() -> {
            for (int i = 0; i < switchDevices.length; i++) {
                Device at = switchDevice(switchDevices[i]);
                @Nullable Port[] overrides = at.overrides;
                if (overrides == null) {
                    overrides = new Port[topology.hosts().size()];
                    at.overrides = overrides;
                }
                overrides[toHost] = egressInterfaces[i] == 0 ? null : at.port(egressInterfaces[i]);
                if (Arrays.stream(overrides).allMatch(port -> port == null)) {
                    at.overrides = null;
                }
            }
        });
    }

    private static boolean runsInCircles(int[] way) {
        for (int i = 0; i < way.length - 1; i++) {
            if (way[i] == way[way.length - 1]) {
                return true;
            }
        }
        return false;
    }

    private void reroute(Runnable change) {
        List<FlowState> live = new ArrayList<>();
        List<int[]> before = new ArrayList<>();
        while (firstLive <= flowCount && flows[firstLive] == null) {
            firstLive++;
        }
        for (int i = firstLive; i <= flowCount; i++) {
            FlowState flow = flows[i];
            if (flow != null && flow.started && !flow.mixed) {
                live.add(flow);
                before.add(network.trace(flow.fromHost, flow.toHost, flow.hash));
            }
        }
        change.run();
        long now = simulation.nowNanos();
        for (int i = 0; i < live.size(); i++) {
            FlowState flow = live.get(i);
            int[] after = network.trace(flow.fromHost, flow.toHost, flow.hash);
            if (!Arrays.equals(before.get(i), after)) {
                listener.onRoute(now, flow.number, before.get(i), after);
            }
        }
    }

    /** The switches a flow's packets pass as routes are now; see {@link LabListener#onRoute}. Empty before its first packet. */
    public int[] route(int flow) {
        FlowState state = flowState(flow);
        return state.started ? network.trace(state.fromHost, state.toHost, state.hash) : new int[0];
    }

    /** How often in a billion a packet is lost on a link, either way. Less than 0: what it was. */
    public void setLinkLoss(int link, int perBillion) {
        setLoss(port(topology.links().get(link).a()), perBillion);
        setLoss(port(topology.links().get(link).b()), perBillion);
    }

    private static void setLoss(Port port, int perBillion) {
        port.lossPerBillion = perBillion < 0 ? port.usualLossPerBillion : perBillion;
    }

    /** Both ways. 0: what it was. */
    public void setMtu(int link, int mtu) {
        Port there = port(topology.links().get(link).a());
        int value = mtu == 0 ? there.fullMtu : mtu;
        there.mtu = value;
        port(topology.links().get(link).b()).mtu = value;
        listener.onMtu(simulation.nowNanos(), link, value);
    }

    /** The transmitter of one interface; the packet it is at keeps its pace. 0: what it was. */
    public void setRate(int device, int egressInterface, long bitsPerSecond) {
        Port port = device(device).port(egressInterface);
        port.rate = bitsPerSecond == 0 ? port.fullRate : bitsPerSecond;
        listener.onRate(simulation.nowNanos(), device, egressInterface, port.rate);
    }

    /** Packets need so much longer, or less long, through a device to an interface; 0 stands for all interfaces. */
    public void addPipelineDelay(int device, int egressInterface, long nanos) {
        if (egressInterface != 0) {
            addPipelineDelay(device(device).port(egressInterface), nanos);
            return;
        }
        for (Port port : device(device).ports) {
            if (port != null) {
                addPipelineDelay(port, nanos);
            }
        }
    }

    private void addPipelineDelay(Port port, long nanos) {
        port.setPipelineNanos(Math.max(0, port.pipelineNanos() + nanos));
        listener.onPipelineDelay(simulation.nowNanos(), port.device.number, port.interfaceId, port.pipelineNanos());
    }

    /** The switch drops what the rule matches, and counts it. False where it has that rule already. */
    public boolean block(int switchDevice, BlockRule rule) {
        boolean added = switchDevice(switchDevice).blocks.add(rule);
        if (added) {
            listener.onBlockInstalled(simulation.nowNanos(), switchDevice, rule);
        }
        return added;
    }

    /** False where the switch has no such rule. */
    public boolean unblock(int switchDevice, BlockRule rule) {
        BlockTable blocks = switchDevice(switchDevice).blocks;
        long dropped = blocks.dropped(rule);
        if (dropped < 0) {
            return false;
        }
        blocks.remove(rule);
        listener.onBlockRemoved(simulation.nowNanos(), switchDevice, rule, dropped);
        return true;
    }

    /** How many packets the rule has dropped at that switch since it was installed, or -1 where there is no such rule. */
    public long blocked(int switchDevice, BlockRule rule) {
        return switchDevice(switchDevice).blocks.dropped(rule);
    }

    /** What packets dropped by such rules are reported as; {@link DropReason#ACL_DENY} unless told. */
    public void setBlockReason(int reason) {
        network.blockReason = reason;
    }

    /** A datagram in the name of a device from who runs it: its way is that of the device's own reports. */
    public void say(int device, ReportDestination destination, int sourcePort, ByteBuffer payload, int from, int end) {
        device(device).management.send(destination, sourcePort, payload, from, end);
    }

    /** The node of a device loses its state. */
    public void restart(int device) {
        Device at = device(device);
        if (at.processor != null) {
            at.processor.restart();
            at.lookAtTick(at.processor, simulation.nowNanos());
        }
        listener.onNodeRestarted(simulation.nowNanos(), device);
    }

    /** What a device's node says from now on is lost for that reason, or, with null, is heard again. */
    public void silence(int device, @Nullable LossCause cause) {
        ManagementPath path = device(device).management;
        LossCause before = path.silence(cause);
        if (cause == LossCause.SILENT && before != LossCause.SILENT) {
            listener.onExporterSilent(simulation.nowNanos(), device);
        }
        if (cause != LossCause.SILENT && before == LossCause.SILENT) {
            listener.onExporterSpeaks(simulation.nowNanos(), device);
        }
    }

    /** Of a device's reports. Less than 0: what it was. */
    public void setReportLoss(int device, int perBillion) {
        ManagementPath path = device(device).management;
        int value = perBillion < 0 ? path.usualLoss() : perBillion;
        path.setLoss(value);
        listener.onReportLossChanged(simulation.nowNanos(), device, value);
    }

    /** A datagram that no node sent; it reaches the collector after the usual delay. */
    public void forge(
            int sourceAddress, int sourcePort, ReportDestination destination, ByteBuffer payload, int from, int end) {
        long now = simulation.nowNanos();
        long number = ++management.numbers;
        management.forged++;
        listener.onForgedReport(now, sourceAddress, number, destination, payload, from, end);
        management.carry(
                now + options.management().delayNanos(),
                ManagementNetwork.FORGED,
                number,
                sourceAddress,
                sourcePort,
                destination,
                payload,
                from,
                end);
    }

    /** Bytes that wait. */
    public long queueBytes(int device, int egressInterface, int queue) {
        return device(device).port(egressInterface).queueBytes(queue);
    }

    public NodeClock clock(int device) {
        return device(device).clock;
    }

    private Device device(int device) {
        if (device < 0 || device >= network.devices.length) {
            throw new IllegalArgumentException("no device " + device);
        }
        return network.devices[device];
    }

    private Device switchDevice(int device) {
        Device at = device(device);
        if (at.host) {
            throw new IllegalArgumentException("device " + device + " is a host");
        }
        return at;
    }

    private void host(int host) {
        if (host < 0 || host >= topology.hosts().size()) {
            throw new IllegalArgumentException("no host " + host);
        }
    }

    private Port port(Topology.End end) {
        return device(end.device()).port(end.interfaceId());
    }
}
