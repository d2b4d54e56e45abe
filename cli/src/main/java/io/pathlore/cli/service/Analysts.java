package io.pathlore.cli.service;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.analysis.ddos.Rules;
import io.pathlore.analysis.ddos.Sampling;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.health.StreamWatch;
import io.pathlore.analysis.hop.NodeWatch;
import io.pathlore.analysis.join.PacketJoin;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.analysis.rollup.Completeness;
import io.pathlore.analysis.rollup.HopRollup;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.model.ReportRow;
import java.util.List;
import java.util.Set;

/** Who looks for what in the reports, as the configuration has it. */
final class Analysts {
    private static final long SETTLE_NANOS = 5_000_000_000L;
    private static final int STREAMS = 64_000;
    private static final int STREAM_BYTES = 512;

    /** With the ways of a flow. Flows beyond are counted, and not followed. */
    private static final int FLOW_BYTES = 1_024;

    /** There are more of them than of anything else. */
    private static final int FLOW_SHARES = 2;

    private static final int MIN_STREAMS = 1_024;
    private static final int MIN_QUEUES = 256;
    private static final int MAX_QUEUES = 65_536;
    private static final int MIN_PACKETS = 1_024;
    private static final int MAX_PACKETS = 65_536;
    private static final int MIN_VICTIMS = 1_024;
    private static final int MAX_VICTIMS = 32_768;
    private static final int MAX_SAMPLED = 1 << 20;
    private static final int MAX_SAMPLING = 1_000_000;

    /** TTL zero of IP and of MPLS, in the numbers fabrics in the field send. */
    private static final Set<Integer> TTL_REASONS = Set.of(26, 131);

    private Analysts() {}

    static StreamWatch health(Service service, EventSink events) {
        long silent = service.analysis().silentAfter().toNanos();
        return new StreamWatch(
                new StreamWatch.Rules(silent, SETTLE_NANOS, Room.of(STREAM_BYTES, MIN_STREAMS, STREAMS)), events);
    }

    /** For the one thread that sees all reports. */
    static List<Operator> operators(Service service, long seed, TableFeed feed, EventSink events) {
        HopRollup rollup = new HopRollup(queues(), feed.hops());
        EventSink told = completed(rollup.completeness(), events);
        Inventory inventory = service.config().inventory();
        NodeWatch nodes = new NodeWatch(ports(), node -> queueCapacity(inventory, node), told);
        // First: events say how complete their input was; and what lies between nodes belongs to the second that is
        // open.
        return List.of(
                join(service, rollup, feed),
                rollup,
                nodes,
                paths(service, nodes.moves(), feed, told),
                attacks(service, seed, told));
    }

    /** The part of it that only adds up. */
    static List<Operator> adders(Service service, TableFeed feed) {
        EventSink nobody = event -> {};
        HopRollup rollup = new HopRollup(queues(), feed.hops());
        return List.of(
                join(service, rollup, feed), rollup, paths(service, new NodeWatch(nobody).moves(), feed, nobody));
    }

    private static PacketJoin join(Service service, HopRollup rollup, TableFeed feed) {
        int packets = Room.of(PacketJoin.BYTES_PER_PACKET, MIN_PACKETS, MAX_PACKETS);
        return new PacketJoin(service.analysis().join().toNanos(), packets, (packet, story) -> {
            rollup.joined(packet, story);
            feed.paths().took(packet);
        });
    }

    static AttackWatch attackWatch(List<Operator> operators) {
        return operators.stream()
                .filter(AttackWatch.class::isInstance)
                .map(AttackWatch.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static AttackWatch attacks(Service service, long seed, EventSink events) {
        int room = Room.of((int) AttackWatch.bytes(1), MIN_VICTIMS, MAX_VICTIMS);
        Rules said = service.defend().rules();
        Rules rules = said.withRoom(room, said.suspects()).withSeed(seed);
        LongMap<Long> sampling = new LongMap<>(MAX_SAMPLED);
        for (Inventory.Node node : service.config().inventory().nodes()) {
            Long id = node.id();
            if (id != null && node.sampling() > 0) {
                sampling.get(ReportRow.mix(id), node::sampling, left -> {});
            }
        }
        return new AttackWatch(
                rules,
                node -> {
                    Long oneIn = sampling.get(ReportRow.mix(node));
                    return oneIn == null ? Sampling.UNKNOWN : (int) Math.min(MAX_SAMPLING, oneIn);
                },
                events);
    }

    private static int queues() {
        return Room.of(HopRollup.BYTES_PER_QUEUE, MIN_QUEUES, MAX_QUEUES);
    }

    private static int ports() {
        return Room.of(NodeWatch.BYTES_PER_PORT, MIN_QUEUES, MAX_QUEUES);
    }

    private static long queueCapacity(Inventory inventory, long node) {
        Inventory.Node known = inventory.byId(node);
        return known == null ? 0 : known.queueCapacity();
    }

    private static EventSink completed(Completeness completeness, EventSink events) {
        return new EventSink() {
            @Override
            public void on(Event event) {
                events.on(complete(event));
            }

            @Override
            public void on(Burst burst) {
                events.on(new Burst(complete(burst.event()), burst.flows(), burst.packets(), burst.seen()));
            }

            @Override
            public void on(AttackSecond second) {
                events.on(second);
            }

            private Event complete(Event event) {
                double least = Double.NaN;
                for (long node : event.nodes()) {
                    long until = Math.max(event.detectedAtNanos(), event.endNanos());
                    double share = completeness.of(node, event.startNanos(), until);
                    least = Double.isNaN(least) ? share : Double.isNaN(share) ? least : Math.min(least, share);
                }
                return event.withCompleteness(least);
            }
        };
    }

    private static FlowPaths paths(Service service, FlowPaths.Moves moves, TableFeed feed, EventSink events) {
        int flows = Room.of(FLOW_BYTES / FLOW_SHARES, 1, service.analysis().flows());
        return new FlowPaths(
                new FlowPaths.Rules(service.analysis().join().toNanos(), flows),
                (node, reason) -> TTL_REASONS.contains(reason),
                moves,
                feed.paths()::takes,
                events);
    }
}
