package io.pathlore.dataplane.watch;

import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.model.Profile;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.IntHeader;
import io.pathlore.wire.inband.IntHeader.Flags;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker;
import io.pathlore.wire.net.TunnelEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One packet as it may look somewhere on its way. */
final class Shape {
    enum Carrier {
        NONE,
        NEW_UDP_MX,
        NEW_UDP_MD,
        DSCP_MD,
        PROBE_MD,
        UDP_PORT_MX,
        GRE_MD,
        VXLAN,
        VXLAN_GPE_MD
    }

    static final int TCP = 6;
    static final int UDP = 17;
    static final int ICMP = 1;
    static final int SOURCE = 0x0A00_0101;
    static final int DESTINATION = 0x0A00_0202;
    static final int TUNNEL_SOURCE = 0xC0A8_0101;
    static final int TUNNEL_DESTINATION = 0xC0A8_0202;
    static final int VNI = 0x123;

    Carrier carrier = Carrier.NONE;
    boolean v6;
    int protocol = TCP;
    int ttl = 64;
    int trafficClass;
    int id = 7;
    int source = SOURCE;
    int destination = DESTINATION;
    int sourcePort = 40_000;
    int destinationPort = 443;
    long sequence = 1_000;
    long acknowledgement = 2_000;
    int flags = 0x18;
    byte[] options = {};
    byte[] payload =
            "a payload of more octets than the identity of a packet looks at".getBytes(StandardCharsets.US_ASCII);
    boolean beforeTcpOptions;
    boolean checksums = true;
    /** Octets of Ethernet padding. */
    int padding;

    private final Packet packet = new Packet(2000);
    private final ByteBuffer out = packet.buffer();

    Shape carrier(Carrier carrier) {
        this.carrier = carrier;
        return this;
    }

    /** What a node sees of it. */
    PacketView view() {
        write();
        Codepoints domain = Codepoints.DEFAULT;
        Codepoints codepoints = new Codepoints(
                domain.udpPort(),
                domain.dscp(),
                domain.probeMarker(),
                domain.geneveClass(),
                domain.oldGeneveClass(),
                domain.gpe(),
                domain.oldGpe(),
                domain.greEtherType(),
                beforeTcpOptions,
                domain.domains());
        Warnings warnings = new Warnings();
        PacketView view = new PacketView();
        new PacketWalker(codepoints.decodeOptions(false), warnings)
                .walk(out, packet.start(), packet.end(), PacketWalker.Start.ETHERNET, true, Profile.SPEC, false, view);
        if (warnings.hasFault()) {
            throw new AssertionError(warnings.name(0));
        }
        return view;
    }

    long identity() {
        return new PacketIdentity(beforeTcpOptions).of(view());
    }

    private void write() {
        int start = packet.start();
        int end = switch (carrier) {
            case GRE_MD -> gre(start);
            case VXLAN, VXLAN_GPE_MD -> vxlan(start);
            default -> framed(start);
        };
        for (int i = 0; i < padding; i++) {
            out.put(end++, (byte) 0x5A);
        }
        packet.setEnd(end);
    }

    private int gre(int start) {
        int ip = PacketEncoder.ethernet(out, start, 1, 2, 0x0800);
        int at = PacketEncoder.ipv4(out, ip, 0, 99, true, ttl, 47, TUNNEL_SOURCE, TUNNEL_DESTINATION);
        at = TunnelEncoder.gre(
                out, at, Codepoints.DEFAULT.greEtherType(), false, TunnelEncoder.NONE, TunnelEncoder.NONE);
        at = IntShim.encodeGre(out, at, IntShim.TYPE_MD, true, 5, v6 ? 0x86DD : 0x0800);
        int end = ip(stack(at));
        PacketEncoder.finishIpv4(out, ip, end);
        return end;
    }

    private int vxlan(int start) {
        boolean gpe = carrier == Carrier.VXLAN_GPE_MD;
        int ip = PacketEncoder.ethernet(out, start, 1, 2, 0x0800);
        int udp = PacketEncoder.ipv4(out, ip, 0, 99, true, ttl, UDP, TUNNEL_SOURCE, TUNNEL_DESTINATION);
        int at = PacketEncoder.udp(out, udp, 50_000, gpe ? 4790 : 4789);
        if (gpe) {
            at = TunnelEncoder.vxlanGpe(out, at, Codepoints.DEFAULT.gpe(), VNI);
            at = IntShim.encodeGpe(out, at, IntShim.TYPE_MD, 5, true, 3);
            at = stack(at);
        } else {
            at = TunnelEncoder.vxlan(out, at, VNI);
        }
        int end = framed(at);
        PacketEncoder.finishUdp(out, udp, end);
        PacketEncoder.finishIpv4(out, ip, end);
        return end;
    }

    private int framed(int at) {
        return ip(PacketEncoder.ethernet(out, at, 1, 2, v6 ? 0x86DD : 0x0800));
    }

    /** Header and two hops of an INT-MD stack. */
    private int stack(int offset) {
        int at = IntHeader.encodeMd(out, offset, Flags.NONE, 1, 5, 0x8000, 0, 0, 0);
        out.putInt(at, 2).putInt(at + 4, 1);
        return at + 8;
    }

    private boolean newUdp() {
        return carrier == Carrier.NEW_UDP_MD || carrier == Carrier.NEW_UDP_MX;
    }

    private int ip(int ip) {
        int marked = carrier == Carrier.DSCP_MD ? Codepoints.DEFAULT.dscp() << 2 : trafficClass;
        int next = newUdp() ? UDP : protocol;
        int l4 = v6
                ? PacketEncoder.ipv6(out, ip, marked, 0, next, ttl, 0, source, 0, destination)
                : PacketEncoder.ipv4(out, ip, marked, id, true, ttl, next, source, destination);
        int end = newUdp() ? newUdp(l4) : transport(l4);
        if (v6) {
            PacketEncoder.finishIpv6(out, ip, end);
        } else {
            PacketEncoder.finishIpv4(out, ip, end);
        }
        if (checksums && protocol == TCP && !newUdp()) {
            L4Checksum.writeTcp(out, ip, l4, end);
        }
        return end;
    }

    private int newUdp(int udp) {
        int at = PacketEncoder.udp(out, udp, 33_333, Codepoints.DEFAULT.udpPort());
        if (carrier == Carrier.NEW_UDP_MX) {
            at = IntShim.encode(out, at, IntShim.TYPE_MX, IntShim.NPT_IP_PROTOCOL, 3, protocol);
            at = IntHeader.encodeMx(out, at, false, 0x9000, 0, 0, 0);
        } else {
            at = IntShim.encode(out, at, IntShim.TYPE_MD, IntShim.NPT_IP_PROTOCOL, 5, protocol);
            at = stack(at);
        }
        int end = transport(at);
        PacketEncoder.finishUdp(out, udp, end);
        return end;
    }

    private int transport(int l4) {
        if (protocol == ICMP) {
            int end = payload(PacketEncoder.icmpEcho(out, l4, 8, (int) sequence, (int) acknowledgement));
            L4Checksum.writeIcmp(out, l4, end);
            return end;
        }
        if (protocol == UDP) {
            boolean ported = carrier == Carrier.UDP_PORT_MX;
            int port = ported ? Codepoints.DEFAULT.udpPort() : destinationPort;
            int end = payload(behindL4(PacketEncoder.udp(out, l4, sourcePort, port)));
            PacketEncoder.finishUdp(out, l4, end);
            return end;
        }
        int at = PacketEncoder.tcp(
                out, l4, sourcePort, destinationPort, sequence, acknowledgement, flags, 0x2000, options);
        if (beforeTcpOptions) {
            at = behindL4(l4 + 20);
            out.put(at, options);
            return payload(at + options.length);
        }
        return payload(behindL4(at));
    }

    private int behindL4(int offset) {
        return switch (carrier) {
            case DSCP_MD -> stack(IntShim.encode(out, offset, IntShim.TYPE_MD, IntShim.NPT_NONE, 5, trafficClass));
            case PROBE_MD -> {
                out.putLong(offset, Codepoints.DEFAULT.probeMarker());
                yield stack(IntShim.encode(out, offset + 8, IntShim.TYPE_MD, IntShim.NPT_NONE, 5, trafficClass));
            }
            case UDP_PORT_MX -> {
                int at = IntShim.encode(out, offset, IntShim.TYPE_MX, IntShim.NPT_UDP_PORT, 3, destinationPort);
                yield IntHeader.encodeMx(out, at, false, 0x9000, 0, 0, 0);
            }
            default -> offset;
        };
    }

    private int payload(int at) {
        out.put(at, payload);
        return at + payload.length;
    }
}
