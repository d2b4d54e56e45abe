package io.pathlore.dataplane.traffic;

import java.util.List;

/**
 * Many answer one at once: a host asks all senders at the same time, again and again, as a storage client or an aggregator
 * does. The queue before it takes them all.
 *
 * @param senders by index
 * @param jitterNanos by which the questions lie apart
 */
public record Incast(
        Conditions conditions, List<Integer> senders, int receiver, long periodNanos, long jitterNanos, TcpPlan plan)
        implements TrafficSource {
    public Incast {
        senders = List.copyOf(senders);
        Pairs.check(senders, List.of(receiver));
        if (periodNanos <= 0) {
            throw new IllegalArgumentException("period: must be more than 0");
        }
        if (jitterNanos < 0 || jitterNanos > periodNanos) {
            throw new IllegalArgumentException("jitter: must be from 0 to the period");
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long from = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        if (from >= until) {
            return;
        }
        TcpPool pool = new TcpPool(stage, plan, conditions, Dice.seed(seed, "connections"), until);
        for (int i = 0; i < senders.size(); i++) {
            new Question(this, pool, senders.get(i), Dice.of(seed, i), from).next();
        }
    }

    private static final class Question extends Stage.Timer {
        private final Incast incast;
        private final TcpPool pool;
        private final int sender;
        private final Dice dice;
        private long periodAt;

        Question(Incast incast, TcpPool pool, int sender, Dice dice, long fromNanos) {
            this.incast = incast;
            this.pool = pool;
            this.sender = sender;
            this.dice = dice;
            periodAt = fromNanos;
        }

        void next() {
            long at = periodAt + dice.below(incast.jitterNanos + 1);
            if (at < pool.untilNanos) {
                pool.stage.start(this, at);
            }
        }

        @Override
        protected void fire(long nowNanos) {
            pool.open(incast.receiver, sender, nowNanos);
            periodAt += incast.periodNanos;
            next();
        }
    }
}
