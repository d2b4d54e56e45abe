package io.pathlore.cli.scale;

import io.pathlore.engine.Station;
import io.pathlore.model.ReportRow;

/** A part that reports come in to: operators at a {@link Station}, and somebody who remembers beside them. */
abstract class StationPart implements Part, Outbox.Reader {
    private final ReportRow row = new ReportRow();
    private final Station station;
    private final Object[] beside;

    /** {@code beside} the operators, remembers something too. */
    StationPart(Station station, Object... beside) {
        this.station = station;
        this.beside = beside.clone();
    }

    @Override
    public final void on(byte[] block) {
        Outbox.read(block, row, this);
    }

    @Override
    public final void report(ReportRow report) {
        station.on(report);
    }

    @Override
    public final void onTime(long untilNanos) {
        station.onTime(untilNanos);
    }

    @Override
    public final void end() {
        station.end();
    }

    @Override
    public final void flush() {
        station.flush();
    }

    @Override
    public final byte[] state() {
        return station.state(beside);
    }

    @Override
    public final void restore(byte[] state) {
        station.restore(state, beside);
    }

    @Override
    public final Figures figures() {
        return new Figures(station.flows(), station.flowsEvicted(), station.waitingBytes(), station.early(), 0, 0);
    }
}
