package io.pathlore.dataplane.traffic;

/**
 * Random numbers that are the same on any machine and any Java: SplitMix64, written out because the library only promises
 * its sequences within one release. Every source of traffic has dice of its own, so that one more source changes no other.
 * Hot path.
 */
final class Dice {
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
    private static final double UNIT = 0x1p-53;

    private long state;

    Dice(long seed) {
        state = mix(seed + GOLDEN_GAMMA);
    }

    /** The seed of a stream by its name, unrelated to that of another name. */
    static long seed(long seed, String stream) {
        long hash = mix(seed + GOLDEN_GAMMA);
        for (int i = 0; i < stream.length(); i++) {
            hash = mix(hash + GOLDEN_GAMMA + stream.charAt(i));
        }
        return hash;
    }

    /** The seed of the {@code number}-th part of the same source. */
    static long seed(long seed, long number) {
        return mix(mix(seed) + (number + 1) * GOLDEN_GAMMA);
    }

    /** Dice for the {@code number}-th part of the same source. */
    static Dice of(long seed, long number) {
        return new Dice(seed(seed, number));
    }

    void reseed(long seed) {
        restart(mix(seed + GOLDEN_GAMMA));
    }

    /** The plain sequence of SplitMix64. */
    void restart(long state) {
        this.state = state;
    }

    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    int nextInt() {
        return (int) (nextLong() >>> 32);
    }

    /** From 0 to {@code bound - 1}; the bias of the product is below 2^-31 and the same everywhere. */
    int below(int bound) {
        return (int) ((nextLong() >>> 32) * bound >>> 32);
    }

    /** From 0 to {@code bound - 1}. */
    long below(long bound) {
        return Math.unsignedMultiplyHigh(nextLong(), bound);
    }

    /** Above 0, up to and with 1. */
    private double unit() {
        return ((nextLong() >>> 11) + 1) * UNIT;
    }

    /** Time to the next event of a Poisson process, at least a nanosecond. */
    long exponentialNanos(long meanNanos) {
        return Math.max(1, (long) (-StrictMath.log(unit()) * meanNanos));
    }

    /** Bounded Pareto, by its inverse: {@code low / (1 - u (1 - (low/high)^a))^(1/a)}. */
    long pareto(long low, long high, int shapeThousandths) {
        if (low >= high) {
            return low;
        }
        double shape = shapeThousandths / 1000.0;
        double tail = StrictMath.pow((double) low / high, shape);
        double value = low / StrictMath.pow(tail + unit() * (1 - tail), 1 / shape);
        return Math.clamp((long) value, low, high);
    }
}
