package io.pathlore.dataplane.watch;

import io.pathlore.wire.net.FlowView;

/**
 * A 64-bit number for a flow, the same on every machine: of its addresses, protocol, ports (type and code of ICMP) and VNI.
 *
 * <p>Words are mixed in one after the other: {@code h = (h ^ word) * 0xFF51AFD7ED558CCD; h ^= h >>> 32}, starting from
 * {@code 0x9E3779B97F4A7C15}. Signed 64-bit arithmetic that wraps. The words of a flow are: upper and lower half of the
 * source address, of the destination address, ports {@code source << 16 | destination} or {@code type << 16 | code} where an
 * absent one is 0xFFFF, {@code vni << 16 | protocol << 8 | v6} where an absent VNI is -1. At the end {@link #finish} spreads
 * every bit over all others. Hot path.
 */
public final class FlowHash {
    private static final long START = 0x9E37_79B9_7F4A_7C15L;
    private static final long FACTOR = 0xFF51_AFD7_ED55_8CCDL;
    private static final long LAST_FACTOR = 0xC4CE_B9FE_1A85_EC53L;

    private FlowHash() {}

    /** Unknown flows all have one number. */
    public static long of(FlowView flow) {
        return finish(words(flow));
    }

    static long words(FlowView flow) {
        if (!flow.known()) {
            return START;
        }
        long h = mix(START, flow.sourceHigh());
        h = mix(h, flow.sourceLow());
        h = mix(h, flow.destinationHigh());
        h = mix(h, flow.destinationLow());
        boolean icmp = flow.icmpType() != FlowView.ABSENT;
        int first = icmp ? flow.icmpType() : flow.sourcePort();
        int second = icmp ? flow.icmpCode() : flow.destinationPort();
        h = mix(h, (first & 0xFFFFL) << 16 | second & 0xFFFFL);
        return mix(h, (long) flow.vni() << 16 | (long) flow.protocol() << 8 | (flow.v6() ? 1 : 0));
    }

    /** For numbers made of several others, such as a path of its hops. */
    public static long mix(long hash, long word) {
        long h = (hash ^ word) * FACTOR;
        return h ^ h >>> 32;
    }

    /** {@code h ^= h >>> 33; h *= 0xFF51AFD7ED558CCD; h ^= h >>> 33; h *= 0xC4CEB9FE1A85EC53; h ^= h >>> 33}. */
    public static long finish(long hash) {
        long h = hash;
        h = (h ^ h >>> 33) * FACTOR;
        h = (h ^ h >>> 33) * LAST_FACTOR;
        return h ^ h >>> 33;
    }
}
