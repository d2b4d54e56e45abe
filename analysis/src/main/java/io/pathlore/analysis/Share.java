package io.pathlore.analysis;

import io.pathlore.model.ReportRow;

/**
 * The nodes, or networks, that are somebody's own, where the analysis is divided by them. A link is one end's own, with both directions; who has it hears of
 * both, for a report goes to all who have one of its nodes. Hot path.
 */
public record Share(int part, int parts) {
    /** Of who has all of them. */
    public static final Share ALL = new Share(0, 1);

    private static final long HALF = 0xFFFF_FFFFL;

    /** The part that a node, or what else has a number, belongs to, of so many. */
    public static int of(long node, int parts) {
        return (int) ((ReportRow.mix(node) & HALF) * parts >>> 32);
    }

    public boolean has(long node) {
        return parts == 1 || of(node, parts) == part;
    }

    /** The link between two nodes, in either direction. */
    public boolean hasLink(long one, long other) {
        return parts == 1 || of(ofLink(one, other), parts) == part;
    }

    /** One of the two, whoever asks; not always the lower, or some parts had most of them. */
    private static long ofLink(long one, long other) {
        return (ReportRow.mix(one ^ other) & 1) == 0 ? Math.min(one, other) : Math.max(one, other);
    }
}
