package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.Passage;
import io.pathlore.dataplane.node.Verdict;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.End;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.dataplane.topology.Topology.Link;
import io.pathlore.wire.inband.HopView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The devices and links of a topology, and what happens to packets at them. Hot path. */
final class Network {
    /** Every physical interface has one logical interface above it, with a number of its own. */
    private static final long LOGICAL = 0x1_0000;

    private static final int NOBODY = -1;

    private record Address(boolean v6, long high, long low) {}

    final Simulation simulation;
    final LabListener listener;
    final Device[] devices;
    final int switches;
    final Routing routing;
    private final Passage passage = new Passage();
    private final int packetCapacity;
    private final Map<Address, Integer> hostOf = new HashMap<>();
    private final List<Frame> freeFrames = new ArrayList<>();
    private final List<Packet> freePackets = new ArrayList<>();

    long sent;
    long made;
    long delivered;
    long dropped;
    long lost;
    long discarded;
    int blockReason = DropReason.ACL_DENY;

    Network(
            Topology topology,
            LabOptions options,
            long seed,
            Simulation simulation,
            LabListener listener,
            ManagementNetwork management,
            IntFunction<@Nullable IntProcessor> processors) {
        this.simulation = simulation;
        this.listener = listener;
        switches = topology.switches().size();
        devices = new Device[switches + topology.hosts().size()];
        for (int i = 0; i < devices.length; i++) {
            boolean host = i >= switches;
            int address = host
                    ? topology.hosts().get(i - switches).ipv4()
                    : topology.switches().get(i).address();
            IntProcessor processor = host || topology.switches().get(i).speaksInt() ? processors.apply(i) : null;
            devices[i] = new Device(
                    this,
                    i,
                    host,
                    clock(options, Dice.of(seed, Dice.Purpose.CLOCK, i)),
                    processor,
                    new ManagementPath(
                            management, i, address, options.management(), Dice.of(seed, Dice.Purpose.MANAGEMENT, i)));
        }
        for (int i = 0; i < topology.hosts().size(); i++) {
            Host host = topology.hosts().get(i);
            hostOf.put(new Address(false, 0, Integer.toUnsignedLong(host.ipv4())), i);
            hostOf.put(new Address(true, host.ipv6High(), host.ipv6Low()), i);
        }
        int mtu = 1500;
        for (int i = 0; i < topology.links().size(); i++) {
            Link link = topology.links().get(i);
            Port there = plug(link.a(), i, link, options, Dice.of(seed, Dice.Purpose.LINK_LOSS, 2 * i));
            Port back = plug(link.b(), i, link, options, Dice.of(seed, Dice.Purpose.LINK_LOSS, 2 * i + 1));
            there.peer = back.device;
            there.peerInterface = back.interfaceId;
            back.peer = there.device;
            back.peerInterface = there.interfaceId;
            if (there.device.host || back.device.host) {
                mtu = Math.max(mtu, link.mtu());
            }
        }
        // What INT adds goes into the headroom. Ethernet with two VLAN tags, in whole words.
        packetCapacity = mtu + 24;
        routing = new Routing(devices, switches);
    }

    private static NodeClock clock(LabOptions options, Dice dice) {
        long offset = dice.below(2 * options.clockOffsetNanos() + 1) - options.clockOffsetNanos();
        long drift = dice.below(2 * options.clockDriftPerBillion() + 1) - options.clockDriftPerBillion();
        return new NodeClock(options.epochNanos() + offset, drift);
    }

    private Port plug(End end, int number, Link link, LabOptions options, Dice dice) {
        Device device = devices[end.device()];
        if (device.ports.length <= end.interfaceId()) {
            device.ports = Arrays.copyOf(device.ports, end.interfaceId() + 1);
        }
        if (device.ports[end.interfaceId()] != null) {
            throw new IllegalArgumentException(
                    "two links at interface " + end.interfaceId() + " of device " + end.device());
        }
        boolean trunk = !devices[link.a().device()].host && !devices[link.b().device()].host;
        int loss = trunk ? options.linkLossPerBillion() : 0;
        Port port = new Port(this, device, end.interfaceId(), number, link, loss, options, dice);
        device.ports[end.interfaceId()] = port;
        return port;
    }

    Packet packet() {
        if (freePackets.isEmpty()) {
            return new Packet(packetCapacity);
        }
        Packet packet = freePackets.removeLast();
        packet.clear();
        return packet;
    }

    Frame frame(Packet packet) {
        Frame frame = freeFrames.isEmpty() ? new Frame() : freeFrames.removeLast();
        frame.packet = packet;
        return frame;
    }

    /** From its host's application to its network card. */
    void send(Frame frame, long nowNanos) {
        sent++;
        frame.arrivalNanos = nowNanos;
        frame.ingressInterface = Passage.NOWHERE;
        frame.choices = Port.NONE;
        devices[switches + frame.fromHost].port(1).accept(frame, nowNanos);
    }

    void arrive(Device device, int ingressInterface, Frame frame, long nowNanos) {
        if (device.host) {
            deliver(device, ingressInterface, frame, nowNanos);
            return;
        }
        frame.reach(device.number, ingressInterface, nowNanos);
        frame.choices = Port.NONE;
        if (!Frame.age(frame.packet)) {
            drop(device, null, frame, DropReason.TTL_ZERO, nowNanos);
            return;
        }
        if (!device.blocks.isEmpty() && device.blocks.drops(frame)) {
            drop(device, null, frame, blockReason, nowNanos);
            return;
        }
        Port out = route(device, frame);
        if (out == null) {
            drop(device, null, frame, DropReason.NO_ROUTE, nowNanos);
            return;
        }
        if (frame.packet.length() - Frame.ETHERNET_LENGTH > out.mtu && tooLong(device, out, frame, nowNanos)) {
            drop(device, out, frame, DropReason.UNKNOWN, nowNanos);
            return;
        }
        out.accept(frame, nowNanos);
    }

    private @Nullable Port route(Device device, Frame frame) {
        if (device.overrides != null) {
            Port override = device.overrides[frame.toHost];
            if (override != null) {
                return override;
            }
        }
        Port last = routing.last(device, frame.toHost);
        if (last != null) {
            return last;
        }
        frame.choices = routing.choices(device, frame.toHost);
        return Routing.pick(device, frame.choices, frame.hash);
    }

    private boolean tooLong(Device device, Port out, Frame frame, long nowNanos) {
        if (ipLength(frame.packet) <= out.mtu) {
            return false;
        }
        if (device.processor == null) {
            return true;
        }
        fill(device, out, frame, nowNanos);
        return !device.processor.fits(frame.packet, passage);
    }

    private static int ipLength(Packet packet) {
        int ip = Frame.ipOffset(packet);
        return packet.end() - (ip < 0 ? packet.start() + Frame.ETHERNET_LENGTH : ip);
    }

    /** The packet is about to leave; false where it does not. */
    boolean process(Device device, Port out, Frame frame, long nowNanos) {
        IntProcessor processor = device.processor;
        if (processor != null && !frame.madeHere) {
            fill(device, out, frame, nowNanos);
            device.current = frame;
            Verdict verdict = processor.forward(frame.packet, passage, device);
            device.current = null;
            device.lookAtTick(processor, nowNanos);
            if (verdict == Verdict.DISCARD) {
                discard(device, frame, nowNanos);
                return false;
            }
        }
        if (frame.packet.length() - Frame.ETHERNET_LENGTH > out.mtu && ipLength(frame.packet) > out.mtu) {
            drop(device, out, frame, DropReason.UNKNOWN, nowNanos);
            return false;
        }
        return true;
    }

    /**
     * A packet that a node made: of the one it is at, which it then follows, or later, by itself. The latter goes where its
     * destination address says and belongs to no flow.
     */
    void make(Device device, Packet packet, int egressInterface) {
        long nowNanos = simulation.nowNanos();
        Packet copy = packet();
        copy.copyFrom(packet);
        Frame frame = frame(copy);
        made++;
        Frame of = device.current;
        if (of != null) {
            of.copyTo(frame);
        } else {
            frame.readFields();
            frame.reach(device.number, Passage.NOWHERE, nowNanos);
            frame.number = 0;
            frame.queue = 0;
            frame.sentNanos = nowNanos;
            frame.fromHost = NOBODY;
            frame.toHost = hostOf.getOrDefault(
                    new Address(frame.v6(), frame.destinationHigh(), frame.destinationLow()), NOBODY);
        }
        frame.madeHere = true;
        if (egressInterface == Passage.NOWHERE || frame.toHost == NOBODY) {
            discard(device, frame, nowNanos);
        } else {
            device.port(egressInterface).offer(frame, nowNanos);
        }
    }

    private void discard(Device device, Frame frame, long nowNanos) {
        discarded++;
        listener.onDiscarded(nowNanos, device.number, frame);
        recycle(frame);
    }

    private void deliver(Device device, int ingressInterface, Frame frame, long nowNanos) {
        frame.arrivalNanos = nowNanos;
        frame.ingressInterface = ingressInterface;
        frame.occupancy = 0;
        IntProcessor processor = device.processor;
        if (processor != null) {
            fill(device, null, frame, nowNanos);
            device.current = frame;
            Verdict verdict = processor.forward(frame.packet, passage, device);
            device.current = null;
            device.lookAtTick(processor, nowNanos);
            if (verdict == Verdict.DISCARD) {
                discard(device, frame, nowNanos);
                return;
            }
        }
        delivered++;
        listener.onDelivered(nowNanos, device.number - switches, frame);
        frame.flowState.receiver.onArrival(frame.packet, nowNanos);
        recycle(frame);
    }

    void drop(Device device, @Nullable Port out, Frame frame, int reason, long nowNanos) {
        dropped++;
        IntProcessor processor = device.processor;
        if (processor != null) {
            fill(device, out, frame, nowNanos);
            device.current = frame;
            processor.drop(frame.packet, passage, reason, device);
            device.current = null;
            device.lookAtTick(processor, nowNanos);
        }
        listener.onDropped(
                nowNanos,
                device.number,
                frame.ingressInterface,
                out == null ? Passage.NOWHERE : out.interfaceId,
                frame.queue,
                reason,
                frame);
        recycle(frame);
    }

    void lose(Port port, Frame frame, LossCause cause, long nowNanos) {
        lost++;
        listener.onLost(nowNanos, port.device.number, port.interfaceId, cause, frame);
        recycle(frame);
    }

    private void recycle(Frame frame) {
        freePackets.add(frame.packet);
        frame.clear();
        freeFrames.add(frame);
    }

    private void fill(Device device, @Nullable Port out, Frame frame, long nowNanos) {
        Passage passage = this.passage;
        passage.ingressInterface = frame.ingressInterface;
        passage.level2IngressInterface =
                frame.ingressInterface == Passage.NOWHERE ? HopView.ABSENT : LOGICAL + frame.ingressInterface;
        passage.queueId = frame.queue;
        passage.bufferId = 0;
        passage.bufferOccupancy = device.bufferBytes;
        passage.ingressTimestamp = device.clock.deviceNanos(frame.arrivalNanos);
        passage.egressTimestamp = device.clock.deviceNanos(nowNanos);
        passage.nowNanos = nowNanos;
        passage.alternativeCount = 0;
        if (out == null) {
            passage.egressInterface = Passage.NOWHERE;
            passage.level2EgressInterface = HopView.ABSENT;
            passage.queueOccupancy = HopView.ABSENT;
            passage.queueCongestion = HopView.ABSENT;
            passage.txUtilization = HopView.ABSENT;
            passage.mtu = Integer.MAX_VALUE;
            return;
        }
        passage.egressInterface = out.interfaceId;
        passage.level2EgressInterface = LOGICAL + out.interfaceId;
        passage.queueOccupancy = frame.occupancy;
        passage.queueCongestion = frame.occupancy == 0 ? 0 : frame.occupancy * 100 / out.capacity();
        passage.txUtilization = out.utilization(nowNanos);
        passage.mtu = out.mtu;
        Port[] choices = frame.choices;
        for (int i = 0; i < choices.length && passage.alternativeCount < passage.alternatives.length; i++) {
            if (choices[i] != out) {
                passage.alternatives[passage.alternativeCount++] = choices[i].interfaceId;
            }
        }
    }

    /** The switches a packet would pass, in travel order; see {@link LabListener#onRoute} for ways that do not end well. */
    int[] trace(int fromHost, int toHost, long hash) {
        int[] way = new int[8];
        int length = 0;
        Device at = routing.firstSwitch(fromHost);
        while (true) {
            boolean again = false;
            for (int i = 0; i < length; i++) {
                again |= way[i] == at.number;
            }
            if (length == way.length) {
                way = Arrays.copyOf(way, 2 * length);
            }
            way[length++] = at.number;
            Port out = again ? null : way(at, toHost, hash);
            if (out == null || out.peer.host) {
                return Arrays.copyOf(way, length);
            }
            at = out.peer;
        }
    }

    private @Nullable Port way(Device at, int toHost, long hash) {
        if (at.overrides != null) {
            Port override = at.overrides[toHost];
            if (override != null) {
                return override;
            }
        }
        Port last = routing.last(at, toHost);
        return last != null ? last : Routing.pick(at, routing.choices(at, toHost), hash);
    }
}
