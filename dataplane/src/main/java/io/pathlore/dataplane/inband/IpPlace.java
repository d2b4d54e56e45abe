package io.pathlore.dataplane.inband;

import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** One IP header of a packet with its extension headers: where its payload starts and where it says what that is. */
final class IpPlace {
    private static final int IPV4_TRAFFIC_CLASS = 0;
    private static final int IPV4_FRAGMENT = 6;
    private static final int IPV4_PROTOCOL = 8;
    private static final int IPV4_PROTOCOL_OCTET = 9;
    private static final int IPV6_NEXT_HEADER = 6;

    /** Index of the IP header's layer. */
    int layer;

    int ip;
    boolean v6;
    /** Index of the layer that says what the payload is, and offset of the 16-bit word that does. */
    int protocolLayer;

    int protocolWordAt;
    /** The payload's first octet, and the index of its layer (which may not be known: then the number of layers). */
    int payloadAt;

    int payloadLayer;
    int protocol;
    int dscp;
    /** The payload is not the start of an L4 segment. */
    boolean laterFragment;

    /** Index of the outermost IP header, or -1. */
    static int outermost(PacketView view) {
        for (int i = 0; i < view.layers(); i++) {
            if (isIp(view.layer(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Index of the IP header around a layer, or -1. */
    static int around(PacketView view, int layer) {
        for (int i = layer - 1; i >= 0; i--) {
            if (isIp(view.layer(i))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isIp(Layer layer) {
        return layer == Layer.IPV4 || layer == Layer.IPV6;
    }

    void find(PacketView view, int ipLayer) {
        find(view, ipLayer, 0);
    }

    /** The headers lie {@code shift} octets from where the view saw them; offsets kept are still those of the view. */
    void find(PacketView view, int ipLayer, int shift) {
        ByteBuffer buffer = view.buffer();
        layer = ipLayer;
        ip = view.layerOffset(ipLayer);
        v6 = view.layer(ipLayer) == Layer.IPV6;
        protocolLayer = ipLayer;
        payloadLayer = ipLayer + 1;
        laterFragment = false;
        int now = ip + shift;
        if (!v6) {
            dscp = buffer.getShort(now + IPV4_TRAFFIC_CLASS) >> 2 & 0x3F;
            protocolWordAt = ip + IPV4_PROTOCOL;
            protocol = buffer.get(now + IPV4_PROTOCOL_OCTET) & 0xFF;
            payloadAt = ip + (buffer.get(now) & 0xF) * 4;
            laterFragment = (buffer.getShort(now + IPV4_FRAGMENT) & 0x1FFF) != 0;
            return;
        }
        dscp = buffer.getShort(now) >> 6 & 0x3F;
        protocolWordAt = ip + IPV6_NEXT_HEADER;
        payloadAt = ip + 40;
        while (payloadLayer < view.layers()) {
            int at = view.layerOffset(payloadLayer);
            int length = extensionLength(view.layer(payloadLayer), buffer, at + shift);
            if (length == 0 || at != payloadAt) {
                break;
            }
            laterFragment |=
                    view.layer(payloadLayer) == Layer.FRAGMENT && (buffer.getShort(at + shift + 2) & 0xFFF8) != 0;
            protocolLayer = payloadLayer;
            protocolWordAt = at;
            payloadAt = at + length;
            payloadLayer++;
        }
        protocol = buffer.get(protocolWordAt + shift) & 0xFF;
    }

    /** 0: not an extension header that may be passed. */
    private static int extensionLength(Layer layer, ByteBuffer buffer, int at) {
        return switch (layer) {
            case HOP_BY_HOP, ROUTING, DESTINATION_OPTIONS, MOBILITY, HIP, SHIM6 ->
                ((buffer.get(at + 1) & 0xFF) + 1) * 8;
            case FRAGMENT -> 8;
            default -> 0;
        };
    }

    /** The layer behind the IP header and its extensions, or null where it is not known. */
    boolean carries(PacketView view, Layer wanted) {
        return payloadLayer < view.layers()
                && view.layer(payloadLayer) == wanted
                && view.layerOffset(payloadLayer) == payloadAt;
    }

    /** Where the IP packet ends, by what it says and by what is there. */
    int end(PacketView view) {
        int declared =
                v6 ? view.buffer().getShort(ip + 4) & 0xFFFF : view.buffer().getShort(ip + 2) & 0xFFFF;
        return declared == 0 ? view.end() : Math.min(view.end(), ip + declared + (v6 ? 40 : 0));
    }

    /** TTL or hop limit. */
    int ttl(ByteBuffer buffer) {
        return buffer.get(ip + (v6 ? 7 : 8)) & 0xFF;
    }

    /** Outer checksums included; {@code shift} as in {@link Ripple#outward}. */
    void putDscp(Ripple ripple, ByteBuffer buffer, PacketView view, int shift, int dscp) {
        int at = ip + shift;
        if (v6) {
            ripple.begin(buffer);
            ripple.put(at, buffer.getShort(at) & 0xF03F | dscp << 6);
            ripple.outward(view, layer, shift, 0, Ripple.NO_COMPLEMENT);
        } else {
            ripple.begin(buffer);
            ripple.putIpv4(at, IPV4_TRAFFIC_CLASS, buffer.getShort(at) & 0xFF03 | dscp << 2);
        }
    }

    void putProtocol(Ripple ripple, ByteBuffer buffer, PacketView view, int shift, int protocol) {
        int at = protocolWordAt + shift;
        ripple.begin(buffer);
        if (v6) {
            ripple.put(at, buffer.getShort(at) & 0xFF | protocol << 8);
            ripple.outward(view, protocolLayer, shift, 0, Ripple.NO_COMPLEMENT);
        } else {
            ripple.putIpv4(ip + shift, IPV4_PROTOCOL, buffer.getShort(at) & 0xFF00 | protocol);
        }
    }
}
