package io.pathlore.dataplane.watch;

import io.pathlore.dataplane.inband.IntTask;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a watchlist: which packets, how many of them, and what is watched of them [TR 2.0 §2.2].
 *
 * @param priority of several entries that match, the one with the highest counts
 * @param flows their way through the network is reported
 * @param drops their drops are reported; an entry with neither excludes what it matches
 * @param task what a source does to the packets taken, or null if this node is no source of theirs
 */
public record WatchEntry(
        String name,
        int priority,
        Match match,
        Sampling sampling,
        boolean flows,
        boolean drops,
        @Nullable IntTask task) {
    public boolean isExclusion() {
        return !flows && !drops;
    }
}
