package io.pathlore.cli.service;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Relay;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.analysis.ddos.EntryWatch;
import io.pathlore.analysis.ddos.Inner;
import io.pathlore.analysis.ddos.Rules;
import io.pathlore.analysis.ddos.Sampling;
import io.pathlore.analysis.ddos.ScanSign;
import io.pathlore.analysis.ddos.Scans;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.health.StreamWatch;
import io.pathlore.analysis.hop.LinkSign;
import io.pathlore.analysis.hop.LinkWatch;
import io.pathlore.analysis.hop.NodeWatch;
import io.pathlore.analysis.join.PacketJoin;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.analysis.path.Move;
import io.pathlore.analysis.rollup.Arrivals;
import io.pathlore.analysis.rollup.Arrived;
import io.pathlore.analysis.rollup.Completeness;
import io.pathlore.analysis.rollup.HopRollup;
import io.pathlore.analysis.rollup.Teller;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Service;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

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
    private static final int MAX_EXPORTERS = 8_192;
    private static final int EXPORTER_BYTES = 1_024;
    private static final int MIN_PACKETS = 1_024;
    private static final int MAX_PACKETS = 65_536;
    private static final int MAX_PRINTS = 16_384;
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
        Whole whole = new Whole(service, exporters(Room.HEAP), queues(Room.HEAP), events);
        Relay<Teller> tellers = new Relay<>(whole.completeness::tells);
        HopRollup rollup = new HopRollup(
                queues(Room.HEAP),
                Share.ALL,
                whole.completeness,
                feed.hops(),
                teller -> tellers.add(teller.nanos(), teller));
        EventSink found = EventSink.to(whole.events::add);
        NodeWatch nodes = nodes(service, Room.HEAP, Share.ALL, whole.links::sign, found);
        AttackWatch attacks = attacks(service, Room.HEAP, Share.ALL, seed, whole.scans::sign, feed.attacks(found));
        Relay<Inner> inner = new Relay<>(attacks::learn);
        Arrivals arrivals = new Arrivals(exporters(Room.HEAP), arrived -> {
            rollup.arrived(arrived);
            nodes.newest(arrived.lastNanos());
            attacks.newest(arrived.lastNanos());
            whole.newest(arrived.lastNanos());
        });
        Relay<Move> moves = new Relay<>(Move.ORDER, move -> {
            move.tell(nodes.moves());
            whole.moved(move);
        });
        // Whoever tells comes before who is told. The join before the sums: what lies between nodes belongs to the
        // second that is open.
        return List.of(
                arrivals,
                join(service, Room.HEAP, feed, rollup::joined),
                paths(service, Room.HEAP, Move.to(moves::add), feed, found),
                entries(Room.HEAP, told -> inner.add(told.nanos(), told)),
                moves,
                rollup,
                nodes,
                inner,
                attacks,
                tellers,
                whole.links,
                whole.scans,
                whole.events);
    }

    /** The part of it that only adds up. */
    static List<Operator> adders(Service service, TableFeed feed) {
        HopRollup rollup = new HopRollup(queues(Room.HEAP), feed.hops());
        return List.of(
                new Arrivals(exporters(Room.HEAP), rollup::arrived),
                join(service, Room.HEAP, feed, rollup::joined),
                rollup,
                paths(service, Room.HEAP, Move.to(move -> {}), feed, event -> {}));
    }

    /** What only the whole shows: how complete reports were, which link is down, and who scans together. */
    private static final class Whole {
        final Completeness completeness;
        final LinkWatch links;
        final Scans scans;
        final Relay<Object> events;

        Whole(Service service, int exporters, int nodes, EventSink to) {
            completeness = new Completeness(exporters, nodes);
            events = new Relay<>(completed(completeness, to)::tell);
            links = new LinkWatch(EventSink.to(events::add));
            scans = new Scans(service.defend().rules().holdNanos(), EventSink.to(events::add));
        }

        void newest(long nanos) {
            links.newest(nanos);
            scans.newest(nanos);
        }

        void moved(Move move) {
            if (move instanceof Move.Moved moved) {
                links.moved(moved);
            }
        }
    }

    private static NodeWatch nodes(
            Service service, Room room, Share share, Consumer<LinkSign> toLinks, EventSink events) {
        Inventory inventory = service.config().inventory();
        return new NodeWatch(ports(room), share, node -> queueCapacity(inventory, node), toLinks, events);
    }

    /** For all reports of some flows: their ways, packets that several nodes told of, and where packets do not come in. */
    public static List<Operator> ofFlows(
            Service service,
            Room room,
            TableFeed feed,
            PacketJoin.Joined joined,
            FlowPaths.Moves moves,
            Consumer<Inner> inner,
            EventSink events) {
        return List.of(
                join(service, room, feed, joined), paths(service, room, moves, feed, events), entries(room, inner));
    }

    private static EntryWatch entries(Room room, Consumer<Inner> inner) {
        return new EntryWatch(room.of(EntryWatch.BYTES_PER_PRINT, MIN_PACKETS, MAX_PRINTS), inner);
    }

    /** Those for what is sent to some networks, and comes out of them, and who is told where packets do not come in. */
    public record OfAttacks(AttackWatch attacks, Relay<Inner> inner) {
        public List<Operator> all() {
            return List.of(inner, attacks);
        }
    }

    /** For the packets of some networks. */
    public static OfAttacks ofAttacks(
            Service service, Room room, Share share, long seed, Consumer<ScanSign> signs, EventSink events) {
        AttackWatch attacks = attacks(service, room, share, seed, signs, events);
        return new OfAttacks(attacks, new Relay<>(attacks::learn));
    }

    /** Counts what arrives of some exporters. */
    public static Arrivals arrivals(Room room, Consumer<Arrived> to) {
        return new Arrivals(exporters(room), to);
    }

    /** Those for some nodes, and among them who is told what the others found, where those are elsewhere, and when. */
    public record OfHops(List<Operator> all, Relay<Arrived> arrived, Relay<byte[]> joined, Relay<Move> moves) {}

    /** For the reports of some nodes, with what those of exporters and flows have found. */
    public static OfHops ofHops(
            Service service,
            Room room,
            Share share,
            TableFeed feed,
            Consumer<Teller> tellers,
            Consumer<LinkSign> toLinks,
            EventSink events) {
        Completeness completeness = new Completeness(MAX_EXPORTERS, 1); // who tells of which node is known elsewhere
        HopRollup rollup = new HopRollup(queues(room), share, completeness, feed.hops(), tellers);
        NodeWatch nodes = nodes(service, room, share, toLinks, events);
        Relay<Arrived> arrived = new Relay<>(what -> {
            rollup.arrived(what);
            nodes.newest(what.lastNanos());
        });
        ReportRow packet = new ReportRow();
        Relay<byte[]> joined = new Relay<>(
                (one, other) -> ReportRow.compareArrival(ByteBuffer.wrap(one), 0, ByteBuffer.wrap(other), 0),
                row -> rollup.joined(packet.wrap(ByteBuffer.wrap(row), 0)));
        Relay<Move> moves = new Relay<>(Move.ORDER, move -> move.tell(nodes.moves()));
        return new OfHops(List.of(arrived, joined, moves, rollup, nodes), arrived, joined, moves);
    }

    /** Those who see no reports, who remembers something beside them, and among them who is told what the others found, and when. */
    public record OfWhole(
            List<Operator> all,
            Completeness completeness,
            Relay<Arrived> arrived,
            Relay<Teller> tellers,
            Relay<LinkSign> signs,
            Relay<ScanSign> scanners,
            Relay<Move> moves,
            Relay<Object> events) {}

    /** For what all of the others have found. */
    public static OfWhole ofWhole(Service service, EventSink events) {
        Whole whole = new Whole(service, MAX_EXPORTERS, MAX_QUEUES, events);
        Relay<Arrived> arrived = new Relay<>(what -> {
            whole.completeness.arrived(what);
            whole.newest(what.lastNanos());
        });
        Relay<Teller> tellers = new Relay<>(whole.completeness::tells);
        Relay<LinkSign> signs = new Relay<>(whole.links::sign);
        Relay<ScanSign> scanners = new Relay<>(whole.scans::sign);
        Relay<Move> moves = new Relay<>(Move.ORDER, whole::moved);
        return new OfWhole(
                List.of(arrived, tellers, signs, scanners, moves, whole.links, whole.scans, whole.events),
                whole.completeness,
                arrived,
                tellers,
                signs,
                scanners,
                moves,
                whole.events);
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

    private static AttackWatch attacks(
            Service service, Room room, Share share, long seed, Consumer<ScanSign> signs, EventSink events) {
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
                share,
                node -> {
                    Long oneIn = sampling.get(ReportRow.mix(node));
                    return oneIn == null ? Sampling.UNKNOWN : (int) Math.min(MAX_SAMPLING, oneIn);
                },
                signs,
                events);
    }

    private static int exporters(Room room) {
        return room.of(EXPORTER_BYTES, MIN_QUEUES, MAX_EXPORTERS);
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
