package io.pathlore.dataplane.watch;

/**
 * When a queue is congested: from above a threshold until below where it resets, by occupancy, by latency, or by either. A
 * threshold of 0 is none. [TR 2.0 §2.2]
 *
 * @param quota reports of one episode of congestion, 0 for no limit
 */
public record QueueRules(long thresholdBytes, long resetBytes, long thresholdNanos, long resetNanos, int quota) {
    /** No queue is watched. */
    public static final QueueRules NONE = new QueueRules(0, 0, 0, 0, 0);

    public static final int DEFAULT_QUOTA = 1024;

    public static QueueRules occupancy(long thresholdBytes, long resetBytes, int quota) {
        return new QueueRules(thresholdBytes, resetBytes, 0, 0, quota);
    }

    public static QueueRules latency(long thresholdNanos, long resetNanos, int quota) {
        return new QueueRules(0, 0, thresholdNanos, resetNanos, quota);
    }

    public QueueRules {
        if (thresholdBytes < 0 || thresholdNanos < 0 || quota < 0) {
            throw new IllegalArgumentException("a negative threshold or quota");
        }
        if (thresholdBytes > 0 && resetBytes < 1 || thresholdNanos > 0 && resetNanos < 1) {
            throw new IllegalArgumentException("a queue that is never below where it resets");
        }
        if (resetBytes > thresholdBytes || resetNanos > thresholdNanos) {
            throw new IllegalArgumentException("a queue that is no longer congested above its threshold");
        }
    }
}
