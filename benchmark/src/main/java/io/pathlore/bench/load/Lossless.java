package io.pathlore.bench.load;

import io.pathlore.bench.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The highest rate at which a receiver loses next to nothing, found by halving. A receiver that is too slow loses in every second;
 * a machine that stops for ten milliseconds, as guests of a busy host do, makes any receiver lose in one. So a rate is held where
 * most of many short runs lose next to nothing, and the same is asked of everybody.
 */
final class Lossless {
    /** One in ten thousand. */
    private static final double LOSS = 1e-4;

    private static final double STEP = 1.25;
    /** Where the sender falls so far behind, it is the sender that is measured. */
    private static final double SENDER_LIMIT = 0.97;

    /** One stumble of the sender is none of the receiver's, and says nothing of how fast either is. */
    private static final int SENDER_TRIES = 3;

    private static final double LOWEST = 1_000;

    /**
     * @param runs at a rate
     * @param passing how many of them must lose nothing
     * @param precision of the answer: 1.02 is two percent
     */
    record Plan(int runs, int passing, double seconds, double precision) {}

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
        int behind = 0;
        while (high == 0 || low == 0 || high / low > plan.precision) {
            double reached = probe(road, rate);
            if (reached == 0) {
                high = rate;
            } else {
                low = Math.max(low, reached);
                if (reached < SENDER_LIMIT * rate) {
                    if (++behind == SENDER_TRIES) {
                        return new Rate(low, true);
                    }
                    continue;
                }
            }
            behind = 0;
            if (high != 0 && high < LOWEST) {
                throw new IOException("loses datagrams at any rate");
            }
            rate = high == 0 ? low * STEP : low == 0 ? high / STEP : Math.sqrt(low * high);
        }
        return new Rate(low, false);
    }

    /** The rate the sender kept in most runs, or 0 where too many lost. */
    private double probe(Road road, double rate) throws IOException, InterruptedException {
        List<Double> reached = new ArrayList<>();
        int failed = 0;
        for (int i = 0; i < plan.runs && reached.size() < plan.passing; i++) {
            Ran ran = road.run(rate, plan.seconds);
            if (ran.loss() <= LOSS) {
                reached.add(ran.perSecond());
            } else if (++failed > plan.runs - plan.passing) {
                return 0;
            }
        }
        return Spread.of(reached).median();
    }
}
