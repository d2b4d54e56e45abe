package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/**
 * The headers that carry a report: from the first octet of a captured frame to the payload of its UDP datagram
 * [TR 2.0 §3.1]. Lengths that cannot be are not a reason to lose a report: they are clamped to what was captured
 * and {@link #clamped} tells. Checksums are not looked at.
 *
 * <p>Hot path. A view, not a value: is good until the buffer is filled again, belongs to one thread. Every read is
 * checked first, so no bytes make it throw. Buffers are big endian and read by absolute index.
 */
public final class OuterHeaders {
    /** What was found, and with it which accessors mean something. */
    public enum Kind {
        /** A UDP datagram: addresses, ports and payload. */
        UDP,
        /** Part of an IP packet that may hold one: addresses, the fragment's place, and its octets as payload. */
        FRAGMENT,
        /** A readable packet that carries something else, or no IP at all. */
        OTHER_PROTOCOL,
        UNSUPPORTED_LINK_TYPE,
        /** It ends inside a header, contradicts itself, or is nested deeper than any sane one. */
        UNREADABLE
    }

    private static final int UDP_LENGTH = 8;
    private static final int UDP_DESTINATION_PORT = 2;
    private static final int UDP_LENGTH_FIELD = 4;

    private static final int IPV4_MIN_LENGTH = 20;
    private static final int IPV4_TOTAL_LENGTH = 2;
    private static final int IPV4_ID = 4;
    private static final int IPV4_FRAGMENT = 6;
    private static final int IPV4_PROTOCOL = 9;
    private static final int IPV4_SOURCE = 12;
    private static final int IPV4_DESTINATION = 16;
    private static final int IPV4_MORE_FRAGMENTS = 0x2000;
    private static final int IPV4_FRAGMENT_OFFSET = 0x1FFF;

    private static final int IPV6_LENGTH = 40;
    private static final int IPV6_PAYLOAD_LENGTH = 4;
    private static final int IPV6_NEXT_HEADER = 6;
    private static final int IPV6_SOURCE = 8;
    private static final int IPV6_DESTINATION = 24;
    private static final int IPV6_FRAGMENT_LENGTH = 8;
    private static final int IPV6_MORE_FRAGMENTS = 1;
    private static final int IPV6_FRAGMENT_OFFSET =
            0xFFF8; // in units of 8 octets and shifted by 3: octets as it stands

    private static final int HOP_BY_HOP = 0;
    private static final int UDP = 17;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION_OPTIONS = 60;
    private static final int MOBILITY = 135;
    private static final int HOST_IDENTITY = 139;
    private static final int SHIM6 = 140;
    private static final int MAX_EXTENSIONS = 8;

    private final LinkLayer link = new LinkLayer();
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int end;
    private Kind kind = Kind.UNREADABLE;
    private boolean clamped;
    private int ipOffset;
    private boolean v6;
    private long sourceHi;
    private long sourceLo;
    private long destinationHi;
    private long destinationLo;
    private int protocol;
    private int fragmentId;
    private int fragmentOffset;
    private boolean moreFragments;
    private int sourcePort;
    private int destinationPort;
    private int udpLengthField;
    private int payloadOffset;
    private int payloadEnd;
    private int ipEnd;

    /** Reads one frame, of which the octets from {@code offset} to before {@code end} were captured. */
    public Kind wrap(int linkType, ByteBuffer buffer, int offset, int end) {
        this.buffer = buffer;
        this.end = end;
        clamped = false;
        PacketStart start = link.wrap(linkType, buffer, offset, end);
        if (start == PacketStart.ETHERNET) {
            start = link.descend();
        }
        ipOffset = link.offset();
        kind = switch (start) {
            case IPV4 -> ipv4(ipOffset);
            case IPV6 -> ipv6(ipOffset);
            case OTHER, ETHERNET -> notIp();
        };
        return kind;
    }

    /**
     * Reads what the fragments of a packet gave together, from the header that its first fragment began with; addresses
     * stay those of the fragment read last, which all fragments of a packet share.
     */
    public Kind wrapReassembled(int protocol, ByteBuffer buffer, int offset, int end) {
        this.buffer = buffer;
        this.end = end;
        clamped = false;
        kind = transport(protocol, offset, end);
        return kind;
    }

    private Kind notIp() {
        if (!link.supported()) {
            return Kind.UNSUPPORTED_LINK_TYPE;
        }
        return link.readable() ? Kind.OTHER_PROTOCOL : Kind.UNREADABLE;
    }

    private Kind ipv4(int at) {
        if (end - at < IPV4_MIN_LENGTH || !version(at, 4)) {
            return Kind.UNREADABLE;
        }
        int headerLength = (buffer.get(at) & 0xF) * 4;
        if (headerLength < IPV4_MIN_LENGTH || headerLength > end - at) {
            return Kind.UNREADABLE;
        }
        v6 = false;
        sourceHi = 0;
        sourceLo = u32(at + IPV4_SOURCE);
        destinationHi = 0;
        destinationLo = u32(at + IPV4_DESTINATION);
        int totalLength = u16(at + IPV4_TOTAL_LENGTH);
        // 0 is what a sender that leaves segmentation to its network card shows to a capture: all of the frame.
        int limit = limit(at, totalLength, totalLength < headerLength);
        int fragment = u16(at + IPV4_FRAGMENT);
        int next = u8(at + IPV4_PROTOCOL);
        if ((fragment & (IPV4_MORE_FRAGMENTS | IPV4_FRAGMENT_OFFSET)) != 0) {
            fragmentId = u16(at + IPV4_ID);
            fragmentOffset = (fragment & IPV4_FRAGMENT_OFFSET) * 8;
            moreFragments = (fragment & IPV4_MORE_FRAGMENTS) != 0;
            return fragment(next, at + headerLength, limit);
        }
        return transport(next, at + headerLength, limit);
    }

    private Kind ipv6(int at) {
        if (end - at < IPV6_LENGTH || !version(at, 6)) {
            return Kind.UNREADABLE;
        }
        v6 = true;
        sourceHi = buffer.getLong(at + IPV6_SOURCE);
        sourceLo = buffer.getLong(at + IPV6_SOURCE + Long.BYTES);
        destinationHi = buffer.getLong(at + IPV6_DESTINATION);
        destinationLo = buffer.getLong(at + IPV6_DESTINATION + Long.BYTES);
        int payloadLength = u16(at + IPV6_PAYLOAD_LENGTH);
        // 0 as above, or a jumbogram, which says its length in an option: longer than any frame we take [RFC 2675].
        int limit = limit(at + IPV6_LENGTH, payloadLength, payloadLength == 0);
        return transport(u8(at + IPV6_NEXT_HEADER), at + IPV6_LENGTH, limit);
    }

    /** 0 is what a switch program sends that forgot to fill the field; the layer below has said what it is. */
    private boolean version(int at, int expected) {
        int version = u8(at) >>> 4;
        clamped |= version == 0;
        return version == expected || version == 0;
    }

    private int limit(int from, int length, boolean impossible) {
        if (impossible || length > end - from) {
            clamped = true;
            return end;
        }
        return from + length;
    }

    private Kind transport(int firstHeader, int from, int limit) {
        int header = firstHeader;
        int at = from;
        for (int extensions = 0; extensions <= MAX_EXTENSIONS; extensions++) {
            if (header == UDP) {
                protocol = header;
                return udp(at, limit);
            }
            if (!mayPrecedeUdp(header)) {
                protocol = header;
                return Kind.OTHER_PROTOCOL;
            }
            // Fragment headers are 8 octets, and the shortest of the others are as well.
            if (limit - at < IPV6_FRAGMENT_LENGTH) {
                return Kind.UNREADABLE;
            }
            int next = u8(at);
            int length;
            if (header == FRAGMENT) {
                int fragment = u16(at + 2);
                fragmentOffset = fragment & IPV6_FRAGMENT_OFFSET;
                moreFragments = (fragment & IPV6_MORE_FRAGMENTS) != 0;
                // A fragment that is the whole packet needs no others and must not wait for any [RFC 6946].
                if (fragmentOffset != 0 || moreFragments) {
                    fragmentId = buffer.getInt(at + 4);
                    return fragment(next, at + IPV6_FRAGMENT_LENGTH, limit);
                }
                length = IPV6_FRAGMENT_LENGTH;
            } else {
                length = header == AUTHENTICATION ? (u8(at + 1) + 2) * 4 : (u8(at + 1) + 1) * 8;
            }
            if (length > limit - at) {
                return Kind.UNREADABLE;
            }
            header = next;
            at += length;
        }
        return Kind.UNREADABLE;
    }

    private boolean mayPrecedeUdp(int header) {
        return switch (header) {
            case AUTHENTICATION -> true;
            case HOP_BY_HOP, ROUTING, FRAGMENT, DESTINATION_OPTIONS, MOBILITY, HOST_IDENTITY, SHIM6 -> v6;
            default -> false;
        };
    }

    private Kind fragment(int firstHeader, int from, int limit) {
        protocol = firstHeader;
        payloadOffset = from;
        payloadEnd = limit;
        ipEnd = limit;
        return firstHeader == UDP || mayPrecedeUdp(firstHeader) ? Kind.FRAGMENT : Kind.OTHER_PROTOCOL;
    }

    private Kind udp(int at, int limit) {
        if (limit - at < UDP_LENGTH) {
            return Kind.UNREADABLE;
        }
        sourcePort = u16(at);
        destinationPort = u16(at + UDP_DESTINATION_PORT);
        udpLengthField = u16(at + UDP_LENGTH_FIELD);
        payloadOffset = at + UDP_LENGTH;
        ipEnd = limit;
        if (udpLengthField < UDP_LENGTH || udpLengthField > limit - at) {
            clamped = true;
            payloadEnd = limit;
        } else {
            payloadEnd = at + udpLengthField;
        }
        return Kind.UDP;
    }

    public Kind kind() {
        return kind;
    }

    public boolean isUdp() {
        return kind == Kind.UDP;
    }

    public boolean isFragment() {
        return kind == Kind.FRAGMENT;
    }

    /** Something was wrong and made the best of: a length that the frame does not have, or a version nibble of 0. */
    public boolean clamped() {
        return clamped;
    }

    /** Where the IP header starts, for who wants more of it than this class tells; of the frame, not of a reassembly. */
    public int ipOffset() {
        return ipOffset;
    }

    public boolean v6() {
        return v6;
    }

    /** Upper half of an IPv6 address; 0 for IPv4. */
    public long sourceHi() {
        return sourceHi;
    }

    /** Lower half of an IPv6 address; all of an IPv4 one, in the lower 32 bits. */
    public long sourceLo() {
        return sourceLo;
    }

    public long destinationHi() {
        return destinationHi;
    }

    public long destinationLo() {
        return destinationLo;
    }

    /** The last header found: 17 for UDP; of a fragment, the header that the first fragment of its packet begins with. */
    public int protocol() {
        return protocol;
    }

    /** 16 bits of IPv4, all 32 of IPv6. */
    public int fragmentId() {
        return fragmentId;
    }

    /** Octets of the packet before this fragment, a multiple of 8. */
    public int fragmentOffset() {
        return fragmentOffset;
    }

    public boolean moreFragments() {
        return moreFragments;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public int destinationPort() {
        return destinationPort;
    }

    /** As written, also where it is nonsense. */
    public int udpLengthField() {
        return udpLengthField;
    }

    public int payloadOffset() {
        return payloadOffset;
    }

    /** Past the last octet of the payload. What the frame has behind it is padding, and not in it. */
    public int payloadEnd() {
        return payloadEnd;
    }

    /** Octets that IP carries behind the end of the UDP datagram: some switches leave them there. */
    public int excessLength() {
        return ipEnd - payloadEnd;
    }

    private int u8(int at) {
        return Byte.toUnsignedInt(buffer.get(at));
    }

    private int u16(int at) {
        return Short.toUnsignedInt(buffer.getShort(at));
    }

    private long u32(int at) {
        return Integer.toUnsignedLong(buffer.getInt(at));
    }
}
