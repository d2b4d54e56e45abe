package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/**
 * Writes the headers that carry another packet, or INT in front of it. Reserved fields are zero; values are masked to
 * their field, not checked. Every method returns the offset past what it wrote. Hot path: no allocation, no state.
 */
public final class TunnelEncoder {
    public static final int VXLAN_LENGTH = 8;
    public static final int GENEVE_LENGTH = 8;
    public static final int GENEVE_OPTION_LENGTH = 4;
    /** One option holds no more words behind its header. */
    public static final int GENEVE_OPTION_MAX_WORDS = 31;
    /** Base and service path header. */
    public static final int NSH_LENGTH = 8;

    /** No key, or no sequence number, in a GRE header. */
    public static final long NONE = -1;

    private static final int VXLAN_I = 0x0800_0000;
    private static final int GPE_P = 0x0400_0000;
    private static final int GRE_C = 0x8000_0000;
    private static final int GRE_K = 0x2000_0000;
    private static final int GRE_S = 0x1000_0000;
    private static final int GRE_CHECKSUM = 4;
    private static final int NSH_TTL = 63;

    private TunnelEncoder() {}

    /** [RFC 7348 §5]; Ethernet follows. */
    public static int vxlan(ByteBuffer out, int offset, int vni) {
        out.putInt(offset, VXLAN_I).putInt(offset + 4, vni << 8);
        return offset + VXLAN_LENGTH;
    }

    /** VXLAN with a next protocol, so that something else than Ethernet may follow. */
    public static int vxlanGpe(ByteBuffer out, int offset, int nextProtocol, int vni) {
        out.putInt(offset, VXLAN_I | GPE_P | nextProtocol & 0xFF).putInt(offset + 4, vni << 8);
        return offset + VXLAN_LENGTH;
    }

    /** [RFC 8926 §3.4]; {@code optionWords} counts all options with their headers. */
    public static int geneve(ByteBuffer out, int offset, int optionWords, int protocolType, int vni) {
        out.putInt(offset, (optionWords & 0x3F) << 24 | protocolType & 0xFFFF).putInt(offset + 4, vni << 8);
        return offset + GENEVE_LENGTH;
    }

    /** [RFC 8926 §3.5]; {@code dataWords} counts what follows this header. */
    public static int geneveOption(ByteBuffer out, int offset, int optionClass, int type, int dataWords) {
        out.putInt(offset, optionClass << 16 | (type & 0xFF) << 8 | dataWords & GENEVE_OPTION_MAX_WORDS);
        return offset + GENEVE_OPTION_LENGTH;
    }

    /** [RFC 2784 §2, RFC 2890 §2]; {@code key} and {@code sequence} may be {@link #NONE}. See {@link #finishGre}. */
    public static int gre(ByteBuffer out, int offset, int protocolType, boolean checksum, long key, long sequence) {
        int first = (checksum ? GRE_C : 0) | (key == NONE ? 0 : GRE_K) | (sequence == NONE ? 0 : GRE_S);
        out.putInt(offset, first | protocolType & 0xFFFF);
        int at = offset + 4;
        if (checksum) {
            out.putInt(at, 0);
            at += 4;
        }
        if (key != NONE) {
            out.putInt(at, (int) key);
            at += 4;
        }
        if (sequence != NONE) {
            out.putInt(at, (int) sequence);
            at += 4;
        }
        return at;
    }

    /** The checksum over header and payload, if the header has room for one. */
    public static void finishGre(ByteBuffer out, int gre, int end) {
        if ((out.getInt(gre) & GRE_C) != 0) {
            out.putShort(gre + GRE_CHECKSUM, (short) 0);
            long sum = InternetChecksum.add(0, out, gre, end);
            out.putShort(gre + GRE_CHECKSUM, (short) InternetChecksum.finish(sum));
        }
    }

    /**
     * Base and service path header [RFC 8300 §2]. {@code lengthWords} counts the context behind them too, which is up to
     * the caller: 6 words for MD type 1, 2 or more for type 2.
     */
    public static int nsh(
            ByteBuffer out,
            int offset,
            int lengthWords,
            int mdType,
            int nextProtocol,
            int servicePathId,
            int serviceIndex) {
        out.putInt(offset, NSH_TTL << 22 | (lengthWords & 0x3F) << 16 | (mdType & 0xF) << 8 | nextProtocol & 0xFF)
                .putInt(offset + 4, servicePathId << 8 | serviceIndex & 0xFF);
        return offset + NSH_LENGTH;
    }
}
