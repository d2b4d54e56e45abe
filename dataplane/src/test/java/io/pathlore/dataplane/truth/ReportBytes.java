package io.pathlore.dataplane.truth;

import io.pathlore.model.FlowKey;
import io.pathlore.wire.inband.HopEncoder;
import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntHeader;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.tr20.GroupHeader;
import io.pathlore.wire.tr20.IndividualReport;
import java.nio.ByteBuffer;

/** Reports of version 2.0 around UDP packets, as a node would send them. */
final class ReportBytes {
    private static final int STACK = 0xF000; // node id, interfaces, hop latency, queue
    private static final int METADATA = 0x7000; // interfaces, hop latency, queue
    private static final int DROP = 0x5001; // interfaces, queue, drop reason
    private static final int UDP = 17;

    private final ByteBuffer buffer = ByteBuffer.allocate(2048);
    private int end;

    private long node;
    private int hwId;
    private int sequence;
    private FlowKey flow = FlowKey.ipv4(0x0A00_0101, 0x0A00_0202, UDP, 4000, 5000);
    private int packetId = 1;
    private int ttl = 60;
    private boolean congested;
    private boolean intermediate;
    private int dropReason = -1;
    private boolean silentReporter;
    private boolean mtuExceeded;

    /** What a hop says. */
    record Hop(long node, int egress, int queue, int occupancy) {}

    static Hop hop(long node, int egress) {
        return new Hop(node, egress, 0, 0);
    }

    static ReportBytes reportBy(long node) {
        ReportBytes bytes = new ReportBytes();
        bytes.node = node;
        return bytes;
    }

    ReportBytes stream(int hwId, int sequence) {
        this.hwId = hwId;
        this.sequence = sequence;
        return this;
    }

    ReportBytes flow(FlowKey flow) {
        this.flow = flow;
        return this;
    }

    ReportBytes packet(int id, int ttl) {
        packetId = id;
        this.ttl = ttl;
        return this;
    }

    ReportBytes congested() {
        congested = true;
        return this;
    }

    ReportBytes dropped(int reason) {
        dropReason = reason;
        return this;
    }

    /** The reporting node says nothing of itself. */
    ReportBytes withoutMetadata() {
        silentReporter = true;
        return this;
    }

    ReportBytes mtuExceeded() {
        mtuExceeded = true;
        return this;
    }

    /** The node speaks for itself; the packet carries no INT. */
    ReportBytes postcard(Hop own) {
        return encode(own, new Hop[0]);
    }

    /** The packet carries a stack, given first hop first. */
    ReportBytes stack(Hop... hops) {
        silentReporter = true;
        return encode(hop(node, 0), hops);
    }

    private ReportBytes encode(Hop own, Hop[] hops) {
        int individual = GroupHeader.encode(buffer, 0, hwId, sequence, node);
        int at = individual + IndividualReport.LENGTH;
        int mdWords = 0;
        if (!silentReporter) {
            int bits = dropReason >= 0 ? DROP : METADATA;
            at = IndividualReport.encodeMain(buffer, at, bits, 0, 0, 0);
            HopLayout layout = new HopLayout();
            layout.report20(bits, 0);
            at = HopEncoder.encode(buffer, at, layout, values(own));
            mdWords = layout.length() / 4;
        }
        at = packet(at, hops);
        while ((at - individual) % 4 != 0) {
            buffer.put(at++, (byte) 0);
        }
        IndividualReport.encode(
                buffer,
                individual,
                silentReporter ? IndividualReport.TYPE_INNER_ONLY : IndividualReport.TYPE_INT,
                IndividualReport.IN_IPV4,
                (at - individual) / 4 - 1,
                mdWords,
                dropReason >= 0,
                congested,
                true,
                intermediate);
        end = at;
        return this;
    }

    private HopValues values(Hop hop) {
        HopValues values = new HopValues();
        values.nodeId = hop.node;
        values.ingressInterface = 1;
        values.egressInterface = hop.egress;
        values.hopLatency = 700;
        values.queueId = hop.queue;
        values.queueOccupancy = hop.occupancy;
        values.dropQueueId = hop.queue;
        values.dropReason = dropReason;
        return values;
    }

    private int packet(int ip, Hop[] hops) {
        int udp = PacketEncoder.ipv4(
                buffer, ip, 0, packetId, false, ttl, UDP, (int) flow.sourceLow(), (int) flow.destinationLow());
        boolean telemetry = hops.length > 0;
        int at = PacketEncoder.udp(buffer, udp, flow.sourcePort(), telemetry ? 555 : flow.destinationPort());
        if (telemetry) {
            HopLayout layout = new HopLayout();
            layout.int2(STACK, 2, 2, 0);
            int hopWords = layout.length() / 4;
            int words = IntHeader.LENGTH_V2 / 4 + hops.length * hopWords;
            at = IntShim.encode(buffer, at, IntShim.TYPE_MD, IntShim.NPT_UDP_PORT, words, flow.destinationPort());
            IntHeader.Flags flags = new IntHeader.Flags(false, false, mtuExceeded, false, 0);
            at = IntHeader.encodeMd(buffer, at, flags, hopWords, 8, STACK, 0, 0, 0);
            for (int i = hops.length - 1; i >= 0; i--) {
                at = HopEncoder.encode(buffer, at, layout, values(hops[i]));
            }
        }
        buffer.putLong(at, 0x0102_0304_0506_0708L);
        at += 8;
        PacketEncoder.finishUdp(buffer, udp, at);
        PacketEncoder.finishIpv4(buffer, ip, at);
        return at;
    }

    void deliver(TruthRecorder to, long nanos, long address) {
        to.onReport(nanos, address, buffer, 0, end);
    }
}
