package io.pathlore.cli.scale;

import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.Room;
import io.pathlore.engine.Station;
import java.util.List;

/** Looks for attacks. */
final class AttackPart extends StationPart {
    private AttackPart(Station station) {
        super(station);
    }

    static AttackPart of(Parts parts, Outbox outbox) {
        Clock clock = new Clock();
        EventSink events = EventSink.to(event -> outbox.found(Stage.VERDICTS, 0, clock.now, event));
        return new AttackPart(new Station(
                parts.waitingBytes(Stage.ATTACKS),
                0,
                null,
                List.of(clock, Analysts.attacks(parts.service(), Room.part(1), parts.seed(), events))));
    }
}
