package io.pathlore.analysis.flow;

import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;

/** Is told of the flows of one thread, minute by minute. All that is passed is borrowed. */
public interface FlowSink {
    /** A report of that time tells of a packet that was dropped. */
    default void drop(long nanos) {}

    /** Wants to know nothing. */
    FlowSink NONE = new FlowSink() {
        @Override
        public void minute(FlowKey flow, long flowHash, FlowState state) {}

        @Override
        public void path(ReportRow report) {}

        @Override
        public void complete(long untilNanos) {}
    };

    /** A minute of a flow is over. */
    void minute(FlowKey flow, long flowHash, FlowState state);

    /** A flow takes another path than before, which is whole in this report. */
    void path(ReportRow report);

    /** All minutes that begin before this time have been told. */
    void complete(long untilNanos);
}
