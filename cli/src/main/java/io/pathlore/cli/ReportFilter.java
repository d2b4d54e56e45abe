package io.pathlore.cli;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.filter.ReportSubject;
import io.pathlore.model.Fault;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketView;
import picocli.CommandLine.Model.CommandSpec;

/** Tells which reports are wanted, and counts those that are not. */
final class ReportFilter {
    private final Filter filter;
    private final boolean given;
    private final ReportSubject subject = new ReportSubject();
    private long leftOut;

    private ReportFilter(Filter filter, boolean given) {
        this.filter = filter;
        this.given = given;
    }

    static ReportFilter of(FilterOption option, CommandSpec spec, Inventory inventory) {
        return new ReportFilter(option.filter(spec, inventory, ReportSubject.FIELDS, "reports"), option.given());
    }

    /** False: everything is wanted. */
    boolean given() {
        return given;
    }

    boolean wants(Place place, ReportView report) {
        return !given || decide(place, subject.report(report));
    }

    boolean wants(Place place, PacketView packet) {
        return !given || decide(place, subject.packet(packet));
    }

    boolean wantsRejected(Place place, Fault fault) {
        return !given || decide(place, subject.rejected(fault));
    }

    private boolean decide(Place place, ReportSubject about) {
        about.exporter(place.addressed, place.v6, place.sourceHigh, place.sourceLow);
        boolean wanted = filter.matches(about);
        leftOut += wanted ? 0 : 1;
        return wanted;
    }

    /** Reports, rejected reports and packets that were not wanted. */
    long leftOut() {
        return leftOut;
    }
}
