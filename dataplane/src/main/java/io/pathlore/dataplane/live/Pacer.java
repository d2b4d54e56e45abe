package io.pathlore.dataplane.live;

/**
 * Releases things when they are due. Every due time is counted from the start, so an error of one wait is not added to the next,
 * and what was held up is caught up with. What is due together is released without a wait between, so that it can be sent
 * together.
 *
 * <p>Hot path. Belongs to one thread, but for {@link #stop}.
 */
public final class Pacer {
    /** The time stamp of what has none: due with the one before it. */
    public static final long UNSTAMPED = Long.MIN_VALUE;

    /** A park may oversleep this much. */
    private static final long OVERSLEEP_NANOS = 70_000;

    private static final long SHORTEST_PARK_NANOS = 20_000;
    /** So that a stop is noticed. */
    private static final long LONGEST_PARK_NANOS = 100_000_000;

    private static final double NANOS = 1e9;

    private final Pace pace;
    private final Ticker ticker;
    private final Runnable beforeWaiting;

    private volatile boolean stopped;
    private boolean begun;
    private long released;
    private long startNanos;
    private long nowNanos;
    private long finishedNanos;
    private long worstLagNanos;

    // Since the start.
    private long lastDue;
    private long passStart;
    private long passReleased;
    private long firstStamp = UNSTAMPED;

    /** {@code beforeWaiting} is called when there is time to pass: send what was gathered. */
    public Pacer(Pace pace, Ticker ticker, Runnable beforeWaiting) {
        this.pace = pace;
        this.ticker = ticker;
        this.beforeWaiting = beforeWaiting;
    }

    /** Time begins now, at that stamp; without it, with the first thing. */
    public void begin(long stampNanos) {
        startNanos = ticker.nanoTime();
        nowNanos = startNanos;
        firstStamp = stampNanos;
        begun = true;
    }

    /** Returns when the next thing is due, at once if it is late; false if {@link #stop} was called. */
    public boolean await(long stampNanos) {
        if (!begun) {
            startNanos = ticker.nanoTime();
            nowNanos = startNanos;
            begun = true;
        }
        if (!(pace instanceof Pace.Unbounded)) {
            lastDue = due(stampNanos);
            if (lastDue > nowNanos - startNanos) {
                nowNanos = ticker.nanoTime();
                if (lastDue > nowNanos - startNanos) {
                    beforeWaiting.run();
                    waitUntil(lastDue);
                }
            }
            worstLagNanos = Math.max(worstLagNanos, nowNanos - startNanos - lastDue);
        }
        if (stopped) {
            return false;
        }
        released++;
        passReleased++;
        return true;
    }

    private long due(long stampNanos) {
        return switch (pace) {
            case Pace.Unbounded unbounded -> 0;
            case Pace.PerSecond(double rate) -> (long) (released * NANOS / rate);
            case Pace.Stamped(double speed) -> {
                if (stampNanos == UNSTAMPED) {
                    yield lastDue;
                }
                if (firstStamp == UNSTAMPED) {
                    firstStamp = stampNanos;
                }
                // What is stamped earlier than the one before it goes with that one.
                yield Math.max(lastDue, passStart + (long) ((stampNanos - firstStamp) / speed));
            }
        };
    }

    private void waitUntil(long due) {
        nowNanos = ticker.nanoTime();
        while (!stopped && due > nowNanos - startNanos) {
            long spare = due - (nowNanos - startNanos) - OVERSLEEP_NANOS;
            if (spare >= SHORTEST_PARK_NANOS) {
                ticker.park(Math.min(spare, LONGEST_PARK_NANOS));
            } else {
                ticker.spin();
            }
            nowNanos = ticker.nanoTime();
        }
    }

    /** The same things begin again: time stamps go on from here, as far behind the last as they were apart on average. */
    public void startAgain() {
        long gap = passReleased > 1 ? (lastDue - passStart) / (passReleased - 1) : 0;
        passStart = lastDue + gap;
        passReleased = 0;
        firstStamp = UNSTAMPED;
    }

    /** Nothing more is released. From any thread. */
    public void stop() {
        stopped = true;
    }

    public boolean isStopped() {
        return stopped;
    }

    /** After the last was sent: stops the watch. */
    public void finish() {
        finishedNanos = begun ? ticker.nanoTime() : startNanos;
    }

    public long released() {
        return released;
    }

    /** From the first to {@link #finish}. */
    public long elapsedNanos() {
        return finishedNanos - startNanos;
    }

    /** Per second, really; NaN where there were not two. */
    public double rateHeld() {
        return rate(elapsedNanos());
    }

    /** Per second, as planned; NaN where nothing was. */
    public double rateAsked() {
        return switch (pace) {
            case Pace.Unbounded unbounded -> Double.NaN;
            case Pace.PerSecond(double rate) -> rate;
            case Pace.Stamped stamped -> rate(lastDue);
        };
    }

    private double rate(long nanos) {
        return released < 2 || nanos <= 0 ? Double.NaN : (released - 1) * NANOS / nanos;
    }

    /** How late anything was released. */
    public long worstLagNanos() {
        return worstLagNanos;
    }
}
