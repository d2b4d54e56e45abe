package io.pathlore.dataplane.lab;

/**
 * Random numbers that are the same everywhere: SplitMix64. Whoever needs chance has dice of its own, so that what one does
 * never changes what another meets.
 */
public final class Dice {
    /** Chances are given per billion. */
    public static final int CERTAIN = 1_000_000_000;

    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    /** What the dice are for; together with a number, one stream. The ordinals are part of what a seed means. */
    public enum Purpose {
        LINK_LOSS,
        MANAGEMENT,
        CLOCK,
        FAULT
    }

    private long state;

    private Dice(long state) {
        this.state = state;
    }

    public static Dice of(long seed, Purpose purpose, int number) {
        return new Dice(mix(mix(seed + GOLDEN) + ((long) purpose.ordinal() << 32 | Integer.toUnsignedLong(number))));
    }

    public long next() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 to below {@code bound}, taken as unsigned. */
    public long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }

    public boolean hits(int perBillion) {
        return below(CERTAIN) < perBillion;
    }

    static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }
}
