package io.pathlore.wire.net;

import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.ioam.IoamView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link PacketWalker} found in one packet, possibly cut short: layers, flows, INT and IOAM, by offset into the
 * buffer. Hot path: one instance is filled again for every packet.
 */
public final class PacketView {
    public static final int MAX_INT_HEADERS = 4;
    public static final int MAX_IOAM_OPTIONS = 8;
    static final int MAX_VLANS = 4;
    private static final int MAX_LAYERS = 96;
    private static final Layer[] LAYERS = Layer.values();

    ByteBuffer buffer = ByteBuffer.allocate(0);
    int start;
    int end;

    private final byte[] layers = new byte[MAX_LAYERS];
    /** From the start of the packet, so that they hold wherever it lies. */
    private final int[] layerOffsets = new int[MAX_LAYERS];

    private int layerCount;

    @Nullable
    Layer cutAt;

    /** From the start of the packet, or -1. */
    private int ethernetAt;

    private final short[] vlans = new short[MAX_VLANS];
    private int vlanCount;

    final FlowView outer = new FlowView();
    final FlowView inner = new FlowView();
    FlowView flow = outer;
    /** The outer flow is read when somebody asks for it, hardly anybody does. */
    private boolean outerUnread;

    // Where a remembered packet has its flows, from its start.
    private int ipAt;
    private int l4At;
    private int innerL4At;
    private int restoredPortAt;

    private final IntHeaderView[] ints = new IntHeaderView[MAX_INT_HEADERS];
    int intCount;
    private final IoamView[] ioams = new IoamView[MAX_IOAM_OPTIONS];
    int ioamCount;

    public PacketView() {
        for (int i = 0; i < ints.length; i++) {
            ints[i] = new IntHeaderView();
        }
        for (int i = 0; i < ioams.length; i++) {
            ioams[i] = new IoamView();
        }
    }

    /** No packet: a report may carry none. */
    public void clear() {
        layerCount = 0;
        cutAt = null;
        ethernetAt = -1;
        vlanCount = 0;
        outer.clear();
        inner.clear();
        flow = outer;
        outerUnread = false;
        intCount = 0;
        ioamCount = 0;
    }

    /**
     * Notes where its flows stand, for {@link #moveTo}: one IP header, one INT header over UDP, and at most one more L4 header.
     *
     * @param ip offset of the IP header; {@code l4} of the UDP header behind it
     * @param innerL4 offset of the L4 header behind INT, at least eight octets of it, or -1
     * @param restoredPort offset of the original destination port in the shim, or -1
     */
    public void remember(int ip, int l4, int innerL4, int restoredPort) {
        ipAt = ip - start;
        l4At = l4 - start;
        innerL4At = innerL4 < 0 ? -1 : innerL4 - start;
        restoredPortAt = restoredPort < 0 ? -1 : restoredPort - start;
    }

    /**
     * The same layers in bytes that lie elsewhere; flows are read again. The caller knows that what decided their reading is
     * unchanged.
     */
    @SuppressWarnings("ReferenceEquality") // a store of a reference costs more than the comparison that avoids it
    public void moveTo(ByteBuffer buffer, int delta, int end) {
        if (this.buffer != buffer) {
            this.buffer = buffer;
        }
        int from = start + delta;
        start = from;
        this.end = end;
        for (int i = 0; i < vlanCount; i++) {
            vlans[i] = buffer.getShort(from + ethernetAt + 14 + 4 * i);
        }
        if (innerL4At >= 0) {
            inner.readAddresses(buffer, from + ipAt);
            inner.readPortsWide(buffer, from + innerL4At);
        }
        outerUnread = true;
        if (flow == outer) {
            readOuter();
        }
        ints[0].moveTo(buffer, delta);
    }

    private void readOuter() {
        outer.readAddresses(buffer, start + ipAt);
        outer.readPortsWide(buffer, start + l4At);
        if (restoredPortAt >= 0) {
            outer.destinationPort = buffer.getShort(start + restoredPortAt) & 0xFFFF;
        }
        outerUnread = false;
    }

    /** Of several, the first counts. */
    boolean foundEthernet(int offset) {
        boolean first = ethernetAt < 0;
        if (first) {
            ethernetAt = offset - start;
        }
        return first;
    }

    void add(Layer layer, int offset) {
        if (layerCount < MAX_LAYERS) {
            layers[layerCount] = (byte) layer.ordinal();
            layerOffsets[layerCount++] = offset - start;
        }
    }

    void addVlan(int vid) {
        if (vlanCount < MAX_VLANS) {
            vlans[vlanCount++] = (short) vid;
        }
    }

    IntHeaderView nextInt() {
        return ints[intCount];
    }

    IoamView nextIoam() {
        return ioams[ioamCount];
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    /** Where the packet starts in the buffer. */
    public int start() {
        return start;
    }

    /** Where the bytes of the packet end in the buffer. */
    public int end() {
        return end;
    }

    public int layers() {
        return layerCount;
    }

    public Layer layer(int index) {
        return LAYERS[layers[index]];
    }

    public int layerOffset(int index) {
        return start + layerOffsets[index];
    }

    /** The first header that is incomplete because the packet was cut, or null. */
    public @Nullable Layer cutAt() {
        return cutAt;
    }

    /** Offset of the first Ethernet header, or -1. */
    public int ethernetOffset() {
        return ethernetAt < 0 ? -1 : start + ethernetAt;
    }

    /** VLAN tags right behind the first Ethernet header. */
    public int vlans() {
        return vlanCount;
    }

    public int vlan(int index) {
        return vlans[index] & 0xFFF;
    }

    /** The flow of the packet; check {@link FlowView#known}. */
    public FlowView flow() {
        return flow;
    }

    /** The flow as the underlay sees it, or null where there is no difference. */
    public @Nullable FlowView outerFlow() {
        if (outerUnread) {
            readOuter();
        }
        return flow != outer && !flow.sameAs(outer) ? outer : null;
    }

    public int ints() {
        return intCount;
    }

    public IntHeaderView intHeader(int index) {
        return ints[index];
    }

    public int ioams() {
        return ioamCount;
    }

    public IoamView ioam(int index) {
        return ioams[index];
    }
}
