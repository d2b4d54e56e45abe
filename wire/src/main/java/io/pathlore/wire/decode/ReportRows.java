package io.pathlore.wire.decode;

import io.pathlore.model.Profile;
import io.pathlore.model.ReportRow;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.ioam.IoamNodeView;
import io.pathlore.wire.ioam.IoamView;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** From the faithful view of a report to the row that analysis reads. Hot path: belongs to one thread. */
public final class ReportRows {
    private static final long ABSENT = ReportRow.ABSENT;
    private static final int NONE = -1;
    private static final int WORD = 4;
    private static final int TCP_FLAGS = 13;

    /** In drop data of Transparent Security, behind the time. */
    private static final int DROP_COUNT = 4;

    /** Of 128 bits the upper half is 0. */
    private static final int DROP_KEY_LOW = 16;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** What carries the trace counts no hops [RFC 9197 §4.4.2.1]. */
    private static final int NO_HOP_LIMIT = 0xFF;

    private final transient HopView hop = new HopView();
    private final transient IoamNodeView ioamNode = new IoamNodeView();
    private final long seed;

    // The row at hand.
    private transient ByteBuffer out = ByteBuffer.allocate(0);
    private int at;
    private int hops;
    private int way;
    private long last;

    /** {@code seed} is that of flow hashes. */
    public ReportRows(long seed) {
        this.seed = seed;
    }

    /**
     * Room that is enough for all rows of one datagram: hops take a word at least on the wire, and each report may add its own.
     */
    public static int roomFor(int maxReports, int datagramBytes) {
        return maxReports * (ReportRow.LENGTH + ReportRow.HOP_LENGTH) + datagramBytes / WORD * ReportRow.HOP_LENGTH;
    }

    /**
     * Writes one row and returns its length.
     *
     * @param node the reporter, where others than the report know it; else what the report says
     * @param exporterHigh of an IPv6 address, or of an IPv4 one mapped into it, as is {@code exporterLow}
     */
    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    public int encode(
            ReportView report,
            long node,
            long receivedNanos,
            long exporterHigh,
            long exporterLow,
            ByteBuffer to,
            int offset) {
        if (out != to) {
            out = to;
        }
        at = offset;
        long drops = dropCount(report);
        boolean dropped = report.dropped() || drops > 0;
        int flags = (dropped ? ReportRow.DROPPED : 0)
                | (report.congested() ? ReportRow.CONGESTED : 0)
                | (report.tracked() ? ReportRow.TRACKED : 0)
                | (report.intermediate() ? ReportRow.INTERMEDIATE : 0);
        PacketView packet = report.packet();
        hops = 0;
        way = dropped || report.intermediate() ? ReportRow.PARTIAL : 0;
        last = ABSENT;
        stacks(packet);
        traces(packet);
        long reporter = isNobody(report, node) ? ABSENT : node;
        ReportRow.begin(out, at, flags, version(report.version()), receivedNanos, exporterHigh, exporterLow, reporter);
        flow(packet.flow());
        reporter(report, reporter);
        if (report.hasMetadata() || drops != ABSENT) {
            int reason = report.hasMetadata() ? (int) report.metadata().dropReason() : NONE;
            ReportRow.drop(out, at, reason, drops);
        }
        if (drops != ABSENT) {
            ReportRow.dropKey(out, at, report.buffer().getLong(report.dropOffset() + DROP_KEY_LOW));
        }
        packet(packet);
        ReportRow.way(out, at, report.hwId(), way, hops);
        return ReportRow.LENGTH + hops * ReportRow.HOP_LENGTH;
    }

    /** Transparent Security tells of drops without the flag, and also of rules that have dropped nothing. */
    private static long dropCount(ReportView report) {
        return report.dropOffset() < 0
                ? ABSENT
                : Integer.toUnsignedLong(report.buffer().getInt(report.dropOffset() + DROP_COUNT));
    }

    /** Where the hop limit was hit, the reports of one dialect name node 0 [docs/spec-notes.md, A-67]. */
    private boolean isNobody(ReportView report, long node) {
        return node == 0 && report.dialect() == Profile.GEANT && (way & ReportRow.GAPS) != 0;
    }

    private void flow(FlowView flow) {
        if (!flow.known()) {
            return;
        }
        boolean icmp = flow.icmpType() != FlowView.ABSENT;
        ReportRow.flow(
                out,
                at,
                flow.v6(),
                icmp,
                flow.protocol(),
                flow.sourceHigh(),
                flow.sourceLow(),
                flow.destinationHigh(),
                flow.destinationLow(),
                icmp ? flow.icmpType() : flow.sourcePort(),
                icmp ? flow.icmpCode() : flow.destinationPort(),
                flow.vni(),
                seed);
    }

    private void stacks(PacketView packet) {
        for (int i = 0; i < packet.ints(); i++) {
            IntHeaderView header = packet.intHeader(i);
            if (header.opaque() || header.type() != IntShim.TYPE_MD) {
                continue;
            }
            way |= ReportRow.STACK
                    | (header.hopLimitExceeded() || header.mtuExceeded() ? ReportRow.GAPS : 0)
                    | (header.replica() ? ReportRow.REPLICA : 0)
                    | (header.truncated() || header.rawWords() != 0 ? ReportRow.PARTIAL : 0);
            for (boolean more = header.firstHop(hop); more; more = header.nextHop(hop)) {
                add(hop, hop.nodeId());
            }
        }
    }

    private void traces(PacketView packet) {
        for (int i = 0; i < packet.ioams(); i++) {
            IoamView trace = packet.ioam(i);
            boolean isTrace = trace.type() == IoamView.PREALLOCATED_TRACE || trace.type() == IoamView.INCREMENTAL_TRACE;
            if (!isTrace || !trace.usable()) {
                continue;
            }
            way |= ReportRow.STACK
                    | (trace.overflow() ? ReportRow.GAPS : 0)
                    | (trace.truncated() ? ReportRow.PARTIAL : 0);
            for (int n = 0; n < trace.nodes(); n++) {
                trace.node(n, ioamNode);
                addTraced();
            }
        }
    }

    private void addTraced() {
        if (hops == ReportRow.MAX_HOPS) {
            way |= ReportRow.PARTIAL;
            return;
        }
        long node = ioamNode.nodeId();
        long seconds = ioamNode.timestampSeconds();
        long fraction = ioamNode.timestampFraction();
        long time = seconds == ABSENT || fraction == ABSENT || fraction >= NANOS_PER_SECOND
                ? ABSENT
                : seconds * NANOS_PER_SECOND + fraction;
        ReportRow.hop(
                out,
                at,
                hops++,
                node == ABSENT ? ioamNode.nodeIdWide() : node,
                ioamNode.ingressInterface(),
                ioamNode.egressInterface(),
                ioamNode.transitDelay(),
                ABSENT,
                ioamNode.queueDepth(),
                time,
                ABSENT,
                ABSENT,
                Long.SIZE);
        long limit = ioamNode.hopLimit();
        if (limit != ABSENT && limit != NO_HOP_LIMIT) {
            ReportRow.hopLimit(out, at, hops - 1, (int) limit);
        }
        last = node;
    }

    private void add(HopView of, long node) {
        if (hops == ReportRow.MAX_HOPS) {
            way |= ReportRow.PARTIAL;
            return;
        }
        write(hops++, of, node);
        last = node;
    }

    private void write(int index, HopView of, long node) {
        long in = of.ingressTimestamp();
        long out = of.egressTimestamp();
        int bits = of.layout().timestampBits();
        ReportRow.hop(
                this.out,
                at,
                index,
                node,
                of.ingressInterface(),
                of.egressInterface(),
                latency(of.hopLatency(), in, out, bits),
                of.queueId(),
                of.queueOccupancy(),
                in,
                out,
                of.txUtilization(),
                bits);
    }

    private static long latency(long told, long in, long out, int bits) {
        if (told != ABSENT || in == ABSENT || out == ABSENT) {
            return told;
        }
        long between = out - in;
        return bits == Long.SIZE ? Math.max(ABSENT, between) : between & (1L << bits) - 1;
    }

    /** A node that is in its own report twice, in the stack and beside it, is one hop. */
    private void reporter(ReportView report, long node) {
        if (node == ABSENT) {
            return;
        }
        if (hops > 0 && last == node) {
            way |= ReportRow.REPORTER;
            if (report.hasMetadata()) {
                merge(report.metadata(), hops - 1);
            }
            return;
        }
        if (hops == ReportRow.MAX_HOPS) {
            way |= ReportRow.PARTIAL;
            return;
        }
        way |= ReportRow.REPORTER;
        if (report.hasMetadata()) {
            write(hops++, report.metadata(), node);
        } else {
            ReportRow.hop(
                    out, at, hops++, node, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, Long.SIZE);
        }
    }

    private void merge(HopView own, int index) {
        ReportRow.fill(
                out,
                at,
                index,
                own.ingressInterface(),
                own.egressInterface(),
                latency(
                        own.hopLatency(),
                        own.ingressTimestamp(),
                        own.egressTimestamp(),
                        own.layout().timestampBits()),
                own.queueId(),
                own.queueOccupancy(),
                own.ingressTimestamp(),
                own.egressTimestamp(),
                own.txUtilization(),
                own.layout().timestampBits());
    }

    /** What does not change on the way of a packet tells it from others: not TTL, DSCP, ECN, lengths or checksums. */
    private void packet(PacketView packet) {
        int ip = NONE;
        int l4 = NONE;
        int fragment = NONE;
        for (int i = packet.layers() - 1; i >= 0 && ip == NONE; i--) {
            switch (packet.layer(i)) {
                case IPV4, IPV6 -> ip = i;
                case TCP, UDP, ICMP, ICMPV6 -> l4 = l4 == NONE ? i : l4;
                case FRAGMENT -> fragment = packet.layerOffset(i);
                default -> {}
            }
        }
        if (ip == NONE) {
            return;
        }
        ByteBuffer bytes = packet.buffer();
        int end = packet.end();
        int ipAt = packet.layerOffset(ip);
        boolean v4 = packet.layer(ip) == Layer.IPV4;
        if (ipAt + (v4 ? 10 : 8) > end) {
            return;
        }
        int ttl = bytes.get(ipAt + (v4 ? 8 : 7)) & 0xFF;
        int length = v4 ? bytes.getShort(ipAt + 2) & 0xFFFF : (bytes.getShort(ipAt + 4) & 0xFFFF) + 40;
        long print = ReportRow.mix(ReportRow.flowHash(out, at) ^ (v4 ? bytes.getInt(ipAt + 4) & 0xFFFF_1FFFL : 0));
        int afterInt = 0;
        long device = ABSENT;
        int marks = fragment(bytes, v4 ? ipAt + 6 : fragment + 2, v4 ? 0x1FFF : 0xFFF8, v4 ? 0x2000 : 1, end);
        for (int i = 0; i < packet.ints(); i++) {
            IntHeaderView header = packet.intHeader(i);
            afterInt = Math.max(afterInt, header.end());
            length -= header.end() - header.shimOffset();
            if (device == ABSENT && !header.opaque() && header.sourceDeviceOffset() >= 0) {
                device = bytes.getLong(header.sourceDeviceOffset()) >>> 16;
                marks |= namedBy((int) header.dsFlags());
            }
        }
        ReportRow.marks(out, at, 0, marks);
        if (l4 != NONE) {
            int tcp = packet.layer(l4) == Layer.TCP ? packet.layerOffset(l4) + TCP_FLAGS : end;
            ReportRow.marks(out, at, tcp < end ? bytes.get(tcp) : 0, marks | (tcp < end ? ReportRow.TCP_FLAGS : 0));
            print = ReportRow.mix(print ^ transport(packet, l4, Math.max(afterInt, packet.layerOffset(l4))));
        }
        ReportRow.packet(out, at, print == 0 ? 1 : print, ttl, Math.max(0, length), device);
    }

    /** {@code at} is where offset and the bit for more of them are; before 2 where there is no such header. */
    private static int fragment(ByteBuffer bytes, int at, int offset, int more, int end) {
        int word = at < 2 || at + 2 > end ? 0 : bytes.getShort(at) & 0xFFFF;
        return ((word & (offset | more)) == 0 ? 0 : ReportRow.FRAGMENT)
                | ((word & offset) == 0 ? 0 : ReportRow.LATER_FRAGMENT);
    }

    /** The first three bits of the flags, none or one of which is set. */
    private static int namedBy(int dsFlags) {
        return switch (dsFlags >>> 13 & 7) {
            case 4 -> ReportRow.NAMED_BY_DEVICE;
            case 2 -> ReportRow.NAMED_BY_GATEWAY;
            case 1 -> ReportRow.NAMED_BY_SWITCH;
            default -> 0;
        };
    }

    private static long transport(PacketView packet, int l4, int from) {
        ByteBuffer bytes = packet.buffer();
        int end = packet.end();
        int start = packet.layerOffset(l4);
        int payload = from == start ? start + 8 : from;
        long print = 0;
        if (packet.layer(l4) == Layer.TCP) {
            if (start + 14 > end) {
                return 0;
            }
            print = ReportRow.mix(bytes.getLong(start + 4)) + bytes.get(start + 13);
            payload = Math.max(from == start ? 0 : from, start + (bytes.get(start + 12) >> 4 & 0xF) * WORD);
        }
        return payload >= start && payload + Long.BYTES <= end ? ReportRow.mix(print ^ bytes.getLong(payload)) : print;
    }

    private static int version(ReportVersion version) {
        return switch (version) {
            case V0_5 -> 5;
            case V1_0 -> 10;
            case V2_0 -> 20;
        };
    }
}
