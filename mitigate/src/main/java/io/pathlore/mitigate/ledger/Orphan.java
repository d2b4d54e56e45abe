package io.pathlore.mitigate.ledger;

/**
 * A rule somebody reports drops of, and that is not ours.
 *
 * @param node where it is
 * @param key what drop reports call it
 * @param count of the last report
 * @param seenNanos when that was, of the world's time
 */
public record Orphan(long node, long key, long count, long reports, long seenNanos) {}
