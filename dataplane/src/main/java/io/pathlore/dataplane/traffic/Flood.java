package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.wire.net.PacketEncoder;
import java.util.ArrayList;
import java.util.List;

/**
 * An attack by volume: some hosts send to one at a steady rate. The victim answers nothing: where addresses are forged,
 * nobody would hear it.
 *
 * @param vector any but {@link Vector#SCAN} and {@link Vector#REFLECTION}, which are sources of their own
 * @param from devices by index, with their {@code weights} beside them
 * @param to the host that stands for the victim
 * @param port of the victim; 0: another one for every packet
 * @param spoofedPercent of the packets, how many have a forged source address
 * @param prefixLength of the victim's network, for carpet bombing
 */
public record Flood(
        Conditions conditions,
        Vector vector,
        List<Integer> from,
        List<Integer> weights,
        int to,
        boolean v6,
        long packetsPerSecond,
        long rampNanos,
        PacketSizes sizes,
        int port,
        int spoofedPercent,
        int prefixLength)
        implements TrafficSource {
    public Flood {
        from = List.copyOf(from);
        weights = List.copyOf(weights);
        Pairs.check(from, List.of(to));
        if (vector == Vector.SCAN || vector == Vector.REFLECTION) {
            throw new IllegalArgumentException("kind: " + vector.label() + " is no flood");
        }
        if (weights.size() != from.size() || weights.stream().anyMatch(weight -> weight < 1)) {
            throw new IllegalArgumentException("shares: one of at least 1 for every sender");
        }
        if (packetsPerSecond < 1 || packetsPerSecond > 1_000_000_000L) {
            throw new IllegalArgumentException("rate: must be from 1 to 1000000000 packets a second");
        }
        if (rampNanos < 0) {
            throw new IllegalArgumentException("ramp: must not be negative");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " is not from 0 to 65535");
        }
        if (spoofedPercent < 0 || spoofedPercent > 100) {
            throw new IllegalArgumentException("spoofed: must be from 0 to 100 percent");
        }
        if (prefixLength < 1 || prefixLength > (v6 ? 128 : 32)) {
            throw new IllegalArgumentException("prefix: no length of a prefix");
        }
    }

    /** Alike for all. */
    public static List<Integer> equalWeights(int senders) {
        List<Integer> weights = new ArrayList<>();
        for (int i = 0; i < senders; i++) {
            weights.add(1);
        }
        return weights;
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        long sum = weights.stream().mapToLong(Integer::longValue).sum();
        for (int i = 0; i < from.size() && first < until; i++) {
            long rate = Math.max(1, packetsPerSecond * 1_000 * weights.get(i) / sum);
            Pace pace = new Pace(first, rampNanos, rate);
            new Sender(this, stage, from.get(i), pace, Dice.of(seed, i), until).startNext(first);
        }
    }

    @Override
    public List<AttackFact> attacks(Topology topology, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        if (first >= until) {
            return List.of();
        }
        Host victim = topology.hosts().get(to);
        int protocol = switch (vector) {
            case SYN_FLOOD -> PacketWriter.TCP;
            case ICMP_FLOOD -> v6 ? PacketWriter.ICMPV6 : PacketWriter.ICMP;
            case UDP_FLOOD, FRAGMENT_FLOOD, CARPET_BOMBING, REFLECTION, SCAN -> PacketWriter.UDP;
        };
        boolean hasPort = port != 0 && vector != Vector.ICMP_FLOOD;
        return List.of(new AttackFact(
                vector,
                Addresses.prefix(
                        v6,
                        victim.ipv6High(),
                        v6 ? victim.ipv6Low() : Integer.toUnsignedLong(victim.ipv4()),
                        vector == Vector.CARPET_BOMBING ? prefixLength : v6 ? 128 : 32,
                        hasPort ? port : AttackFact.ABSENT,
                        protocol),
                AttackFact.Share.of(from, weights),
                List.of(),
                packetsPerSecond,
                spoofedPercent,
                first,
                until));
    }

    /** One device. */
    private static final class Sender extends Stage.Timer {
        /** Sent of a datagram in three: the last one never comes, and the victim waits for it. */
        private static final int FRAGMENTS_SENT = 2;

        private static final int NO_FLOW = -1;
        private static final int FIRST_PORT = 1_024;
        private static final int PORTS = 65_536 - FIRST_PORT;

        private final Flood flood;
        private final Stage stage;
        private final PacketWriter writer;
        private final int host;
        private final Pace pace;
        private final Dice dice;
        private final long until;
        private final Endpoints endpoints = new Endpoints();
        private final long ownHigh;
        private final long ownLow;
        private final long victimHigh;
        private final long victimLow;
        private final int ownPort;
        private final long tag;
        /** Of packets that do not lie about their sender, where they are one flow; else that of all others. */
        private final int ownFlow;

        private final int mixedFlow;
        private long number;
        private boolean forged;
        private int datagramId;

        Sender(Flood flood, Stage stage, int host, Pace pace, Dice dice, long until) {
            this.flood = flood;
            this.stage = stage;
            this.host = host;
            this.pace = pace;
            this.dice = dice;
            this.until = until;
            writer = flood.conditions.writer();
            ownPort = anyPort();
            Host self = stage.topology().hosts().get(host);
            Host victim = stage.topology().hosts().get(flood.to);
            endpoints
                    .between(self, victim, flood.v6, ownPort, flood.port, flood.conditions.trafficClass())
                    .numbered(dice);
            ownHigh = endpoints.sourceHigh;
            ownLow = endpoints.sourceLow;
            victimHigh = endpoints.destinationHigh;
            victimLow = endpoints.destinationLow;
            tag = dice.nextLong() << 32;
            boolean isOne = hasOneFlow();
            mixedFlow = isOne && flood.spoofedPercent == 0 ? NO_FLOW : stage.flow(Stage.Receiver.NOBODY);
            ownFlow = isOne ? stage.flow(Stage.Receiver.NOBODY) : mixedFlow;
        }

        /** Whether the packets that do not lie about their sender are of one flow. */
        private boolean hasOneFlow() {
            return flood.spoofedPercent < 100
                    && switch (flood.vector) {
                        case UDP_FLOOD, FRAGMENT_FLOOD -> flood.port != 0;
                        case ICMP_FLOOD -> true;
                        case SYN_FLOOD, CARPET_BOMBING, REFLECTION, SCAN -> false;
                    };
        }

        private int anyPort() {
            return FIRST_PORT + dice.below(PORTS);
        }

        /** Some time in its slot, so that devices do not march in step; the count of slots is exact. */
        void startNext(long nowNanos) {
            long due = pace.atNanos(number);
            if (due >= until) {
                stage.end(ownFlow);
                if (mixedFlow != NO_FLOW && mixedFlow != ownFlow) {
                    stage.end(mixedFlow);
                }
                return;
            }
            long at = Math.min(due + dice.below(pace.intervalNanos()), until - 1);
            stage.start(this, Math.max(nowNanos, at));
        }

        @Override
        protected void fire(long nowNanos) {
            boolean fragment = flood.vector == Vector.FRAGMENT_FLOOD;
            boolean another = !fragment || number % FRAGMENTS_SENT == 0;
            if (another) {
                address();
                datagramId++;
            }
            Packet packet = stage.packet();
            long stamp = tag | (fragment ? datagramId : number) & 0xFFFF_FFFFL;
            write(packet, stamp);
            stage.send(host, flood.to, forged ? mixedFlow : ownFlow, packet);
            number++;
            startNext(nowNanos);
        }

        private void address() {
            forged = flood.spoofedPercent > 0 && dice.below(100) < flood.spoofedPercent;
            if (forged) {
                Addresses.forgeSource(endpoints, dice);
            } else {
                endpoints.sourceHigh = ownHigh;
                endpoints.sourceLow = ownLow;
            }
            // Who forges its address forges its port, and a SYN of the same port again would open no second connection.
            endpoints.sourcePort = forged || flood.vector == Vector.SYN_FLOOD ? anyPort() : ownPort;
            if (flood.port == 0) {
                endpoints.destinationPort = anyTargetPort();
            }
            if (flood.vector == Vector.CARPET_BOMBING) {
                Addresses.spreadDestination(endpoints, victimHigh, victimLow, flood.prefixLength, dice);
            }
        }

        /** Not one of a tunnel: what is behind those is read as a packet. */
        private int anyTargetPort() {
            int drawn = anyPort();
            return drawn == Tunnel.VXLAN_PORT || drawn == Tunnel.GPE_PORT || drawn == Tunnel.GENEVE_PORT
                    ? drawn + 1_000
                    : drawn;
        }

        private void write(Packet packet, long stamp) {
            int ipLength = PacketWriter.ipLength(endpoints.v6);
            int payload = Math.max(0, flood.sizes.next(dice) - ipLength - PacketEncoder.UDP_LENGTH);
            switch (flood.vector) {
                case UDP_FLOOD, CARPET_BOMBING, REFLECTION, SCAN -> writer.udp(packet, endpoints, payload, stamp);
                case ICMP_FLOOD -> writer.echo(packet, endpoints, true, ownPort, (int) number, payload, stamp);
                case SYN_FLOOD -> writer.tcp(packet, endpoints, dice.nextInt(), 0, PacketWriter.SYN, 0);
                case FRAGMENT_FLOOD -> {
                    int extension = endpoints.v6 ? PacketWriter.FRAGMENT_LENGTH : 0;
                    int bytes = Math.max(16, flood.sizes.largest() - ipLength - extension & ~7);
                    int offset = (int) (number % FRAGMENTS_SENT) * bytes;
                    int datagram = (FRAGMENTS_SENT + 1) * bytes;
                    writer.udpFragment(packet, endpoints, datagram, offset, bytes, datagramId, stamp);
                }
            }
        }
    }
}
