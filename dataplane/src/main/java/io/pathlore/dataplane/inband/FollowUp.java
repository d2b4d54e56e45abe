package io.pathlore.dataplane.inband;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.wire.inband.Encapsulation;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/** Makes the packets a slow path sends after the fast path forwarded the original untouched [INT June 2016 §4.2]. */
final class FollowUp {
    /** Octets kept behind the last header, as ICMP errors quote packets: an L4 header and a little more. */
    private static final int QUOTED = 64;

    private final IntEditor editor;
    private final PacketView view = new PacketView();
    private final Ripple ripple = new Ripple();
    private final IpPlace place = new IpPlace();

    FollowUp(IntEditor editor) {
        this.editor = editor;
    }

    boolean make(Packet original, HopValues own, Packet into) {
        into.copyFrom(original);
        editor.parse(into, view);
        if (view.ints() == 0) {
            return false;
        }
        IntVersion version = view.intHeader(0).version();
        if (version != IntVersion.JUNE_2016 && version != IntVersion.V0_5) {
            return false;
        }
        cut(into);
        editor.parse(into, view);
        if (editor.push(into, view, own, NodeAbility.DEFAULT, Integer.MAX_VALUE) != Push.PUSHED) {
            return false;
        }
        editor.parse(into, view);
        retype(into);
        return editor.isFollowUp(editor.parse(into, view));
    }

    /** Drops payload behind the last header known. Headers around INT follow; those inside it still say how long it was. */
    private void cut(Packet into) {
        int layer = HopPush.layer(view);
        int last = Math.max(view.intHeader(view.ints() - 1).end(), view.layerOffset(view.layers() - 1));
        int end = view.end();
        int ip = IpPlace.outermost(view);
        if (ip >= 0) {
            place.find(view, ip);
            end = place.end(view);
        }
        // An even distance behind headers, so that what is cut are words of the checksums around it.
        int kept = last + QUOTED;
        int bytes = end - kept;
        if (bytes <= 0 || !Ripple.canGrow(view, layer, 0, -bytes, end)) {
            return;
        }
        ripple.begin(into.buffer());
        ripple.removed(kept, end);
        into.setEnd(kept);
        ripple.outward(view, layer, 0, -bytes, Ripple.NO_COMPLEMENT);
    }

    private void retype(Packet into) {
        ByteBuffer buffer = into.buffer();
        IntHeaderView header = view.intHeader(0);
        ripple.begin(buffer);
        if (header.encapsulation() == Encapsulation.GENEVE) {
            int option = header.headerOffset() - 2;
            ripple.put(option, buffer.getShort(option) & 0x80FF | IntShim.TYPE_DESTINATION << 8);
        } else {
            int shim = header.shimOffset();
            ripple.put(shim, buffer.getShort(shim) & 0xFF | IntShim.TYPE_DESTINATION << 8);
        }
        ripple.outward(view, HopPush.layer(view), 0, 0, Ripple.NO_COMPLEMENT);
    }
}
