package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.wire.net.PacketEncoder;
import java.util.List;

/**
 * Servers that answer somebody who never asked: small requests with the victim's address as their source, large answers from
 * a well-known port. Without {@code bots} the requests come from elsewhere and are not seen.
 *
 * @param reflectors by index
 * @param bots hosts that send the requests; their answers come when, and if, they arrive
 * @param packetsPerSecond of all answers
 * @param amplification packets in one answer
 * @param port of the victim
 */
public record Reflection(
        Conditions conditions,
        List<Integer> reflectors,
        List<Integer> bots,
        int to,
        boolean v6,
        Service service,
        long packetsPerSecond,
        long rampNanos,
        PacketSizes sizes,
        int amplification,
        int port)
        implements TrafficSource {
    /** Who answers, by port. */
    public enum Service {
        DNS(53),
        NTP(123),
        SSDP(1900),
        MEMCACHED(11_211),
        /** Reflectors in turn. */
        MIXED(0);

        private static final List<Service> ALL = List.of(DNS, NTP, SSDP, MEMCACHED);
        private final int port;

        Service(int port) {
            this.port = port;
        }

        int port(int reflector) {
            return this == MIXED ? ALL.get(reflector % ALL.size()).port : port;
        }
    }

    private static final int REQUEST_BYTES = 32;

    public Reflection {
        reflectors = List.copyOf(reflectors);
        bots = List.copyOf(bots);
        Pairs.check(reflectors, List.of(to));
        if (packetsPerSecond < 1 || packetsPerSecond > 1_000_000_000L) {
            throw new IllegalArgumentException("rate: must be from 1 to 1000000000 packets a second");
        }
        if (rampNanos < 0) {
            throw new IllegalArgumentException("ramp: must not be negative");
        }
        if (amplification < 1 || amplification > 1_000) {
            throw new IllegalArgumentException("amplification: must be from 1 to 1000");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " is not from 1 to 65535");
        }
        for (int bot : bots) {
            if (reflectors.contains(bot)) {
                throw new IllegalArgumentException("bots: a host must not ask itself");
            }
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        if (first >= until) {
            return;
        }
        long answersPerThousandSeconds = packetsPerSecond * 1_000 / amplification;
        boolean unasked = bots.isEmpty();
        long share = Math.max(1, answersPerThousandSeconds / (unasked ? reflectors.size() : bots.size()));
        Reflector[] answering = new Reflector[reflectors.size()];
        for (int i = 0; i < answering.length; i++) {
            Pace pace = new Pace(first, rampNanos, share);
            answering[i] = new Reflector(this, stage, i, pace, Dice.of(seed, i), until);
            if (unasked) {
                answering[i].startNext(first);
            }
        }
        for (int i = 0; i < bots.size(); i++) {
            Dice dice = Dice.of(seed, reflectors.size() + i);
            new Bot(this, stage, bots.get(i), answering, new Pace(first, rampNanos, share), dice, until)
                    .startNext(first);
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
        return List.of(new AttackFact(
                Vector.REFLECTION,
                Addresses.prefix(
                        v6,
                        victim.ipv6High(),
                        v6 ? victim.ipv6Low() : Integer.toUnsignedLong(victim.ipv4()),
                        v6 ? 128 : 32,
                        port,
                        PacketWriter.UDP),
                AttackFact.Share.of(reflectors, Flood.equalWeights(reflectors.size())),
                bots,
                packetsPerSecond,
                0,
                first,
                until));
    }

    /** Sends answers: when its time comes, or when it is asked. */
    private static final class Reflector extends Stage.Timer implements Stage.Receiver {
        private final Reflection reflection;
        private final Stage stage;
        private final PacketWriter writer;
        private final int host;
        private final int servicePort;
        private final Pace pace;
        private final Dice dice;
        private final long until;
        private final Endpoints endpoints = new Endpoints();
        private final long tag;
        private final int flow;
        private long number;
        private long sent;
        private boolean over;

        Reflector(Reflection reflection, Stage stage, int index, Pace pace, Dice dice, long until) {
            this.reflection = reflection;
            this.stage = stage;
            this.pace = pace;
            this.dice = dice;
            this.until = until;
            writer = reflection.conditions.writer();
            host = reflection.reflectors.get(index);
            servicePort = reflection.service.port(index);
            endpoints
                    .between(
                            stage.topology().hosts().get(host),
                            stage.topology().hosts().get(reflection.to),
                            reflection.v6,
                            servicePort,
                            reflection.port,
                            reflection.conditions.trafficClass())
                    .numbered(dice);
            tag = dice.nextLong() << 32;
            flow = stage.flow(Stage.Receiver.NOBODY);
        }

        void startNext(long nowNanos) {
            long due = pace.atNanos(number);
            if (due >= until) {
                close();
                return;
            }
            long at = Math.min(due + dice.below(pace.intervalNanos()), until - 1);
            stage.start(this, Math.max(nowNanos, at));
        }

        void close() {
            if (!over) {
                over = true;
                stage.end(flow);
            }
        }

        @Override
        protected void fire(long nowNanos) {
            answer();
            number++;
            startNext(nowNanos);
        }

        @Override
        public void onArrival(Packet packet, long nowNanos) {
            if (!over) {
                answer();
            }
        }

        private void answer() {
            int headers = PacketWriter.ipLength(endpoints.v6) + PacketEncoder.UDP_LENGTH;
            for (int i = 0; i < reflection.amplification; i++) {
                Packet packet = stage.packet();
                int payload = Math.max(0, reflection.sizes.next(dice) - headers);
                writer.udp(packet, endpoints, payload, tag | sent++ & 0xFFFF_FFFFL);
                stage.send(host, reflection.to, flow, packet);
            }
        }
    }

    /** Asks all reflectors in turn, as if it were the victim. */
    private static final class Bot extends Stage.Timer {
        private final Reflection reflection;
        private final Stage stage;
        private final PacketWriter writer;
        private final int host;
        private final Reflector[] reflectors;
        private final Endpoints[] requests;
        private final int[] flows;
        private final Pace pace;
        private final Dice dice;
        private final long until;
        private final long tag;
        private long number;

        Bot(Reflection reflection, Stage stage, int host, Reflector[] reflectors, Pace pace, Dice dice, long until) {
            this.reflection = reflection;
            this.stage = stage;
            this.host = host;
            this.reflectors = reflectors;
            this.pace = pace;
            this.dice = dice;
            this.until = until;
            writer = reflection.conditions.writer();
            requests = new Endpoints[reflectors.length];
            flows = new int[reflectors.length];
            for (int i = 0; i < reflectors.length; i++) {
                flows[i] = stage.flow(reflectors[i]);
                requests[i] = request(reflectors[i]);
            }
            tag = dice.nextLong() << 32;
        }

        private Endpoints request(Reflector reflector) {
            Host self = stage.topology().hosts().get(host);
            Host victim = stage.topology().hosts().get(reflection.to);
            Host server = stage.topology().hosts().get(reflector.host);
            Endpoints request = new Endpoints()
                    .between(
                            victim,
                            server,
                            reflection.v6,
                            reflection.port,
                            reflector.servicePort,
                            reflection.conditions.trafficClass())
                    .numbered(dice);
            request.sourceMac = self.mac();
            request.sourceTunnel = self.ipv4();
            return request;
        }

        void startNext(long nowNanos) {
            long due = pace.atNanos(number);
            if (due >= until) {
                for (int i = 0; i < flows.length; i++) {
                    stage.end(flows[i]);
                    reflectors[i].close();
                }
                return;
            }
            long at = Math.min(due + dice.below(pace.intervalNanos()), until - 1);
            stage.start(this, Math.max(nowNanos, at));
        }

        @Override
        protected void fire(long nowNanos) {
            int turn = (int) (number % flows.length);
            Packet packet = stage.packet();
            writer.udp(packet, requests[turn], REQUEST_BYTES, tag | number & 0xFFFF_FFFFL);
            stage.send(host, reflectors[turn].host, flows[turn], packet);
            number++;
            startNext(nowNanos);
        }
    }
}
