package io.pathlore.dataplane.watch;

/**
 * Which of the packets of an entry are taken.
 *
 * @param oneIn how many packets one is taken of, 1 for every packet
 */
public record Sampling(Method method, int oneIn) {
    /** How the one is chosen. */
    public enum Method {
        /** The first, then each {@code oneIn}-th after it: every node chooses for itself. */
        COUNT,
        /** By {@link PacketIdentity}: all nodes choose the same packets, and a smaller share is part of a larger one. */
        IDENTITY
    }

    public static final Sampling EVERY_PACKET = new Sampling(Method.COUNT, 1);

    public Sampling {
        if (oneIn < 1) {
            throw new IllegalArgumentException("one packet in " + oneIn);
        }
    }

    /**
     * As Transparent Security's switches sample: a counter is reloaded with {@code rate} when it is found at zero, so one
     * packet in {@code rate + 1} is taken.
     */
    public static Sampling countdown(int rate) {
        return new Sampling(Method.COUNT, rate + 1);
    }
}
