package io.pathlore.wire.inband;

/**
 * Where each metadata item of one hop lies, in bytes from where the hop starts. Worked out from an instruction bitmap once
 * and kept while the bitmap stays the same, so that reading a hop is one load per item.
 *
 * <p>One layout serves the hops of every INT version and the metadata a reporting node adds itself: the items are the
 * same, only their bits and widths differ [INT 2.1 §5.8, TR 2.0 §3.3.1].
 */
public final class HopLayout {
    public static final int NONE = -1;

    /** Instruction bits that stand for timestamps and for level 2 interfaces in INT 1.0 and later. */
    private static final int TIMESTAMP_BITS = 0x0C00;

    private static final int LEVEL2_BIT = 0x0200;

    private enum Kind {
        UNSET,
        JUNE_2016,
        INT_0_5,
        INT_1_0,
        INT_2,
        REPORT_0_5_PLAIN,
        REPORT_0_5_DROP,
        REPORT_0_5_LOCAL,
        REPORT_1_0,
        REPORT_2_0,
        TRANSPARENT_SECURITY_DROP
    }

    private Kind kind = Kind.UNSET;
    private int key;

    int nodeId = NONE;
    int interfaces = NONE;
    int latency = NONE;
    int queue = NONE;
    int ingressTimestamp = NONE;
    int egressTimestamp = NONE;
    int level2 = NONE;
    int utilization = NONE;
    int buffer = NONE;
    int drop = NONE;
    int ingressPort = NONE;
    int egressPort = NONE;
    int congestion = NONE;
    int complement = NONE;
    int domain = NONE;
    int domainWords;
    int timestampBytes = 4;
    int level2Bytes = 8;
    /** Words carry a bottom-of-stack bit on top of a 31-bit value [INT June 2016 §5.3.3]. */
    boolean bottomOfStackBit;
    /** INT 0.5 puts a queue id in front of the congestion value, June 2016 does not. */
    boolean queueIdWithCongestion;
    /** The v0.5 report marks an unknown value in each field, not over a whole word. */
    boolean absentPerField;

    /** Switch id of a v0.5 sub-header, which is the report's node id and no item of its metadata: for encoding only. */
    int switchId = NONE;
    /** First octet the layout accounts for; before it a report has header fields that are not metadata. */
    int from;

    /** Where interfaces, latency and queue follow each other, or NONE: at constant distances they share a bounds check. */
    int trio = NONE;

    private int end;

    /** Words of one hop by the bitmap alone: one per bit, more for timestamps and level 2 interfaces. */
    public static int words(int bitmap, int timestampWords, int level2Words) {
        return Integer.bitCount(bitmap)
                + (timestampWords - 1) * Integer.bitCount(bitmap & TIMESTAMP_BITS)
                + (level2Words - 1) * Integer.bitCount(bitmap & LEVEL2_BIT);
    }

    /** Baseline words of a v2.0 report's own metadata; reserved bits count nothing [TR 2.0 §3.3.1]. */
    public static int reportWords(int repMdBits) {
        return Integer.bitCount(repMdBits & 0x7F81) + Integer.bitCount(repMdBits & 0x0E00);
    }

    /** Length of a hop in bytes; of a v0.5 or v1.0 report, that of its whole header. */
    public int length() {
        return end;
    }

    public void june2016(int bitmap) {
        if (same(Kind.JUNE_2016, bitmap)) {
            return;
        }
        clear();
        bottomOfStackBit = true;
        nodeId = item(bitmap, 0x8000, 4);
        ingressPort = item(bitmap, 0x4000, 4);
        latency = item(bitmap, 0x2000, 4);
        queue = item(bitmap, 0x1000, 4);
        ingressTimestamp = item(bitmap, 0x0800, 4);
        egressPort = item(bitmap, 0x0400, 4);
        congestion = item(bitmap, 0x0200, 4);
        utilization = item(bitmap, 0x0100, 4);
        end += 4 * Integer.bitCount(bitmap & 0x00FF);
    }

    public void int05(int bitmap, int timestampWords) {
        if (same(Kind.INT_0_5, bitmap | timestampWords << 16)) {
            return;
        }
        clear();
        timestampBytes = 4 * timestampWords;
        queueIdWithCongestion = true;
        nodeId = item(bitmap, 0x8000, 4);
        interfaces = item(bitmap, 0x4000, 4);
        latency = item(bitmap, 0x2000, 4);
        queue = item(bitmap, 0x1000, 4);
        ingressTimestamp = item(bitmap, 0x0800, timestampBytes);
        egressTimestamp = item(bitmap, 0x0400, timestampBytes);
        congestion = item(bitmap, 0x0200, 4);
        utilization = item(bitmap, 0x0100, 4);
        end += 4 * Integer.bitCount(bitmap & 0x00FF);
        findTrio();
    }

    /** INT 1.0: bit 8 is reserved, bit 15 the checksum complement. */
    public void int10(int bitmap, int timestampWords, int level2Words) {
        baselineThenDomain(Kind.INT_1_0, bitmap, timestampWords, level2Words, 0);
    }

    /** INT 2.0 and 2.1; {@code domainWords} stand between the baseline items and the checksum complement. */
    public void int2(int bitmap, int timestampWords, int level2Words, int domainWords) {
        baselineThenDomain(Kind.INT_2, bitmap, timestampWords, level2Words, domainWords);
    }

    private void baselineThenDomain(Kind kind, int bitmap, int timestampWords, int level2Words, int domainWords) {
        if (same(kind, bitmap | timestampWords << 16 | level2Words << 18 | domainWords << 20)) {
            return;
        }
        clear();
        timestampBytes = 4 * timestampWords;
        level2Bytes = 4 * level2Words;
        nodeId = item(bitmap, 0x8000, 4);
        interfaces = item(bitmap, 0x4000, 4);
        latency = item(bitmap, 0x2000, 4);
        queue = item(bitmap, 0x1000, 4);
        ingressTimestamp = item(bitmap, 0x0800, timestampBytes);
        egressTimestamp = item(bitmap, 0x0400, timestampBytes);
        level2 = item(bitmap, 0x0200, level2Bytes);
        utilization = item(bitmap, 0x0100, 4);
        if (kind == Kind.INT_2) {
            buffer = item(bitmap, 0x0080, 4);
            end += 4 * Integer.bitCount(bitmap & 0x007E);
        } else {
            end += 4 * Integer.bitCount(bitmap & 0x00FE);
        }
        this.domainWords = domainWords;
        if (domainWords > 0) {
            domain = end;
            end += 4 * domainWords;
        }
        complement = item(bitmap, 0x0001, 4);
        findTrio();
    }

    /** v0.5 without a sub-header: the 32-bit ingress timestamp is all there is. Offsets count from the fixed header. */
    public void report05Plain() {
        if (same(Kind.REPORT_0_5_PLAIN, 0)) {
            return;
        }
        clear();
        report05Fixed();
        end = 12;
    }

    public void report05Drop() {
        if (same(Kind.REPORT_0_5_DROP, 0)) {
            return;
        }
        clear();
        report05Fixed();
        switchId = 12;
        interfaces = 16;
        drop = 20;
        end = 24;
    }

    public void report05Local() {
        if (same(Kind.REPORT_0_5_LOCAL, 0)) {
            return;
        }
        clear();
        report05Fixed();
        switchId = 12;
        interfaces = 16;
        queue = 20;
        egressTimestamp = 24;
        end = 28;
    }

    private void report05Fixed() {
        ingressTimestamp = 8;
        from = 8;
        absentPerField = true;
    }

    /** v1.0: offsets count from the fixed header, whose last word is the ingress timestamp. */
    public void report10(int repMdBits) {
        if (same(Kind.REPORT_1_0, repMdBits)) {
            return;
        }
        clear();
        ingressTimestamp = 12;
        from = 12;
        end = 16;
        interfaces = item(repMdBits, 0x20, 4);
        latency = item(repMdBits, 0x10, 4);
        queue = item(repMdBits, 0x08, 4);
        egressTimestamp = item(repMdBits, 0x04, 4);
        drop = item(repMdBits, 0x02, 4);
        utilization = item(repMdBits, 0x01, 4);
        findTrio();
    }

    /** v2.0: offsets count from the metadata. Reserved bits take {@code reservedWords} (0 or 1) each. */
    public void report20(int repMdBits, int reservedWords) {
        if (same(Kind.REPORT_2_0, repMdBits | reservedWords << 16)) {
            return;
        }
        clear();
        timestampBytes = 8;
        end = 4 * reservedWords * Integer.bitCount(repMdBits & 0x8000);
        interfaces = item(repMdBits, 0x4000, 4);
        latency = item(repMdBits, 0x2000, 4);
        queue = item(repMdBits, 0x1000, 4);
        ingressTimestamp = item(repMdBits, 0x0800, 8);
        egressTimestamp = item(repMdBits, 0x0400, 8);
        level2 = item(repMdBits, 0x0200, 8);
        utilization = item(repMdBits, 0x0100, 4);
        buffer = item(repMdBits, 0x0080, 4);
        end += 4 * reservedWords * Integer.bitCount(repMdBits & 0x007E);
        drop = item(repMdBits, 0x0001, 4);
        findTrio();
    }

    /** The drop word of a Transparent Security drop report; offsets count from that word. */
    public void transparentSecurityDrop() {
        if (same(Kind.TRANSPARENT_SECURITY_DROP, 0)) {
            return;
        }
        clear();
        drop = 0;
        end = 4;
    }

    private boolean same(Kind kind, int key) {
        if (this.kind == kind && this.key == key) {
            return true;
        }
        this.kind = kind;
        this.key = key;
        return false;
    }

    private void findTrio() {
        if (interfaces >= 0 && latency == interfaces + 4 && queue == latency + 4) {
            trio = interfaces;
        }
    }

    private int item(int bitmap, int bit, int bytes) {
        if ((bitmap & bit) == 0) {
            return NONE;
        }
        int at = end;
        end += bytes;
        return at;
    }

    private void clear() {
        nodeId = NONE;
        interfaces = NONE;
        latency = NONE;
        queue = NONE;
        trio = NONE;
        ingressTimestamp = NONE;
        egressTimestamp = NONE;
        level2 = NONE;
        utilization = NONE;
        buffer = NONE;
        drop = NONE;
        ingressPort = NONE;
        egressPort = NONE;
        congestion = NONE;
        complement = NONE;
        domain = NONE;
        domainWords = 0;
        timestampBytes = 4;
        level2Bytes = 8;
        bottomOfStackBit = false;
        queueIdWithCongestion = false;
        absentPerField = false;
        switchId = NONE;
        from = 0;
        end = 0;
    }

    /** Of a timestamp: where it wraps. */
    public int timestampBits() {
        return Byte.SIZE * timestampBytes;
    }
}
