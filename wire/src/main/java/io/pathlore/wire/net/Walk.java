package io.pathlore.wire.net;

import io.pathlore.model.Fault;
import io.pathlore.wire.Warnings;
import java.nio.ByteBuffer;

/** Where a walk through one packet stands. Steps share it; each names the next. Hot path. */
final class Walk {
    static final int STOP = 0;
    static final int ETHERNET = 1;
    static final int IPV4 = 2;
    static final int IPV6 = 3;
    static final int TRANSPORT = 4;
    static final int MPLS = 5;
    static final int PPPOE = 6;
    static final int NSH = 7;
    static final int VXLAN = 8;
    static final int GPE = 9;
    static final int GENEVE = 10;
    static final int GTP_U = 11;
    static final int GRE = 12;
    static final int ETHER_TYPE = 13;

    private static final int MAX_DEPTH = 8;

    final Warnings warnings;
    ByteBuffer buffer = ByteBuffer.allocate(0);
    PacketView view = new PacketView();
    /** Telemetry is looked for where a mark announces it. */
    boolean searchMarks;
    /** The bytes may prove telemetry without a mark. */
    boolean searchWithoutMark;

    boolean transparentSecurity;
    /** Past the last byte in hand. */
    int present;
    /** Where the innermost IP packet says it ends. */
    int declared;
    /** The nearer of the two: nothing is read beyond. */
    int limit;
    /** Start of the next header. */
    int at;

    int protocol;
    /** What follows a tunnel that names it by EtherType. */
    int etherType;

    int dscp;
    int vni;
    int depth;
    int ipHeaders;
    int extensions;
    /** The IP packet at hand has shown its INT header over L4. */
    boolean intFoundHere;

    boolean destinationSeen;

    Walk(Warnings warnings) {
        this.warnings = warnings;
    }

    void begin(ByteBuffer buffer, int from, int end, PacketView into) {
        this.buffer = buffer;
        this.view = into;
        present = end;
        declared = end;
        limit = end;
        at = from;
        protocol = 0;
        dscp = 0;
        vni = FlowView.ABSENT;
        depth = 0;
        ipHeaders = 0;
        intFoundHere = false;
        destinationSeen = false;
        into.clear();
        into.buffer = buffer;
        into.start = from;
        into.end = end;
    }

    int u8(int offset) {
        return buffer.get(offset) & 0xFF;
    }

    int u16(int offset) {
        return buffer.getShort(offset) & 0xFFFF;
    }

    int fault(Fault fault, int offset) {
        warnings.add(fault, offset);
        return STOP;
    }

    int cut(Layer layer) {
        if (view.cutAt == null) {
            view.cutAt = layer;
        }
        return STOP;
    }

    /** True when one more nested header is too many. */
    boolean tooDeep() {
        if (++depth > MAX_DEPTH) {
            warnings.add(Fault.PKT_DEPTH_EXCEEDED, at);
            return true;
        }
        return false;
    }
}
