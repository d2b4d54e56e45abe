package io.pathlore.dataplane.inband;

import io.pathlore.dataplane.packet.Packet;
import io.pathlore.model.Profile;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.inband.IntVersion;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker;

/**
 * Everything an INT node does to the octets of a packet. TTLs are not its business. Packets are parsed first; each change
 * makes the view stale, so parse again before the next.
 *
 * <p>Hot path: no allocation once warm; belongs to one node.
 */
public final class IntEditor {
    private static final int[] NO_WORDS = {};
    private static final int DS_FLAGS = 10;

    private final boolean transparentSecurity;
    private final Warnings warnings = new Warnings();
    private final PacketWalker walker;
    private final PacketView view = new PacketView();
    private final IntInsertion insertion;
    private final HopPush hopPush;
    private final IntRemoval removal;
    private final FollowUp followUp;

    public IntEditor(Codepoints codepoints, boolean june2016) {
        this(codepoints, june2016, false, EntropyPort.FLOW_HASH);
    }

    /**
     * @param june2016 the old Geneve class and VXLAN-GPE next protocol 5 carry INT of June 2016
     * @param transparentSecurity INT in this domain is of that dialect: Length counts the shim
     * @param entropyPort source port of UDP headers that this node adds
     */
    public IntEditor(Codepoints codepoints, boolean june2016, boolean transparentSecurity, EntropyPort entropyPort) {
        this.transparentSecurity = transparentSecurity;
        // A node forwards what a strict collector rejects: reserved instructions, ordinary packets with the INT DSCP.
        walker = new PacketWalker(codepoints.decodeOptions(june2016).withStrict(false), warnings);
        insertion = new IntInsertion(codepoints, june2016, entropyPort);
        hopPush = new HopPush(codepoints.domains(), transparentSecurity);
        removal = new IntRemoval(codepoints);
        followUp = new FollowUp(this);
    }

    /** Walks the packet from its Ethernet header; the view is borrowed until the next call. */
    public PacketView parse(Packet packet) {
        return parse(packet, view);
    }

    PacketView parse(Packet packet, PacketView into) {
        warnings.clear();
        walker.walk(
                packet.buffer(),
                packet.start(),
                packet.end(),
                PacketWalker.Start.ETHERNET,
                false,
                transparentSecurity ? Profile.TRANSPARENT_SECURITY : Profile.SPEC,
                transparentSecurity,
                into);
        return into;
    }

    /** Throws where a task asks for what this domain's codepoints cannot express; {@link #insert} would do so. */
    public void check(IntTask task) {
        insertion.check(task);
    }

    /** SOURCE without words of its own domain and without a destination header. */
    public Insertion insert(Packet packet, PacketView view, IntTask task, HopValues own, int mtu) {
        return insert(packet, view, task, own, NO_WORDS, 0, mtu);
    }

    /**
     * SOURCE: puts the header in, and the source's own metadata if the task says so.
     *
     * @param own of domain specific words only those that every hop has
     * @param sourceWords source-only (MD) or source-inserted (MX) words in DS bit order; missing ones become all ones
     * @param sequence number of this packet, for the destination header
     * @param mtu largest IP packet the egress link carries
     */
    public Insertion insert(
            Packet packet, PacketView view, IntTask task, HopValues own, int[] sourceWords, long sequence, int mtu) {
        return insertion.insert(packet, view, task, own, sourceWords, sequence, mtu);
    }

    /** TRANSIT, or a sink whose metadata goes into the stack of a copy: pushes one hop to the first INT header. */
    public Push push(Packet packet, PacketView view, HopValues own, NodeAbility ability, int mtu) {
        return hopPush.push(packet, view, own, ability, mtu);
    }

    /**
     * Takes all hops out of the stack, after {@link Push#REPORT_FIRST}. What only the source writes stays, so that the sink
     * still knows the device; the next hop pushed stands around it as the source's did. False, and nothing changed, where
     * there is nothing to take or the domain is not known.
     */
    public boolean clearStack(Packet packet, PacketView view) {
        return hopPush.clear(packet, view);
    }

    /**
     * SINK: removes every INT header and everything its source added or changed: marks, lengths and checksums are what they
     * were. False when some INT had to stay because it is broken.
     */
    public boolean strip(Packet packet, PacketView view) {
        boolean all = removal.strip(packet, view);
        // A header may have stood where only the removal of the one before it lets us at it.
        for (int i = 1; !all && i < PacketView.MAX_INT_HEADERS; i++) {
            PacketView left = parse(packet);
            if (left.ints() == 0) {
                return true;
            }
            all = removal.strip(packet, left);
        }
        return all;
    }

    /** C: this copy was made on request (Rep), before 2.0. False if the packet has no such header. */
    public boolean markReplica(Packet packet, PacketView view) {
        if (view.ints() == 0 || view.intHeader(0).opaque()) {
            return false;
        }
        int flag = HeaderFlags.replica(view.intHeader(0).version());
        if (flag == 0 || !HopPush.isInside(view)) {
            return false;
        }
        hopPush.setFlags(packet, view, flag);
        return true;
    }

    /** Rep: how the source wants the packet replicated, 0 if not at all. */
    public int replicate(PacketView view) {
        if (view.ints() == 0 || view.intHeader(0).opaque() || view.intHeader(0).type() != IntShim.TYPE_MD) {
            return 0;
        }
        IntHeaderView header = view.intHeader(0);
        int first = view.buffer().get(header.headerOffset());
        return switch (header.version()) {
            case JUNE_2016 -> first >> 4 & 3;
            case V0_5, V1_0 -> first >> 2 & 3;
            case V2 -> 0;
        };
    }

    /** The sink must not forward the packet: D (2.x), a replica, or a follow-up packet. */
    public boolean discard(PacketView view) {
        if (view.ints() == 0 || view.intHeader(0).opaque()) {
            return false;
        }
        IntHeaderView header = view.intHeader(0);
        int first = view.buffer().getShort(header.headerOffset());
        int flag = header.version() == IntVersion.V2
                ? HeaderFlags.discard(IntVersion.V2, transparentSecurity)
                : HeaderFlags.replica(header.version());
        return (first & flag) != 0 || isFollowUp(view);
    }

    /** Whether the packet was made by a slow path: its metadata stands in a destination header. */
    public boolean isFollowUp(PacketView view) {
        return view.ints() > 0
                && view.intHeader(0).type() == IntShim.TYPE_DESTINATION
                && !view.intHeader(0).opaque();
    }

    /** DS Flags are the one field of a 2.x header that any node may change. False if the packet has no such header. */
    public boolean putDsFlags(Packet packet, PacketView view, int dsFlags) {
        if (view.ints() == 0
                || view.intHeader(0).opaque()
                || view.intHeader(0).version() != IntVersion.V2
                || !HopPush.isInside(view)) {
            return false;
        }
        hopPush.putFirst(packet, view, DS_FLAGS, dsFlags);
        return true;
    }

    /**
     * The follow-up packet of a slow-path node, June 2016 and 0.5: headers of the original with its upstream metadata and
     * this node's, as a destination header, so that nobody downstream works on it again [INT June 2016 §4.2]. False, and
     * {@code into} undefined, where the original has no such header, no hop is left, or type 2 would not be found: behind
     * TCP or UDP marked by DSCP.
     */
    public boolean followUp(Packet original, HopValues own, Packet into) {
        return followUp.make(original, own, into);
    }
}
