package io.pathlore.mitigate.ledger;

import java.time.Instant;

/** The two times there are: one that only goes forward, by which things end, and one for people. */
public interface LedgerClock {
    LedgerClock SYSTEM = new LedgerClock() {
        private final long start = System.nanoTime();

        @Override
        public long nanoTime() {
            return System.nanoTime() - start;
        }

        @Override
        public long epochNanos() {
            Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000_000L + now.getNano();
        }
    };

    /** Since some moment in the past: not below 0. */
    long nanoTime();

    long epochNanos();
}
