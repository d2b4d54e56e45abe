package io.pathlore.wire.inband;

import java.nio.ByteBuffer;

/**
 * The four octets between a carrier and an INT header. INT 2.x over TCP/UDP [INT 2.1 §5.7.2]:
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+---+---+---------------+-------------------------------+
 * | Type  |NPT| R |    Length     |  port, or DSCP, or protocol   |
 * +-------+---+---+---------------+-------------------------------+
 * </pre>
 * INT 0.5 and 1.0 (and VXLAN-GPE before 2.x):
 * <pre>
 * +---------------+---------------+---------------+---------------+
 * |     Type      |   Reserved    |    Length     | DSCP, or next |
 * +---------------+---------------+---------------+---------------+
 * </pre>
 * Length counts words: behind the shim in 2.x, with the shim before.
 */
public final class IntShim {
    public static final int LENGTH = 4;

    public static final int TYPE_MD = 1;
    public static final int TYPE_DESTINATION = 2;
    public static final int TYPE_MX = 3;

    /** Marked by DSCP or probe marker; the original L4 header stays in front. */
    public static final int NPT_NONE = 0;
    /** The original UDP payload follows; the shim keeps its destination port. */
    public static final int NPT_UDP_PORT = 1;
    /** Another IP payload follows; the shim keeps its protocol and the UDP header is the source's. */
    public static final int NPT_IP_PROTOCOL = 2;

    private IntShim() {}

    public static int type(int word) {
        return word >>> 28;
    }

    public static int npt(int word) {
        return word >>> 26 & 3;
    }

    public static int reserved(int word) {
        return word >>> 24 & 3;
    }

    public static int length(int word) {
        return word >>> 16 & 0xFF;
    }

    public static int content(int word) {
        return word & 0xFFFF;
    }

    public static int oldType(int word) {
        return word >>> 24;
    }

    public static int oldReserved(int word) {
        return word >>> 16 & 0xFF;
    }

    public static int oldLength(int word) {
        return word >>> 8 & 0xFF;
    }

    public static int lastByte(int word) {
        return word & 0xFF;
    }

    /** INT 2.x over TCP/UDP. {@code content}: original port (NPT 1), protocol (NPT 2) or {@code dscp << 2} (NPT 0). */
    public static int encode(ByteBuffer out, int offset, int type, int npt, int lengthWords, int content) {
        out.putInt(offset, type << 28 | (npt & 3) << 26 | (lengthWords & 0xFF) << 16 | content & 0xFFFF);
        return offset + LENGTH;
    }

    /** INT 0.5 and 1.0 over TCP/UDP, and VXLAN-GPE before 2.x. {@code last}: {@code dscp << 2}, 0, or next protocol. */
    public static int encodeOld(ByteBuffer out, int offset, int type, int lengthWords, int last) {
        out.putInt(offset, type << 24 | (lengthWords & 0xFF) << 8 | last & 0xFF);
        return offset + LENGTH;
    }

    /** INT 2.x over VXLAN-GPE [INT 2.1 §5.7.3]; {@code wasVxlan} sets G: the packet was plain VXLAN before INT. */
    public static int encodeGpe(
            ByteBuffer out, int offset, int type, int lengthWords, boolean wasVxlan, int nextProtocol) {
        out.putInt(offset, type << 28 | (lengthWords & 0xFF) << 16 | (wasVxlan ? 0x8000 : 0) | nextProtocol & 0xFF);
        return offset + LENGTH;
    }

    /** INT 2.x over GRE [INT 2.1 §5.7.1]; {@code added} sets G: the source added the GRE header, the sink removes it. */
    public static int encodeGre(
            ByteBuffer out, int offset, int type, boolean added, int lengthWords, int nextEtherType) {
        out.putInt(offset, type << 28 | (added ? 1 << 27 : 0) | (lengthWords & 0xFF) << 16 | nextEtherType & 0xFFFF);
        return offset + LENGTH;
    }

    /** The word behind an INT 0.5 stack: what the packet was before its port or DSCP was taken as a mark. */
    public static int encodeTail(ByteBuffer out, int offset, int protocol, int destinationPort, int dscp) {
        out.putInt(offset, (protocol & 0xFF) << 24 | (destinationPort & 0xFFFF) << 8 | dscp & 0x3F);
        return offset + LENGTH;
    }
}
