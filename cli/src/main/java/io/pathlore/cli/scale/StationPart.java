package io.pathlore.cli.scale;

import io.pathlore.engine.Station;
import io.pathlore.model.ReportRow;
import java.util.Arrays;

/** A part that reports come in to: operators at a {@link Station}, and somebody who remembers beside them. */
abstract class StationPart implements Part, Outbox.Reader {
    private final ReportRow row = new ReportRow();
    private final Station station;
    private final Reached reached = new Reached();
    private final Object[] beside;

    /** When the newest report was received, as far as that was told: of others, too, which never come here. */
    private static final class Reached {
        long nanos = Long.MIN_VALUE;
    }

    /** {@code beside} the operators, remembers something too. */
    StationPart(Station station, Object... beside) {
        this.station = station;
        this.beside = Arrays.copyOf(beside, beside.length + 1);
        this.beside[beside.length] = reached;
    }

    /** Some report was received then. */
    final void reached(long nanos) {
        reached.nanos = Math.max(reached.nanos, nanos);
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
        time(untilNanos);
        station.onTime(untilNanos);
    }

    /** Stream time will have come this far, whether there were reports or not. */
    void time(long untilNanos) {}

    /** Up to the newest report time passes in its steps, whoever has seen that report: the end may come before the host could tell of it. */
    @Override
    public final void end() {
        if (reached.nanos != Long.MIN_VALUE) {
            station.onTime(reached.nanos);
        }
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
