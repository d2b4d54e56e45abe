package io.pathlore.dataplane.node;

import io.pathlore.wire.inband.IntVersion;

/** Instruction bitmaps of older versions in the words of INT 2.x, which reports use. */
final class ReportedItems {
    private static final int SAME_IN_ALL = 0xB900;
    private static final int INTERFACES = 0x4000;
    private static final int QUEUE = 0x1000;
    private static final int EGRESS_TIMESTAMP = 0x0400;
    private static final int LEVEL2_INTERFACES = 0x0200;
    private static final int BIT_5 = 0x0400;
    private static final int BIT_6 = 0x0200;

    private ReportedItems() {}

    static int of(IntVersion version, int bitmap) {
        int same = bitmap & SAME_IN_ALL;
        return switch (version) {
            // Ingress port, egress port and queue congestion have bits of their own.
            case JUNE_2016 ->
                same | ((bitmap & (INTERFACES | BIT_5)) != 0 ? INTERFACES : 0) | ((bitmap & BIT_6) != 0 ? QUEUE : 0);
            case V0_5 -> same | bitmap & (INTERFACES | EGRESS_TIMESTAMP) | ((bitmap & BIT_6) != 0 ? QUEUE : 0);
            case V1_0 -> same | bitmap & (INTERFACES | EGRESS_TIMESTAMP | LEVEL2_INTERFACES);
            case V2 -> bitmap;
        };
    }
}
