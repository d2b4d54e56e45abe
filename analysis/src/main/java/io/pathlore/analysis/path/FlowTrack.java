package io.pathlore.analysis.path;

import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import org.jspecify.annotations.Nullable;

/** What is remembered of one flow's way. */
final class FlowTrack {
    static final long NEVER = Long.MIN_VALUE;

    final FlowKey flow;

    /** As it is believed to be; empty until the first report. */
    final Way way = new Way();

    long wayLast = NEVER;

    /** {@link ReportRow#route} of the packet that last took it; 0 where none has. */
    long route;

    // Another way that packets seem to take now.
    final Way candidate = new Way();
    long candidateFirst = NEVER;
    long candidateLast = NEVER;
    int candidateCount;

    @Nullable
    Cards cards;

    // The circle its packets run in.
    long loopFirst = NEVER;
    long loopLast = NEVER;
    long loopFound = NEVER;
    int ttlDrops;
    final Way loop = new Way();

    /** When somebody has to look at it again, or {@link #NEVER}. */
    long dueNanos = NEVER;

    FlowTrack(FlowKey flow) {
        this.flow = flow;
    }

    boolean hasCandidate() {
        return candidateFirst != NEVER;
    }

    void dropCandidate() {
        candidateFirst = NEVER;
        candidateLast = NEVER;
        candidateCount = 0;
        candidate.clear();
    }
}
