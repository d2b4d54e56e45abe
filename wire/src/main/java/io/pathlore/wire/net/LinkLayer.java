package io.pathlore.wire.net;

import io.pathlore.wire.pcap.LinkType;
import java.nio.ByteBuffer;

/**
 * What a captured frame has before its packet: the header that its link type names, then any tags, labels and sessions
 * down to IP [spec-notes 4.1 to 4.3].
 *
 * <p>Hot path. A view, not a value: copies nothing, is good until the buffer is filled again, belongs to one thread.
 * Every read is checked first, so no bytes make it throw. Buffers are big endian and read by absolute index.
 */
public final class LinkLayer {
    private static final int ETHERTYPE_OFFSET = 12;
    private static final int ETHERNET_LENGTH = 14;
    private static final int SLL_LENGTH = 16;
    private static final int SLL_PROTOCOL = 14;
    private static final int SLL2_LENGTH = 20;
    private static final int SLL2_PROTOCOL = 0;
    private static final int FAMILY_LENGTH = 4;
    private static final int TAG_LENGTH = 4;
    private static final int LABEL_LENGTH = 4;
    private static final int BOTTOM_OF_STACK = 0x100;
    private static final int CONTROL_WORD_LENGTH = 4;
    private static final int PPPOE_LENGTH = 6;
    private static final int SNAP_LENGTH = 8;
    private static final int SNAP_TYPE = 6;
    // AA AA 03: an unnumbered SNAP frame; 00 00 00: an EtherType follows [RFC 1042].
    private static final int SNAP_HEADER = 0xAAAA_0300;
    private static final int PPP_ADDRESS_CONTROL = 0xFF03;

    private static final int NO_ETHERTYPE = 0;
    private static final int MAX_LAYERS = 8;
    private static final int MAX_LABELS = 16;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int offset;
    private int end;
    private boolean supported = true;
    private boolean readable = true;

    /**
     * Where a parser of whole packets starts: at the Ethernet header where the frame has one, else at what the link
     * header announces. Always safe to call; {@link #offset} then is the place.
     */
    public PacketStart wrap(int linkType, ByteBuffer buffer, int offset, int end) {
        this.buffer = buffer;
        this.offset = offset;
        this.end = end;
        supported = true;
        readable = true;
        return switch (linkType) {
            case LinkType.ETHERNET -> PacketStart.ETHERNET;
            case LinkType.RAW, LinkType.RAW_BSD, LinkType.RAW_OPENBSD -> byVersion(offset);
            case LinkType.IPV4 -> PacketStart.IPV4;
            case LinkType.IPV6 -> PacketStart.IPV6;
            case LinkType.LINUX_SLL -> cooked(SLL_PROTOCOL, SLL_LENGTH);
            case LinkType.LINUX_SLL2 -> cooked(SLL2_PROTOCOL, SLL2_LENGTH);
            case LinkType.NULL, LinkType.LOOP -> loopback();
            case LinkType.PPP, LinkType.PPP_HDLC -> ppp(offset, 0);
            case LinkType.PPP_ETHER -> descend(EtherType.PPPOE_SESSION, offset, 0);
            default -> unsupported();
        };
    }

    /**
     * Goes on from an Ethernet header to IP, through VLAN tags, MPLS labels and PPPoE. Call it when {@link #wrap} said
     * {@link PacketStart#ETHERNET}; {@link #offset} then is the start of the IP header.
     */
    public PacketStart descend() {
        return ethernet(offset, 0);
    }

    /** Where the packet starts: after {@link #wrap} the one thing, after {@link #descend} the other. */
    public int offset() {
        return offset;
    }

    /** False: {@link #wrap} does not know the link type. */
    public boolean supported() {
        return supported;
    }

    /** False: the frame ends inside a header, or has more of them than any sane one. */
    public boolean readable() {
        return readable;
    }

    private PacketStart cooked(int protocol, int length) {
        if (end - offset < length) {
            return unreadable();
        }
        return descend(u16(offset + protocol), offset + length, 0);
    }

    private PacketStart loopback() {
        if (end - offset < FAMILY_LENGTH) {
            return unreadable();
        }
        int family = buffer.getInt(offset);
        // The order is that of the machine that captured, which the file need not share: no family fills two octets.
        family = (family & 0xFFFF) == 0 ? Integer.reverseBytes(family) : family;
        offset += FAMILY_LENGTH;
        return switch (family) {
            case 2 -> PacketStart.IPV4;
            case 10, 24, 28, 30 -> PacketStart.IPV6; // Linux, NetBSD and OpenBSD, FreeBSD, Darwin
            default -> PacketStart.OTHER;
        };
    }

    private PacketStart ethernet(int at, int layers) {
        if (end - at < ETHERNET_LENGTH) {
            return unreadable();
        }
        return descend(u16(at + ETHERTYPE_OFFSET), at + ETHERNET_LENGTH, layers);
    }

    /** The layers are counted on, through every kind of them, so that no frame can send us in circles. */
    private PacketStart descend(int etherType, int from, int layersSoFar) {
        int type = etherType;
        int at = from;
        for (int layers = layersSoFar; layers <= MAX_LAYERS; layers++) {
            switch (type) {
                case EtherType.IPV4 -> {
                    return found(PacketStart.IPV4, at);
                }
                case EtherType.IPV6 -> {
                    return found(PacketStart.IPV6, at);
                }
                case EtherType.MPLS, EtherType.MPLS_MULTICAST -> {
                    return mpls(at, layers + 1);
                }
                case EtherType.PPPOE_SESSION -> {
                    return ppp(at + PPPOE_LENGTH, layers + 1);
                }
                case EtherType.VLAN, EtherType.QINQ, EtherType.QINQ_9100, EtherType.QINQ_9200 -> {
                    if (end - at < TAG_LENGTH) {
                        return unreadable();
                    }
                    type = u16(at + 2);
                    at += TAG_LENGTH;
                }
                default -> {
                    // Below the first EtherType it is a length, and the type is in a SNAP header or nowhere.
                    if (type >= EtherType.FIRST || !snap(at)) {
                        return found(PacketStart.OTHER, at);
                    }
                    type = u16(at + SNAP_TYPE);
                    at += SNAP_LENGTH;
                }
            }
        }
        return unreadable();
    }

    private boolean snap(int at) {
        return end - at >= SNAP_LENGTH && buffer.getInt(at) == SNAP_HEADER && u16(at + 4) == 0;
    }

    private PacketStart mpls(int from, int layers) {
        int at = from;
        for (int labels = 0; labels < MAX_LABELS; labels++) {
            if (end - at < LABEL_LENGTH) {
                return unreadable();
            }
            boolean bottom = (buffer.getInt(at) & BOTTOM_OF_STACK) != 0;
            at += LABEL_LENGTH;
            if (bottom) {
                return belowLabels(at, layers);
            }
        }
        return unreadable();
    }

    /** Labels do not say what they carry, so its first nibble has to [RFC 4928]; 0 is the control word of a pseudowire. */
    private PacketStart belowLabels(int at, int layers) {
        if (at >= end) {
            return unreadable();
        }
        if (version(at) == 0) {
            return ethernet(at + CONTROL_WORD_LENGTH, layers);
        }
        return byVersion(at);
    }

    private PacketStart ppp(int from, int layers) {
        int at = from;
        if (end - at >= 2 && u16(at) == PPP_ADDRESS_CONTROL) {
            at += 2;
        }
        if (end - at < 2) {
            return unreadable();
        }
        // An odd first octet is a protocol compressed to one [RFC 1661 §6.5].
        boolean compressed = (buffer.get(at) & 1) != 0;
        int protocol = compressed ? Byte.toUnsignedInt(buffer.get(at)) : u16(at);
        int type = switch (protocol) {
            case 0x0021 -> EtherType.IPV4;
            case 0x0057 -> EtherType.IPV6;
            case 0x0281 -> EtherType.MPLS;
            default -> NO_ETHERTYPE;
        };
        at += compressed ? 1 : 2;
        return type == NO_ETHERTYPE ? found(PacketStart.OTHER, at) : descend(type, at, layers);
    }

    private PacketStart byVersion(int at) {
        if (at >= end) {
            return unreadable();
        }
        return switch (version(at)) {
            case 4 -> found(PacketStart.IPV4, at);
            case 6 -> found(PacketStart.IPV6, at);
            default -> found(PacketStart.OTHER, at);
        };
    }

    private PacketStart found(PacketStart start, int at) {
        offset = at;
        return start;
    }

    private PacketStart unreadable() {
        readable = false;
        return PacketStart.OTHER;
    }

    private PacketStart unsupported() {
        supported = false;
        return PacketStart.OTHER;
    }

    private int version(int at) {
        return Byte.toUnsignedInt(buffer.get(at)) >>> 4;
    }

    private int u16(int at) {
        return Short.toUnsignedInt(buffer.getShort(at));
    }
}
