package io.pathlore.mitigate.ledger;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clock, and as much more as a test says. */
public final class MovedClock implements LedgerClock {
    private final AtomicLong more = new AtomicLong();

    public void move(Duration by) {
        more.addAndGet(by.toNanos());
    }

    @Override
    public long nanoTime() {
        return SYSTEM.nanoTime() + more.get();
    }

    @Override
    public long epochNanos() {
        return SYSTEM.epochNanos() + more.get();
    }
}
