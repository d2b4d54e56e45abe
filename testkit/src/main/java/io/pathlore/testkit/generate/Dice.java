package io.pathlore.testkit.generate;

import java.util.random.RandomGenerator;

/** A random source that speaks of choices. */
record Dice(RandomGenerator random) {
    private static final int[] EDGES = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 254, 255};

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** From 0 up to, not including, the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    int pick(int... values) {
        return values[random.nextInt(values.length)];
    }

    int u8() {
        return below(256);
    }

    int u16() {
        return chance(10) ? pick(0, 1, 0x7FFF, 0x8000, 0xFFFF) : below(1 << 16);
    }

    /** Often with its top bit set, where sign bugs live, and now and then all ones, which means absent. */
    long u32() {
        return switch (below(10)) {
            case 0 -> 0xFFFF_FFFFL;
            case 1 -> 0x8000_0000L | below(1 << 16);
            case 2 -> below(16);
            default -> random.nextLong(1L << 32);
        };
    }

    long u64() {
        return switch (below(10)) {
            case 0 -> -1L;
            case 1 -> Long.MIN_VALUE | below(1 << 16);
            case 2 -> below(16);
            default -> random.nextLong();
        };
    }

    int edge() {
        return pick(EDGES);
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
