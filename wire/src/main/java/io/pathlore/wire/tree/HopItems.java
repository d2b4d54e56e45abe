package io.pathlore.wire.tree;

import io.pathlore.wire.inband.HopLayout;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntVersion;

/**
 * Item by item, the metadata of one hop. The bitmap says which items there are; how wide timestamps and level 2 interfaces
 * are was solved by the decoder, and is found here again as the widths that give the hop its length and its values.
 */
final class HopItems {
    private static final int[][] WIDTHS = {{1, 2}, {2, 2}, {2, 1}, {1, 1}};

    private final Fields fields;
    private final HopView hop;
    private final int bitmap;
    private final int deviceAt;
    private int bit;

    private HopItems(Fields fields, HopView hop, int bitmap, int deviceAt) {
        this.fields = fields;
        this.hop = hop;
        this.bitmap = bitmap;
        this.deviceAt = deviceAt;
    }

    /** {@code deviceAt} is the index of the source device's id, or -1. */
    static void add(Fields fields, HopView hop, IntVersion version, int bitmap, int deviceAt) {
        HopItems items = new HopItems(fields, hop, bitmap, deviceAt);
        switch (version) {
            case JUNE_2016 -> items.june2016();
            case V0_5 -> items.v05();
            case V1_0 -> items.v10(0x00FE, false);
            case V2 -> items.v10(0x007E, true);
        }
    }

    private void june2016() {
        String[] labels = {
            "Switch id",
            "Ingress port id",
            "Hop latency",
            "Queue occupancy",
            "Ingress timestamp",
            "Egress port id",
            "Queue congestion status",
            "Egress port TX utilization"
        };
        for (int i = 0; i < labels.length; i++) {
            if ((bitmap & 0x8000 >>> i) != 0) {
                boolean bottom = fields.peek(bit, 1) == 1;
                fields.field(labels[i], bit, 32, value -> {
                    long amount = value & 0x7FFF_FFFFL;
                    String text = amount == 0x7FFF_FFFFL ? "unavailable (all ones)" : Long.toString(amount);
                    return bottom ? text + ", bottom of stack" : text;
                });
                bit += 32;
            }
        }
        reserved(0x00FF);
    }

    private void v05() {
        int timestampBits = hop.layout().length() == 4 * Integer.bitCount(bitmap) ? 32 : 64;
        word(0x8000, "Switch id");
        pair(0x4000, "Ingress port id", 16, "Egress port id", 16);
        word(0x2000, "Hop latency");
        pair(0x1000, "Queue id", 8, "Queue occupancy", 24);
        wide(0x0800, "Ingress timestamp", timestampBits);
        wide(0x0400, "Egress timestamp", timestampBits);
        pair(0x0200, "Queue id", 8, "Queue congestion status", 24);
        word(0x0100, "Egress port TX utilization");
        reserved(0x00FF);
    }

    private void v10(int reservedBits, boolean buffer) {
        int words = hop.layout().length() / 4 - hop.domainWords();
        int[] widths = widths(words, buffer ? 1 : 0);
        word(0x8000, buffer ? "Node id" : "Switch id");
        pair(0x4000, "Level 1 ingress interface", 16, "Level 1 egress interface", 16);
        word(0x2000, "Hop latency");
        pair(0x1000, "Queue id", 8, "Queue occupancy", 24);
        wide(0x0800, "Ingress timestamp", 32 * widths[0]);
        wide(0x0400, "Egress timestamp", 32 * widths[0]);
        pair(0x0200, "Level 2 ingress interface", 16 * widths[1], "Level 2 egress interface", 16 * widths[1]);
        word(0x0100, "Egress interface TX utilization");
        if (buffer) {
            pair(0x0080, "Buffer id", 8, "Buffer occupancy", 24);
        }
        reserved(reservedBits);
        domainWords();
        word(0x0001, "Checksum complement");
    }

    private void domainWords() {
        for (int end = bit + 32 * hop.domainWords(); bit < end; ) {
            if (fields.base() + bit / 8 == deviceAt) {
                fields.mac("Source device", bit);
                fields.hex("Padding", bit + 48, 16);
                bit += 64;
            } else {
                fields.hex("Domain specific metadata", bit, 32);
                bit += 32;
            }
        }
    }

    /** The specification's widths first; then any whose sum and whose values are those the decoder found. */
    private int[] widths(int words, int preferred) {
        if (fits(WIDTHS[preferred], words)) {
            return WIDTHS[preferred];
        }
        for (int[] widths : WIDTHS) {
            if (fits(widths, words)) {
                return widths;
            }
        }
        return WIDTHS[preferred];
    }

    private boolean fits(int[] widths, int words) {
        if (HopLayout.words(bitmap, widths[0], widths[1]) != words) {
            return false;
        }
        int before = 32 * Integer.bitCount(bitmap & 0xF000);
        int level2 = before + 32 * widths[0] * Integer.bitCount(bitmap & 0x0C00);
        boolean timestamps = (bitmap & 0x0800) == 0
                || hop.ingressTimestamp() == absentIfOnes(fields.peek(before, 32 * widths[0]), 32 * widths[0]);
        boolean interfaces = (bitmap & 0x0200) == 0
                || hop.level2EgressInterface() == HopView.ABSENT
                || hop.level2EgressInterface() == fields.peek(level2 + 16 * widths[1], 16 * widths[1]);
        return timestamps && interfaces;
    }

    private static long absentIfOnes(long value, int width) {
        return width == 32 && value == 0xFFFF_FFFFL ? HopView.ABSENT : value;
    }

    private void word(int mask, String label) {
        wide(mask, label, 32);
    }

    private void wide(int mask, String label, int width) {
        if ((bitmap & mask) != 0) {
            fields.item(label, bit, width);
            bit += width;
        }
    }

    private void pair(int mask, String first, int firstBits, String second, int secondBits) {
        if ((bitmap & mask) != 0) {
            fields.item(first, bit, firstBits, bit, firstBits + secondBits);
            fields.item(second, bit + firstBits, secondBits, bit, firstBits + secondBits);
            bit += firstBits + secondBits;
        }
    }

    private void reserved(int mask) {
        for (int i = 0; i < Integer.bitCount(bitmap & mask); i++) {
            fields.hex("Reserved instruction", bit, 32);
            bit += 32;
        }
    }
}
