package io.pathlore.cli.scale;

import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.Move;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.PathBook;
import io.pathlore.cli.service.Room;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.Station;
import io.pathlore.model.ReportRow;

/** Hops, queues, links; and how complete the input of everything was that was found, here or by others. */
final class HopPart implements Part, Outbox.Reader {
    private final ReportRow row = new ReportRow();
    private final Analysts.OfHops operators;
    private final TableFeed feed;
    private final Station station;

    HopPart(Parts parts, Outbox outbox) {
        Service service = parts.service();
        Room room = Room.part(1);
        feed = new TableFeed(
                outbox.rows(parts.datagrams() + parts.flows()),
                service.config().inventory(),
                PathBook.of(service, Room.part(Integer.MAX_VALUE)));
        EventSink told = new EventSink() {
            @Override
            public void on(Event event) {
                outbox.event(event);
            }

            @Override
            public void on(Burst burst) {
                outbox.burst(burst);
            }

            @Override
            public void on(AttackSecond second) {}
        };
        operators = Analysts.ofHops(service, room, feed, told);
        station = new Station(parts.waitingBytes(Stage.HOPS), 0, null, operators.all());
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
    public void packet(long nanos, byte[] packet) {
        operators.joined().add(nanos, packet);
    }

    @Override
    public void found(long nanos, Object what) {
        if (what instanceof Move move) {
            operators.moves().add(nanos, move);
        } else {
            operators.events().add(nanos, what);
        }
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
        return station.state(feed);
    }

    @Override
    public void restore(byte[] state) {
        station.restore(state, feed);
    }

    @Override
    public Figures figures() {
        return Figures.of(station);
    }
}
