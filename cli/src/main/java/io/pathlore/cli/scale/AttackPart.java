package io.pathlore.cli.scale;

import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.Room;
import io.pathlore.engine.Station;
import io.pathlore.model.ReportRow;
import java.util.List;

/** Looks for attacks. */
final class AttackPart implements Part, Outbox.Reader {
    private final ReportRow row = new ReportRow();
    private final Station station;

    AttackPart(Parts parts, Outbox outbox) {
        Clock clock = new Clock();
        EventSink events = EventSink.to(event -> outbox.found(Stage.HOPS, 0, clock.now, event));
        station = new Station(
                parts.waitingBytes(Stage.ATTACKS),
                0,
                null,
                List.of(clock, Analysts.attacks(parts.service(), Room.part(1), parts.seed(), events)));
    }

    @Override
    public void on(byte[] block) {
        Outbox.read(block, row, this);
    }

    @Override
    public void report(ReportRow report) {
        station.on(report);
    }

    @Override
    public void onTime(long untilNanos) {
        station.onTime(untilNanos);
    }

    @Override
    public void end() {
        station.end();
    }

    @Override
    public void flush() {
        station.flush();
    }

    @Override
    public byte[] state() {
        return station.state();
    }

    @Override
    public void restore(byte[] state) {
        station.restore(state);
    }

    @Override
    public Figures figures() {
        return Figures.of(station);
    }
}
