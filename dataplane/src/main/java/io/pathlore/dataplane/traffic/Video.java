package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.wire.net.PacketEncoder;
import java.util.List;

/**
 * Cameras and their like: a frame of constant length at a constant rate, each a burst of UDP packets at link rate.
 *
 * @param streams how many, senders and receivers in turn
 * @param frameBytes payload of one frame
 */
public record Video(
        Conditions conditions,
        List<Integer> from,
        List<Integer> to,
        int streams,
        int framesPerSecond,
        int frameBytes,
        PacketSizes sizes,
        int port)
        implements TrafficSource {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int FIRST_PORT = 40_000;

    public Video {
        from = List.copyOf(from);
        to = List.copyOf(to);
        Pairs.check(from, to);
        if (streams < 1) {
            throw new IllegalArgumentException("count: must be at least 1");
        }
        if (framesPerSecond < 1 || framesPerSecond > 1_000) {
            throw new IllegalArgumentException("fps: must be from 1 to 1000");
        }
        if (frameBytes < 1) {
            throw new IllegalArgumentException("bytes: must be at least 1");
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        PacketWriter writer = conditions.writer();
        for (int i = 0; i < streams && first < until; i++) {
            int sender = from.get(i % from.size());
            new Stream(this, stage, writer, sender, Pairs.inTurn(to, sender, i), FIRST_PORT + i, Dice.of(seed, i))
                    .begin(first, until);
        }
    }

    private static final class Stream extends Stage.Timer {
        private final Video video;
        private final Stage stage;
        private final PacketWriter writer;
        private final Dice dice;
        private final int sender;
        private final int receiver;
        private final Endpoints endpoints = new Endpoints();
        private final long linkRate;
        private final long tag;
        private int flow;
        private long firstAt;
        private long until;
        private long frame;
        private int frameLeft;
        private long sent;

        Stream(Video video, Stage stage, PacketWriter writer, int sender, int receiver, int port, Dice dice) {
            this.video = video;
            this.stage = stage;
            this.writer = writer;
            this.sender = sender;
            this.receiver = receiver;
            this.dice = dice;
            Topology topology = stage.topology();
            linkRate = AccessLinks.bitsPerSecond(topology, sender);
            endpoints
                    .between(
                            topology.hosts().get(sender),
                            topology.hosts().get(receiver),
                            video.conditions.ip().v6(dice),
                            port & 0xFFFF,
                            video.port,
                            video.conditions.trafficClass())
                    .numbered(dice);
            tag = dice.nextLong() << 32;
        }

        void begin(long from, long until) {
            this.until = until;
            firstAt = from + dice.below(NANOS_PER_SECOND / video.framesPerSecond);
            frameLeft = video.frameBytes;
            if (firstAt < until) {
                flow = stage.flow(Stage.Receiver.NOBODY);
                stage.start(this, firstAt);
            }
        }

        @Override
        protected void fire(long nowNanos) {
            if (nowNanos >= until) {
                stage.end(flow);
                return;
            }
            int headers = PacketWriter.ipLength(endpoints.v6) + PacketEncoder.UDP_LENGTH;
            int bytes = Math.min(frameLeft, Math.max(1, video.sizes.largest() - headers));
            Packet packet = stage.packet();
            writer.udp(packet, endpoints, bytes, tag | sent++ & 0xFFFF_FFFFL);
            int frameLength = packet.length();
            stage.send(sender, receiver, flow, packet);
            frameLeft -= bytes;
            if (frameLeft > 0) {
                stage.start(this, nowNanos + Math.max(1, frameLength * 8L * NANOS_PER_SECOND / linkRate));
                return;
            }
            frameLeft = video.frameBytes;
            frame++;
            // A frame too large for its time delays the next one.
            stage.start(this, Math.max(nowNanos + 1, firstAt + frame * NANOS_PER_SECOND / video.framesPerSecond));
        }
    }
}
