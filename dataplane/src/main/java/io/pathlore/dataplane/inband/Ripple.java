package io.pathlore.dataplane.inband;

import io.pathlore.wire.net.InternetChecksum;
import io.pathlore.wire.net.L4Checksum;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;

/**
 * What a change inside a packet means for the headers around it: lengths and checksums, from the inside out. The change is
 * told first, octet by octet, then {@link #outward} carries it to the front.
 *
 * <p>Checksums are updated, not made again, so one that was wrong stays wrong and the receiver still finds out. Every
 * header has an even length, so that all 16-bit words here are words of every checksum around them.
 */
final class Ripple {
    static final int NO_COMPLEMENT = -1;

    private static final int ETHER_TYPE = 12;
    private static final int MAX_802_3_LENGTH = 1500;
    private static final int IPV4_LENGTH = 2;
    private static final int IPV4_CHECKSUM = 10;
    private static final int IPV6_LENGTH = 4;
    private static final int UDP_LENGTH = 4;
    private static final int UDP_CHECKSUM = 6;
    private static final int TCP_CHECKSUM = 16;
    private static final int ICMP_CHECKSUM = 2;
    private static final int GRE_CHECKSUM = 4;
    private static final int GRE_CHECKSUM_PRESENT = 0x8000;
    private static final int GTP_LENGTH = 2;
    private static final int PPPOE_LENGTH = 4;
    private static final int MAX = 0xFFFF;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    /** By how much the one's complement sum of the octets inside has grown. */
    private long sum;

    private int complementAt;

    void begin(ByteBuffer buffer) {
        this.buffer = buffer;
        sum = 0;
    }

    /** These octets are new; there is an even number of them. */
    void added(int from, int end) {
        sum = InternetChecksum.add(sum, buffer, from, end);
    }

    /** These octets, still in place, will be gone; there is an even number of them. */
    void removed(int from, int end) {
        sum += InternetChecksum.finish(InternetChecksum.add(0, buffer, from, end));
    }

    /** Writes a 16-bit word, at an even distance from the headers around it. */
    void put(int at, int value) {
        sum += (~buffer.getShort(at) & MAX) + (value & MAX);
        buffer.putShort(at, (short) value);
    }

    /**
     * Whether every length field of the outer {@code layers} headers covers what is inside and can grow, or shrink, by this
     * much.
     *
     * @param shift where the headers stand now, from where the view saw them
     * @param end of what is inside, as the view saw it
     */
    static boolean canGrow(PacketView view, int layers, int shift, int delta, int end) {
        ByteBuffer buffer = view.buffer();
        for (int i = 0; i < layers; i++) {
            int at = view.layerOffset(i) + shift;
            int inside = end + shift - at;
            boolean can = switch (view.layer(i)) {
                case IPV4 -> isLength(buffer, at + IPV4_LENGTH, delta, inside);
                case IPV6 -> isLength(buffer, at + IPV6_LENGTH, delta, inside - 40);
                // INT 0.5 lets nodes leave this length as it was before INT, so it may cover less.
                case UDP -> isLength(buffer, at + UDP_LENGTH, delta, Math.max(8, 8 - delta));
                case GTP_U -> isLength(buffer, at + GTP_LENGTH, delta, inside - 8);
                case PPPOE -> isLength(buffer, at + PPPOE_LENGTH, delta, inside - 6);
                case ETHERNET -> {
                    int length = buffer.getShort(at + ETHER_TYPE) & MAX;
                    yield length > MAX_802_3_LENGTH || length + delta > 0 && length + delta <= MAX_802_3_LENGTH;
                }
                // Signed by its sender: nothing behind it may change.
                case AH -> false;
                default -> true;
            };
            if (!can) {
                return false;
            }
        }
        return true;
    }

    /** Zero says that the length is not told. */
    private static boolean isLength(ByteBuffer buffer, int at, int delta, int least) {
        int length = buffer.getShort(at) & MAX;
        return length == 0 || length >= least && length + delta <= MAX;
    }

    /**
     * Updates the outer {@code layers} headers of the view, innermost first.
     *
     * @param shift where they stand now, from where the view saw them
     * @param delta octets added inside, less than 0 if they were taken out
     * @param complementAt a checksum complement of all ones among what was added: it makes up for the change where the
     *     innermost checksum around it would have to be updated; or {@link #NO_COMPLEMENT}
     */
    void outward(PacketView view, int layers, int shift, int delta, int complementAt) {
        this.complementAt = complementAt;
        for (int i = layers - 1; i >= 0; i--) {
            int at = view.layerOffset(i) + shift;
            switch (view.layer(i)) {
                case UDP -> {
                    grow(at + UDP_LENGTH, delta);
                    if (buffer.getShort(at + UDP_CHECKSUM) != 0) {
                        checksum(at + UDP_CHECKSUM, delta, true);
                    }
                }
                case TCP -> checksum(at + TCP_CHECKSUM, delta, false);
                case ICMP -> checksum(at + ICMP_CHECKSUM, 0, false);
                case ICMPV6 -> checksum(at + ICMP_CHECKSUM, delta, false);
                case GRE -> {
                    if ((buffer.getShort(at) & GRE_CHECKSUM_PRESENT) != 0) {
                        checksum(at + GRE_CHECKSUM, 0, false);
                    }
                }
                case IPV4 -> {
                    int length = buffer.getShort(at + IPV4_LENGTH) & MAX;
                    if (length != 0 && delta != 0) {
                        putIpv4(at, IPV4_LENGTH, length + delta);
                    }
                }
                case IPV6 -> grow(at + IPV6_LENGTH, delta);
                case GTP_U -> grow(at + GTP_LENGTH, delta);
                case PPPOE -> grow(at + PPPOE_LENGTH, delta);
                case ETHERNET -> {
                    if ((buffer.getShort(at + ETHER_TYPE) & MAX) <= MAX_802_3_LENGTH) {
                        grow(at + ETHER_TYPE, delta);
                    }
                }
                default -> {}
            }
        }
    }

    /** Writes a word of an IPv4 header. Its own checksum makes up for the change, so nothing around notices. */
    void putIpv4(int ip, int field, int value) {
        int old = buffer.getShort(ip + field) & MAX;
        int checksum = buffer.getShort(ip + IPV4_CHECKSUM) & MAX;
        buffer.putShort(ip + field, (short) value);
        buffer.putShort(ip + IPV4_CHECKSUM, (short) L4Checksum.updated(checksum, old, value & MAX));
    }

    private void grow(int at, int delta) {
        int length = buffer.getShort(at) & MAX;
        if (length != 0 && delta != 0) {
            put(at, length + delta);
        }
    }

    /** {@code pseudoDelta}: the pseudo header's length changed too, which stands in no octet. */
    private void checksum(int at, int pseudoDelta, boolean udp) {
        long inside = sum + (pseudoDelta >= 0 ? pseudoDelta : ~-pseudoDelta & MAX);
        if (complementAt != NO_COMPLEMENT) {
            int complement = InternetChecksum.finish(inside);
            buffer.putInt(complementAt, complement);
            sum += complement;
            complementAt = NO_COMPLEMENT;
            return;
        }
        int old = buffer.getShort(at) & MAX;
        put(at, udp ? L4Checksum.updatedUdp(old, 0, inside) : L4Checksum.updated(old, 0, inside));
    }

    /** Octets a node's egress link would have to carry behind L2 [INT 2.1 §5.8]. */
    static int ipLength(PacketView view) {
        ByteBuffer buffer = view.buffer();
        for (int i = 0; i < view.layers(); i++) {
            int at = view.layerOffset(i);
            Layer layer = view.layer(i);
            if (layer == Layer.IPV4) {
                int total = buffer.getShort(at + IPV4_LENGTH) & MAX;
                return total == 0 ? view.end() - at : total;
            }
            if (layer == Layer.IPV6) {
                int payload = buffer.getShort(at + IPV6_LENGTH) & MAX;
                return payload == 0 ? view.end() - at : 40 + payload;
            }
        }
        return view.end() - view.start();
    }
}
