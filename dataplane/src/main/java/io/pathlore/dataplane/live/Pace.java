package io.pathlore.dataplane.live;

/** When things are due. */
public sealed interface Pace {
    /** As far apart as their time stamps; with speed 2 half as far. */
    record Stamped(double speed) implements Pace {
        public Stamped {
            requirePositive(speed);
        }
    }

    /** Evenly. */
    record PerSecond(double rate) implements Pace {
        public PerSecond {
            requirePositive(rate);
        }
    }

    /** At once. */
    record Unbounded() implements Pace {}

    private static void requirePositive(double number) {
        if (!(number > 0) || Double.isInfinite(number)) {
            throw new IllegalArgumentException("not a positive number: " + number);
        }
    }
}
