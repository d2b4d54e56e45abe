package io.pathlore.cli;

import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that one decoder said about one datagram, kept until the other one has spoken. */
final class Outcomes implements ReportSink {
    /** Exactly one of {@code fault} and {@code quirk} is there. {@code report} is where its report starts in the buffer. */
    record Noticed(
            int report, @Nullable Fault fault, @Nullable Quirk quirk, int offset) {
        String name() {
            return fault != null ? fault.name() : quirk != null ? quirk.label() : "";
        }
    }

    /** Sees each report while it is there. */
    interface Watcher {
        void onReport(ReportView report);

        void onRejected(Fault fault, int offset);
    }

    private record Extent(int start, int end) {}

    private final List<Noticed> noticed = new ArrayList<>();
    private final List<Extent> reports = new ArrayList<>();
    private final Warnings warnings;
    private final Watcher watcher;

    /** {@code warnings} are the decoder's, which says there what it noticed before it gave a report up. */
    Outcomes(Warnings warnings, Watcher watcher) {
        this.warnings = warnings;
        this.watcher = watcher;
    }

    void clear() {
        noticed.clear();
        reports.clear();
    }

    List<Noticed> noticed() {
        return noticed;
    }

    @Override
    public void onReport(ReportView report) {
        add(report.warnings(), report.start());
        reports.add(new Extent(report.start(), report.end()));
        watcher.onReport(report);
    }

    @Override
    public void onRejected(Fault fault, int offset) {
        noticed.add(new Noticed(offset, fault, null, offset));
        add(warnings, offset);
        watcher.onRejected(fault, offset);
    }

    void add(Warnings warnings, int report) {
        for (int i = 0; i < warnings.count(); i++) {
            noticed.add(
                    warnings.isFault(i)
                            ? new Noticed(report, warnings.fault(i), null, warnings.offset(i))
                            : new Noticed(report, null, warnings.quirk(i), warnings.offset(i)));
        }
    }

    boolean names(String name, int report) {
        for (Noticed one : noticed) {
            if (one.report == report && one.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a report was read whole here, so that whoever sees one start at this index went astray before it. */
    boolean isInsideReport(int index) {
        for (Extent report : reports) {
            if (index > report.start && index < report.end) {
                return true;
            }
        }
        return false;
    }
}
