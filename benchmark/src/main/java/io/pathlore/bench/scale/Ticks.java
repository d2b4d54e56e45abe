package io.pathlore.bench.scale;

/** How time goes by. */
final class Ticks {
    static final long SECOND = 1_000_000_000L;

    /** Parts are told of time as often as the job's watermarks tell them. */
    static final long STEP = 100_000_000L;

    static final int STEPS = (int) (SECOND / STEP);

    private Ticks() {}
}
