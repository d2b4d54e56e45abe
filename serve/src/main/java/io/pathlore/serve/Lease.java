package io.pathlore.serve;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time a thread may take for one request. When it is over the thread is interrupted, which closes the channel it reads
 * or writes: so a client that sends or takes its bytes one by one, or not at all, holds nothing for long.
 */
final class Lease {
    static final ScopedValue<Lease> CURRENT = ScopedValue.newInstance();

    private final ScheduledExecutorService timer;
    private final Thread thread;
    private final Runnable onExpiry;
    private @Nullable Future<?> pending;
    private long term;

    Lease(ScheduledExecutorService timer, Thread thread, Runnable onExpiry) {
        this.timer = timer;
        this.thread = thread;
        this.onExpiry = onExpiry;
    }

    /** From now on so long, whatever was left before. */
    synchronized void renew(Duration time) {
        suspend();
        long own = term;
        try {
            pending = timer.schedule(() -> expire(own), time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            thread.interrupt(); // the server has stopped: the time is over
        }
    }

    /** No limit until renewed: for a thread that waits for something of ours. */
    synchronized void suspend() {
        term++; // one that fires at this moment is too late
        if (pending != null) {
            pending.cancel(false);
            pending = null;
        }
    }

    private synchronized void expire(long of) {
        if (of == term) {
            onExpiry.run();
            thread.interrupt();
        }
    }
}
