package io.pathlore.dataplane.inband;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/**
 * What a sink does to a packet: every INT header goes out, with all that its source added or changed. Headers are taken out
 * one by one, the innermost first, so that those before them only move. Hot path.
 */
final class IntRemoval {
    /**
     * Before 2.x nothing says that a packet was plain VXLAN before INT, as G does later. Our sources set the first of the
     * shim's reserved bits then, which everybody else ignores.
     */
    static final int OLD_GPE_WAS_VXLAN = 0x80;

    private static final int ETHER_TYPE_IPV4 = 0x0800;
    private static final int ETHER_TYPE_IPV6 = 0x86DD;
    private static final int VXLAN_PORT = 4789;
    private static final int GPE_P = 0x0400;
    private static final int PROBE_MARKER = 8;
    private static final int GRE_SHIM_ADDED = 1 << 27;
    private static final int GPE_SHIM_WAS_VXLAN = 0x8000;

    private final Codepoints codepoints;
    private final Ripple ripple = new Ripple();
    private final IpPlace place = new IpPlace();

    IntRemoval(Codepoints codepoints) {
        this.codepoints = codepoints;
    }

    /** False when a header had to be left in: it is cut, or what stands around it is not as a source leaves it. */
    boolean strip(Packet packet, PacketView view) {
        int found = view.ints();
        boolean all = true;
        for (int layer = view.layers() - 1; layer >= 0 && found > 0; layer--) {
            if (view.layer(layer) == Layer.INT) {
                all &= remove(packet, view, layer, view.intHeader(--found), found);
            }
        }
        return all;
    }

    private boolean remove(Packet packet, PacketView view, int layer, IntHeaderView header, int index) {
        if (header.truncated() || layer == 0) {
            return false;
        }
        int shift = packet.start() - view.start();
        return switch (header.encapsulation()) {
            case TCP, UDP, ICMP -> behindL4(packet, view, layer, header, shift);
            case GENEVE -> inGeneve(packet, view, layer, header, shift);
            case VXLAN_GPE -> behindGpe(packet, view, layer, header, index, shift);
            case GRE -> behindGre(packet, view, layer, header, index, shift);
        };
    }

    /** Everything in the view lies {@code shift} octets further back by now. */
    private void take(Packet packet, PacketView view, int layers, int from, int end, int shift) {
        int bytes = end - from;
        ripple.removed(from + shift, end + shift);
        packet.remove(end + shift, bytes);
        ripple.outward(view, layers, shift + bytes, -bytes, Ripple.NO_COMPLEMENT);
    }

    private boolean behindL4(Packet packet, PacketView view, int layer, IntHeaderView header, int shift) {
        ByteBuffer buffer = packet.buffer();
        int ipLayer = IpPlace.around(view, layer);
        if (ipLayer < 0) {
            return false;
        }
        int l4 = view.layerOffset(layer - 1);
        int shimAt = header.shimOffset();
        int shim = view.buffer().getInt(shimAt + shift);
        boolean newStyle = IntShim.type(shim) != 0;
        int npt = newStyle ? IntShim.npt(shim) : IntShim.NPT_NONE;
        place.find(view, ipLayer, shift);
        if (npt == IntShim.NPT_IP_PROTOCOL) {
            int bytes = header.end() - l4;
            if (place.payloadAt != l4
                    || place.payloadLayer != layer - 1
                    || view.layer(layer - 1) != Layer.UDP
                    || !Ripple.canGrow(view, layer - 1, shift, -bytes, header.end())) {
                return false;
            }
            ripple.begin(buffer);
            take(packet, view, layer - 1, l4, header.end(), shift);
            place.putProtocol(ripple, buffer, view, shift + bytes, IntShim.content(shim) & 0xFF);
            return true;
        }
        int from = isProbe(buffer, view, layer - 1, shimAt, shift) ? shimAt - PROBE_MARKER : shimAt;
        int bytes = header.end() - from;
        if (!Ripple.canGrow(view, layer, shift, -bytes, header.end())) {
            return false;
        }
        ripple.begin(buffer);
        int port = -1;
        if (npt == IntShim.NPT_UDP_PORT) {
            port = IntShim.content(shim);
        } else if (header.tailOffset() >= 0 && view.layer(layer - 1) == Layer.UDP) {
            port = buffer.getShort(header.tailOffset() + shift + 1) & 0xFFFF;
        }
        if (port >= 0) {
            ripple.put(l4 + shift + 2, port);
        }
        take(packet, view, layer, from, header.end(), shift);
        boolean byDscp = from == shimAt && npt == IntShim.NPT_NONE && place.dscp == codepoints.dscp();
        if (byDscp && header.originalDscp() >= 0) {
            place.putDscp(ripple, buffer, view, shift + bytes, header.originalDscp());
        }
        return true;
    }

    private boolean isProbe(ByteBuffer buffer, PacketView view, int l4Layer, int shimAt, int shift) {
        int l4 = view.layerOffset(l4Layer);
        boolean tcp = view.layer(l4Layer) == Layer.TCP;
        int before = tcp ? PacketEncoder.TCP_LENGTH : PacketEncoder.UDP_LENGTH;
        return shimAt - PROBE_MARKER >= l4 + before
                && buffer.getLong(shimAt + shift - PROBE_MARKER) == codepoints.probeMarker();
    }

    private boolean inGeneve(Packet packet, PacketView view, int layer, IntHeaderView header, int shift) {
        int geneveLayer = layer - 1;
        while (geneveLayer >= 0 && view.layer(geneveLayer) != Layer.GENEVE) {
            geneveLayer--;
        }
        int from = header.headerOffset() - 4;
        int bytes = header.end() - from;
        if (geneveLayer < 0 || !Ripple.canGrow(view, geneveLayer + 1, shift, -bytes, header.end())) {
            return false;
        }
        ByteBuffer buffer = packet.buffer();
        int geneve = view.layerOffset(geneveLayer) + shift;
        ripple.begin(buffer);
        ripple.put(geneve, (buffer.getShort(geneve) & 0xFFFF) - (bytes / 4 << 8));
        take(packet, view, geneveLayer + 1, from, header.end(), shift);
        return true;
    }

    private boolean behindGpe(Packet packet, PacketView view, int layer, IntHeaderView header, int index, int shift) {
        ByteBuffer buffer = packet.buffer();
        int from = header.shimOffset();
        int bytes = header.end() - from;
        int shim = buffer.getInt(from + shift);
        if (!Ripple.canGrow(view, layer, shift, -bytes, header.end())) {
            return false;
        }
        if (isChained(view, index)) {
            ripple.begin(buffer);
            int before = view.intHeader(index - 1).shimOffset() + shift + 2;
            ripple.put(before, buffer.getShort(before) & 0xFF00 | IntShim.lastByte(shim));
            take(packet, view, layer, from, header.end(), shift);
            return true;
        }
        int gpeLayer = layer - 1;
        if (view.layer(gpeLayer) != Layer.VXLAN_GPE) {
            return false;
        }
        boolean newStyle = IntShim.type(shim) != 0;
        boolean wasVxlan =
                newStyle ? (shim & GPE_SHIM_WAS_VXLAN) != 0 : (IntShim.oldReserved(shim) & OLD_GPE_WAS_VXLAN) != 0;
        boolean behindUdp = gpeLayer > 0 && view.layer(gpeLayer - 1) == Layer.UDP;
        int gpe = view.layerOffset(gpeLayer) + shift;
        ripple.begin(buffer);
        int next = IntShim.lastByte(shim);
        if (wasVxlan && behindUdp) {
            ripple.put(gpe, buffer.getShort(gpe) & ~GPE_P);
            ripple.put(view.layerOffset(gpeLayer - 1) + shift + 2, VXLAN_PORT);
            next = 0;
        }
        ripple.put(gpe + 2, buffer.getShort(gpe + 2) & 0xFF00 | next);
        take(packet, view, layer, from, header.end(), shift);
        return true;
    }

    private boolean behindGre(Packet packet, PacketView view, int layer, IntHeaderView header, int index, int shift) {
        ByteBuffer buffer = packet.buffer();
        int from = header.shimOffset();
        int shim = buffer.getInt(from + shift);
        int next = IntShim.content(shim);
        if (isChained(view, index)) {
            if (!Ripple.canGrow(view, layer, shift, from - header.end(), header.end())) {
                return false;
            }
            ripple.begin(buffer);
            ripple.put(view.intHeader(index - 1).shimOffset() + shift + 2, next);
            take(packet, view, layer, from, header.end(), shift);
            return true;
        }
        int greLayer = layer - 1;
        if (view.layer(greLayer) != Layer.GRE) {
            return false;
        }
        if ((shim & GRE_SHIM_ADDED) != 0) {
            return takeTunnel(packet, view, greLayer, header, next, shift);
        }
        if (!Ripple.canGrow(view, layer, shift, from - header.end(), header.end())) {
            return false;
        }
        ripple.begin(buffer);
        ripple.put(view.layerOffset(greLayer) + shift + 2, next);
        take(packet, view, layer, from, header.end(), shift);
        return true;
    }

    /** The outer IPv4 header and GRE were the source's. */
    private boolean takeTunnel(
            Packet packet, PacketView view, int greLayer, IntHeaderView header, int next, int shift) {
        ByteBuffer buffer = packet.buffer();
        int ipLayer = greLayer - 1;
        boolean expected = ipLayer > 0
                && view.layer(ipLayer) == Layer.IPV4
                && (view.layer(ipLayer - 1) == Layer.ETHERNET || view.layer(ipLayer - 1) == Layer.VLAN)
                && (next == ETHER_TYPE_IPV4 || next == ETHER_TYPE_IPV6);
        if (!expected) {
            return false;
        }
        int ip = view.layerOffset(ipLayer);
        int bytes = header.end() - ip;
        if (!Ripple.canGrow(view, ipLayer, shift, -bytes, header.end())) {
            return false;
        }
        ripple.begin(buffer);
        ripple.put(ip + shift - 2, next);
        take(packet, view, ipLayer, ip, header.end(), shift);
        return true;
    }

    /** Whether the header before this one says what follows it. */
    private static boolean isChained(PacketView view, int index) {
        return index > 0
                && view.intHeader(index - 1).encapsulation()
                        == view.intHeader(index).encapsulation()
                && view.intHeader(index - 1).end() == view.intHeader(index).shimOffset();
    }
}
