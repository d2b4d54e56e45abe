package io.pathlore.dataplane.truth;

import io.pathlore.model.Profile;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/**
 * What one delivered report shows: the hops of the stack in travel order, the reporting node last, with what it says of itself
 * outside the stack merged into its hop. Hot path: filled again for every report.
 */
final class Sighting {
    static final long ABSENT = HopView.ABSENT;
    private static final int MAX_HOPS = 256;
    private static final int NONE = -1;
    /** Behind the timestamp. */
    private static final int DROP_COUNT = 4;

    long deliveredNanos;
    /** Source address of the datagram. */
    long exporter;

    long reporter;
    int hwId;
    long sequence;
    /** Transparent Security does not count: its number is always the same. */
    boolean numbered;

    boolean dropped;
    boolean congested;
    long dropReason;
    /** A flow number, or {@link FlowTable#UNKNOWN}. */
    int flow;

    /** The hops are those of a stack: neighbours in it were neighbours on the way, unless {@link #gaps}. */
    boolean stack;
    /** Some node on the way could not add itself. */
    boolean gaps;
    /** The stack is of the whole way. */
    boolean complete;
    /** A copy that was sent other ways on request, which are not the flow's route. */
    boolean replica;

    int hops;
    final long[] nodes = new long[MAX_HOPS];
    final long[] egress = new long[MAX_HOPS];
    final long[] queues = new long[MAX_HOPS];
    final long[] occupancies = new long[MAX_HOPS];
    /** The hop tells its latency, or both timestamps. */
    final boolean[] timed = new boolean[MAX_HOPS];

    private final HopView hop = new HopView();
    private PacketView packet = new PacketView();

    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    void read(ReportView report, long deliveredNanos, long exporter, long reporter, int flow) {
        this.deliveredNanos = deliveredNanos;
        this.exporter = exporter;
        this.reporter = reporter;
        this.flow = flow;
        hwId = report.hwId();
        sequence = report.sequence();
        numbered = report.dialect() != Profile.TRANSPARENT_SECURITY;
        dropped = report.dropped() || countsDrops(report);
        congested = report.congested();
        if (packet != report.packet()) {
            packet = report.packet();
        }
        hops = 0;
        stack = false;
        gaps = false;
        replica = false;
        boolean whole = !dropped && !report.intermediate();
        for (int i = 0; i < packet.ints(); i++) {
            IntHeaderView header = packet.intHeader(i);
            if (header.opaque() || header.type() != IntShim.TYPE_MD) {
                continue;
            }
            gaps |= header.hopLimitExceeded() || header.mtuExceeded();
            replica |= header.replica();
            whole &= !header.truncated() && header.rawWords() == 0;
            for (int h = 0; h < header.hops() && hops < MAX_HOPS - 1; h++) {
                header.hop(h, hop);
                add(hop, hop.nodeId());
                stack = true;
            }
        }
        complete = stack && whole && !gaps;
        dropReason = ABSENT;
        reporterHop(report);
    }

    /** Transparent Security tells of drops without the flag, and also of rules that have dropped nothing. */
    private static boolean countsDrops(ReportView report) {
        return report.dropOffset() >= 0 && report.buffer().getInt(report.dropOffset() + DROP_COUNT) != 0;
    }

    private void reporterHop(ReportView report) {
        HopView metadata = report.metadata();
        if (report.hasMetadata()) {
            dropReason = metadata.dropReason();
        }
        if (reporter == ABSENT) {
            return;
        }
        if (hops == 0 || nodes[hops - 1] != reporter) {
            nodes[hops] = reporter;
            egress[hops] = ABSENT;
            queues[hops] = ABSENT;
            occupancies[hops] = ABSENT;
            timed[hops] = false;
            hops++;
        }
        if (report.hasMetadata()) {
            int last = hops - 1;
            egress[last] = known(egress[last], metadata.egressInterface());
            queues[last] = known(queues[last], metadata.queueId());
            occupancies[last] = known(occupancies[last], metadata.queueOccupancy());
            timed[last] |= isTimed(metadata);
        }
    }

    private static long known(long first, long second) {
        return first != ABSENT ? first : second;
    }

    private void add(HopView of, long node) {
        nodes[hops] = node;
        egress[hops] = of.egressInterface();
        queues[hops] = of.queueId();
        occupancies[hops] = of.queueOccupancy();
        timed[hops] = isTimed(of);
        hops++;
    }

    private static boolean isTimed(HopView of) {
        return of.hopLatency() != ABSENT || of.ingressTimestamp() != ABSENT && of.egressTimestamp() != ABSENT;
    }

    boolean isReporter(int index) {
        return reporter != ABSENT && index == hops - 1;
    }

    /** Stack or not, some node is there twice. */
    boolean hasRepeatedNode() {
        for (int i = 1; i < hops; i++) {
            for (int j = 0; j < i; j++) {
                if (nodes[i] != ABSENT && nodes[i] == nodes[j]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** TTL or hop limit of the innermost IP header, or -1. */
    int ttl() {
        int ip = lastIp();
        if (ip == NONE) {
            return NONE;
        }
        int at = packet.layerOffset(ip) + (packet.layer(ip) == Layer.IPV4 ? 8 : 7);
        return at < packet.end() ? packet.buffer().get(at) & 0xFF : NONE;
    }

    /**
     * A hash of what does not change on a packet's way: flow, IPv4 identification and fragment offset, TCP sequence,
     * acknowledgement and flags, the first octets of payload.
     */
    long packetHash() {
        ByteBuffer buffer = packet.buffer();
        long hash = FlowTable.mix(0x5061_636B, flow);
        int ip = lastIp();
        int end = packet.end();
        if (ip == NONE) {
            return hash;
        }
        int ipAt = packet.layerOffset(ip);
        if (packet.layer(ip) == Layer.IPV4 && ipAt + 8 <= end) {
            hash = FlowTable.mix(hash, buffer.getInt(ipAt + 4) & 0xFFFF_1FFF);
        }
        int l4 = lastL4(ip);
        if (l4 == NONE) {
            return hash;
        }
        int at = packet.layerOffset(l4);
        int payload = at + 8;
        if (packet.layer(l4) == Layer.TCP) {
            if (at + 14 > end) {
                return hash;
            }
            hash = FlowTable.mix(hash, buffer.getLong(at + 4));
            hash = FlowTable.mix(hash, buffer.get(at + 13));
            payload = at + (buffer.get(at + 12) >> 4 & 0xF) * 4;
        }
        for (int i = 0; i < packet.ints(); i++) {
            payload = Math.max(payload, packet.intHeader(i).end());
        }
        return payload + 8 <= end ? FlowTable.mix(hash, buffer.getLong(payload)) : hash;
    }

    private int lastIp() {
        for (int i = packet.layers() - 1; i >= 0; i--) {
            Layer layer = packet.layer(i);
            if (layer == Layer.IPV4 || layer == Layer.IPV6) {
                return i;
            }
        }
        return NONE;
    }

    private int lastL4(int ip) {
        for (int i = packet.layers() - 1; i > ip; i--) {
            Layer layer = packet.layer(i);
            if (layer == Layer.TCP || layer == Layer.UDP || layer == Layer.ICMP || layer == Layer.ICMPV6) {
                return i;
            }
        }
        return NONE;
    }

    PacketView packet() {
        return packet;
    }
}
