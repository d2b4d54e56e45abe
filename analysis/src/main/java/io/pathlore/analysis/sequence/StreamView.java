package io.pathlore.analysis.sequence;

import io.pathlore.analysis.sequence.StreamKey.Version;

/**
 * One stream as it stands, for people.
 *
 * @param nodeId the id on the wire, or -1 in version 0.5, which has none
 * @param sequence the highest number
 * @param counts whether its numbers can tell loss
 * @param counting what is numbered; {@code AUTO} while that is open
 * @param perSecond numbers a second, 0 while unknown
 * @param suspected two senders take turns
 */
public record StreamView(
        long exporterHigh,
        long exporterLow,
        long destinationHigh,
        long destinationLow,
        int destinationPort,
        Version version,
        long nodeId,
        int hwId,
        long sequence,
        long lastNanos,
        boolean counts,
        Counting counting,
        double perSecond,
        boolean suspected,
        SequenceTotals totals) {

    /** [TR 0.5] names no node. */
    public static final long NO_NODE = -1;
}
