package io.pathlore.testkit.reference;

/** Instruction bitmaps and item widths [INT June 2016 §5.3.3, INT 2.1 §5.8, spec-notes 8]. */
final class IntItems {
    static final int BITS = 16;
    static final int CHECKSUM_COMPLEMENT = 15;

    /** One word each: BOS and 31 bits. */
    static final Items JUNE_2016 = Items.table("""
            0  -:1 nodeId:31
            1  -:1 ingressInterface:31
            2  -:1 hopLatency:31
            3  -:1 queueOccupancy:31
            4  -:1 ingressTimestamp:31
            5  -:1 egressInterface:31
            6  -:1 queueCongestion:31
            7  -:1 txUtilization:31""");

    static final Items V05 = v05(1);
    static final Items V10 = later(1, 2, false);
    static final Items V2 = later(2, 2, true);

    private IntItems() {}

    /** INT 0.5, with timestamps of one word, or of two as in A-44. */
    static Items v05(int timestampWords) {
        return Items.table("""
                0  nodeId:32
                1  ingressInterface:16 egressInterface:16
                2  hopLatency:32
                3  queueId:8 queueOccupancy:24
                4  ingressTimestamp:%1$d
                5  egressTimestamp:%1$d
                6  queueId:8 queueCongestion:24
                7  txUtilization:32""".formatted(timestampWords * 32));
    }

    /** INT 1.0 and 2.x; the widths that emitters disagree on are parameters. */
    static Items later(int timestampWords, int levelTwoWords, boolean buffer) {
        return Items.table("""
                0  nodeId:32
                1  ingressInterface:16 egressInterface:16
                2  hopLatency:32
                3  queueId:8 queueOccupancy:24
                4  ingressTimestamp:%1$d
                5  egressTimestamp:%1$d
                6  l2IngressInterface:%2$d l2EgressInterface:%2$d
                7  txUtilization:32
                8  %3$s
                15 checksumComplement:32""".formatted(
                        timestampWords * 32, levelTwoWords * 16, buffer ? "bufferId:8 bufferOccupancy:24" : "-:32"));
    }

    /** Words one hop pushes for this bitmap; a reserved bit is one word. */
    static int words(Items items, int bitmap) {
        int words = 0;
        for (int bit = 0; bit < BITS; bit++) {
            if (Items.isSet(bitmap, bit, BITS)) {
                words += items.knows(bit) ? items.words(bit) : 1;
            }
        }
        return words;
    }
}
