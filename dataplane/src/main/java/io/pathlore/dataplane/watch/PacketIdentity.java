package io.pathlore.dataplane.watch;

import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/**
 * A 64-bit number for a packet that is the same at every node on its way, with INT in it or without: what routers and INT
 * nodes change is left out. Nodes that export by themselves choose the same packets by it.
 *
 * <p>It is the hash of {@link FlowHash} over the words of the flow as INT leaves it, then, of the innermost IP packet:
 * <ol>
 *   <li>IPv4: {@code identification << 16 | fragment offset}
 *   <li>TCP: {@code sequence << 32 | acknowledgement}, then the octet of flags
 *   <li>the first {@value #PAYLOAD_BYTES} octets of the payload as words of eight octets, the last one filled up with zeros;
 *       of ICMP from the octet behind its checksum on, of protocols that are not known from behind the IP header on
 * </ol>
 * TTL, DSCP, ECN, lengths and checksums are not in it, nor is anything of an outer packet but the VNI. What is no IP packet
 * is hashed from its first octet on. Hot path.
 */
public final class PacketIdentity {
    static final int PAYLOAD_BYTES = 32;
    private static final int TCP_LENGTH = 20;
    private static final int ICMP_BEHIND_CHECKSUM = 4;
    private static final int IPV6_LENGTH = 40;
    private static final int FRAGMENT_OFFSET = 0x1FFF;

    private final boolean beforeTcpOptions;

    /** @param beforeTcpOptions sources put INT between the fixed TCP header and its options, not behind them */
    public PacketIdentity(boolean beforeTcpOptions) {
        this.beforeTcpOptions = beforeTcpOptions;
    }

    public long of(PacketView view) {
        ByteBuffer buffer = view.buffer();
        int ipIndex = lastIp(view);
        if (!view.flow().known() || ipIndex < 0) {
            return FlowHash.finish(payload(FlowHash.words(view.flow()), buffer, view.start(), view.end()));
        }
        long h = FlowHash.words(view.flow());
        int ip = view.layerOffset(ipIndex);
        boolean v6 = view.layer(ipIndex) == Layer.IPV6;
        int length = buffer.getShort(v6 ? ip + 4 : ip + 2) & 0xFFFF;
        int end = length == 0 ? view.end() : Math.min(view.end(), ip + length + (v6 ? IPV6_LENGTH : 0));
        if (!v6) {
            int idAndOffset = buffer.getInt(ip + 4);
            h = FlowHash.mix(h, Integer.toUnsignedLong(idAndOffset & (0xFFFF_0000 | FRAGMENT_OFFSET)));
        }
        int l4Index = lastL4(view, ipIndex);
        int from = v6 ? ip + IPV6_LENGTH : ip + (buffer.get(ip) & 0xF) * 4;
        if (l4Index > ipIndex) {
            int l4 = view.layerOffset(l4Index);
            Layer layer = view.layer(l4Index);
            if (layer == Layer.TCP && end - l4 >= TCP_LENGTH) {
                h = FlowHash.mix(h, buffer.getLong(l4 + 4));
                h = FlowHash.mix(h, buffer.get(l4 + 13) & 0xFF);
            }
            from = payloadOffset(view, layer, l4, end);
        }
        return FlowHash.finish(payload(h, buffer, from, end));
    }

    private static int lastIp(PacketView view) {
        for (int i = view.layers() - 1; i >= 0; i--) {
            Layer layer = view.layer(i);
            if (layer == Layer.IPV4 || layer == Layer.IPV6) {
                return i;
            }
        }
        return -1;
    }

    /** The L4 header of the packet itself: one that a source of INT put in front of it comes before. */
    private static int lastL4(PacketView view, int ipIndex) {
        for (int i = view.layers() - 1; i > ipIndex; i--) {
            switch (view.layer(i)) {
                case TCP, UDP, UDP_LITE, DCCP, SCTP, ICMP, ICMPV6, IGMP, ESP, FRAGMENT -> {
                    return i;
                }
                default -> {
                    // INT, IOAM, extension headers and tunnels without an IP packet in them
                }
            }
        }
        return ipIndex;
    }

    private int payloadOffset(PacketView view, Layer layer, int l4, int end) {
        int options = layer == Layer.TCP && end - l4 >= TCP_LENGTH
                ? Math.max(0, (view.buffer().get(l4 + 12) >> 4 & 0xF) * 4 - TCP_LENGTH)
                : 0;
        int fixed = switch (layer) {
            case TCP -> TCP_LENGTH;
            case UDP, UDP_LITE, DCCP -> 8;
            case SCTP -> 12;
            case ICMP, ICMPV6, IGMP -> ICMP_BEHIND_CHECKSUM;
            default -> 0;
        };
        int behindInt = -1;
        for (int i = 0; i < view.ints(); i++) {
            IntHeaderView header = view.intHeader(i);
            if (header.headerOffset() > l4) {
                behindInt = Math.max(behindInt, header.end());
            }
        }
        if (behindInt < 0) {
            return l4 + fixed + options;
        }
        return beforeTcpOptions ? behindInt + options : behindInt;
    }

    private static long payload(long hash, ByteBuffer buffer, int from, int end) {
        long h = hash;
        int stop = Math.min(end, from + PAYLOAD_BYTES);
        int at = from;
        for (; at + Long.BYTES <= stop; at += Long.BYTES) {
            h = FlowHash.mix(h, buffer.getLong(at));
        }
        if (at < stop) {
            long last = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                last = last << Byte.SIZE | (at + i < stop ? buffer.get(at + i) & 0xFF : 0);
            }
            h = FlowHash.mix(h, last);
        }
        return h;
    }
}
