package io.pathlore.wire.json;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.InnerKind;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.ioam.IoamNodeView;
import io.pathlore.wire.ioam.IoamView;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.tr20.IndividualReport;
import io.pathlore.wire.tr20.Tlv;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The stable JSON form of decoded reports, one object per line. A key that is missing was not in the report, or the node
 * said it does not know. Allocates nothing once its buffer has grown.
 */
public final class ReportJson {
    private final JsonBytes json = new JsonBytes();
    private final HopView hop = new HopView();
    private final IoamNodeView node = new IoamNodeView();
    private final Tlv tlv = new Tlv();

    /** Bytes of the object written last, {@link #length} of them, ending with a line feed. */
    public byte[] bytes() {
        return json.bytes();
    }

    public int length() {
        return json.length();
    }

    public void report(Origin origin, ReportView report) {
        json.reset();
        json.element();
        origin(origin);
        header(report);
        if (report.hasMetadata()) {
            metadata(report.metadata());
        }
        if (report.hasDomain()) {
            domain(report);
        }
        if (report.inner() == InnerKind.TLV) {
            tlvs(report);
        } else if (report.inner() == InnerKind.DS_EXTENSION
                && report.dropOffset() < 0
                && report.innerOffset() < report.innerEnd()) {
            json.hex("extension", report.buffer(), report.innerOffset(), report.innerEnd() - report.innerOffset());
        }
        if (report.dropOffset() >= 0) {
            drop(report.buffer(), report.dropOffset());
        }
        packet(report.packet());
        warnings(report.warnings());
        raw(origin);
        json.close();
        json.newLine();
    }

    /** A data packet: the same object without report, metadata and exporter. */
    public void packet(Origin origin, PacketView packet, Warnings warnings) {
        json.reset();
        json.element();
        origin(origin);
        packet(packet);
        warnings(warnings);
        json.close();
        json.newLine();
    }

    /** {@code offset} counts from the start of the datagram; {@code warnings}: what was noticed before the fault. */
    public void rejected(Origin origin, Fault fault, int offset, Warnings warnings) {
        json.reset();
        json.element();
        origin(origin);
        json.text("error", fault.name());
        json.number("offset", offset);
        json.text("detail", fault.meaning());
        warnings(warnings);
        raw(origin);
        json.close();
        json.newLine();
    }

    private void origin(Origin origin) {
        if (origin.frame > 0) {
            json.number("frame", origin.frame);
        }
        if (origin.placed) {
            json.place("id", origin.edge, origin.id, origin.ordinal);
        } else {
            json.unsignedText("id", origin.id);
        }
        if (origin.timeNanos != Origin.UNKNOWN_TIME) {
            json.time("time", origin.timeNanos);
        }
        if (origin.addressed) {
            endpoint("exporter", true, origin.v6, origin.sourceHigh, origin.sourceLow, origin.sourcePort);
            endpoint(
                    "collector",
                    origin.destinationKnown,
                    origin.v6,
                    origin.destinationHigh,
                    origin.destinationLow,
                    origin.destinationPort);
        }
    }

    private void raw(Origin origin) {
        ByteBuffer datagram = origin.raw;
        if (datagram != null) {
            json.hex("raw", datagram, origin.rawOffset, origin.rawEnd - origin.rawOffset);
        }
    }

    private void endpoint(String name, boolean known, boolean v6, long high, long low, int port) {
        json.open(name);
        if (known) {
            json.address("address", v6, high, low);
        }
        json.number("port", port);
        json.close();
    }

    private void header(ReportView report) {
        json.open("report");
        json.text("version", report.version().label());
        if (report.dialect() != Profile.SPEC) {
            json.text("dialect", report.dialect().label());
        }
        json.number("nodeId", report.nodeId());
        json.number("hwId", report.hwId());
        json.number("sequence", report.sequence());
        json.number("index", report.index());
        if (report.version() == ReportVersion.V2_0) {
            json.text("type", typeName(report.type()));
        }
        json.text("inner", report.inner().label());
        if (report.flagsKnown()) {
            json.bool("dropped", report.dropped());
            json.bool("congested", report.congested());
            json.bool("tracked", report.tracked());
            if (report.version() == ReportVersion.V2_0) {
                json.bool("intermediate", report.intermediate());
            }
        }
        json.close();
    }

    private static String typeName(int type) {
        return switch (type) {
            case IndividualReport.TYPE_INT -> "int";
            case IndividualReport.TYPE_IOAM -> "ioam";
            default -> "inner-only";
        };
    }

    private void metadata(HopView metadata) {
        int before = json.length();
        json.open("metadata");
        int empty = json.length();
        hopItems(metadata);
        if (json.length() == empty) {
            json.rewind(before);
        } else {
            json.close();
        }
    }

    /** The items every hop may have, in the order of the instruction bits. */
    private void hopItems(HopView of) {
        json.number("ingressInterface", of.ingressInterface());
        json.number("egressInterface", of.egressInterface());
        json.number("hopLatency", of.hopLatency());
        json.number("queueId", of.queueId());
        json.number("queueOccupancy", of.queueOccupancy());
        json.unsignedText("ingressTimestamp", of.ingressTimestamp());
        json.unsignedText("egressTimestamp", of.egressTimestamp());
        json.number("queueCongestion", of.queueCongestion());
        json.number("l2IngressInterface", of.level2IngressInterface());
        json.number("l2EgressInterface", of.level2EgressInterface());
        json.number("txUtilization", of.txUtilization());
        json.number("bufferId", of.bufferId());
        json.number("bufferOccupancy", of.bufferOccupancy());
        json.number("dropQueueId", of.dropQueueId());
        json.number("dropReason", of.dropReason());
    }

    private void domain(ReportView report) {
        json.open("domain");
        json.number("id", report.domainId());
        json.number("bits", report.domainBits());
        json.number("status", report.domainStatus());
        if (report.domainWords() > 0) {
            json.openArray("words");
            for (int i = 0; i < report.domainWords(); i++) {
                json.wordElement(report.domainWord(i));
            }
            json.closeArray();
        }
        json.close();
    }

    private void tlvs(ReportView report) {
        int at = report.innerOffset();
        if (at == report.innerEnd()) {
            return;
        }
        json.openArray("tlvs");
        while (report.tlv(at, tlv)) {
            json.element();
            switch (tlv.type()) {
                case Tlv.DS_EXTENSION -> {
                    json.text("type", "ds-extension");
                    if (tlv.template() != 0) {
                        json.number("template", tlv.template());
                    }
                    json.hex("data", report.buffer(), tlv.dataOffset(), tlv.dataBytes());
                }
                case Tlv.ETHERNET, Tlv.IPV4, Tlv.IPV6 -> {
                    json.text("type", packetTlv(tlv.type()));
                    json.number("length", tlv.dataBytes());
                }
                default -> {
                    json.text("type", "reserved");
                    json.number("code", tlv.type());
                    json.hex("data", report.buffer(), tlv.dataOffset(), tlv.dataBytes());
                }
            }
            json.close();
            at = tlv.end();
        }
        json.closeArray();
    }

    private static String packetTlv(int type) {
        return switch (type) {
            case Tlv.ETHERNET -> "ethernet";
            case Tlv.IPV4 -> "ipv4";
            default -> "ipv6";
        };
    }

    private void drop(ByteBuffer buffer, int at) {
        json.open("drop");
        json.number("timestamp", Integer.toUnsignedLong(buffer.getInt(at)));
        json.number("count", Integer.toUnsignedLong(buffer.getInt(at + 4)));
        json.hex("key", buffer, at + 8, 16);
        json.close();
    }

    private void packet(PacketView packet) {
        FlowView flow = packet.flow();
        if (flow.known()) {
            flow("flow", flow);
            FlowView outer = packet.outerFlow();
            if (outer != null) {
                flow("outerFlow", outer);
            }
        }
        if (packet.ethernetOffset() >= 0) {
            ethernet(packet);
        }
        if (packet.layers() > 0) {
            json.openArray("layers");
            for (int i = 0; i < packet.layers(); i++) {
                json.textElement(packet.layer(i).label());
            }
            json.closeArray();
        }
        cutAt(packet.cutAt());
        if (packet.ints() > 0) {
            json.openArray("int");
            for (int i = 0; i < packet.ints(); i++) {
                intHeader(packet.intHeader(i), packet.buffer());
            }
            json.closeArray();
        }
        if (packet.ioams() > 0) {
            json.openArray("ioam");
            for (int i = 0; i < packet.ioams(); i++) {
                ioam(packet.ioam(i));
            }
            json.closeArray();
        }
    }

    private void cutAt(@Nullable Layer layer) {
        if (layer != null) {
            json.text("cutAt", layer.label());
        }
    }

    private void flow(String name, FlowView flow) {
        json.open(name);
        json.address("source", flow.v6(), flow.sourceHigh(), flow.sourceLow());
        json.address("destination", flow.v6(), flow.destinationHigh(), flow.destinationLow());
        json.number("protocol", flow.protocol());
        json.number("sourcePort", flow.sourcePort());
        json.number("destinationPort", flow.destinationPort());
        json.number("icmpType", flow.icmpType());
        json.number("icmpCode", flow.icmpCode());
        json.number("vni", flow.vni());
        json.close();
    }

    private void ethernet(PacketView packet) {
        ByteBuffer buffer = packet.buffer();
        int at = packet.ethernetOffset();
        json.open("ethernet");
        json.mac("source", buffer.getLong(at + 6));
        json.mac("destination", buffer.getLong(at));
        if (packet.vlans() > 0) {
            json.openArray("vlans");
            for (int i = 0; i < packet.vlans(); i++) {
                json.numberElement(packet.vlan(i));
            }
            json.closeArray();
        }
        json.close();
    }

    private void intHeader(IntHeaderView header, ByteBuffer buffer) {
        json.element();
        json.text("version", header.version().label());
        json.text("type", intType(header.type()));
        json.text("encapsulation", header.encapsulation().label());
        if (header.opaque()) {
            json.close();
            return;
        }
        boolean mx = header.type() == IntShim.TYPE_MX;
        boolean v2 = header.version() == IntVersion.V2;
        json.number("instructions", header.instructions());
        json.number("hopMl", header.hopMl());
        json.number("remainingHops", header.remainingHops());
        json.number("maxHops", header.maxHops());
        json.number("totalHops", header.totalHops());
        if (v2) {
            json.bool("discard", header.discard());
        } else {
            json.bool("replica", header.replica());
        }
        if (!mx) {
            json.bool("hopLimitExceeded", header.hopLimitExceeded());
            if (v2 || header.version() == IntVersion.V1_0) {
                json.bool("mtuExceeded", header.mtuExceeded());
            }
        }
        json.number("domainId", header.domainId());
        json.number("dsInstructions", header.dsInstructions());
        json.number("dsFlags", header.dsFlags());
        json.number("originalDscp", header.originalDscp());
        hops(header, buffer);
        if (header.insertedWords() > 0) {
            json.openArray("domain");
            for (int i = 0; i < header.insertedWords(); i++) {
                json.wordElement(header.insertedWord(i));
            }
            json.closeArray();
        }
        int device = header.sourceDeviceOffset();
        if (device >= 0 && buffer.getLong(device) != -1) {
            json.mac("sourceDevice", buffer.getLong(device));
        }
        json.bool("truncated", header.truncated());
        json.close();
    }

    private static String intType(int type) {
        return switch (type) {
            case IntShim.TYPE_MX -> "mx";
            case IntShim.TYPE_DESTINATION -> "destination";
            default -> "md";
        };
    }

    private void hops(IntHeaderView header, ByteBuffer buffer) {
        if (header.type() == IntShim.TYPE_MX) {
            return;
        }
        json.openArray("hops");
        if (header.rawWords() > 0) {
            json.element();
            json.openArray("raw");
            for (int i = 0; i < header.rawWords(); i++) {
                json.wordElement(buffer.getInt(header.rawOffset() + 4 * i));
            }
            json.closeArray();
            json.close();
        }
        int device = header.sourceDeviceOffset() < 0 ? -1 : header.deviceWordIndex();
        for (int i = 0; i < header.hops(); i++) {
            header.hop(i, hop);
            json.element();
            json.number("nodeId", hop.nodeId());
            hopItems(hop);
            json.number("checksumComplement", hop.checksumComplement());
            hopDomain(i == 0 ? device : -1);
            json.close();
        }
        json.closeArray();
    }

    /** Domain words of the hop; the device id of the source is shown by its name instead. */
    private void hopDomain(int device) {
        int words = hop.domainWords();
        if (words == 0 || device == 0 && words == 2) {
            return;
        }
        json.openArray("domain");
        for (int i = 0; i < words; i++) {
            if (device < 0 || i < device || i > device + 1) {
                json.wordElement(hop.domainWord(i));
            }
        }
        json.closeArray();
    }

    private void ioam(IoamView option) {
        json.element();
        json.text("type", ioamType(option.type()));
        json.number("namespace", option.namespace());
        switch (option.type()) {
            case IoamView.PREALLOCATED_TRACE, IoamView.INCREMENTAL_TRACE -> trace(option);
            case IoamView.EDGE_TO_EDGE -> edgeToEdge(option);
            case IoamView.DIRECT_EXPORT -> directExport(option);
            default -> {
                json.number("potType", option.potType());
                json.number("potFlags", option.potFlags());
                json.hex("data", option.buffer(), option.offset() + 4, option.potDataBytes());
            }
        }
        json.close();
    }

    private static String ioamType(int type) {
        return switch (type) {
            case IoamView.PREALLOCATED_TRACE -> "preallocated-trace";
            case IoamView.INCREMENTAL_TRACE -> "incremental-trace";
            case IoamView.EDGE_TO_EDGE -> "e2e";
            case IoamView.DIRECT_EXPORT -> "dex";
            default -> "pot";
        };
    }

    private void trace(IoamView option) {
        json.number("traceType", option.traceType());
        json.number("nodeLen", option.nodeLen());
        json.number("remainingLen", option.remainingLen());
        json.bool("overflow", option.overflow());
        json.bool("loopback", option.loopback());
        json.bool("active", option.active());
        json.openArray("hops");
        for (int i = 0; i < option.nodes(); i++) {
            option.node(i, node);
            json.element();
            json.number("hopLimit", node.hopLimit());
            json.number("nodeId", node.nodeId());
            json.number("ingressInterface", node.ingressInterface());
            json.number("egressInterface", node.egressInterface());
            json.number("timestampSeconds", node.timestampSeconds());
            json.number("timestampFraction", node.timestampFraction());
            json.number("transitDelay", node.transitDelay());
            json.number("namespaceData", node.namespaceData());
            json.number("queueDepth", node.queueDepth());
            json.number("checksumComplement", node.checksumComplement());
            json.unsignedText("nodeIdWide", node.nodeIdWide());
            json.number("ingressInterfaceWide", node.ingressInterfaceWide());
            json.number("egressInterfaceWide", node.egressInterfaceWide());
            if (node.hasNamespaceDataWide()) {
                json.unsignedText("namespaceDataWide", node.namespaceDataWide());
            }
            json.number("bufferOccupancy", node.bufferOccupancy());
            if (node.hasSnapshot()) {
                json.open("snapshot");
                json.number("schema", node.snapshotSchema());
                json.hex("data", option.buffer(), node.snapshotOffset() + 4, node.snapshotBytes());
                json.close();
            }
            json.close();
        }
        json.closeArray();
        if (option.truncated()) {
            json.bool("truncated", true);
        }
    }

    private void edgeToEdge(IoamView option) {
        ByteBuffer buffer = option.buffer();
        int wide = option.e2eItem(0);
        if (wide >= 0) {
            json.unsignedText("sequence", buffer.getLong(wide));
        }
        wordAt("sequence", buffer, option.e2eItem(1));
        wordAt("timestampSeconds", buffer, option.e2eItem(2));
        wordAt("timestampFraction", buffer, option.e2eItem(3));
    }

    private void directExport(IoamView option) {
        json.number("flags", option.dexFlags());
        json.number("extensionFlags", option.extensionFlags());
        json.number("traceType", option.traceType());
        wordAt("flowId", option.buffer(), option.dexItem(0));
        wordAt("sequence", option.buffer(), option.dexItem(1));
    }

    private void wordAt(String name, ByteBuffer buffer, int at) {
        if (at >= 0 && buffer.getInt(at) != -1) {
            json.number(name, Integer.toUnsignedLong(buffer.getInt(at)));
        }
    }

    private void warnings(Warnings warnings) {
        if (warnings.count() == 0) {
            return;
        }
        json.openArray("warnings");
        for (int i = 0; i < warnings.count(); i++) {
            json.textElement(warnings.name(i));
        }
        json.closeArray();
    }
}
