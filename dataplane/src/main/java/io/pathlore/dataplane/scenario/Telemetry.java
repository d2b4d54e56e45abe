package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.inband.Instructions;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.watch.FlowRules;
import io.pathlore.dataplane.watch.QueueRules;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.wire.inband.IntVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes do about INT. All have the same watchlist; only those at the edge begin INT.
 *
 * @param mode of entries that do not say another
 * @param watchlist in MD and MX, of sources; in XD, of all nodes
 * @param dropIntervalNanos a flow's drops for one reason are reported once in this time, 0 for each
 */
public record Telemetry(
        Mode mode,
        Codepoints codepoints,
        Reporting reporting,
        List<WatchEntry> watchlist,
        FlowRules flowRules,
        QueueRules queueRules,
        long dropIntervalNanos) {
    /** Enough for any of the shipped networks. */
    public static final int DEFAULT_HOP_LIMIT = 8;

    private static final int COMPLEMENT = 0x0001;

    public Telemetry {
        watchlist = List.copyOf(watchlist);
    }

    public Telemetry withReporting(Reporting reporting) {
        return new Telemetry(mode, codepoints, reporting, watchlist, flowRules, queueRules, dropIntervalNanos);
    }

    /** All entries in that mode; what it lacks is left out. */
    public Telemetry withMode(Mode mode) {
        if (mode != Mode.MD && reporting.transparentSecurity()) {
            throw new IllegalArgumentException("the Transparent Security dialect is one of mode md");
        }
        List<WatchEntry> changed = watchlist.stream()
                .map(entry -> new WatchEntry(
                        entry.name(),
                        entry.priority(),
                        entry.match(),
                        entry.sampling(),
                        entry.flows(),
                        entry.drops(),
                        withMode(entry.task(), mode)))
                .toList();
        return new Telemetry(mode, codepoints, reporting, changed, flowRules, queueRules, dropIntervalNanos);
    }

    private static @Nullable IntTask withMode(@Nullable IntTask task, Mode mode) {
        if (task == null || task.mode() == mode) {
            return task;
        }
        return switch (mode) {
            case MD -> IntTask.md(task.carrier(), task.instructions(), Math.max(task.hopLimit(), DEFAULT_HOP_LIMIT));
            case MX -> IntTask.mx(task.carrier(), without(task, COMPLEMENT));
            case XD -> IntTask.xd(without(task, COMPLEMENT));
        };
    }

    private static Instructions without(IntTask task, int bits) {
        var asked = task.instructions();
        return new Instructions(asked.bitmap() & ~bits, asked.domainId(), asked.dsInstructions(), asked.dsFlags());
    }

    /** Whether any entry marks packets as of June 2016, which a collector must be told. */
    public boolean june2016() {
        return watchlist.stream()
                .map(WatchEntry::task)
                .anyMatch(task -> task != null && task.version() == IntVersion.JUNE_2016);
    }
}
