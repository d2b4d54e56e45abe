package io.pathlore.dataplane.live;

import java.util.concurrent.locks.LockSupport;

/** Time that only goes forward, and ways to let it pass. */
public interface Ticker {
    Ticker SYSTEM = new Ticker() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void park(long nanos) {
            LockSupport.parkNanos(nanos);
        }

        @Override
        public void spin() {
            Thread.onSpinWait();
        }
    };

    long nanoTime();

    /** About so long: less, or some tens of microseconds more. */
    void park(long nanos);

    /** As short as can be. */
    void spin();
}
