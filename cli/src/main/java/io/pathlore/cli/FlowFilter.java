package io.pathlore.cli;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.cli.filter.FlowSubject;
import io.pathlore.cli.service.Recording;
import java.util.function.Predicate;

/** Tells which flows are wanted, and counts those that are not. */
final class FlowFilter implements Predicate<Recording.Flow> {
    private final Filter filter;
    private long leftOut;

    FlowFilter(Filter filter) {
        this.filter = filter;
    }

    @Override
    public boolean test(Recording.Flow flow) {
        boolean wanted = filter.matches(new FlowSubject(flow));
        leftOut += wanted ? 0 : 1;
        return wanted;
    }

    long leftOut() {
        return leftOut;
    }
}
