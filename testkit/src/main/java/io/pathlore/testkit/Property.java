package io.pathlore.testkit;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Runs a check on many generated values. Every case has a random of its own, made of the seed and the case number, so a
 * failing case is repeated alone: {@code -Dpathlore.seed=… -Dpathlore.case=…}. {@code -Dpathlore.cases=…} sets how many.
 */
public final class Property {
    public static final long DEFAULT_SEED = 0x5061_7468_6C6F_7265L;
    private static final int DEFAULT_CASES = 1_000;
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private Property() {}

    @FunctionalInterface
    public interface Generator<T> {
        T generate(RandomGenerator random);
    }

    @FunctionalInterface
    public interface Check<T> {
        void check(T value) throws Exception;
    }

    public static <T> void forAll(Generator<T> generator, Check<? super T> check) {
        forAll(DEFAULT_CASES, generator, check);
    }

    /** {@code -Dpathlore.cases} overrides the number of cases. */
    public static <T> void forAll(int cases, Generator<T> generator, Check<? super T> check) {
        long seed = seed();
        Long only = Long.getLong("pathlore.case");
        if (only != null) {
            run(seed, only, generator, check);
            return;
        }
        for (long number = 0; number < cases(cases); number++) {
            run(seed, number, generator, check);
        }
    }

    public static long seed() {
        String given = System.getProperty("pathlore.seed", "");
        return given.isEmpty() ? DEFAULT_SEED : Long.decode(given);
    }

    public static int cases(int wanted) {
        return Integer.getInteger("pathlore.cases", wanted);
    }

    /** The random of one case: the same for the same seed and number, unrelated to that of its neighbours. */
    public static RandomGenerator random(long seed, long number) {
        return new SplittableRandom(new SplittableRandom(seed + number * GOLDEN_GAMMA).nextLong());
    }

    /** A big endian buffer of that many random bytes. */
    public static ByteBuffer random(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static <T> void run(long seed, long number, Generator<T> generator, Check<? super T> check) {
        T value;
        try {
            value = generator.generate(random(seed, number));
        } catch (RuntimeException | Error failure) {
            throw new AssertionError("the generator failed: " + where(seed, number), failure);
        }
        String shown = show(value);
        try {
            check.check(value);
        } catch (Exception | Error failure) {
            String why = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            throw new AssertionError(where(seed, number) + "\nvalue: " + shown + "\n" + why, failure);
        }
    }

    private static String where(long seed, long number) {
        return "repeat with -Dpathlore.seed=" + seed + " -Dpathlore.case=" + number;
    }

    private static String show(Object value) {
        return switch (value) {
            case byte[] bytes -> Hex.text(bytes);
            case ByteBuffer buffer -> Hex.text(buffer);
            default -> value.toString();
        };
    }
}
