package io.pathlore.cli;

/**
 * A span of receive time, in epoch nanoseconds.
 *
 * @param since the first that is in it
 * @param until the first that is not
 */
record TimeSpan(long since, long until) {
    static final TimeSpan ALWAYS = new TimeSpan(Long.MIN_VALUE, Long.MAX_VALUE);

    boolean isAlways() {
        return since == Long.MIN_VALUE && until == Long.MAX_VALUE;
    }

    /** What has no time is in no span but {@link #ALWAYS}. */
    boolean contains(long timeNanos) {
        return isAlways() || (timeNanos != Place.UNKNOWN_TIME && timeNanos >= since && timeNanos < until);
    }
}
