package io.pathlore.cli.scale;

import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.Room;
import io.pathlore.cli.service.RowSink;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.Station;
import java.util.List;

/** Looks for attacks. */
final class AttackPart extends StationPart {
    private AttackPart(Station station) {
        super(station);
    }

    static AttackPart of(Parts parts, int part, Outbox outbox) {
        Clock clock = new Clock();
        RowSink rows = outbox.rows(parts.datagrams() + parts.flows() + parts.hops() + part);
        EventSink events = new EventSink() {
            @Override
            public void on(Event event) {
                outbox.found(Stage.VERDICTS, 0, clock.now, event);
            }

            @Override
            public void on(AttackSecond second) {
                rows.row(TableFeed.attackSecond(second));
            }
        };
        return new AttackPart(new Station(
                parts.waitingBytes(Stage.ATTACKS),
                0,
                null,
                List.of(
                        clock,
                        Analysts.attacks(parts.service(), Room.part(1), parts.seed(), events),
                        new MinuteEnds(AttackWatch.LATEST_NANOS, rows::complete))));
    }
}
