package io.pathlore.cli.scale;

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

/** Hops, queues, links; and how complete the input of everything was that was found, here or by others. */
final class HopPart extends StationPart {
    private final Analysts.OfHops operators;

    private HopPart(Station station, TableFeed feed, Analysts.OfHops operators) {
        super(station, feed);
        this.operators = operators;
    }

    static HopPart of(Parts parts, Outbox outbox) {
        Service service = parts.service();
        TableFeed feed = new TableFeed(
                outbox.rows(parts.datagrams() + parts.flows()),
                service.config().inventory(),
                PathBook.of(service, Room.part(Integer.MAX_VALUE))); // those of flows are elsewhere
        EventSink told = new EventSink() {
            @Override
            public void on(Event event) {
                outbox.event(event);
            }

            @Override
            public void on(Burst burst) {
                outbox.burst(burst);
            }
        };
        Analysts.OfHops operators = Analysts.ofHops(service, Room.part(1), feed, told);
        return new HopPart(new Station(parts.waitingBytes(Stage.HOPS), 0, null, operators.all()), feed, operators);
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
}
