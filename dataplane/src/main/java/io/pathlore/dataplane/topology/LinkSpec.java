package io.pathlore.dataplane.topology;

/** What a link is like, before it is known what it connects. */
public record LinkSpec(long bitsPerSecond, long delayNanos, int mtu) {
    private static final long MEGA = 1_000_000;

    public static LinkSpec megabits(long rate, long delayNanos, int mtu) {
        return new LinkSpec(rate * MEGA, delayNanos, mtu);
    }

    public LinkSpec {
        if (bitsPerSecond <= 0 || delayNanos < 0 || mtu < 576) {
            throw new IllegalArgumentException(
                    "a link of " + bitsPerSecond + " bit/s, " + delayNanos + " ns, MTU " + mtu);
        }
    }
}
