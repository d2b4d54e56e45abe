package io.pathlore.wire.tr20;

import io.pathlore.wire.Domains;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reports as CableLabs' Transparent Security switches and controller emit them: v2.0 of the April 2020 draft, where RepType
 * 0 was INT, with fields that mean something else than in the final text. A tracked flow has 24 octets in front of its
 * Ethernet frame:
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-------+-----------+-------------------------------+-----------+
 * |  Ver  |   hw_id   |          sequence_no          |    pad    |
 * +-------+-----------+-------------------------------+-----------+
 * |                            node_id                            |
 * +-------+-------+---------------+---------------+---------------+
 * |   0   |in_type|    rpt_len    |    md_len     |     zero      |
 * +-------+-------+---------------+---------------+---------------+
 * |          RepMdBits            |            0x5453             |
 * +-------------------------------+-------------------------------+
 * |           DsMdBits            |          DsMdStatus           |
 * +-------------------------------+-------------------------------+
 * |                          var_opt_md                           |
 * +---------------------------------------------------------------+
 * </pre>
 * A drop report has a drop word in the last of them, then timestamp, count and key: 48 octets, and a trailer.
 */
public final class TransparentSecurityReport {
    public static final int TRACKED_FLOW_LENGTH = 24;
    public static final int DROP_LENGTH = 48;
    /** Behind a drop report: a UDP header and a text, no part of the report. */
    public static final int TRAILER_LENGTH = 23;

    /** What every drop report gives as its reason. */
    public static final int DROP_REASON = 15;

    /** Counts nothing: it is always 1, in the upper 16 of the 22 bits. */
    private static final int SEQUENCE = 1 << 6;

    private static final int IPV4_REPORT_WORDS = 10;
    private static final int IPV6_REPORT_WORDS = 15;
    private static final int DROP_REPORT_WORDS = 9;
    private static final int DROP_METADATA_WORDS = 7;
    private static final int DROP_MD_BIT = 0x0001;

    private static final int TRAILER_SOURCE_PORT = 7102;
    private static final int TRAILER_DESTINATION_PORT = 3933;
    private static final byte[] TRAILER_TEXT = "tps drop report".getBytes(StandardCharsets.US_ASCII);

    private TransparentSecurityReport() {}

    /**
     * The header of a tracked-flow report. {@code shimLength} is the Length of the INT shim behind it, which counts the
     * shim and is repeated as MD Length.
     *
     * @return the offset of the Ethernet frame
     */
    public static int encodeTrackedFlow(ByteBuffer out, int offset, long nodeId, boolean v6, int shimLength) {
        int at = GroupHeader.encode(out, offset, 0, SEQUENCE, nodeId);
        at = first(
                out,
                at,
                v6 ? IndividualReport.IN_IPV6 : IndividualReport.IN_IPV4,
                v6 ? IPV6_REPORT_WORDS : IPV4_REPORT_WORDS,
                shimLength);
        at = IndividualReport.encodeMain(out, at, 0, Domains.TRANSPARENT_SECURITY, 0, 0);
        out.putInt(at, 0);
        return at + Integer.BYTES;
    }

    /**
     * A drop report with its trailer.
     *
     * @param count packets dropped, since ever or since the last report
     * @param key first 8 octets of the SHA-256 of {@code mac|port|ipv4|ipv6}; the upper half of the field is zero
     * @return the offset past the trailer
     */
    public static int encodeDrop(ByteBuffer out, int offset, long nodeId, long epochSeconds, long count, long key) {
        int at = GroupHeader.encode(out, offset, 0, 0, nodeId);
        at = first(out, at, IndividualReport.IN_DS_EXTENSION, DROP_REPORT_WORDS, DROP_METADATA_WORDS);
        at = IndividualReport.encodeMain(out, at, DROP_MD_BIT, Domains.TRANSPARENT_SECURITY, 0, 0);
        out.putInt(at, DROP_REASON << 16)
                .putInt(at + 4, (int) epochSeconds)
                .putInt(at + 8, (int) count)
                .putLong(at + 12, 0)
                .putLong(at + 20, key);
        return trailer(out, offset + DROP_LENGTH);
    }

    private static int first(ByteBuffer out, int offset, int inType, int reportWords, int mdWords) {
        return IndividualReport.encode(
                out,
                offset,
                IndividualReport.TYPE_INNER_ONLY,
                inType,
                reportWords,
                mdWords,
                false,
                false,
                false,
                false);
    }

    private static int trailer(ByteBuffer out, int offset) {
        out.putInt(offset, TRAILER_SOURCE_PORT << 16 | TRAILER_DESTINATION_PORT)
                .putInt(offset + 4, TRAILER_LENGTH << 16)
                .put(offset + 8, TRAILER_TEXT);
        return offset + TRAILER_LENGTH;
    }
}
