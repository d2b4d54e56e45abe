package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.wire.net.PacketEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks ports whether somebody is there: a SYN each. Web and shell answer, every other port of a host refuses; an address that
 * is no host's says nothing.
 *
 * @param attack whether it counts as one: many victims; an administrator's scan of one host does not
 * @param from scanners by index, who share the work
 * @param to hosts by index; with a {@code prefixLength} below that of an address, also all addresses around them
 * @param firstPort of those asked, up to and with {@code lastPort}
 */
public record Scan(
        Conditions conditions,
        boolean attack,
        List<Integer> from,
        List<Integer> to,
        boolean v6,
        int firstPort,
        int lastPort,
        long packetsPerSecond,
        int prefixLength)
        implements TrafficSource {
    private static final List<Integer> OPEN_PORTS = List.of(22, 80, 443);

    public Scan {
        from = List.copyOf(from);
        to = List.copyOf(to);
        Pairs.check(from, to);
        if (firstPort < 1 || lastPort > 65_535 || firstPort > lastPort) {
            throw new IllegalArgumentException("ports: " + firstPort + " to " + lastPort + " is no range of ports");
        }
        if (packetsPerSecond < 1 || packetsPerSecond > 1_000_000) {
            throw new IllegalArgumentException("rate: must be from 1 to 1000000 packets a second");
        }
        if (prefixLength < 1 || prefixLength > (v6 ? 128 : 32)) {
            throw new IllegalArgumentException("prefix: no length of a prefix");
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        long rate = Math.max(1, packetsPerSecond * 1_000 / from.size());
        for (int i = 0; i < from.size() && first < until; i++) {
            new Scanner(this, stage, i, new Pace(first, 0, rate), Dice.of(seed, i), until).startNext(first);
        }
    }

    @Override
    public List<AttackFact> attacks(Topology topology, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        if (!attack || first >= until) {
            return List.of();
        }
        List<long[]> victims = new ArrayList<>();
        for (int host : to) {
            Host victim = topology.hosts().get(host);
            victims.add(
                    v6
                            ? new long[] {victim.ipv6High(), victim.ipv6Low()}
                            : new long[] {0, Integer.toUnsignedLong(victim.ipv4())});
        }
        int port = firstPort == lastPort ? firstPort : AttackFact.ABSENT;
        return List.of(new AttackFact(
                Vector.SCAN,
                Addresses.cover(v6, victims, prefixLength, port, PacketWriter.TCP),
                AttackFact.Share.of(from, Flood.equalWeights(from.size())),
                List.of(),
                packetsPerSecond,
                0,
                first,
                until));
    }

    private static final class Scanner extends Stage.Timer {
        private static final int FIRST_PORT = 0x8000;

        private final Scan scan;
        private final Stage stage;
        private final PacketWriter writer;
        private final int host;
        private final Pace pace;
        private final Dice dice;
        private final long until;
        private final Endpoints endpoints = new Endpoints();
        private final Endpoints answer = new Endpoints();
        private final Target[] targets;
        private long number;
        /** What of the whole this scanner asks. */
        private final int offset;

        Scanner(Scan scan, Stage stage, int index, Pace pace, Dice dice, long until) {
            this.scan = scan;
            this.stage = stage;
            this.pace = pace;
            this.dice = dice;
            this.until = until;
            host = scan.from.get(index);
            offset = index;
            writer = scan.conditions.writer();
            List<Target> others = new ArrayList<>();
            for (int victim : scan.to) {
                if (victim != host) {
                    others.add(new Target(this, victim, new Dice(dice.nextLong())));
                }
            }
            targets = others.toArray(Target[]::new);
        }

        void startNext(long nowNanos) {
            long due = pace.atNanos(number);
            if (due < until) {
                long at = Math.min(due + dice.below(pace.intervalNanos()), until - 1);
                stage.start(this, Math.max(nowNanos, at));
            }
        }

        @Override
        protected void fire(long nowNanos) {
            long probe = number++ * scan.from.size() + offset;
            Target target = targets[(int) (probe % targets.length)];
            int port = scan.firstPort + (int) (probe / targets.length % (scan.lastPort - scan.firstPort + 1));
            Host self = stage.topology().hosts().get(host);
            int ownPort = FIRST_PORT + (int) (probe & 0x7FFF);
            endpoints
                    .between(self, target.self, scan.v6, ownPort, port, scan.conditions.trafficClass())
                    .numbered(dice);
            if (scan.prefixLength < (scan.v6 ? 128 : 32)) {
                Addresses.spreadDestination(
                        endpoints, endpoints.destinationHigh, endpoints.destinationLow, scan.prefixLength, dice);
            }
            Packet packet = stage.packet();
            writer.tcp(packet, endpoints, dice.nextInt(), 0, PacketWriter.SYN, 0);
            int flow = stage.flow(target);
            stage.send(host, target.host, flow, packet);
            stage.end(flow);
            startNext(nowNanos);
        }
    }

    /** A host that is asked. */
    private static final class Target implements Stage.Receiver {
        private final Scanner scanner;
        private final int host;
        private final Host self;
        /** Of its own: when answers are due is up to the network. */
        private final Dice dice;

        Target(Scanner scanner, int host, Dice dice) {
            this.dice = dice;
            this.scanner = scanner;
            this.host = host;
            self = scanner.stage.topology().hosts().get(host);
        }

        @Override
        public void onArrival(Packet packet, long nowNanos) {
            boolean v6 = scanner.scan.v6;
            ByteBuffer buffer = packet.buffer();
            int ip = packet.start() + scanner.writer.ipOffset();
            int tcp = packet.start() + scanner.writer.l4Offset(v6);
            if (packet.end() - tcp < PacketEncoder.TCP_LENGTH || !isMine(buffer, ip, v6)) {
                return;
            }
            int ports = buffer.getInt(tcp);
            int port = ports & 0xFFFF;
            Host asker = scanner.stage.topology().hosts().get(scanner.host);
            Endpoints back = scanner.answer
                    .between(self, asker, v6, port, ports >>> 16, scanner.scan.conditions.trafficClass())
                    .numbered(dice);
            int flags = OPEN_PORTS.contains(port) ? PacketWriter.SYN : PacketWriter.RST;
            int acknowledgement = buffer.getInt(tcp + 4) + 1;
            Packet reply = scanner.stage.packet();
            scanner.writer.tcp(reply, back, 0, acknowledgement, flags | PacketWriter.ACK, 0);
            int flow = scanner.stage.flow(Stage.Receiver.NOBODY);
            scanner.stage.send(host, scanner.host, flow, reply);
            scanner.stage.end(flow);
        }

        private boolean isMine(ByteBuffer buffer, int ip, boolean v6) {
            return v6
                    ? buffer.getLong(ip + 24) == self.ipv6High() && buffer.getLong(ip + 32) == self.ipv6Low()
                    : buffer.getInt(ip + 16) == self.ipv4();
        }
    }
}
