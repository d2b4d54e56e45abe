package io.pathlore.wire.decode;

import io.pathlore.model.Profile;
import io.pathlore.testkit.Hex;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.ioam.IoamNodeView;
import io.pathlore.wire.ioam.IoamView;
import io.pathlore.wire.net.AddressText;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.tr20.IndividualReport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the views show, under the names that the expectations of the captures use. Integers are longs, as in JSON. */
final class CapturedValues {
    private static final int GROUP = 8;

    private CapturedValues() {}

    // ---- reports

    static Map<String, @Nullable Object> of(ReportView report) {
        Map<String, @Nullable Object> values = new HashMap<>(of(report.packet()));
        values.put("report_bytes_hex", hex(report.buffer(), report.datagramStart(), report.datagramEnd()));
        values.put(
                "report",
                switch (report.version()) {
                    case V0_5 -> report05(report);
                    case V1_0 -> report10(report);
                    case V2_0 -> report20(report);
                });
        values.put("wire_reading", wireReading(report));
        values.put("peer_asserted", peerAsserted(report));
        if (report.dropOffset() >= 0) {
            int key = report.dropOffset() + 8;
            values.put("drop_key_bytes_32_47", hex(report.buffer(), key, key + 16));
        }
        return values;
    }

    private static Map<String, @Nullable Object> flags(ReportView report) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("d", bit(report.dropped()));
        values.put("q", bit(report.congested()));
        values.put("f", bit(report.tracked()));
        values.put("hw_id", (long) report.hwId());
        values.put("version", (long) (report.buffer().get(report.datagramStart()) >> 4 & 0xF));
        return values;
    }

    private static Map<String, @Nullable Object> report05(ReportView report) {
        HopView metadata = report.metadata();
        Map<String, @Nullable Object> values = flags(report);
        boolean drop = metadata.dropReason() != HopView.ABSENT;
        values.put("kind", drop ? "drop" : "local");
        values.put("switch_id", known(report.nodeId()));
        values.put("sequence", report.sequence());
        values.put("ingress_port", known(metadata.ingressInterface()));
        values.put("egress_port", known(metadata.egressInterface()));
        values.put("queue_id", known(drop ? metadata.dropQueueId() : metadata.queueId()));
        values.put("queue_occupancy", known(metadata.queueOccupancy()));
        values.put("drop_reason", known(metadata.dropReason()));
        values.put("ingress_tstamp", known(metadata.ingressTimestamp()));
        values.put("egress_tstamp", known(metadata.egressTimestamp()));
        values.put("hop_latency_ns", metadata.egressTimestamp() - metadata.ingressTimestamp() & 0xFFFF_FFFFL);
        values.put("fixed_header_bytes", 12L);
        values.put("type_header_bytes", (long) (report.innerOffset() - report.start() - 12));
        return values;
    }

    private static Map<String, @Nullable Object> report10(ReportView report) {
        Map<String, @Nullable Object> values = flags(report);
        int first = report.buffer().getInt(report.start());
        values.put("header_bytes", (long) (report.innerOffset() - report.start()));
        values.put("length_words", (long) (first >>> 24 & 0xF));
        values.put("nproto", (long) (report.inner().ordinal() - InnerKind.ETHERNET.ordinal()));
        values.put("switch_id", known(report.nodeId()));
        values.put("sequence", report.sequence());
        values.put("ingress_tstamp", known(report.metadata().ingressTimestamp()));
        values.put("ingress_tstamp_low32", known(report.metadata().ingressTimestamp()));
        return values;
    }

    private static boolean isTransparentSecurity(ReportView report) {
        return report.dialect() == Profile.TRANSPARENT_SECURITY;
    }

    private static Map<String, @Nullable Object> report20(ReportView report) {
        Map<String, @Nullable Object> values = flags(report);
        int first = report.buffer().getInt(report.datagramStart() + GROUP);
        Map<String, @Nullable Object> individual = new HashMap<>(values);
        individual.put("rep_type", (long) IndividualReport.repType(first));
        individual.put("in_type", (long) IndividualReport.inType(first));
        individual.put("report_length_words", (long) IndividualReport.reportLength(first));
        individual.put("md_length_words", (long) IndividualReport.mdLength(first));
        individual.put("i", bit(report.intermediate()));
        individual.put("flags_byte", (long) (first & 0xFF));
        individual.put("domain_id", report.hasDomain() ? (long) report.domainId() : 0L);
        individual.put("rep_md_bits", (long) (report.buffer().getShort(report.datagramStart() + 12) & 0xFFFF));
        values.putAll(individual);
        values.put("individual", individual);
        values.put("header_bytes", (long) (report.innerOffset() - report.datagramStart()));
        values.put("node_id", known(report.nodeId()));
        values.put("sequence_16bit", report.sequence());
        values.put("sequence_22bit", isTransparentSecurity(report) ? report.sequence() << 6 : report.sequence());
        return values;
    }

    // ---- the vectors of CableLabs' own mapper

    private static Map<String, @Nullable Object> wireReading(ReportView report) {
        Map<String, @Nullable Object> values = new HashMap<>(report20(report));
        values.put("sequence_16bit_as_this_emitter_defines_it", report.sequence());
        values.put(
                "flags_dqfi",
                (report.dropped() ? 8L : 0)
                        + (report.congested() ? 4 : 0)
                        + (report.tracked() ? 2 : 0)
                        + (report.intermediate() ? 1 : 0));
        values.put("rep_md_bits", hex16(report.buffer().getShort(report.datagramStart() + 12)));
        values.put("ds_md_bits", hex16(report.domainBits()));
        values.put("ds_md_status", hex16(report.domainStatus()));
        values.put("word20", "0x" + hex(report.buffer(), report.datagramStart() + 20, report.datagramStart() + 24));
        values.put("udp_payload_bytes", (long) (report.datagramEnd() - report.datagramStart()));
        values.put("drop", drop(report));
        PacketView packet = report.packet();
        if (packet.ints() == 0) {
            return values;
        }
        IntHeaderView header = packet.intHeader(0);
        ByteBuffer buffer = packet.buffer();
        int shim = buffer.getInt(header.shimOffset());
        int udp = header.shimOffset() - 8;
        Map<String, @Nullable Object> inner = new HashMap<>();
        inner.put("eth_dst", AddressText.mac(buffer.getLong(packet.ethernetOffset())));
        inner.put("eth_src", AddressText.mac(buffer.getLong(packet.ethernetOffset() + 6)));
        FlowView flow = packet.flow();
        inner.put("ip_version", flow.v6() ? 6L : 4L);
        inner.put("ip_src", AddressText.ip(flow.v6(), flow.sourceHigh(), flow.sourceLow()));
        inner.put("ip_dst", AddressText.ip(flow.v6(), flow.destinationHigh(), flow.destinationLow()));
        inner.put("ip_proto_on_wire", (long) buffer.get(ipOffset(packet) + (flow.v6() ? 6 : 9)));
        inner.put(
                "udp_int",
                Map.of(
                        "sport",
                        outer(packet).sourcePort() + 0L,
                        "dport",
                        outer(packet).destinationPort() + 0L,
                        "len",
                        buffer.getShort(udp + 4) + 0L));
        inner.put(
                "shim",
                Map.of(
                        "type", (long) IntShim.type(shim),
                        "npt", (long) IntShim.npt(shim),
                        "length_words", (long) IntShim.length(shim),
                        "reserved", (long) IntShim.reserved(shim),
                        "next_proto", (long) flow.protocol()));
        Map<String, @Nullable Object> md = intHeader(packet, header);
        md.put("ver", md.get("md_version"));
        md.put("d", bit(header.discard()));
        md.put("e", bit(header.hopLimitExceeded()));
        md.put("m", bit(header.mtuExceeded()));
        inner.put("int_md", md);
        inner.put("path_in_travel_order", nodeIds(header));
        inner.put("stack_words_in_wire_order", nodeIds(header).reversed());
        inner.put("source_only_orig_mac", device(header, buffer));
        values.put("inner", inner);
        return values;
    }

    private static @Nullable Map<String, Object> drop(ReportView report) {
        if (report.dropOffset() < 0) {
            return null;
        }
        ByteBuffer buffer = report.buffer();
        int at = report.dropOffset();
        int text = report.innerEnd() + 8;
        return Map.of(
                "timestamp", Integer.toUnsignedLong(buffer.getInt(at)),
                "drop_count", Integer.toUnsignedLong(buffer.getInt(at + 4)),
                "pad_8_bytes", hex(buffer, at + 8, at + 16),
                "trailing", hex(buffer, text, report.datagramEnd()),
                "trailing_text", text(buffer, text, report.datagramEnd()));
    }

    private static Map<String, @Nullable Object> peerAsserted(ReportView report) {
        Map<String, @Nullable Object> values = new HashMap<>();
        Map<String, @Nullable Object> header = report20(report);
        values.put("trptHdr.Version", header.get("version"));
        values.put("trptHdr.HardwareId", header.get("hw_id"));
        values.put("trptHdr.SequenceId", report.sequence());
        values.put("trptHdr.NodeId", known(report.nodeId()));
        values.put("trptHdr.ReportType", header.get("rep_type"));
        values.put("trptHdr.InType", header.get("in_type"));
        values.put("trptHdr.ReportLength", header.get("report_length_words"));
        values.put("trptHdr.MetadataLength", header.get("md_length_words"));
        values.put("trptHdr.D", header.get("d"));
        values.put("trptHdr.Q", header.get("q"));
        values.put("trptHdr.F", header.get("f"));
        values.put("trptHdr.I", header.get("i"));
        values.put("trptHdr.RepMdBitStr", binary(report.buffer().getShort(report.datagramStart() + 12), 16));
        values.put("trptHdr.DomainId", header.get("domain_id"));
        values.put("trptHdr.DsMdbBitStr", binary(report.domainBits(), 16));
        values.put("trptHdr.DsMdsBitStr", binary(report.domainStatus(), 16));
        values.put("trptHdr.VarOptMd", binary(report.buffer().getInt(report.datagramStart() + 20), 32));
        PacketView packet = report.packet();
        if (report.dropOffset() >= 0) {
            values.put("dropHdr.Timestamp", (long) report.buffer().getInt(report.dropOffset()));
            values.put("dropHdr.DropCount", (long) report.buffer().getInt(report.dropOffset() + 4));
            if (packet.layers() == 0 && packet.ints() == 0) {
                values.put("null_headers", List.of("intEthHdr", "ipHdr", "udpIntHdr", "intHdr"));
            }
        }
        if (packet.ints() == 0) {
            return values;
        }
        ByteBuffer buffer = packet.buffer();
        IntHeaderView md = packet.intHeader(0);
        FlowView flow = packet.flow();
        int ip = ipOffset(packet);
        int shim = buffer.getInt(md.shimOffset());
        values.put("intEthHdr.DstMac", AddressText.mac(buffer.getLong(packet.ethernetOffset())));
        values.put("intEthHdr.SrcMac", AddressText.mac(buffer.getLong(packet.ethernetOffset() + 6)));
        values.put("intEthHdr.Type", (long) (buffer.getShort(packet.ethernetOffset() + 12) & 0xFFFF));
        values.put("ipHdr.Ver", flow.v6() ? 6L : 4L);
        values.put("ipHdr.Len", (long) buffer.getShort(ip + (flow.v6() ? 4 : 2)));
        values.put("ipHdr.NextProto", (long) buffer.get(ip + (flow.v6() ? 6 : 9)));
        values.put("ipHdr.SrcAddr", javaAddress(flow.v6(), flow.sourceHigh(), flow.sourceLow()));
        values.put("ipHdr.DstAddr", javaAddress(flow.v6(), flow.destinationHigh(), flow.destinationLow()));
        values.put("udpIntHdr.UdpIntSrcPort", (long) outer(packet).sourcePort());
        values.put("udpIntHdr.UdpIntDstPort", (long) outer(packet).destinationPort());
        values.put("udpIntHdr.UdpIntLen", (long) buffer.getShort(md.shimOffset() - 4));
        values.put("intHdr.shimHdr.Type", (long) IntShim.type(shim));
        values.put("intHdr.shimHdr.Npt", (long) IntShim.npt(shim));
        values.put("intHdr.shimHdr.NextProto", (long) flow.protocol());
        values.put("intHdr.mdHdr.Version", (long) (buffer.get(md.headerOffset()) >> 4));
        values.put("intHdr.mdHdr.D", bit(md.discard()));
        values.put("intHdr.mdHdr.E", bit(md.hopLimitExceeded()));
        values.put("intHdr.mdHdr.M", bit(md.mtuExceeded()));
        values.put("intHdr.mdHdr.PerHopMdLen", md.hopMl());
        values.put("intHdr.mdHdr.RemainingHopCount", md.remainingHops());
        values.put("intHdr.mdHdr.Instructions", binary(md.instructions(), 16));
        values.put("intHdr.mdHdr.DomainId", md.domainId());
        values.put("intHdr.mdHdr.DsInstructions", binary((int) md.dsInstructions(), 16));
        values.put("intHdr.mdHdr.DsFlags", binary((int) md.dsFlags(), 16));
        values.put("intHdr.mdStackHdr.OrigMac", device(md, buffer));
        values.put("intHdr.mdStackHdr.Hops.size", (long) md.hops());
        values.put("hops_contains", nodeIds(md));
        values.put("protoHdr.SrcPort", (long) flow.sourcePort());
        values.put("protoHdr.DstPort", (long) flow.destinationPort());
        int payload = packet.layerOffset(packet.layers() - 1) + (flow.protocol() == 6 ? 20 : 8);
        values.put("payload_utf8", text(buffer, payload, packet.end()));
        return values;
    }

    /** As {@code InetAddress} prints it: no run of zeros left out. */
    private static String javaAddress(boolean v6, long high, long low) {
        if (!v6) {
            return AddressText.ip(false, high, low);
        }
        List<String> groups = new ArrayList<>();
        for (long half : new long[] {high, low}) {
            for (int shift = 48; shift >= 0; shift -= 16) {
                groups.add(Long.toHexString(half >>> shift & 0xFFFF));
            }
        }
        return String.join(":", groups);
    }

    // ---- packets

    static Map<String, @Nullable Object> of(PacketView packet) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("inner_bytes", (long) (packet.end() - packet.start()));
        if (!packet.flow().known()) {
            values.put("flow_original", null);
            return values;
        }
        int ip = ipOffset(packet);
        boolean v6 = packet.flow().v6();
        ByteBuffer buffer = packet.buffer();
        Map<String, @Nullable Object> flow = flow(packet.flow());
        flow.put("flow_label", (long) (buffer.getInt(ip) & 0xF_FFFF));
        values.put("flow", flow);
        values.put("flow_original", flow);
        long length = buffer.getShort(ip + (v6 ? 4 : 2)) & 0xFFFF;
        values.put("inner_ip_total_length", length);
        values.put("inner_ip_length_field", length);
        values.put("inner_dscp_on_wire", (long) (buffer.getShort(ip) >> (v6 ? 6 : 2) & 0x3F));
        if (packet.ints() > 0) {
            values.putAll(telemetry(packet, packet.intHeader(0)));
        }
        if (packet.ioams() > 0) {
            values.putAll(trace(packet.ioam(0)));
        }
        return values;
    }

    private static Map<String, @Nullable Object> flow(FlowView flow) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("ip_version", flow.v6() ? 6L : 4L);
        values.put("src", AddressText.ip(flow.v6(), flow.sourceHigh(), flow.sourceLow()));
        values.put("dst", AddressText.ip(flow.v6(), flow.destinationHigh(), flow.destinationLow()));
        values.put("proto", (long) flow.protocol());
        values.put("sport", known(flow.sourcePort()));
        values.put("dport", known(flow.destinationPort()));
        return values;
    }

    private static FlowView outer(PacketView packet) {
        FlowView outer = packet.outerFlow();
        return outer == null ? packet.flow() : outer;
    }

    private static int layerOffset(PacketView packet, Layer... any) {
        for (int i = 0; i < packet.layers(); i++) {
            if (List.of(any).contains(packet.layer(i))) {
                return packet.layerOffset(i);
            }
        }
        throw new AssertionError("no such layer");
    }

    private static int ipOffset(PacketView packet) {
        return layerOffset(packet, Layer.IPV4, Layer.IPV6);
    }

    // ---- INT

    private static Map<String, @Nullable Object> telemetry(PacketView packet, IntHeaderView header) {
        Map<String, @Nullable Object> values = new HashMap<>();
        ByteBuffer buffer = packet.buffer();
        values.put("int", intHeader(packet, header));
        values.put("original_dscp", known(header.originalDscp()));
        values.put("orig_mac", device(header, buffer));
        List<Map<String, @Nullable Object>> hops = hops(header);
        values.put("hops_wire_order", hops.reversed());
        values.put("path_travel_order", header.sourceDeviceOffset() >= 0 ? nodeIds(header) : path(hops));
        values.put("stack_wire_order", nodeIds(header).reversed());
        values.put("hop_words", (long) (header.hopBytes() / 4));
        int whole = header.stackOffset() + header.hops() * header.hopBytes();
        values.put("stack_bytes_missing_at_end", (long) Math.max(0, header.end() - packet.end()));
        values.put("partial_last_hop_bytes", header.truncated() ? hex(buffer, whole, packet.end()) : "");
        values.put("bytes_after_int", (long) Math.max(0, packet.end() - header.end()));
        return values;
    }

    private static Map<String, @Nullable Object> intHeader(PacketView packet, IntHeaderView header) {
        Map<String, @Nullable Object> values = new HashMap<>();
        ByteBuffer buffer = packet.buffer();
        int shim = buffer.getInt(header.shimOffset());
        boolean old = IntShim.type(shim) == 0;
        int l4 = layerOffset(packet, Layer.TCP, Layer.UDP);
        int words = old ? IntShim.oldLength(shim) : IntShim.length(shim);
        values.put("shim_type", (long) (old ? IntShim.oldType(shim) : IntShim.type(shim)));
        values.put("npt", old ? null : (long) IntShim.npt(shim));
        values.put("shim_length_words", (long) words);
        values.put("shim_length_words_true", (long) (header.end() - header.headerOffset()) / 4);
        values.put("shim_length_includes_shim", header.end() - header.shimOffset() == 4 * words);
        values.put("original_dscp", known(header.originalDscp()));
        values.put("md_version", (long) (buffer.get(header.headerOffset()) >> 4 & 0xF));
        values.put("hop_ml", known(header.hopMl()));
        values.put("remaining_hop_cnt", known(header.remainingHops()));
        values.put("instruction", hex16(header.instructions()));
        values.put("source_sequence_in_rsvd3", (long) (buffer.getShort(header.headerOffset() + 6) & 0xFFFF));
        values.put("int_starts_bytes_after_l4_start", (long) (header.shimOffset() - l4));
        values.put(
                "tcp_data_offset_words",
                packet.flow().protocol() == 6 ? (long) (buffer.get(l4 + 12) >> 4 & 0xF) : null);
        values.put("udp_int_dport", (long) outer(packet).destinationPort());
        values.put("next_proto", (long) packet.flow().protocol());
        values.put("domain_id", known(header.domainId()));
        values.put("ds_instruction", hex16((int) header.dsInstructions()));
        values.put("ds_flags", hex16((int) header.dsFlags()));
        return values;
    }

    /** In path order; only what is known. */
    private static List<Map<String, @Nullable Object>> hops(IntHeaderView header) {
        List<Map<String, @Nullable Object>> hops = new ArrayList<>();
        HopView hop = new HopView();
        for (int i = 0; i < header.hops(); i++) {
            header.hop(i, hop);
            Map<String, @Nullable Object> values = new HashMap<>();
            putKnown(values, "switch_id", hop.nodeId());
            putKnown(values, "ingress_port", hop.ingressInterface());
            putKnown(values, "egress_port", hop.egressInterface());
            putKnown(values, "hop_latency", hop.hopLatency());
            putKnown(values, "queue_id", hop.queueId());
            putKnown(values, "queue_occupancy", hop.queueOccupancy());
            putKnown(values, "queue_congestion", hop.queueCongestion());
            putKnown(values, "ingress_tstamp", hop.ingressTimestamp());
            putKnown(values, "egress_tstamp", hop.egressTimestamp());
            putKnown(values, "l2_ingress_port", hop.level2IngressInterface());
            putKnown(values, "l2_egress_port", hop.level2EgressInterface());
            putKnown(values, "tx_util", hop.txUtilization());
            putKnown(values, "buffer_id", hop.bufferId());
            putKnown(values, "buffer_occupancy", hop.bufferOccupancy());
            hops.add(values);
        }
        return hops;
    }

    private static List<Map<String, @Nullable Object>> path(List<Map<String, @Nullable Object>> hops) {
        List<Map<String, @Nullable Object>> path = new ArrayList<>();
        for (Map<String, @Nullable Object> hop : hops) {
            Map<String, @Nullable Object> values = new HashMap<>(hop);
            values.keySet().retainAll(List.of("switch_id", "ingress_port", "egress_port"));
            path.add(values);
        }
        return path;
    }

    private static List<Long> nodeIds(IntHeaderView header) {
        List<Long> ids = new ArrayList<>();
        HopView hop = new HopView();
        for (int i = 0; i < header.hops(); i++) {
            header.hop(i, hop);
            ids.add(hop.nodeId());
        }
        return ids;
    }

    private static @Nullable String device(IntHeaderView header, ByteBuffer buffer) {
        int at = header.sourceDeviceOffset();
        return at < 0 ? null : AddressText.mac(buffer.getLong(at));
    }

    // ---- IOAM

    private static Map<String, @Nullable Object> trace(IoamView option) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("namespace", (long) option.namespace());
        values.put("trace_type", "0x%06x".formatted(option.traceType()));
        values.put("node_len_words", (long) option.nodeLen());
        values.put("overflow", bit(option.overflow()));
        values.put("remaining_len_words", (long) option.remainingLen());
        values.put("data_words", (long) (option.end() - option.offset() - 8) / 4);
        List<Map<String, @Nullable Object>> nodes = new ArrayList<>();
        IoamNodeView node = new IoamNodeView();
        for (int i = 0; i < option.nodes(); i++) {
            option.node(i, node);
            Map<String, @Nullable Object> shown = new HashMap<>();
            putKnown(shown, "hop_limit", node.hopLimit());
            putKnown(shown, "node_id", node.nodeId());
            putKnown(shown, "ingress_if", node.ingressInterface());
            putKnown(shown, "egress_if", node.egressInterface());
            putKnown(shown, "ts_seconds", node.timestampSeconds());
            putKnown(shown, "ts_fraction", node.timestampFraction());
            putKnown(shown, "transit_delay", node.transitDelay());
            putKnown(shown, "queue_depth", node.queueDepth());
            nodes.add(shown);
        }
        values.put("nodes_travel_order", nodes);
        values.put("nodes_wire_order", nodes.reversed());
        return values;
    }

    // ---- notation

    private static void putKnown(Map<String, @Nullable Object> values, String name, long value) {
        if (value != HopView.ABSENT) {
            values.put(name, value);
        }
    }

    private static @Nullable Long known(long value) {
        return value == HopView.ABSENT ? null : value;
    }

    private static long bit(boolean set) {
        return set ? 1 : 0;
    }

    private static String hex16(int value) {
        return "0x%04x".formatted(value & 0xFFFF);
    }

    private static String binary(int value, int bits) {
        String all = "0".repeat(32) + Integer.toBinaryString(value);
        return all.substring(all.length() - bits);
    }

    private static String hex(ByteBuffer buffer, int from, int to) {
        return Hex.text(bytes(buffer, from, to));
    }

    private static String text(ByteBuffer buffer, int from, int to) {
        return new String(bytes(buffer, from, to), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer buffer, int from, int to) {
        byte[] bytes = new byte[to - from];
        buffer.get(from, bytes);
        return bytes;
    }
}
