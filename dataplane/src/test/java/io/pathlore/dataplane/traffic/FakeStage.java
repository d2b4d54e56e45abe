package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.End;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Link;
import io.pathlore.dataplane.topology.Topology.Switch;
import io.pathlore.dataplane.topology.Topology.Tier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;

/** A network of one switch without queues: everything arrives after the same time, but for what is dropped. */
final class FakeStage implements Stage {
    static final long DELAY_NANOS = 100_000;
    static final long LINK_BITS_PER_SECOND = 1_000_000_000L;

    /** What was sent, as bytes. */
    record Sent(long atNanos, int from, int to, int flow, byte[] bytes) {}

    private final Topology topology;
    private final PriorityQueue<Timer> waiting =
            new PriorityQueue<>(Comparator.<Timer>comparingLong(t -> t.atNanos).thenComparingLong(t -> t.order));
    private final Set<Timer> started = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Receiver> receivers = new ArrayList<>();
    final Set<Integer> openFlows = new HashSet<>();
    final List<Sent> sent = new ArrayList<>();
    Predicate<Sent> drops = packet -> false;
    private long now;
    private long order;

    FakeStage(Topology topology) {
        this.topology = topology;
    }

    /** Two hosts of every kind, on one switch. */
    static Topology topologyOfTwoEach() {
        List<Host> hosts = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        Switch only = new Switch(0, 1, "s1", Tier.EDGE, 0x0AFF_0001, true);
        for (Kind kind : Kind.values()) {
            for (int i = 1; i <= 2; i++) {
                int number = hosts.size();
                String name = kind.name().toLowerCase(Locale.ROOT) + "-" + i;
                hosts.add(new Host(
                        number + 1,
                        name,
                        kind,
                        0x0200_0000_0001L + number,
                        0x0A00_0001 + number,
                        0xFD00_0000_0000_0000L,
                        1 + number));
                links.add(new Link(new End(number + 1, 1), new End(0, number + 1), LINK_BITS_PER_SECOND, 1_000, 1_500));
            }
        }
        return new Topology("two-each", List.of(only), hosts, links);
    }

    static FakeStage run(TrafficSource source, long seed, long endNanos) {
        FakeStage stage = new FakeStage(topologyOfTwoEach());
        source.begin(stage, seed, 0, endNanos);
        stage.runAll();
        return stage;
    }

    void runAll() {
        Timer next = waiting.poll();
        while (next != null) {
            now = next.atNanos;
            started.remove(next);
            next.run(now);
            next = waiting.poll();
        }
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public long nowNanos() {
        return now;
    }

    @Override
    public void start(Timer timer, long atNanos) {
        if (atNanos < now) {
            throw new IllegalArgumentException("in the past");
        }
        if (!started.add(timer)) {
            throw new IllegalStateException("started twice");
        }
        timer.atNanos = atNanos;
        timer.order = order++;
        waiting.add(timer);
    }

    @Override
    public Packet packet() {
        Packet packet = new Packet(9_100);
        ByteBuffer buffer = packet.buffer();
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) 0xA5); // left over from another packet
        }
        return packet;
    }

    @Override
    public void send(int fromHost, int toHost, int flow, Packet packet) {
        Sent record = new Sent(now, fromHost, toHost, flow, packet.toByteArray());
        if (!openFlows.contains(flow)) {
            throw new IllegalArgumentException("no flow " + flow + ", or it has ended");
        }
        sent.add(record);
        if (drops.test(record)) {
            return;
        }
        Packet arriving = new Packet(9_100);
        arriving.copyFrom(packet);
        start(
                new Timer() {
                    @Override
                    protected void fire(long nowNanos) {
                        receivers.get(flow).onArrival(arriving, nowNanos);
                    }
                },
                now + DELAY_NANOS);
    }

    @Override
    public int flow(Receiver receiver) {
        receivers.add(receiver);
        openFlows.add(receivers.size() - 1);
        return receivers.size() - 1;
    }

    @Override
    public void end(int flow) {
        if (!openFlows.remove(flow)) {
            throw new IllegalStateException("flow " + flow + " ends twice");
        }
    }
}
