package io.pathlore.engine;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What runs in a thread of its own and takes reports from rings, until it is stopped, and then what is left. */
abstract class Taker implements Runnable {
    static final int BATCH = 1_024;
    private static final long IDLE_NANOS = 500_000;

    private volatile boolean stopping;
    private volatile @Nullable Throwable failure;

    /** Takes some; false when there was nothing to take. */
    abstract boolean step();

    /** There will be no more. */
    abstract void end();

    @Override
    public final void run() {
        try {
            while (true) {
                boolean last = stopping; // asked first: what was added before it was set is taken
                if (!step()) {
                    if (last) {
                        break;
                    }
                    LockSupport.parkNanos(this, IDLE_NANOS);
                }
            }
            end();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    final void stop() {
        stopping = true;
    }

    @Nullable
    final Throwable failure() {
        return failure;
    }
}
