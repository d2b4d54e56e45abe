package io.pathlore.cli.service;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Relay;
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
import io.pathlore.analysis.path.Move;
import io.pathlore.analysis.rollup.Completeness;
import io.pathlore.analysis.rollup.HopRollup;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** Who looks for what in the reports, as the configuration has it. */
public final class Analysts {
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
        return health(service, Room.HEAP, events);
    }

    public static StreamWatch health(Service service, Room room, EventSink events) {
        long silent = service.analysis().silentAfter().toNanos();
        return new StreamWatch(
                new StreamWatch.Rules(silent, SETTLE_NANOS, room.of(STREAM_BYTES, MIN_STREAMS, STREAMS)), events);
    }

    /** For the one thread that sees all reports. */
    static List<Operator> operators(Service service, long seed, TableFeed feed, EventSink events) {
        HopSide hops = new HopSide(service, Room.HEAP, feed, events);
        // The join first: what lies between nodes belongs to the second that is open.
        return List.of(
                join(service, Room.HEAP, feed, hops.rollup::joined),
                hops.rollup,
                hops.nodes,
                paths(service, Room.HEAP, hops.moves(), feed, hops.events()),
                attacks(service, Room.HEAP, seed, hops.events()),
                hops.toldMoves,
                hops.toldEvents);
    }

    /** The part of it that only adds up. */
    static List<Operator> adders(Service service, TableFeed feed) {
        EventSink nobody = event -> {};
        HopRollup rollup = new HopRollup(queues(Room.HEAP), feed.hops());
        return List.of(
                join(service, Room.HEAP, feed, rollup::joined),
                rollup,
                paths(service, Room.HEAP, new NodeWatch(nobody).moves(), feed, nobody));
    }

    /** What is known of nodes, their queues and links; and what others tell it, each when the reports of its time have been seen. */
    private static final class HopSide {
        final HopRollup rollup;
        final NodeWatch nodes;
        final Relay<Move> toldMoves;
        final Relay<Object> toldEvents;

        HopSide(Service service, Room room, TableFeed feed, EventSink events) {
            rollup = new HopRollup(queues(room), feed.hops());
            EventSink completed = completed(rollup.completeness(), events);
            toldEvents = new Relay<>(completed::tell);
            Inventory inventory = service.config().inventory();
            nodes = new NodeWatch(ports(room), node -> queueCapacity(inventory, node), events());
            toldMoves = new Relay<>(Move.ORDER, move -> move.tell(nodes.moves()));
        }

        FlowPaths.Moves moves() {
            return Move.to(toldMoves::add);
        }

        EventSink events() {
            return EventSink.to(toldEvents::add);
        }
    }

    /** For all reports of some flows: their ways, and packets that several nodes told of. */
    public static List<Operator> ofFlows(
            Service service,
            Room room,
            TableFeed feed,
            PacketJoin.Joined joined,
            FlowPaths.Moves moves,
            EventSink events) {
        return List.of(join(service, room, feed, joined), paths(service, room, moves, feed, events));
    }

    /** Those for all reports, and among them who is told what the others found, where those are elsewhere, and when. */
    public record OfHops(List<Operator> all, Relay<byte[]> joined, Relay<Move> moves, Relay<Object> events) {}

    /** For all reports, with what those of flows and attacks have found. */
    public static OfHops ofHops(Service service, Room room, TableFeed feed, EventSink events) {
        HopSide hops = new HopSide(service, room, feed, events);
        ReportRow packet = new ReportRow();
        Relay<byte[]> joined = new Relay<>(
                (one, other) -> ReportRow.compareArrival(ByteBuffer.wrap(one), 0, ByteBuffer.wrap(other), 0),
                row -> hops.rollup.joined(packet.wrap(ByteBuffer.wrap(row), 0)));
        return new OfHops(
                List.of(joined, hops.rollup, hops.nodes, hops.toldMoves, hops.toldEvents),
                joined,
                hops.toldMoves,
                hops.toldEvents);
    }

    private static PacketJoin join(Service service, Room room, TableFeed feed, PacketJoin.Joined joined) {
        int packets = room.of(PacketJoin.BYTES_PER_PACKET, MIN_PACKETS, MAX_PACKETS);
        return new PacketJoin(service.analysis().join().toNanos(), packets, packet -> {
            joined.on(packet);
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

    public static AttackWatch attacks(Service service, Room room, long seed, EventSink events) {
        int victims = room.of((int) AttackWatch.bytes(1), MIN_VICTIMS, MAX_VICTIMS);
        Rules said = service.defend().rules();
        Rules rules = said.withRoom(victims, said.suspects()).withSeed(seed);
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

    private static int queues(Room room) {
        return room.of(HopRollup.BYTES_PER_QUEUE, MIN_QUEUES, MAX_QUEUES);
    }

    private static int ports(Room room) {
        return room.of(NodeWatch.BYTES_PER_PORT, MIN_QUEUES, MAX_QUEUES);
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

    private static FlowPaths paths(
            Service service, Room room, FlowPaths.Moves moves, TableFeed feed, EventSink events) {
        int flows = room.of(FLOW_BYTES / FLOW_SHARES, 1, service.analysis().flows());
        return new FlowPaths(
                new FlowPaths.Rules(service.analysis().join().toNanos(), flows),
                (node, reason) -> TTL_REASONS.contains(reason),
                moves,
                feed.paths()::takes,
                events);
    }
}
