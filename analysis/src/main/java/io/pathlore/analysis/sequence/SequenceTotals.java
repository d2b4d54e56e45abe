package io.pathlore.analysis.sequence;

/**
 * Sums over streams.
 *
 * @param received datagrams
 * @param arrived numbers that came, of streams whose counter moves
 * @param lost numbers that will not come; never falls
 * @param missing numbers that may still come
 * @param suspicions how often two senders began to take turns in one stream
 */
public record SequenceTotals(
        long received,
        long arrived,
        long lost,
        long missing,
        long duplicates,
        long reordered,
        long late,
        long restarts,
        long unknownGaps,
        long suspicions) {
    public static final SequenceTotals NONE = new SequenceTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Nothing is numbered, so nothing is known of what is missing. */
    public static final double UNKNOWN = Double.NaN;

    public SequenceTotals plus(SequenceTotals other) {
        return new SequenceTotals(
                received + other.received,
                arrived + other.arrived,
                lost + other.lost,
                missing + other.missing,
                duplicates + other.duplicates,
                reordered + other.reordered,
                late + other.late,
                restarts + other.restarts,
                unknownGaps + other.unknownGaps,
                suspicions + other.suspicions);
    }

    /** What happened between an earlier reading and this one. */
    public SequenceTotals since(SequenceTotals earlier) {
        return new SequenceTotals(
                received - earlier.received,
                arrived - earlier.arrived,
                lost - earlier.lost,
                missing - earlier.missing,
                duplicates - earlier.duplicates,
                reordered - earlier.reordered,
                late - earlier.late,
                restarts - earlier.restarts,
                unknownGaps - earlier.unknownGaps,
                suspicions - earlier.suspicions);
    }

    /**
     * The share of the numbered datagrams that came, {@link #UNKNOWN} where none are numbered or where a gap of unknown size
     * lies among them. What may still come counts as not come.
     */
    public double completeness() {
        long gone = Math.max(0, lost + missing);
        return arrived <= 0 || unknownGaps > 0 ? UNKNOWN : (double) arrived / (arrived + gone);
    }
}
