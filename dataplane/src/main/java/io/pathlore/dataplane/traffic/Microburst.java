package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.wire.net.PacketEncoder;
import java.util.List;

/**
 * A short burst of UDP at link rate from some hosts to one, which fills the queue before it and is over.
 *
 * @param bytes each host sends per burst, counted in IP packets
 * @param periodNanos from burst to burst; one burst only where it is {@link Window#FOREVER}
 * @param bitsPerSecond 0 is the rate of the sender's link
 */
public record Microburst(
        Conditions conditions,
        List<Integer> from,
        int to,
        long bytes,
        long periodNanos,
        long bitsPerSecond,
        PacketSizes sizes,
        int port)
        implements TrafficSource {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int FIRST_PORT = 45_000;

    public Microburst {
        from = List.copyOf(from);
        Pairs.check(from, List.of(to));
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes: must be at least 1");
        }
        if (periodNanos <= 0) {
            throw new IllegalArgumentException("period: must be more than 0");
        }
        if (bitsPerSecond < 0) {
            throw new IllegalArgumentException("rate: must not be negative");
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        for (int i = 0; i < from.size() && first < until; i++) {
            if (from.get(i) != to) {
                stage.start(
                        new Burst(this, stage, from.get(i), FIRST_PORT + i % 10_000, Dice.of(seed, i), first, until),
                        first);
            }
        }
    }

    private static final class Burst extends Stage.Timer {
        private final Microburst bursts;
        private final Stage stage;
        private final PacketWriter writer;
        private final int sender;
        private final long rate;
        private final long until;
        private final long tag;
        private final Endpoints endpoints = new Endpoints();
        private final int flow;
        private long burstAt;
        private long left;
        private long sent;

        Burst(Microburst bursts, Stage stage, int sender, int port, Dice dice, long first, long until) {
            this.bursts = bursts;
            this.stage = stage;
            this.sender = sender;
            this.until = until;
            Topology topology = stage.topology();
            writer = bursts.conditions.writer();
            rate = bursts.bitsPerSecond == 0 ? AccessLinks.bitsPerSecond(topology, sender) : bursts.bitsPerSecond;
            endpoints
                    .between(
                            topology.hosts().get(sender),
                            topology.hosts().get(bursts.to),
                            bursts.conditions.ip().v6(dice),
                            port,
                            bursts.port,
                            bursts.conditions.trafficClass())
                    .numbered(dice);
            tag = dice.nextLong() << 32;
            flow = stage.flow(Stage.Receiver.NOBODY);
            burstAt = first;
            left = bursts.bytes;
        }

        @Override
        protected void fire(long nowNanos) {
            if (nowNanos >= until) {
                stage.end(flow);
                return;
            }
            int headers = PacketWriter.ipLength(endpoints.v6) + PacketEncoder.UDP_LENGTH;
            int size = Math.clamp(left, headers, Math.max(headers, bursts.sizes.largest()));
            Packet packet = stage.packet();
            writer.udp(packet, endpoints, size - headers, tag | sent++ & 0xFFFF_FFFFL);
            int frame = packet.length();
            stage.send(sender, bursts.to, flow, packet);
            left -= size;
            if (left > 0) {
                stage.start(this, nowNanos + Math.max(1, frame * 8L * NANOS_PER_SECOND / rate));
                return;
            }
            left = bursts.bytes;
            if (bursts.periodNanos >= until - burstAt) {
                stage.end(flow);
                return;
            }
            burstAt += bursts.periodNanos;
            stage.start(this, Math.max(nowNanos + 1, burstAt));
        }
    }
}
