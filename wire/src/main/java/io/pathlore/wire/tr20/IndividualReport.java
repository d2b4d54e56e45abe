package io.pathlore.wire.tr20;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/**
 * Individual report, 4 octets and contents [TR 2.0 §3.3, §3.3.1].
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-------+---------------+---------------+-+-+-+-+-------+
 * |RepType|InType | Report Length |   MD Length   |D|Q|F|I| Rsvd  |
 * +-------+-------+---------------+---------------+-+-+-+-+-------+
 * |           RepMdBits           |      Domain Specific ID       |  RepType 1 only
 * +-------------------------------+-------------------------------+
 * |           DSMdBits            |          DSMdstatus           |
 * +-------------------------------+-------------------------------+
 * |        Baseline metadata, then domain specific metadata       |
 * </pre>
 * Hot path. A view, not a value: good until the buffer is filled again, belongs to one thread.
 */
public final class IndividualReport {
    public static final int LENGTH = 4;
    /** RepMdBits, domain, DSMdBits and status of RepType 1. */
    public static final int MAIN_LENGTH = 8;

    public static final int TYPE_INNER_ONLY = 0;
    public static final int TYPE_INT = 1;
    public static final int TYPE_IOAM = 2;

    /** D, Q, F and I in the first word. */
    public static final int FLAGS = 0xF0;

    public static final int IN_NONE = 0;
    public static final int IN_TLV = 1;
    public static final int IN_DS_EXTENSION = 2;
    public static final int IN_ETHERNET = 3;
    public static final int IN_IPV4 = 4;
    public static final int IN_IPV6 = 5;

    /** The report runs to the end of the datagram [TR 2.0 of October 2020 §3.3]. */
    public static final int LENGTH_TO_END = 255;

    public static final int LONGEST_EXACT_WORDS = 254;
    public static final int SHORTEST_TO_END_BYTES = 1020;

    private int offset;
    private int first;
    private long main;
    private int end;

    /**
     * When this returns {@link Fault#NONE}, and only then, every accessor is safe to call: the report's length and, for
     * RepType 1, its metadata fit. Whether MD Length agrees with the bitmaps is for a decoder to judge.
     */
    public Fault wrap(ByteBuffer buffer, int offset, int datagramEnd) {
        int left = datagramEnd - offset;
        if (left < LENGTH) {
            return Fault.TR20_NO_REPORTS;
        }
        this.offset = offset;
        first = buffer.getInt(offset);
        int words = reportLength(first);
        if (words == LENGTH_TO_END) {
            if (left - LENGTH < SHORTEST_TO_END_BYTES) {
                return Fault.TR20_FF_TOO_SHORT;
            }
            end = datagramEnd;
        } else {
            end = offset + LENGTH + 4 * words;
            if (end > datagramEnd) {
                return Fault.TR20_REPORT_LENGTH_OVERRUN;
            }
        }
        if (repType(first) == TYPE_INT) {
            if (words < 2) {
                return Fault.TR20_MAIN_CONTENTS_TRUNCATED;
            }
            main = buffer.getLong(offset + LENGTH);
            if (innerOffset() > end) {
                return Fault.TR20_MD_OVERRUNS_REPORT;
            }
        } else {
            main = 0;
        }
        return Fault.NONE;
    }

    public static int repType(int first) {
        return first >>> 28;
    }

    public static int inType(int first) {
        return first >>> 24 & 0xF;
    }

    public static int reportLength(int first) {
        return first >>> 16 & 0xFF;
    }

    public static int mdLength(int first) {
        return first >>> 8 & 0xFF;
    }

    public static boolean dropped(int first) {
        return (first & 0x80) != 0;
    }

    public static boolean congested(int first) {
        return (first & 0x40) != 0;
    }

    public static boolean tracked(int first) {
        return (first & 0x20) != 0;
    }

    public static boolean intermediate(int first) {
        return (first & 0x10) != 0;
    }

    /** The octet of the first word that holds them. */
    public static int flags(boolean dropped, boolean congested, boolean tracked, boolean intermediate) {
        return (dropped ? 0x80 : 0) | (congested ? 0x40 : 0) | (tracked ? 0x20 : 0) | (intermediate ? 0x10 : 0);
    }

    public int repType() {
        return repType(first);
    }

    public int inType() {
        return inType(first);
    }

    public int reportLength() {
        return reportLength(first);
    }

    public int mdLength() {
        return mdLength(first);
    }

    /** D, Q, F and I where they stand in the first word. */
    public int flags() {
        return first & FLAGS;
    }

    public boolean dropped() {
        return dropped(first);
    }

    public boolean congested() {
        return congested(first);
    }

    public boolean tracked() {
        return tracked(first);
    }

    public boolean intermediate() {
        return intermediate(first);
    }

    /** 0 unless RepType is INT, like the three below. */
    public int repMdBits() {
        return (int) (main >>> 48);
    }

    public int domainId() {
        return (int) (main >>> 32) & 0xFFFF;
    }

    public int dsMdBits() {
        return (int) (main >>> 16) & 0xFFFF;
    }

    public int dsMdStatus() {
        return (int) main & 0xFFFF;
    }

    /** Where metadata starts. */
    public int metadataOffset() {
        return offset + LENGTH + MAIN_LENGTH;
    }

    /** Where the inner contents start: behind MD Length words for RepType 1, else right behind the first word. */
    public int innerOffset() {
        return repType() == TYPE_INT ? metadataOffset() + 4 * mdLength() : offset + LENGTH;
    }

    /** Where this report ends and the next one may start. */
    public int end() {
        return end;
    }

    /** First word. {@code reportWords} counts what follows it; more than 254 is written as 255, "to the end". */
    public static int encode(
            ByteBuffer out,
            int offset,
            int repType,
            int inType,
            int reportWords,
            int mdWords,
            boolean dropped,
            boolean congested,
            boolean tracked,
            boolean intermediate) {
        int length = Math.min(reportWords, LENGTH_TO_END);
        out.putInt(
                offset,
                repType << 28
                        | (inType & 0xF) << 24
                        | length << 16
                        | (mdWords & 0xFF) << 8
                        | flags(dropped, congested, tracked, intermediate));
        return offset + LENGTH;
    }

    /** Fixed part of the main contents for RepType 1. */
    public static int encodeMain(ByteBuffer out, int offset, int repMdBits, int domainId, int dsMdBits, int dsStatus) {
        out.putInt(offset, repMdBits << 16 | domainId & 0xFFFF);
        out.putInt(offset + 4, dsMdBits << 16 | dsStatus & 0xFFFF);
        return offset + MAIN_LENGTH;
    }
}
