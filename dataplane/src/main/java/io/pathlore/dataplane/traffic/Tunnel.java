package io.pathlore.dataplane.traffic;

import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.TunnelEncoder;
import java.nio.ByteBuffer;

/**
 * What whole packets travel in from host to host, over IPv4.
 *
 * @param vni of VXLAN and Geneve, the key of GRE
 */
public record Tunnel(Kind kind, int vni) {
    public enum Kind {
        NONE,
        VXLAN,
        GENEVE,
        GRE
    }

    public static final Tunnel NONE = new Tunnel(Kind.NONE, 0);

    static final int VXLAN_PORT = 4789;
    static final int GPE_PORT = 4790;
    static final int GENEVE_PORT = 6081;

    private static final int FIRST_ENTROPY_PORT = 0xC000;
    private static final int TRANSPARENT_ETHERNET = 0x6558;
    private static final int UDP = 17;
    private static final int GRE_PROTOCOL = 47;
    private static final int GRE_WITH_KEY = 8;

    public Tunnel {
        if (vni < 0 || vni > 0xFF_FFFF) {
            throw new IllegalArgumentException("vni: " + vni + " is not from 0 to 16777215");
        }
    }

    /** Octets in front of the packet it carries. */
    public int overhead() {
        int ip = PacketEncoder.ETHERNET_LENGTH + PacketEncoder.IPV4_LENGTH;
        return switch (kind) {
            case NONE -> 0;
            case VXLAN -> ip + PacketEncoder.UDP_LENGTH + TunnelEncoder.VXLAN_LENGTH;
            case GENEVE -> ip + PacketEncoder.UDP_LENGTH + TunnelEncoder.GENEVE_LENGTH;
            case GRE -> ip + GRE_WITH_KEY;
        };
    }

    /** The outer headers, from {@code at} up to the inner packet, which is complete. */
    void write(ByteBuffer out, int at, int end, Endpoints endpoints, int id) {
        if (kind == Kind.NONE) {
            return;
        }
        int protocol = kind == Kind.GRE ? GRE_PROTOCOL : UDP;
        int ip = PacketEncoder.ethernet(out, at, endpoints.destinationMac, endpoints.sourceMac, PacketWriter.IPV4);
        int l4 = PacketEncoder.ipv4(
                out,
                ip,
                endpoints.trafficClass,
                id,
                true,
                PacketWriter.TTL,
                protocol,
                endpoints.sourceTunnel,
                endpoints.destinationTunnel);
        if (kind == Kind.GRE) {
            TunnelEncoder.gre(out, l4, TRANSPARENT_ETHERNET, false, vni, TunnelEncoder.NONE);
        } else {
            // The source port spreads inner flows over paths; the checksum is zero over IPv4 [RFC 7348 §5, RFC 8926
            // §3.3].
            int entropy = FIRST_ENTROPY_PORT | (endpoints.sourcePort * 31 + endpoints.destinationPort) & 0x3FFF;
            int port = kind == Kind.VXLAN ? VXLAN_PORT : GENEVE_PORT;
            int header = PacketEncoder.udp(out, l4, entropy, port);
            PacketEncoder.finishUdp(out, l4, end);
            if (kind == Kind.VXLAN) {
                TunnelEncoder.vxlan(out, header, vni);
            } else {
                TunnelEncoder.geneve(out, header, 0, TRANSPARENT_ETHERNET, vni);
            }
        }
        PacketEncoder.finishIpv4(out, ip, end);
    }
}
