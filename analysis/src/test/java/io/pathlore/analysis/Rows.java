package io.pathlore.analysis;

import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * One report, said in a line: what is not said is absent. Interfaces carry the number of the node they lead to, so the link from 1 to
 * 2 leaves node 1 by interface 2 and enters node 2 by interface 1; hosts are behind interface {@link #HOST}.
 */
public record Rows(
        long nanos,
        int flow,
        int flags,
        int way,
        long node,
        int ttl,
        long print,
        int reason,
        long count,
        int numbers,
        int gap,
        List<Hop> hops) {
    /** As it stands in a row. */
    public record Hop(
            long node,
            long ingress,
            long egress,
            long latency,
            long queue,
            long occupancy,
            long ingressTime,
            long egressTime) {
        public Hop(long node, long ingress, long egress, long latency, long queue, long occupancy) {
            this(node, ingress, egress, latency, queue, occupancy, ABSENT, ABSENT);
        }

        public Hop at(long in, long out) {
            return new Hop(node, ingress, egress, latency, queue, occupancy, in, out);
        }
    }

    public static final long HOST = 99;
    public static final int OCTETS = 1_000;
    private static final long ABSENT = ReportRow.ABSENT;
    private static final long SEED = 7;
    private static final byte POISON = (byte) 0xA5;

    public Rows {
        hops = List.copyOf(hops);
    }

    /** A packet's whole way; its last node reports. */
    public static Rows stack(long nanos, int flow, long... nodes) {
        int way = ReportRow.STACK | ReportRow.REPORTER;
        return new Rows(nanos, flow, 0, way, nodes[nodes.length - 1], 60, 0, -1, ABSENT, 0, 0, cabled(nodes));
    }

    /** What one node says for itself of a packet that arrived with this TTL. */
    public static Rows postcard(long nanos, int flow, long node, int ttl) {
        Hop hop = new Hop(node, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT);
        return new Rows(nanos, flow, 0, ReportRow.REPORTER, node, ttl, 0, -1, ABSENT, 0, 0, List.of(hop));
    }

    /** The postcards of one packet on its way, the first of them with TTL 63. */
    public static List<Rows> postcards(long nanos, int flow, long... nodes) {
        List<Hop> hops = cabled(nodes);
        List<Rows> cards = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            cards.add(postcard(nanos, flow, nodes[i], 63 - i).withHops(List.of(hops.get(i))));
        }
        return cards;
    }

    /** One node and one of its interfaces, with what the packet met there. */
    public static Rows hop(long nanos, int flow, Hop hop) {
        return postcard(nanos, flow, hop.node, 63).withHops(List.of(hop));
    }

    public static Rows drop(long nanos, int flow, long node, int reason) {
        Rows card = postcard(nanos, flow, node, 63);
        return new Rows(
                nanos,
                flow,
                ReportRow.DROPPED,
                card.way | ReportRow.PARTIAL,
                node,
                63,
                0,
                reason,
                ABSENT,
                0,
                0,
                card.hops);
    }

    private static List<Hop> cabled(long... nodes) {
        List<Hop> hops = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            long in = i == 0 ? HOST : nodes[i - 1];
            long out = i == nodes.length - 1 ? HOST : nodes[i + 1];
            hops.add(new Hop(nodes[i], in, out, ABSENT, ABSENT, ABSENT));
        }
        return hops;
    }

    public Rows withHops(List<Hop> those) {
        return new Rows(nanos, flow, flags, way, node, ttl, print, reason, count, numbers, gap, those);
    }

    /** A stack in which the reporter is not. */
    public Rows withoutReporter() {
        return new Rows(
                nanos, flow, flags, way & ~ReportRow.REPORTER, ABSENT, ttl, print, reason, count, numbers, gap, hops);
    }

    public Rows withWay(int bits) {
        return new Rows(nanos, flow, flags, way | bits, node, ttl, print, reason, count, numbers, gap, hops);
    }

    public Rows withFlags(int bits) {
        return new Rows(nanos, flow, flags | bits, way, node, ttl, print, reason, count, numbers, gap, hops);
    }

    public Rows congested() {
        return withFlags(ReportRow.CONGESTED);
    }

    /** Reports of one packet have the same. */
    public Rows withPrint(long same) {
        return new Rows(nanos, flow, flags, way, node, ttl, same, reason, count, numbers, gap, hops);
    }

    /** How many packets a rule dropped. */
    public Rows withCount(long packets) {
        return new Rows(nanos, flow, flags, way, node, ttl, print, reason, packets, numbers, gap, hops);
    }

    /** What the number of its datagram says. */
    public Rows numbered(int arrived, int missing) {
        return new Rows(nanos, flow, flags, way, node, ttl, print, reason, count, arrived, missing, hops);
    }

    public Rows at(long time) {
        return new Rows(time, flow, flags, way, node, ttl, print, reason, count, numbers, gap, hops);
    }

    public static FlowKey key(int flow) {
        return FlowKey.ipv4(0x0A000001, 0x0A000002, 6, flow, 80);
    }

    public void giveTo(Operator operator) {
        lendTo(operator::on);
    }

    /** Lends the row: afterwards there is nothing in it that could be read. */
    public void lendTo(Consumer<ReportRow> borrower) {
        byte[] bytes = new byte[ReportRow.MAX_LENGTH];
        borrower.accept(row(ByteBuffer.wrap(bytes)));
        Arrays.fill(bytes, POISON);
    }

    private ReportRow row(ByteBuffer to) {
        ReportRow.begin(to, 0, flags, 20, nanos, 0, ReportRow.mapped(0x0A00_0100L + node), node);
        FlowKey key = key(flow);
        ReportRow.flow(
                to,
                0,
                false,
                false,
                key.protocol(),
                0,
                key.sourceLow(),
                0,
                key.destinationLow(),
                key.sourcePort(),
                key.destinationPort(),
                -1,
                SEED);
        ReportRow.packet(to, 0, print, ttl, OCTETS, ABSENT);
        ReportRow.drop(to, 0, reason, count);
        for (int i = 0; i < hops.size(); i++) {
            Hop hop = hops.get(i);
            ReportRow.hop(
                    to,
                    0,
                    i,
                    hop.node,
                    hop.ingress,
                    hop.egress,
                    hop.latency,
                    hop.queue,
                    hop.occupancy,
                    hop.ingressTime,
                    hop.egressTime,
                    ABSENT,
                    Long.SIZE);
        }
        ReportRow.way(to, 0, 0, way, hops.size());
        ReportRow.numbers(to, 0, numbers, gap);
        return new ReportRow().wrap(to, 0);
    }
}
