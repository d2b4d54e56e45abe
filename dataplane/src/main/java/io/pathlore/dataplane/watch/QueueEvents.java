package io.pathlore.dataplane.watch;

import io.pathlore.wire.inband.HopView;
import java.util.Arrays;

/**
 * Tells which queues are congested. All traffic that enters a congested queue is worth a report, culprits and victims alike,
 * up to the quota of an episode [TR 2.0 §2.2].
 *
 * <p>Hot path: no allocation once each queue was seen.
 */
public final class QueueEvents {
    private static final int CALM = -1;
    private static final int FIRST_SIZE = 8;

    private final QueueRules rules;
    private final boolean watching;
    /** By egress interface and queue: {@link #CALM}, or what is left of the quota. */
    private int[][] left = new int[FIRST_SIZE][];

    private long suppressed;

    public QueueEvents(QueueRules rules) {
        this.rules = rules;
        watching = rules.thresholdBytes() > 0 || rules.thresholdNanos() > 0;
    }

    /** Packets in congested queues that came after the quota was used up. */
    public long suppressed() {
        return suppressed;
    }

    /** As after power-up: no queue is congested. */
    public void restart() {
        for (int[] queues : left) {
            if (queues != null) {
                Arrays.fill(queues, CALM);
            }
        }
    }

    /**
     * Whether this packet is to be reported.
     *
     * @param occupancyBytes of the queue when the packet entered it, or {@link HopView#ABSENT}
     * @param latencyNanos of the packet in this node, or {@link HopView#ABSENT}
     */
    public boolean onPacket(int egressInterface, int queue, long occupancyBytes, long latencyNanos) {
        if (!watching) {
            return false;
        }
        int[] queues = queues(egressInterface, queue);
        if (queues[queue] == CALM) {
            if (!isAbove(rules.thresholdBytes(), occupancyBytes) && !isAbove(rules.thresholdNanos(), latencyNanos)) {
                return false;
            }
            queues[queue] = rules.quota() == 0 ? Integer.MAX_VALUE : rules.quota();
        } else if (isBelow(rules.thresholdBytes(), rules.resetBytes(), occupancyBytes)
                && isBelow(rules.thresholdNanos(), rules.resetNanos(), latencyNanos)) {
            queues[queue] = CALM;
            return false;
        }
        if (queues[queue] == 0) {
            suppressed++;
            return false;
        }
        if (rules.quota() != 0) {
            queues[queue]--;
        }
        return true;
    }

    public boolean isCongested(int egressInterface, int queue) {
        return egressInterface < left.length
                && left[egressInterface] != null
                && queue < left[egressInterface].length
                && left[egressInterface][queue] != CALM;
    }

    private static boolean isAbove(long threshold, long value) {
        return threshold > 0 && value > threshold;
    }

    /** What is not watched, or not known, keeps no queue congested. */
    private static boolean isBelow(long threshold, long reset, long value) {
        return threshold == 0 || value < reset;
    }

    private int[] queues(int egressInterface, int queue) {
        if (egressInterface >= left.length) {
            left = Arrays.copyOf(left, Math.max(egressInterface + 1, 2 * left.length));
        }
        int[] queues = left[egressInterface];
        int known = queues == null ? 0 : queues.length;
        if (queue >= known) {
            int[] more = new int[Math.max(queue + 1, FIRST_SIZE)];
            Arrays.fill(more, CALM);
            if (queues != null) {
                System.arraycopy(queues, 0, more, 0, known);
            }
            left[egressInterface] = more;
            return more;
        }
        return queues;
    }
}
