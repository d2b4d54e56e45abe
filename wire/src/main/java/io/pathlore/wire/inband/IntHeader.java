package io.pathlore.wire.inband;

import java.nio.ByteBuffer;

/**
 * Encoders of INT metadata headers, one per version. The stack is written by {@link HopEncoder}.
 *
 * <p>INT-MD of 2.x, 12 octets [INT 2.1 §5.8]:
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-+-+-+-----------------------+---------+---------------+
 * |  Ver  |D|E|M|       Reserved        | Hop ML  | RemainingHops |
 * +-------+-+-+-+-----------------------+---------+---------------+
 * |      Instruction Bitmap       |      Domain Specific ID       |
 * +-------------------------------+-------------------------------+
 * |        DS Instruction         |           DS Flags            |
 * +-------------------------------+-------------------------------+
 * </pre>
 * INT 1.0 has 8 octets: Ver, Rep, C, E, M, reserved, Hop ML, remaining hops, bitmap, reserved. June 2016 and 0.5 have
 * 8 octets: Ver, Rep, C, E, reserved, Instruction Count, Max and Total Hop Count, bitmap, reserved.
 */
public final class IntHeader {
    public static final int LENGTH_V2 = 12;
    public static final int LENGTH_BEFORE_V2 = 8;

    private IntHeader() {}

    /** Flags of the first octet or two; which of them a version has, its encoder says. */
    public record Flags(
            boolean discard, boolean hopLimitExceeded, boolean mtuExceeded, boolean replica, int replicate) {
        public static final Flags NONE = new Flags(false, false, false, false, 0);
    }

    /** D, E and M are used; [INT 2.1 §5.8]. */
    public static int encodeMd(
            ByteBuffer out,
            int offset,
            Flags flags,
            int hopMl,
            int remainingHops,
            int instructions,
            int domainId,
            int dsInstructions,
            int dsFlags) {
        out.putInt(
                offset,
                2 << 28
                        | bit(flags.discard, 27)
                        | bit(flags.hopLimitExceeded, 26)
                        | bit(flags.mtuExceeded, 25)
                        | (hopMl & 0x1F) << 8
                        | remainingHops & 0xFF);
        return encodeDomain(out, offset, instructions, domainId, dsInstructions, dsFlags);
    }

    /** Only D is used; [INT 2.1 §5.9]. */
    public static int encodeMx(
            ByteBuffer out,
            int offset,
            boolean discard,
            int instructions,
            int domainId,
            int dsInstructions,
            int dsFlags) {
        out.putInt(offset, 2 << 28 | bit(discard, 27));
        return encodeDomain(out, offset, instructions, domainId, dsInstructions, dsFlags);
    }

    private static int encodeDomain(
            ByteBuffer out, int offset, int instructions, int domainId, int dsInstructions, int dsFlags) {
        out.putInt(offset + 4, instructions << 16 | domainId & 0xFFFF);
        out.putInt(offset + 8, dsInstructions << 16 | dsFlags & 0xFFFF);
        return offset + LENGTH_V2;
    }

    /** C, E, M and Rep are used. */
    public static int encode10(
            ByteBuffer out, int offset, Flags flags, int hopMl, int remainingHops, int instructions) {
        out.putInt(
                offset,
                1 << 28
                        | (flags.replicate & 3) << 26
                        | bit(flags.replica, 25)
                        | bit(flags.hopLimitExceeded, 24)
                        | bit(flags.mtuExceeded, 23)
                        | (hopMl & 0x1F) << 8
                        | remainingHops & 0xFF);
        out.putInt(offset + 4, instructions << 16);
        return offset + LENGTH_BEFORE_V2;
    }

    /** C, E and Rep are used. The Instruction Count is the number of bits set. */
    public static int encode05(ByteBuffer out, int offset, Flags flags, int maxHops, int totalHops, int instructions) {
        int first = (flags.replicate & 3) << 26 | bit(flags.replica, 25) | bit(flags.hopLimitExceeded, 24);
        return encodeCounts(out, offset, first, maxHops, totalHops, instructions);
    }

    /** As {@link #encode05}, with a version of two bits [INT June 2016 §5.3.3]. */
    public static int encode2016(
            ByteBuffer out, int offset, Flags flags, int maxHops, int totalHops, int instructions) {
        int first = (flags.replicate & 3) << 28 | bit(flags.replica, 27) | bit(flags.hopLimitExceeded, 26);
        return encodeCounts(out, offset, first, maxHops, totalHops, instructions);
    }

    private static int encodeCounts(
            ByteBuffer out, int offset, int first, int maxHops, int totalHops, int instructions) {
        int count = Integer.bitCount(instructions & 0xFFFF);
        out.putInt(offset, first | count << 16 | (maxHops & 0xFF) << 8 | totalHops & 0xFF);
        out.putInt(offset + 4, instructions << 16);
        return offset + LENGTH_BEFORE_V2;
    }

    private static int bit(boolean set, int shift) {
        return set ? 1 << shift : 0;
    }
}
