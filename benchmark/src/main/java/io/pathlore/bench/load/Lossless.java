package io.pathlore.bench.load;

import java.io.IOException;

/** The highest rate at which a receiver loses next to nothing, found by halving. */
final class Lossless {
    /** One in ten thousand. */
    private static final double LOSS = 1e-4;

    private static final double STEP = 1.25;
    private static final double FIRST_LOOK_SECONDS = 1;
    /** Where the sender falls so far behind, again and again, it is the sender that is measured. */
    private static final double SENDER_LIMIT = 0.97;

    private static final int TRIES = 3;

    private static final double LOWEST = 1_000;

    /**
     * @param runs that must all pass at a rate
     * @param precision of the answer: 1.02 is two percent
     */
    record Plan(int runs, double seconds, double precision) {}

    /** {@code atLeast}: the sender reached no more. */
    record Rate(double perSecond, boolean atLeast) {}

    /** Where datagrams can be sent and what becomes of them be seen. */
    interface Road {
        Ran run(double perSecond, double seconds) throws IOException, InterruptedException;
    }

    /** What came of datagrams sent at a pace. {@code perSecond} is what the sender managed. */
    record Ran(double perSecond, long sent, long lost) {
        double loss() {
            return (double) lost / sent;
        }
    }

    private final Plan plan;

    Lossless(Plan plan) {
        this.plan = plan;
    }

    Rate find(Road road, double guess) throws IOException, InterruptedException {
        double low = 0;
        double high = 0;
        double rate = guess;
        while (high == 0 || low == 0 || high / low > plan.precision) {
            double reached = 0;
            for (int i = 0; i < TRIES && (i == 0 || reached > 0 && reached < SENDER_LIMIT * rate); i++) {
                reached = probe(road, rate);
            }
            if (reached == 0) {
                high = rate;
            } else {
                low = Math.max(low, reached);
                if (reached < SENDER_LIMIT * rate) {
                    return new Rate(reached, true);
                }
            }
            if (high != 0 && high < LOWEST) {
                throw new IOException("loses datagrams at any rate");
            }
            rate = high == 0 ? low * STEP : low == 0 ? high / STEP : Math.sqrt(low * high);
        }
        return new Rate(low, false);
    }

    /** The rate the sender kept in runs without loss, or 0. */
    private double probe(Road road, double rate) throws IOException, InterruptedException {
        double lowest = rate;
        // Most rates that are too high show it at once.
        if (plan.seconds > FIRST_LOOK_SECONDS
                && road.run(rate, FIRST_LOOK_SECONDS).loss() > LOSS) {
            return 0;
        }
        for (int i = 0; i < plan.runs; i++) {
            Ran ran = road.run(rate, plan.seconds);
            if (ran.loss() > LOSS) {
                return 0;
            }
            lowest = Math.min(lowest, ran.perSecond());
        }
        return lowest;
    }
}
