package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.topology.Topology.Link;
import io.pathlore.dataplane.traffic.Stage.Timer;

/**
 * One direction of a link: the way through the device to it, the queues in front of it, the transmitter, and what is on the
 * wire. Hot path. Each of these is first in, first out, so one timer each is enough whatever number of packets is in it.
 */
final class Port {
    static final Port[] NONE = {};

    /** Preamble, frame check sequence and the gap between frames, which take time on the wire too [IEEE 802.3 §3, §4.4.2]. */
    static final int WIRE_OVERHEAD = 24;

    /** Without the frame check sequence. */
    static final int LEAST_FRAME = 60;

    private static final long HOST_QUEUE = 16_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final int WINDOW_SHIFT = 20;
    private static final long WINDOW_NANOS = 1L << WINDOW_SHIFT;
    private static final int FULL = 10_000;

    final Device device;
    final int interfaceId;
    final int link;
    final long delayNanos;
    final long fullRate;
    final int fullMtu;
    final int usualLossPerBillion;
    private final Network network;
    private final Simulation simulation;
    private final Dice dice;
    private final long capacity;
    private final FrameQueue[] queues;
    private final FrameQueue pipeline = new FrameQueue();
    private final FrameQueue wire = new FrameQueue();
    private final Timer pipelineEnd = new PipelineEnd();
    private final Timer transmitterFree = new TransmitterFree();
    private final Timer arrival = new Arrival();

    Device peer;
    int peerInterface;
    long rate;
    int mtu;
    int lossPerBillion;
    boolean up = true;
    /** How often the link went down: what was on it then is lost. */
    int downs;

    private long pipelineNanos;
    private long lastPipelineStart;
    private long lastPipelineEnd;
    private long freeAtNanos;
    private boolean serving;
    private boolean freeTimerRuns;
    private int waiting;
    private long window;
    private long windowOctets;
    private int utilization;

    Port(
            Network network,
            Device device,
            int interfaceId,
            int link,
            Link cable,
            int lossPerBillion,
            LabOptions options,
            Dice dice) {
        this.network = network;
        simulation = network.simulation;
        this.device = device;
        peer = device;
        this.interfaceId = interfaceId;
        this.link = link;
        delayNanos = cable.delayNanos();
        fullRate = cable.bitsPerSecond();
        rate = fullRate;
        fullMtu = cable.mtu();
        mtu = fullMtu;
        usualLossPerBillion = lossPerBillion;
        this.lossPerBillion = lossPerBillion;
        // An application that sends faster than its network card would have to wait, not lose.
        capacity = device.host ? Math.max(HOST_QUEUE, options.queueBytes()) : options.queueBytes();
        pipelineNanos = device.host ? 0 : options.pipelineNanos();
        this.dice = dice;
        queues = new FrameQueue[options.classes()];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new FrameQueue();
        }
    }

    long pipelineNanos() {
        return pipelineNanos;
    }

    void setPipelineNanos(long nanos) {
        pipelineNanos = nanos;
    }

    long capacity() {
        return capacity;
    }

    long queueBytes(int queue) {
        return queues[queue].bytes;
    }

    /** In hundredths of a percent of the link, over the last whole window of about a millisecond. */
    int utilization(long nowNanos) {
        roll(nowNanos >>> WINDOW_SHIFT);
        return utilization;
    }

    /** From the device's parser: through the pipeline, then to the queue. */
    void accept(Frame frame, long nowNanos) {
        if (pipelineNanos == 0 && pipeline.isEmpty()) {
            offer(frame, nowNanos);
            return;
        }
        // When the pipeline becomes faster no packet overtakes another, nor do all that are in it leave at once, which
        // would
        // look like a burst: they come out twice as fast as they came in until they have caught up.
        long catchingUp = lastPipelineEnd + (nowNanos - lastPipelineStart) / 2;
        lastPipelineEnd = Math.max(catchingUp, nowNanos + pipelineNanos);
        lastPipelineStart = nowNanos;
        frame.dueNanos = lastPipelineEnd;
        pipeline.add(frame);
        if (pipeline.size() == 1) {
            simulation.start(pipelineEnd, lastPipelineEnd);
        }
    }

    /** To the queue. */
    void offer(Frame frame, long nowNanos) {
        FrameQueue queue = queues[frame.queue];
        int length = frame.packet.length();
        frame.occupancy = queue.bytes;
        if (waiting == 0 && !serving && freeAtNanos <= nowNanos) {
            transmit(frame, nowNanos);
            awaitTransmitter(nowNanos);
            return;
        }
        if (queue.bytes + length > capacity) {
            network.drop(device, this, frame, DropReason.TRAFFIC_MANAGER, nowNanos);
            return;
        }
        queue.add(frame);
        queue.bytes += length;
        device.bufferBytes += length;
        waiting++;
        network.listener.onQueue(nowNanos, device.number, interfaceId, frame.queue, queue.bytes, true, frame);
        awaitTransmitter(nowNanos);
    }

    private void awaitTransmitter(long nowNanos) {
        if (waiting > 0 && !serving && !freeTimerRuns) {
            freeTimerRuns = true;
            simulation.start(transmitterFree, Math.max(freeAtNanos, nowNanos));
        }
    }

    private void serve(long nowNanos) {
        while (waiting > 0 && freeAtNanos <= nowNanos) {
            int index = queues.length - 1;
            while (queues[index].isEmpty()) {
                index--;
            }
            FrameQueue queue = queues[index];
            Frame frame = queue.remove();
            int length = frame.packet.length();
            queue.bytes -= length;
            device.bufferBytes -= length;
            waiting--;
            network.listener.onQueue(nowNanos, device.number, interfaceId, index, queue.bytes, false, frame);
            transmit(frame, nowNanos);
        }
        awaitTransmitter(nowNanos);
    }

    private void transmit(Frame frame, long nowNanos) {
        frame.leave(interfaceId, nowNanos);
        // What a node makes of this packet must not be sent before it.
        serving = true;
        boolean leaves = network.process(device, this, frame, nowNanos);
        serving = false;
        if (leaves) {
            put(frame, nowNanos);
        }
    }

    private void put(Frame frame, long nowNanos) {
        int octets = Math.max(frame.packet.length(), LEAST_FRAME) + WIRE_OVERHEAD;
        roll(nowNanos >>> WINDOW_SHIFT);
        windowOctets += octets;
        // The last bit leaves within a nanosecond: round up.
        freeAtNanos = nowNanos + (octets * 8L * SECOND + rate - 1) / rate;
        if (!up) {
            network.lose(this, frame, LossCause.LINK_DOWN, nowNanos);
        } else if (lossPerBillion > 0 && dice.hits(lossPerBillion)) {
            network.lose(this, frame, LossCause.CHANCE, nowNanos);
        } else {
            frame.dueNanos = freeAtNanos + delayNanos;
            frame.downs = downs;
            wire.add(frame);
            if (wire.size() == 1) {
                simulation.start(arrival, frame.dueNanos);
            }
        }
    }

    private void roll(long now) {
        if (now == window) {
            return;
        }
        utilization = now == window + 1
                ? (int) Math.min(
                        FULL, windowOctets * 8 * FULL / Math.max(1, fullRate / 1_000 * WINDOW_NANOS / 1_000_000))
                : 0;
        window = now;
        windowOctets = 0;
    }

    private final class PipelineEnd extends Timer {
        @Override
        protected void fire(long nowNanos) {
            Frame frame = pipeline.remove();
            if (!pipeline.isEmpty()) {
                simulation.start(this, pipeline.peek().dueNanos);
            }
            offer(frame, nowNanos);
        }
    }

    private final class TransmitterFree extends Timer {
        @Override
        protected void fire(long nowNanos) {
            freeTimerRuns = false;
            serve(nowNanos);
        }
    }

    private final class Arrival extends Timer {
        @Override
        protected void fire(long nowNanos) {
            Frame frame = wire.remove();
            if (!wire.isEmpty()) {
                simulation.start(this, wire.peek().dueNanos);
            }
            if (frame.downs == downs) {
                network.arrive(peer, peerInterface, frame, nowNanos);
            } else {
                network.lose(Port.this, frame, LossCause.LINK_DOWN, nowNanos);
            }
        }
    }
}
