package io.pathlore.wire.net;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntParser;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.ioam.IoamView;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the headers of one packet, outermost first, and finds its flow and its telemetry. Packets in reports are cut
 * anywhere and come from strangers: every read is preceded by a bounds check, nesting has limits, and a fault ends the walk
 * with what was found before it.
 *
 * <p>Hot path: no allocation; owned by one thread. Each step handles one header and names the next.
 */
public final class PacketWalker {
    /** What the first byte belongs to. */
    public enum Start {
        ETHERNET,
        IPV4,
        IPV6,
        GENEVE,
        VXLAN_GPE
    }

    private static final int STOP = 0;
    private static final int ETHERNET = 1;
    private static final int IPV4 = 2;
    private static final int IPV6 = 3;
    private static final int TRANSPORT = 4;
    private static final int MPLS = 5;
    private static final int PPPOE = 6;
    private static final int NSH = 7;
    private static final int VXLAN = 8;
    private static final int GPE = 9;
    private static final int GENEVE = 10;
    private static final int GTP_U = 11;
    private static final int GRE = 12;

    private static final int MAX_DEPTH = 8;
    private static final int MAX_IP_HEADERS = 4;
    private static final int MAX_EXTENSIONS = 8;
    private static final int MAX_TAGS = 4;
    private static final int MAX_LABELS = 16;

    private static final int PORT_INT_TRANSPARENT_SECURITY = 555;
    private static final int SHIM_MD_NPT_2 = 0x18;

    private static final byte GPE_NEW = 1;
    private static final byte GPE_OLD = 2;
    private static final byte GPE_JUNE_2016 = 3;

    private final boolean strict;
    private final boolean outerFlowKey;
    private final int[] intPorts;
    private final boolean[] dscpMarks = new boolean[64];
    private final @Nullable Long probeMarker;
    private final int[] geneveClasses;
    private final byte[] gpeStyles = new byte[256];
    private final int greEtherType;
    private final boolean beforeTcpOptions;
    private final boolean june2016;
    private final Warnings warnings;
    private final IntParser intParser;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private PacketView view = new PacketView();
    private boolean searchMarks;
    private boolean searchWithoutMark;
    private boolean transparentSecurity;
    private int present;
    private int declared;
    private int limit;
    private int at;
    private int protocol;
    private int dscp;
    private int vni;
    private int depth;
    private int ipHeaders;
    private int extensions;
    private boolean intFoundHere;
    private boolean destinationSeen;

    public PacketWalker(DecodeOptions options, Warnings warnings) {
        this.strict = options.strict();
        this.outerFlowKey = options.outerFlowKey();
        this.warnings = warnings;
        this.intParser = new IntParser(options, warnings);
        DecodeOptions.IntMarks marks = options.marks();
        intPorts = toArray(marks.udpPorts());
        geneveClasses = toArray(marks.geneveClasses());
        for (DecodeOptions.Dscp mark : marks.dscp()) {
            for (int value = 0; value < dscpMarks.length; value++) {
                dscpMarks[value] |= (value & mark.mask()) == mark.value();
            }
        }
        probeMarker = marks.probeMarker();
        greEtherType = marks.greEtherType();
        beforeTcpOptions = marks.beforeTcpOptions();
        june2016 = marks.june2016();
        if (june2016) {
            gpeStyles[DecodeOptions.IntMarks.GPE_JUNE_2016] = GPE_JUNE_2016;
        }
        marks.gpeOld().forEach(value -> gpeStyles[value] = gpeStyles[value] == 0 ? GPE_OLD : gpeStyles[value]);
        marks.gpeNew().forEach(value -> gpeStyles[value] = GPE_NEW);
    }

    private static int[] toArray(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Walks the packet in {@code [from, end)}.
     *
     * @param mayEmbed the report's F bit: without it strict decoding does not look for telemetry, lenient only at marks
     * @param profile what is pinned for the exporter
     * @param transparentSecurity the report was recognised as one of that profile
     */
    public void walk(
            ByteBuffer buffer,
            int from,
            int end,
            Start start,
            boolean mayEmbed,
            Profile profile,
            boolean transparentSecurity,
            PacketView into) {
        this.buffer = buffer;
        this.view = into;
        this.transparentSecurity = transparentSecurity;
        searchMarks = mayEmbed || !strict;
        searchWithoutMark = mayEmbed && !strict;
        present = end;
        declared = end;
        limit = end;
        at = from;
        vni = FlowView.ABSENT;
        depth = 0;
        ipHeaders = 0;
        destinationSeen = false;
        intFoundHere = false;
        dscp = 0;
        into.clear();
        into.buffer = buffer;
        into.start = from;
        into.end = end;
        intParser.begin(buffer, profile, transparentSecurity);
        int step = switch (start) {
            case ETHERNET -> ETHERNET;
            case IPV4 -> IPV4;
            case IPV6 -> IPV6;
            case GENEVE -> GENEVE;
            case VXLAN_GPE -> GPE;
        };
        while (step != STOP) {
            step = switch (step) {
                case ETHERNET -> ethernet();
                case IPV4 -> ipv4();
                case IPV6 -> ipv6();
                case TRANSPORT -> transport();
                default -> rareLayer(step);
            };
        }
        if (outerFlowKey) {
            into.flow = into.outer;
        }
    }

    /** Whether a packet of this kind could start here; how candidate layouts of a report are told apart. */
    public static boolean isPlausible(ByteBuffer buffer, int from, int end, Start start) {
        return switch (start) {
            case ETHERNET -> isPlausibleEthernet(buffer, from, end);
            case IPV4 -> isPlausibleIpv4(buffer, from, end);
            case IPV6 -> end - from >= 1 && (buffer.get(from) >> 4 & 0xF) == 6;
            case GENEVE, VXLAN_GPE -> end - from >= 8;
        };
    }

    private static boolean isPlausibleEthernet(ByteBuffer buffer, int from, int end) {
        if (end - from < 14) {
            return false;
        }
        int type = buffer.getShort(from + 12) & 0xFFFF;
        if (type == EtherType.IPV4) {
            return end - from == 14 || isPlausibleIpv4(buffer, from + 14, end);
        }
        if (type == EtherType.IPV6) {
            return end - from == 14 || (buffer.get(from + 14) >> 4 & 0xF) == 6;
        }
        return EtherType.isPlausible(type);
    }

    private static boolean isPlausibleIpv4(ByteBuffer buffer, int from, int end) {
        return end - from >= 1 && buffer.get(from) >= 0x45 && buffer.get(from) <= 0x4F;
    }

    private int rareLayer(int step) {
        return switch (step) {
            case MPLS -> mpls();
            case PPPOE -> pppoe();
            case NSH -> nsh();
            case VXLAN -> vxlan();
            case GPE -> vxlanGpe();
            case GENEVE -> geneve();
            case GTP_U -> gtpU();
            case GRE -> gre();
            default -> STOP;
        };
    }

    private int u8(int offset) {
        return buffer.get(offset) & 0xFF;
    }

    private int u16(int offset) {
        return buffer.getShort(offset) & 0xFFFF;
    }

    private int fault(Fault fault, int offset) {
        warnings.add(fault, offset);
        return STOP;
    }

    private int cut(Layer layer) {
        if (view.cutAt == null) {
            view.cutAt = layer;
        }
        return STOP;
    }

    /** True when one more nested header is too many. */
    private boolean tooDeep() {
        if (++depth > MAX_DEPTH) {
            warnings.add(Fault.PKT_DEPTH_EXCEEDED, at);
            return true;
        }
        return false;
    }

    // ---- layer 2

    private int ethernet() {
        if (limit - at < 14) {
            cut(Layer.ETHERNET);
            return fault(Fault.PKT_TRUNCATED_L2, at);
        }
        boolean first = view.ethernetAt < 0;
        if (first) {
            view.ethernetAt = at;
        }
        view.add(Layer.ETHERNET, at);
        int etherType = u16(at + 12);
        at += 14;
        if (etherType == EtherType.IPV4) {
            return IPV4;
        }
        return behindEthernet(etherType, first);
    }

    private int behindEthernet(int firstType, boolean recordVlans) {
        int etherType = firstType;
        for (int tags = 0; EtherType.isVlan(etherType); tags++) {
            if (tooDeep()) {
                return STOP;
            }
            if (tags == MAX_TAGS) {
                return fault(Fault.PKT_TOO_MANY_TAGS, at);
            }
            if (limit - at < 4) {
                return cut(Layer.VLAN);
            }
            view.add(Layer.VLAN, at);
            if (recordVlans) {
                view.addVlan(u16(at) & 0xFFF);
            }
            etherType = u16(at + 2);
            at += 4;
        }
        if (etherType < EtherType.FIRST && limit - at >= 8 && isSnap()) {
            etherType = u16(at + 6);
            at += 8;
        }
        return etherType(etherType);
    }

    private boolean isSnap() {
        return u16(at) == 0xAAAA && buffer.getInt(at + 2) == 0x0300_0000;
    }

    private int etherType(int etherType) {
        return switch (etherType) {
            case EtherType.IPV4 -> IPV4;
            case EtherType.IPV6 -> IPV6;
            case EtherType.MPLS, EtherType.MPLS_MULTICAST -> MPLS;
            case EtherType.PPPOE_SESSION -> PPPOE;
            case EtherType.NSH -> NSH;
            case EtherType.ARP -> arp();
            default -> STOP;
        };
    }

    private int arp() {
        if (limit - at < 8) {
            return cut(Layer.ARP);
        }
        view.add(Layer.ARP, at);
        return STOP;
    }

    private int mpls() {
        if (tooDeep()) {
            return STOP;
        }
        for (int labels = 0; labels < MAX_LABELS; labels++) {
            if (limit - at < 4) {
                return cut(Layer.MPLS);
            }
            if (labels == 0) {
                view.add(Layer.MPLS, at);
            }
            boolean bottom = (buffer.get(at + 2) & 1) != 0;
            at += 4;
            if (bottom) {
                return behindMpls();
            }
        }
        return fault(Fault.PKT_MPLS_NO_BOS, at);
    }

    /** Nothing says what follows the last label; the first nibble decides, as routers do [RFC 4928]. */
    private int behindMpls() {
        if (limit <= at) {
            return STOP;
        }
        int nibble = u8(at) >> 4;
        if (nibble == 4) {
            return IPV4;
        }
        if (nibble == 6) {
            return IPV6;
        }
        if (nibble == 0) {
            at += 4; // pseudowire control word
        }
        return ETHERNET;
    }

    private int pppoe() {
        if (tooDeep()) {
            return STOP;
        }
        if (limit - at < 8) {
            return cut(Layer.PPPOE);
        }
        view.add(Layer.PPPOE, at);
        int ppp = u16(at + 6);
        at += 8;
        return ppp == 0x0021 ? IPV4 : ppp == 0x0057 ? IPV6 : STOP;
    }

    // ---- layer 3

    /** False when this IP header is one too many. The first one is what the packet is, not nesting. */
    private boolean enterIp() {
        if (ipHeaders > 0 && tooDeep()) {
            return false;
        }
        if (++ipHeaders > MAX_IP_HEADERS) {
            warnings.add(Fault.PKT_DEPTH_EXCEEDED, at);
            return false;
        }
        extensions = 0;
        intFoundHere = false;
        return true;
    }

    private FlowView nextFlow() {
        FlowView flow = ipHeaders == 1 ? view.outer : view.inner;
        view.flow = flow;
        return flow;
    }

    private int ipv4() {
        if (!enterIp()) {
            return STOP;
        }
        int ip = at;
        int left = limit - ip;
        if (left < 20) {
            return shortIp(Layer.IPV4, 4);
        }
        long first = buffer.getLong(ip);
        int versionAndLength = (int) (first >>> 56);
        if (versionAndLength >> 4 != 4) {
            return fault(Fault.PKT_IP_VERSION_MISMATCH, ip);
        }
        int headerBytes = (versionAndLength & 0xF) << 2;
        if (headerBytes < 20) {
            return fault(Fault.PKT_BAD_IHL, ip);
        }
        protocol = u8(ip + 9);
        nextFlow().ipv4(buffer.getLong(ip + 12), protocol, vni);
        view.add(Layer.IPV4, ip);
        if (left < headerBytes) {
            cut(Layer.IPV4);
            return fault(Fault.PKT_TRUNCATED_L3, ip);
        }
        dscp = (int) (first >>> 50) & 0x3F;
        int total = (int) (first >>> 32) & 0xFFFF;
        bound(total == 0 ? present : ip + total);
        at = ip + headerBytes;
        // A later fragment has no L4 header, and what looks like one is payload.
        return ((int) first & 0x1FFF) != 0 ? STOP : TRANSPORT;
    }

    /** Fewer bytes than the fixed header: the first byte may still show that it is not what was announced. */
    private int shortIp(Layer layer, int version) {
        if (limit > at) {
            int first = u8(at);
            if (first >> 4 != version) {
                return fault(Fault.PKT_IP_VERSION_MISMATCH, at);
            }
            if (version == 4 && (first & 0xF) < 5) {
                return fault(Fault.PKT_BAD_IHL, at);
            }
        }
        cut(layer);
        return fault(Fault.PKT_TRUNCATED_L3, at);
    }

    /** Lenient decoding believes the later of the declared end and the last byte: lengths of cut packets lie. */
    private void bound(int end) {
        declared = strict ? end : Math.max(end, present);
        limit = Math.min(declared, present);
    }

    private int ipv6() {
        if (!enterIp()) {
            return STOP;
        }
        int ip = at;
        if (limit - ip < 40) {
            return shortIp(Layer.IPV6, 6);
        }
        long first = buffer.getLong(ip);
        if (first >>> 60 != 6) {
            return fault(Fault.PKT_IP_VERSION_MISMATCH, ip);
        }
        protocol = (int) (first >>> 8) & 0xFF;
        nextFlow()
                .ipv6(
                        buffer.getLong(ip + 8),
                        buffer.getLong(ip + 16),
                        buffer.getLong(ip + 24),
                        buffer.getLong(ip + 32),
                        protocol,
                        vni);
        view.add(Layer.IPV6, ip);
        dscp = (int) (first >>> 54) & 0x3F;
        int payload = (int) (first >>> 16) & 0xFFFF;
        bound(payload == 0 ? present : ip + 40 + payload);
        at = ip + 40;
        return TRANSPORT;
    }

    /** These numbers mean an extension header behind IPv6 only. */
    private int ipv6Extension(Layer layer) {
        return view.flow.v6 ? extension(layer) : STOP;
    }

    /** Returns TRANSPORT with the next header in {@link #protocol}, or STOP. */
    private int extension(Layer layer) {
        if (++extensions > MAX_EXTENSIONS) {
            return fault(Fault.PKT_DEPTH_EXCEEDED, at);
        }
        int header = at;
        if (header + 8 > declared) {
            return fault(Fault.PKT_IPV6_EXT_OVERRUN, header);
        }
        if (limit - header < 2) {
            return cut(layer);
        }
        int bytes = length(layer, u8(header + 1));
        int end = header + bytes;
        if (end > declared) {
            return fault(Fault.PKT_IPV6_EXT_OVERRUN, header + 1);
        }
        boolean complete = end <= limit;
        if (complete || limit - header >= 8) {
            view.add(layer, header);
        }
        if ((layer == Layer.HOP_BY_HOP || layer == Layer.DESTINATION_OPTIONS) && !options(header + 2, end)) {
            return STOP;
        }
        if (!complete) {
            return cut(layer);
        }
        int next = u8(header);
        view.flow.protocol = next;
        protocol = next;
        at = end;
        // Only the first fragment has what follows.
        return layer == Layer.FRAGMENT && (u16(header + 2) & 0xFFF8) != 0 ? STOP : TRANSPORT;
    }

    private static int length(Layer layer, int field) {
        return switch (layer) {
            case FRAGMENT -> 8;
            case AH -> (field + 2) * 4;
            default -> (field + 1) * 8;
        };
    }

    /** IPv6 options up to {@code end}, which may lie beyond the bytes present. False when the walk must end. */
    private boolean options(int from, int end) {
        int option = from;
        int readable = Math.min(end, limit);
        while (option < readable) {
            int type = u8(option);
            if (type == 0) { // Pad1 has no length
                option++;
                continue;
            }
            if (option + 2 > end) {
                warnings.add(Fault.PKT_IPV6_OPTION_OVERRUN, option);
                return false;
            }
            if (option + 2 > readable) {
                return true;
            }
            int next = option + 2 + u8(option + 1);
            if (next > end) {
                warnings.add(Fault.PKT_IPV6_OPTION_OVERRUN, option);
                return false;
            }
            if (type == 0x31 || type == 0x11) {
                ioamOption(option, next);
            }
            option = next;
        }
        return true;
    }

    private void ioamOption(int option, int end) {
        if (end - option < 4) {
            warnings.add(Fault.IOAM_OPTION_TRUNCATED, option);
            return;
        }
        if (limit - option < 4) {
            return;
        }
        ioam(u8(option + 3), option + 4, end);
    }

    private void ioam(int type, int body, int end) {
        if (view.ioamCount == PacketView.MAX_IOAM_OPTIONS) {
            return;
        }
        IoamView option = view.nextIoam();
        Fault fault = option.wrap(buffer, type, body, end, limit);
        if (fault != Fault.NONE) {
            warnings.add(fault, body);
        } else if (option.usable()) {
            view.ioamCount++;
        }
    }

    // ---- layer 4

    private int transport() {
        return switch (protocol) {
            case 6 -> tcp();
            case 17 -> udp();
            case 0 -> ipv6Extension(Layer.HOP_BY_HOP);
            case 43 -> ipv6Extension(Layer.ROUTING);
            case 44 -> ipv6Extension(Layer.FRAGMENT);
            case 60 -> ipv6Extension(Layer.DESTINATION_OPTIONS);
            case 135 -> ipv6Extension(Layer.MOBILITY);
            case 139 -> ipv6Extension(Layer.HIP);
            case 140 -> ipv6Extension(Layer.SHIM6);
            case 51 -> extension(Layer.AH);
            case 1 -> icmp(Layer.ICMP);
            case 58 -> icmp(Layer.ICMPV6);
            case 4 -> IPV4;
            case 41 -> IPV6;
            case 47 -> GRE;
            case 50 -> lastLayer(Layer.ESP, false);
            case 2 -> lastLayer(Layer.IGMP, false);
            case 136 -> lastLayer(Layer.UDP_LITE, true);
            case 33 -> lastLayer(Layer.DCCP, true);
            case 132 -> lastLayer(Layer.SCTP, true);
            default -> STOP;
        };
    }

    private int lastLayer(Layer layer, boolean ports) {
        if (limit - at < 4) {
            cut(layer);
            return fault(Fault.PKT_TRUNCATED_L4, at);
        }
        view.add(layer, at);
        if (ports) {
            ports();
        }
        return STOP;
    }

    private void ports() {
        int both = buffer.getInt(at);
        view.flow.sourcePort = both >>> 16;
        view.flow.destinationPort = both & 0xFFFF;
    }

    private int icmp(Layer layer) {
        if (limit - at < 4) {
            cut(layer);
            return fault(Fault.PKT_TRUNCATED_L4, at);
        }
        int type = u8(at);
        view.flow.icmpType = type;
        view.flow.icmpCode = u8(at + 1);
        view.add(layer, at);
        boolean echo = layer == Layer.ICMP && (type == 0 || type == 8);
        if (echo && !strict && !intFoundHere && dscpMarks[dscp] && limit - at >= 8) {
            weakInt(at + 8, at + 8, Encapsulation.ICMP, IntParser.Mark.DSCP);
        }
        return STOP;
    }

    private int tcp() {
        int tcp = at;
        int left = limit - tcp;
        if (left < 4) {
            cut(Layer.TCP);
            return fault(Fault.PKT_TRUNCATED_L4, tcp);
        }
        if (transparentSecurity && isRestoredProtocol(tcp)) {
            warnings.add(Quirk.A_30, tcp);
            protocol = 17;
            view.flow.protocol = protocol;
            return udp();
        }
        ports();
        if (left < 13) {
            view.add(Layer.TCP, tcp);
            return cut(Layer.TCP);
        }
        int headerBytes = (buffer.get(tcp + 12) >> 4 & 0xF) << 2;
        if (headerBytes < 20) {
            return fault(Fault.PKT_BAD_TCP_OFFSET, tcp + 12);
        }
        view.add(Layer.TCP, tcp);
        if (left < 20) {
            return cut(Layer.TCP);
        }
        if (searchMarks && !intFoundHere) {
            int behind = tcp + headerBytes;
            int before = tcp + 20;
            if (beforeTcpOptions) {
                l4Int(before, behind, Encapsulation.TCP);
            } else if (left >= headerBytes || !strict) {
                l4Int(behind, before, Encapsulation.TCP);
            }
        }
        return left < headerBytes && view.cutAt == null ? cut(Layer.TCP) : STOP;
    }

    /** Transparent Security's sink restores the IP protocol before it copies the packet, the UDP header is still there. */
    private boolean isRestoredProtocol(int l4) {
        return limit - l4 >= 9 && u16(l4 + 2) == PORT_INT_TRANSPARENT_SECURITY && u8(l4 + 8) == SHIM_MD_NPT_2;
    }

    private int udp() {
        int udp = at;
        int left = limit - udp;
        if (left < 4) {
            cut(Layer.UDP);
            return fault(Fault.PKT_TRUNCATED_L4, udp);
        }
        ports();
        view.add(Layer.UDP, udp);
        if (left < 8) {
            return cut(Layer.UDP);
        }
        at = udp + 8;
        if (searchMarks && !intFoundHere) {
            int step = l4Int(at, at, Encapsulation.UDP);
            if (step != NOT_FOUND) {
                return step;
            }
        }
        return udpPayload(view.flow.destinationPort);
    }

    private int udpPayload(int port) {
        return switch (port) {
            case 4789, 8472 -> VXLAN;
            case 4790 -> GPE;
            case 6081 -> GENEVE;
            case 2152 -> GTP_U;
            case 6635 -> MPLS;
            default -> STOP;
        };
    }

    // ---- INT over layer 4

    private static final int NOT_FOUND = -1;

    /** NOT_FOUND when the packet goes on as an ordinary one, else the next step. */
    private int l4Int(int position, int other, Encapsulation carrier) {
        if (carrier == Encapsulation.UDP && isIntPort(view.flow.destinationPort)) {
            return strongInt(position, carrier, IntParser.Mark.UDP_PORT);
        }
        if (probeMarker != null && limit - position >= 8 && buffer.getLong(position) == probeMarker) {
            return strongInt(position + 8, carrier, IntParser.Mark.PROBE);
        }
        if (dscpMarks[dscp]) {
            if (strict) {
                return strongInt(position, carrier, IntParser.Mark.DSCP);
            }
            int step = weakInt(position, other, carrier, IntParser.Mark.DSCP);
            if (step != NOT_FOUND) {
                return step;
            }
        }
        return searchWithoutMark ? weakInt(position, other, carrier, IntParser.Mark.NONE) : NOT_FOUND;
    }

    private boolean isIntPort(int port) {
        for (int intPort : intPorts) {
            if (intPort == port) {
                return true;
            }
        }
        return transparentSecurity && port == PORT_INT_TRANSPARENT_SECURITY;
    }

    private int strongInt(int position, Encapsulation carrier, IntParser.Mark mark) {
        if (view.intCount == PacketView.MAX_INT_HEADERS) {
            return fault(Fault.INT_CHAIN_TOO_LONG, position);
        }
        IntHeaderView header = view.nextInt();
        int noticed = warnings.count();
        intParser.bounds(declared, present);
        Fault fault = intParser.overL4(position, mark, carrier, protocol, header);
        if (fault == Fault.NONE) {
            return behindL4Int(header);
        }
        warnings.rewind(noticed);
        warnings.add(fault, position);
        if (fault == Fault.INT_FALSE_POSITIVE) {
            return NOT_FOUND;
        }
        if (intParser.missingByCut()) {
            cut(Layer.INT);
        }
        return STOP;
    }

    /** A mark that ordinary packets have too, or none at all: what does not verify is not INT. */
    private int weakInt(int position, int other, Encapsulation carrier, IntParser.Mark mark) {
        if (view.intCount == PacketView.MAX_INT_HEADERS) {
            return NOT_FOUND;
        }
        IntHeaderView header = view.nextInt();
        int noticed = warnings.count();
        intParser.bounds(declared, present);
        Fault fault = intParser.overL4(position, mark, carrier, protocol, header);
        if (fault == Fault.NONE) {
            return behindL4Int(header);
        }
        warnings.rewind(noticed);
        Fault otherFault = Fault.NONE;
        if (other != position) {
            otherFault = intParser.overL4(other, mark, carrier, protocol, header);
            if (otherFault == Fault.NONE) {
                warnings.add(Quirk.A_56, other);
                return behindL4Int(header);
            }
            warnings.rewind(noticed);
        }
        if (mark == IntParser.Mark.NONE) {
            return NOT_FOUND;
        }
        if (intParser.missingByCut()) {
            Fault missing = isMissing(fault) ? fault : isMissing(otherFault) ? otherFault : Fault.NONE;
            if (missing != Fault.NONE) {
                cut(Layer.INT);
                return fault(missing, isMissing(fault) ? position : other);
            }
        }
        warnings.add(Fault.INT_FALSE_POSITIVE, position);
        return NOT_FOUND;
    }

    private static boolean isMissing(Fault fault) {
        return fault == Fault.INT_SHIM_TRUNCATED || fault == Fault.INT_HEADER_TRUNCATED;
    }

    private int behindL4Int(IntHeaderView header) {
        accept(header);
        intFoundHere = true;
        if (header.truncated()) {
            return cut(Layer.INT);
        }
        at = header.end();
        if (intParser.npt() == IntShim.NPT_IP_PROTOCOL) {
            protocol = intParser.restoredProtocol();
            view.inner.beneath(view.flow, protocol);
            view.flow = view.inner;
            return TRANSPORT;
        }
        int port = intParser.restoredPort();
        if (port > 0 || intParser.npt() == IntShim.NPT_UDP_PORT) {
            view.flow.destinationPort = port;
        }
        return header.encapsulation() == Encapsulation.UDP ? udpPayload(view.flow.destinationPort) : STOP;
    }

    private void accept(IntHeaderView header) {
        int offset = header.shimOffset() < 0 ? header.headerOffset() : header.shimOffset();
        view.add(Layer.INT, offset);
        view.intCount++;
        if (header.type() == IntShim.TYPE_DESTINATION) {
            destinationSeen = true;
        } else if (destinationSeen) {
            // Transit nodes read up to the destination header only [INT 2.1 §5.1].
            warnings.add(Fault.INT_TYPE_ORDER, offset);
        }
    }

    // ---- tunnels

    private int vxlan() {
        if (tooDeep()) {
            return STOP;
        }
        if (limit - at < 8) {
            return cut(Layer.VXLAN);
        }
        if ((buffer.get(at) & 0x08) == 0) {
            return STOP;
        }
        view.add(Layer.VXLAN, at);
        vni = buffer.getInt(at + 4) >>> 8;
        at += 8;
        return ETHERNET;
    }

    private int vxlanGpe() {
        if (tooDeep()) {
            return STOP;
        }
        if (limit - at < 8) {
            return cut(Layer.VXLAN_GPE);
        }
        int flags = u8(at);
        if ((flags & 0x30) != 0) {
            return STOP;
        }
        int next = u8(at + 3);
        boolean isInt = gpeStyles[next] != 0 && searchMarks;
        if ((flags & 0x04) == 0) {
            if (!isInt) {
                if ((flags & 0x08) == 0) {
                    return STOP;
                }
                next = 3;
            } else if (strict) {
                return fault(Fault.PKT_GPE_P_BIT_CLEAR, at);
            } else {
                warnings.add(Quirk.A_14, at);
            }
        }
        view.add(Layer.VXLAN_GPE, at);
        vni = buffer.getInt(at + 4) >>> 8;
        at += 8;
        while (gpeStyles[next] != 0) {
            if (!searchMarks || !shimInt(gpeStyles[next], Encapsulation.VXLAN_GPE)) {
                return STOP;
            }
            next = intParser.nextProtocol();
        }
        return nextProtocol(next);
    }

    /** VXLAN-GPE and NSH share these values. */
    private int nextProtocol(int next) {
        return switch (next) {
            case 1 -> IPV4;
            case 2 -> IPV6;
            case 3 -> ETHERNET;
            case 4 -> NSH;
            default -> STOP;
        };
    }

    /** One link of a chain of INT headers behind VXLAN-GPE or GRE. True when the walk goes on behind it. */
    private boolean shimInt(int style, Encapsulation carrier) {
        if (view.intCount == PacketView.MAX_INT_HEADERS) {
            warnings.add(Fault.INT_CHAIN_TOO_LONG, at);
            return false;
        }
        IntHeaderView header = view.nextInt();
        int noticed = warnings.count();
        intParser.bounds(declared, present);
        Fault fault = intParser.behindShim(at, style == GPE_NEW, style == GPE_JUNE_2016, carrier, header);
        if (fault != Fault.NONE) {
            warnings.rewind(noticed);
            warnings.add(fault, at);
            if (intParser.missingByCut()) {
                cut(Layer.INT);
            }
            return false;
        }
        accept(header);
        if (header.truncated()) {
            if (header.end() <= declared) {
                cut(Layer.INT);
            }
            return false;
        }
        at = header.end();
        return true;
    }

    private int geneve() {
        if (tooDeep()) {
            return STOP;
        }
        int geneve = at;
        if (limit - geneve < 8) {
            return cut(Layer.GENEVE);
        }
        int first = u8(geneve);
        if (first >> 6 != 0) {
            return fault(Fault.PKT_GENEVE_VERSION, geneve);
        }
        int optionsEnd = geneve + 8 + 4 * (first & 0x3F);
        if (optionsEnd > declared) {
            return fault(Fault.PKT_GENEVE_OPTLEN_OVERRUN, geneve);
        }
        view.add(Layer.GENEVE, geneve);
        vni = buffer.getInt(geneve + 4) >>> 8;
        if (searchMarks && !geneveOptions(geneve + 8, optionsEnd)) {
            return STOP;
        }
        if (optionsEnd > limit) {
            return cut(Layer.GENEVE);
        }
        int type = u16(geneve + 2);
        at = optionsEnd;
        return type == EtherType.TRANSPARENT_ETHERNET ? ETHERNET : ipOnly(type);
    }

    private static int ipOnly(int etherType) {
        return etherType == EtherType.IPV4 ? IPV4 : etherType == EtherType.IPV6 ? IPV6 : STOP;
    }

    private boolean geneveOptions(int from, int end) {
        int option = from;
        while (option < end) {
            if (limit - option < 4 || end - option < 4) {
                return true;
            }
            int word = buffer.getInt(option);
            int next = option + 4 + 4 * (word & 0x1F);
            int type = word >>> 8 & 0x7F;
            boolean isInt = type >= IntShim.TYPE_MD && type <= IntShim.TYPE_MX && isIntClass(word >>> 16);
            if (isInt && !geneveInt(option, next, end, type, word >>> 16)) {
                return false;
            }
            option = next;
        }
        return true;
    }

    private boolean isIntClass(int optionClass) {
        for (int known : geneveClasses) {
            if (known == optionClass) {
                return true;
            }
        }
        return false;
    }

    private boolean geneveInt(int option, int next, int optionsEnd, int type, int optionClass) {
        if (next > optionsEnd) {
            if (type == IntShim.TYPE_DESTINATION) {
                return true;
            }
            warnings.add(Fault.INT_GENEVE_OPTION_OVERRUN, option + 3);
            return false;
        }
        if (view.intCount == PacketView.MAX_INT_HEADERS) {
            warnings.add(Fault.INT_CHAIN_TOO_LONG, option);
            return false;
        }
        IntHeaderView header = view.nextInt();
        int noticed = warnings.count();
        intParser.bounds(declared, present);
        boolean only2 = optionClass == DecodeOptions.IntMarks.GENEVE_CLASS;
        Fault fault = intParser.inGeneveOption(option + 4, next, type, only2, june2016 && !only2, header);
        if (fault != Fault.NONE) {
            warnings.rewind(noticed);
            warnings.add(fault, option + 4);
            if (intParser.missingByCut()) {
                cut(Layer.INT);
            }
            return false;
        }
        accept(header);
        if (header.truncated()) {
            cut(Layer.INT);
            return false;
        }
        return true;
    }

    private int gtpU() {
        if (tooDeep()) {
            return STOP;
        }
        int gtp = at;
        if (limit - gtp < 8) {
            return cut(Layer.GTP_U);
        }
        int flags = u8(gtp);
        if (flags >> 5 != 1) {
            return STOP;
        }
        view.add(Layer.GTP_U, gtp);
        if (u8(gtp + 1) != 0xFF) {
            return STOP;
        }
        at = gtp + 8;
        if ((flags & 7) != 0) {
            if (limit - at < 4) {
                return cut(Layer.GTP_U);
            }
            int nextType = u8(at + 3);
            at += 4;
            for (int count = 0; nextType != 0; count++) {
                if (count == MAX_EXTENSIONS) {
                    return STOP;
                }
                if (limit <= at) {
                    return cut(Layer.GTP_U);
                }
                int bytes = 4 * u8(at);
                if (bytes == 0) {
                    return STOP;
                }
                if (limit - at < bytes) {
                    return cut(Layer.GTP_U);
                }
                at += bytes;
                nextType = u8(at - 1);
            }
        }
        if (limit <= at) {
            return STOP;
        }
        int nibble = u8(at) >> 4;
        return nibble == 4 ? IPV4 : nibble == 6 ? IPV6 : STOP;
    }

    private int gre() {
        if (tooDeep()) {
            return STOP;
        }
        int gre = at;
        if (limit - gre < 4) {
            return cut(Layer.GRE);
        }
        int flags = u16(gre);
        if ((flags & 7) != 0) {
            return fault(Fault.PKT_GRE_VERSION, gre);
        }
        view.add(Layer.GRE, gre);
        if ((flags & 0x4000) != 0) {
            return STOP;
        }
        int headerBytes = 4 + 4 * Integer.bitCount(flags & 0xB000);
        if (limit - gre < headerBytes) {
            return cut(Layer.GRE);
        }
        int type = u16(gre + 2);
        at = gre + headerBytes;
        while (type == greEtherType) {
            if (!searchMarks || !shimInt(GPE_NEW, Encapsulation.GRE)) {
                return STOP;
            }
            type = intParser.nextProtocol();
        }
        return type == EtherType.TRANSPARENT_ETHERNET ? ETHERNET : behindEthernet(type, false);
    }

    private int nsh() {
        if (tooDeep()) {
            return STOP;
        }
        int nsh = at;
        if (limit - nsh < 8) {
            return cut(Layer.NSH);
        }
        int headerBytes = 4 * (u8(nsh + 1) & 0x3F);
        if (u8(nsh) >> 6 != 0 || headerBytes < 8) {
            return STOP;
        }
        view.add(Layer.NSH, nsh);
        if (limit - nsh < headerBytes) {
            return cut(Layer.NSH);
        }
        int next = u8(nsh + 3);
        at = nsh + headerBytes;
        while (next == 6) {
            if (limit - at < 4) {
                return cut(Layer.IOAM);
            }
            int bytes = 4 * u8(at + 1);
            if (bytes < 4) {
                return fault(Fault.IOAM_OPTION_TRUNCATED, at);
            }
            view.add(Layer.IOAM, at);
            ioam(u8(at), at + 4, at + bytes);
            next = u8(at + 3);
            at += bytes;
            if (at > limit) {
                return cut(Layer.IOAM);
            }
        }
        return next == 5 ? MPLS : nextProtocol(next);
    }
}
