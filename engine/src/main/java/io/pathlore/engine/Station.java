package io.pathlore.engine;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.engine.state.State;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators, with the reports that wait for their time in front of them: for a host that has many such stations, on many machines, and is
 * told from outside how far time has come. What all of them remember can be taken away and given to another. One thread.
 */
public final class Station {
    private final Desk desk;
    private final @Nullable FlowTable flows;
    private final Sorter sorter;
    private final List<Object> remembering = new ArrayList<>();

    /**
     * @param mostBytes of reports that may wait for their time
     * @param flows that are counted at once, or 0
     */
    public Station(long mostBytes, int flows, @Nullable FlowSink sink, List<Operator> operators) {
        desk = new Desk(operators);
        FlowTable table = sink == null ? null : new FlowTable(flows, sink);
        this.flows = table;
        sorter = new Sorter(0, mostBytes, new Sorter.Sorted() {
            @Override
            public void on(ReportRow row) {
                if (table != null) {
                    table.on(row);
                }
                desk.on(row);
            }

            @Override
            public void onTime(long nanos) {
                if (table != null) {
                    table.onTime(nanos);
                }
                desk.onTime(nanos);
            }
        });
        remembering.add(desk);
        remembering.add(sorter);
        if (table != null) {
            remembering.add(table);
        }
        remembering.addAll(operators);
    }

    /** Takes a copy. Reports of one exporter come in their order. */
    public void on(ReportRow report) {
        sorter.hold(report);
    }

    /** All reports that were received up to this time are here. */
    public void onTime(long untilNanos) {
        sorter.releaseUntil(untilNanos);
    }

    /** There will be no more reports. */
    public void end() {
        sorter.end();
        desk.flush(); // what is known of ways belongs to the last minute of flows
        if (flows != null) {
            flows.end();
        }
        desk.end();
    }

    /** Flows that are counted. */
    public long flows() {
        return flows == null ? 0 : flows.size();
    }

    /** Flows that were forgotten to make room. */
    public long flowsEvicted() {
        return flows == null ? 0 : flows.evicted();
    }

    /** Octets of reports that wait for their time. */
    public long waitingBytes() {
        return sorter.bytes();
    }

    /** Reports that could not wait for their time: there was no room. */
    public long early() {
        return sorter.early();
    }

    /** Operators are told of all reports whose time has come: what they tell comes before {@link #state}. */
    public void flush() {
        desk.flush();
    }

    /** What is remembered, and {@code more} that belongs to it. */
    public byte[] state(Object... more) {
        return State.of(all(more));
    }

    /** Before the first report, at a station that was made in the same way. */
    public void restore(byte[] state, Object... more) {
        State.restore(state, all(more));
    }

    private Object[] all(Object... more) {
        List<Object> all = new ArrayList<>(remembering);
        all.addAll(List.of(more));
        return all.toArray();
    }
}
