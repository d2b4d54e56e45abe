package io.pathlore.wire.net;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.model.Quirk;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.Encapsulation;
import java.nio.ByteBuffer;

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

    private static final int MAX_IP_HEADERS = 4;
    private static final int MAX_EXTENSIONS = 8;
    private static final int MAX_TAGS = 4;
    private final boolean strict;

    private final boolean outerFlowKey;
    private final Walk walk;
    private final IntFinder finder;
    private final IoamFinder ioamFinder;
    private final TunnelWalker tunnels;

    public PacketWalker(DecodeOptions options, Warnings warnings) {
        strict = options.strict();
        outerFlowKey = options.outerFlowKey();
        walk = new Walk(warnings);
        finder = new IntFinder(options, walk);
        ioamFinder = new IoamFinder(walk);
        tunnels = new TunnelWalker(strict, walk, finder, ioamFinder);
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
        walk.begin(buffer, from, end, into);
        walk.searchMarks = mayEmbed || !strict;
        walk.searchWithoutMark = mayEmbed && !strict;
        walk.transparentSecurity = transparentSecurity;
        finder.begin(profile);
        int step = switch (start) {
            case ETHERNET -> Walk.ETHERNET;
            case IPV4 -> Walk.IPV4;
            case IPV6 -> Walk.IPV6;
            case GENEVE -> Walk.GENEVE;
            case VXLAN_GPE -> Walk.GPE;
        };
        while (step != Walk.STOP) {
            step = switch (step) {
                case Walk.ETHERNET -> ethernet();
                case Walk.IPV4 -> ipv4();
                case Walk.IPV6 -> ipv6();
                case Walk.TRANSPORT -> transport();
                case Walk.GRE -> gre();
                case Walk.ETHER_TYPE -> behindTunnel(walk.etherType);
                default -> tunnels.step(step);
            };
        }
        if (outerFlowKey) {
            into.flow = into.outer;
        }
        into.flow.vni = walk.vni;
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

    // ---- layer 2

    private int ethernet() {
        if (walk.limit - walk.at < 14) {
            walk.cut(Layer.ETHERNET);
            return walk.fault(Fault.PKT_TRUNCATED_L2, walk.at);
        }
        boolean first = walk.view.foundEthernet(walk.at);
        walk.view.add(Layer.ETHERNET, walk.at);
        int etherType = walk.u16(walk.at + 12);
        walk.at += 14;
        if (etherType == EtherType.IPV4) {
            return Walk.IPV4;
        }
        return behindEthernet(etherType, first);
    }

    private int behindEthernet(int firstType, boolean recordVlans) {
        int etherType = firstType;
        for (int tags = 0; EtherType.isVlan(etherType); tags++) {
            if (walk.tooDeep()) {
                return Walk.STOP;
            }
            if (walk.limit - walk.at < 4) {
                walk.cut(Layer.VLAN);
                return walk.fault(Fault.PKT_TRUNCATED_L2, walk.at);
            }
            if (tags == MAX_TAGS) {
                return walk.fault(Fault.PKT_TOO_MANY_TAGS, walk.at);
            }
            walk.view.add(Layer.VLAN, walk.at);
            if (recordVlans) {
                walk.view.addVlan(walk.u16(walk.at) & 0xFFF);
            }
            etherType = walk.u16(walk.at + 2);
            walk.at += 4;
        }
        if (etherType < EtherType.FIRST && walk.limit - walk.at >= 8 && isSnap()) {
            etherType = walk.u16(walk.at + 6);
            walk.at += 8;
        }
        return etherType(etherType);
    }

    /** No frame, so no length in place of the type, before any tags at least. */
    private int behindTunnel(int etherType) {
        if (etherType == EtherType.TRANSPARENT_ETHERNET) {
            return Walk.ETHERNET;
        }
        return etherType < EtherType.FIRST ? Walk.STOP : behindEthernet(etherType, false);
    }

    private boolean isSnap() {
        return walk.u16(walk.at) == 0xAAAA && walk.buffer.getInt(walk.at + 2) == 0x0300_0000;
    }

    private int etherType(int etherType) {
        return switch (etherType) {
            case EtherType.IPV4 -> Walk.IPV4;
            case EtherType.IPV6 -> Walk.IPV6;
            case EtherType.MPLS, EtherType.MPLS_MULTICAST -> Walk.MPLS;
            case EtherType.PPPOE_SESSION -> Walk.PPPOE;
            case EtherType.NSH -> Walk.NSH;
            case EtherType.ARP -> arp();
            default -> Walk.STOP;
        };
    }

    private int arp() {
        walk.view.add(Layer.ARP, walk.at);
        return Walk.STOP;
    }

    // ---- layer 3

    /** False when this IP header is one too many. The first one is what the packet is, not nesting. */
    private boolean enterIp() {
        if (walk.ipHeaders > 0 && walk.tooDeep()) {
            return false;
        }
        if (++walk.ipHeaders > MAX_IP_HEADERS) {
            walk.warnings.add(Fault.PKT_DEPTH_EXCEEDED, walk.at);
            return false;
        }
        walk.extensions = 0;
        walk.intFoundHere = false;
        return true;
    }

    private FlowView nextFlow() {
        FlowView flow = walk.ipHeaders == 1 ? walk.view.outer : walk.view.inner;
        walk.view.flow = flow;
        return flow;
    }

    private int ipv4() {
        if (!enterIp()) {
            return Walk.STOP;
        }
        int ip = walk.at;
        int left = walk.limit - ip;
        if (left < 20) {
            return shortIp(Layer.IPV4, 4);
        }
        long first = walk.buffer.getLong(ip);
        int versionAndLength = (int) (first >>> 56);
        if (versionAndLength >> 4 != 4) {
            return walk.fault(Fault.PKT_IP_VERSION_MISMATCH, ip);
        }
        int headerBytes = (versionAndLength & 0xF) << 2;
        if (headerBytes < 20) {
            return walk.fault(Fault.PKT_BAD_IHL, ip);
        }
        walk.protocol = walk.u8(ip + 9);
        nextFlow().ipv4(walk.buffer.getLong(ip + 12), walk.protocol);
        if (left < headerBytes) {
            walk.cut(Layer.IPV4);
            return walk.fault(Fault.PKT_TRUNCATED_L3, ip);
        }
        walk.view.add(Layer.IPV4, ip);
        walk.dscp = (int) (first >>> 50) & 0x3F;
        int total = (int) (first >>> 32) & 0xFFFF;
        bound(total == 0 ? walk.limit : ip + total);
        walk.at = ip + headerBytes;
        // A later fragment has no L4 header, and what looks like one is payload.
        return ((int) first & 0x1FFF) != 0 ? Walk.STOP : Walk.TRANSPORT;
    }

    /** Fewer bytes than the fixed header: the first byte may still show that it is not what was announced. */
    private int shortIp(Layer layer, int version) {
        if (walk.limit > walk.at) {
            int first = walk.u8(walk.at);
            if (first >> 4 != version) {
                return walk.fault(Fault.PKT_IP_VERSION_MISMATCH, walk.at);
            }
            if (version == 4 && (first & 0xF) < 5) {
                return walk.fault(Fault.PKT_BAD_IHL, walk.at);
            }
        }
        walk.cut(layer);
        return walk.fault(Fault.PKT_TRUNCATED_L3, walk.at);
    }

    /** Lenient decoding believes the later of the declared end and the last byte: lengths of cut packets lie. */
    private void bound(int end) {
        // What lies beyond the end of an enclosing packet is padding.
        walk.present = walk.limit;
        walk.declared = strict ? end : Math.max(end, walk.present);
        walk.limit = Math.min(walk.declared, walk.present);
    }

    private int ipv6() {
        if (!enterIp()) {
            return Walk.STOP;
        }
        int ip = walk.at;
        if (walk.limit - ip < 40) {
            return shortIp(Layer.IPV6, 6);
        }
        long first = walk.buffer.getLong(ip);
        if (first >>> 60 != 6) {
            return walk.fault(Fault.PKT_IP_VERSION_MISMATCH, ip);
        }
        walk.protocol = (int) (first >>> 8) & 0xFF;
        nextFlow()
                .ipv6(
                        walk.buffer.getLong(ip + 8),
                        walk.buffer.getLong(ip + 16),
                        walk.buffer.getLong(ip + 24),
                        walk.buffer.getLong(ip + 32),
                        walk.protocol);
        walk.view.add(Layer.IPV6, ip);
        walk.dscp = (int) (first >>> 54) & 0x3F;
        int payload = (int) (first >>> 16) & 0xFFFF;
        bound(payload == 0 ? walk.limit : ip + 40 + payload);
        walk.at = ip + 40;
        return Walk.TRANSPORT;
    }

    /** These numbers mean an extension header behind IPv6 only. */
    private int ipv6Extension(Layer layer) {
        return walk.view.flow.v6 ? extension(layer) : Walk.STOP;
    }

    /** Returns Walk.TRANSPORT with the next header in the walk, or Walk.STOP. */
    private int extension(Layer layer) {
        if (++walk.extensions > MAX_EXTENSIONS) {
            return walk.fault(Fault.PKT_DEPTH_EXCEEDED, walk.at);
        }
        int header = walk.at;
        if (header + 8 > walk.declared) {
            return walk.fault(Fault.PKT_IPV6_EXT_OVERRUN, header);
        }
        if (walk.limit - header < 2) {
            return walk.cut(layer);
        }
        int bytes = length(layer, walk.u8(header + 1));
        int end = header + bytes;
        if (end > walk.declared) {
            return walk.fault(Fault.PKT_IPV6_EXT_OVERRUN, header + 1);
        }
        boolean complete = end <= walk.limit;
        if (complete) {
            walk.view.add(layer, header);
        }
        if (!complete) {
            walk.cut(layer);
        }
        if ((layer == Layer.HOP_BY_HOP || layer == Layer.DESTINATION_OPTIONS) && !ioamFinder.options(header + 2, end)) {
            return Walk.STOP;
        }
        if (!complete) {
            return Walk.STOP;
        }
        int next = walk.u8(header);
        walk.view.flow.protocol = next;
        walk.protocol = next;
        walk.at = end;
        // Only the first fragment has what follows.
        return layer == Layer.FRAGMENT && (walk.u16(header + 2) & 0xFFF8) != 0 ? Walk.STOP : Walk.TRANSPORT;
    }

    private static int length(Layer layer, int field) {
        return switch (layer) {
            case FRAGMENT -> 8;
            case AH -> (field + 2) * 4;
            default -> (field + 1) * 8;
        };
    }

    // ---- layer 4

    private int transport() {
        return switch (walk.protocol) {
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
            case 4 -> Walk.IPV4;
            case 41 -> Walk.IPV6;
            case 47 -> Walk.GRE;
            case 50 -> lastLayer(Layer.ESP, 0);
            case 2 -> lastLayer(Layer.IGMP, 0);
            case 136 -> lastLayer(Layer.UDP_LITE, 8);
            case 33 -> lastLayer(Layer.DCCP, 12);
            case 132 -> lastLayer(Layer.SCTP, 12);
            default -> Walk.STOP;
        };
    }

    /** Nothing is followed behind it. {@code headerBytes} is 0 where there are no ports. */
    private int lastLayer(Layer layer, int headerBytes) {
        int left = walk.limit - walk.at;
        if (left < 4) {
            walk.cut(layer);
            return walk.fault(Fault.PKT_TRUNCATED_L4, walk.at);
        }
        walk.view.add(layer, walk.at);
        if (headerBytes > 0) {
            walk.view.flow.readPorts(walk.buffer, walk.at);
        }
        return left < headerBytes ? walk.cut(layer) : Walk.STOP;
    }

    private int icmp(Layer layer) {
        if (walk.limit - walk.at < 4) {
            walk.cut(layer);
            return walk.fault(Fault.PKT_TRUNCATED_L4, walk.at);
        }
        int type = walk.u8(walk.at);
        walk.view.flow.icmpType = type;
        walk.view.flow.icmpCode = walk.u8(walk.at + 1);
        walk.view.add(layer, walk.at);
        boolean echo = layer == Layer.ICMP && (type == 0 || type == 8);
        if (echo && !strict && !walk.intFoundHere && finder.isMarked(walk.dscp)) {
            finder.icmpInt(walk.at + 8);
        }
        return Walk.STOP;
    }

    private int tcp() {
        int tcp = walk.at;
        int left = walk.limit - tcp;
        if (left < 4) {
            walk.cut(Layer.TCP);
            return walk.fault(Fault.PKT_TRUNCATED_L4, tcp);
        }
        if (walk.transparentSecurity && finder.isRestoredProtocol(tcp)) {
            walk.warnings.add(Quirk.A_30, tcp);
            walk.protocol = 17;
            walk.view.flow.protocol = walk.protocol;
            return udp();
        }
        walk.view.flow.readPorts(walk.buffer, walk.at);
        if (left < 13) {
            walk.view.add(Layer.TCP, tcp);
            return walk.cut(Layer.TCP);
        }
        int headerBytes = (walk.buffer.get(tcp + 12) >> 4 & 0xF) << 2;
        if (headerBytes < 20) {
            return walk.fault(Fault.PKT_BAD_TCP_OFFSET, tcp + 12);
        }
        walk.view.add(Layer.TCP, tcp);
        if (left < 20) {
            return walk.cut(Layer.TCP);
        }
        boolean cut = left < headerBytes;
        if (cut) {
            walk.cut(Layer.TCP);
        }
        if (walk.searchMarks) {
            int behind = tcp + headerBytes;
            int before = tcp + 20;
            if (!cut) {
                boolean first = finder.beforeTcpOptions();
                finder.l4Int(first ? before : behind, first ? behind : before, Encapsulation.TCP);
            } else if (!strict) {
                finder.quietInt(before, Encapsulation.TCP);
            } else if (finder.beforeTcpOptions()) {
                finder.l4Int(before, before, Encapsulation.TCP);
            }
        }
        return Walk.STOP;
    }

    private int udp() {
        int udp = walk.at;
        int left = walk.limit - udp;
        if (left < 4) {
            walk.cut(Layer.UDP);
            return walk.fault(Fault.PKT_TRUNCATED_L4, udp);
        }
        walk.view.flow.readPorts(walk.buffer, walk.at);
        walk.view.add(Layer.UDP, udp);
        if (left < 8) {
            return walk.cut(Layer.UDP);
        }
        walk.at = udp + 8;
        if (walk.searchMarks) {
            int step = finder.l4Int(walk.at, walk.at, Encapsulation.UDP);
            if (step != IntFinder.NOT_FOUND) {
                return step;
            }
        }
        return UdpPayload.step(walk.view.flow.destinationPort);
    }

    private int gre() {
        if (walk.tooDeep()) {
            return Walk.STOP;
        }
        int gre = walk.at;
        if (walk.limit - gre < 4) {
            return walk.cut(Layer.GRE);
        }
        int flags = walk.u16(gre);
        if ((flags & 7) != 0) {
            return walk.fault(Fault.PKT_GRE_VERSION, gre);
        }
        boolean routed = (flags & 0x4000) != 0;
        int headerBytes = 4 + 4 * Integer.bitCount(flags & 0x3000) + ((flags & 0xC000) != 0 ? 4 : 0);
        if (walk.limit - gre < headerBytes) {
            return walk.cut(Layer.GRE);
        }
        walk.view.add(Layer.GRE, gre);
        if (routed) {
            return Walk.STOP;
        }
        int type = walk.u16(gre + 2);
        walk.at = gre + headerBytes;
        walk.destinationSeen = false;
        while (finder.isIntEtherType(type)) {
            if (!walk.searchMarks || !finder.shimInt(IntFinder.GPE_NEW, Encapsulation.GRE)) {
                return Walk.STOP;
            }
            type = finder.nextProtocol();
        }
        return behindTunnel(type);
    }
}
