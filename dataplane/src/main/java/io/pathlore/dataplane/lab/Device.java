package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.NodeOutput;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.traffic.Stage.Timer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A switch or a host: its interfaces, its clock and, where it speaks INT, its node. */
final class Device implements NodeOutput {
    final int number;
    final boolean host;
    final NodeClock clock;
    final @Nullable IntProcessor processor;
    final ManagementPath management;
    private final Network network;
    private final Tick tick = new Tick();

    /** By interface; the one at 0 is nobody's. */
    @Nullable
    Port[] ports = new Port[1];

    final BlockTable blocks = new BlockTable();
    /** Ways that are set by hand, by host; null where there are none. */
    @Nullable
    Port @Nullable [] overrides;

    /** In all its queues. */
    long bufferBytes;

    /** The packet its node is at. */
    @Nullable
    Frame current;

    private long tickAtNanos = IntProcessor.NEVER;

    Device(
            Network network,
            int number,
            boolean host,
            NodeClock clock,
            @Nullable IntProcessor processor,
            ManagementPath management) {
        this.network = network;
        this.number = number;
        this.host = host;
        this.clock = clock;
        this.processor = processor;
        this.management = management;
    }

    Port port(int interfaceId) {
        Port port = interfaceId > 0 && interfaceId < ports.length ? ports[interfaceId] : null;
        if (port == null) {
            throw new IllegalArgumentException("device " + number + " has no interface " + interfaceId);
        }
        return port;
    }

    @Override
    public void onPacket(Packet packet, int egressInterface) {
        network.make(this, packet, egressInterface);
    }

    @Override
    public void onReport(ReportDestination destination, int sourcePort, ByteBuffer payload, int from, int end) {
        management.send(destination, sourcePort, payload, from, end);
    }

    /** After the node had something to do: it may want to be called earlier than before. */
    void lookAtTick(IntProcessor processor, long nowNanos) {
        long next = processor.nextTickNanos();
        if (next < tickAtNanos) {
            tickAtNanos = Math.max(next, nowNanos);
            network.simulation.start(tick, tickAtNanos);
        }
    }

    /** May wait several times: for the time now wanted and for later ones that were wanted before. */
    private final class Tick extends Timer {
        @Override
        protected void fire(long nowNanos) {
            IntProcessor processor = Device.this.processor;
            if (processor == null || nowNanos < tickAtNanos) {
                return;
            }
            processor.tick(nowNanos, Device.this);
            // A node that still wants to be called at this time would stop the world.
            tickAtNanos = IntProcessor.NEVER;
            long next = processor.nextTickNanos();
            if (next != IntProcessor.NEVER) {
                tickAtNanos = Math.max(next, nowNanos + 1);
                network.simulation.start(this, tickAtNanos);
            }
        }
    }
}
