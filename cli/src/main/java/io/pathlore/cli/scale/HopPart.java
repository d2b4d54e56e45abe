package io.pathlore.cli.scale;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.Move;
import io.pathlore.analysis.rollup.Arrived;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.PathBook;
import io.pathlore.cli.service.Room;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.Station;
import java.util.ArrayList;
import java.util.List;

/** Some of the nodes: their hops, queues, and links. */
final class HopPart extends StationPart {
    private final Analysts.OfHops operators;

    private HopPart(Station station, TableFeed feed, Analysts.OfHops operators) {
        super(station, feed);
        this.operators = operators;
    }

    static HopPart of(Parts parts, int part, Outbox outbox) {
        Service service = parts.service();
        TableFeed feed = new TableFeed(
                outbox.rows(parts.datagrams() + parts.flows() + part),
                service.config().inventory(),
                PathBook.of(service, Room.part(Integer.MAX_VALUE))); // those of flows are elsewhere
        Clock clock = new Clock();
        // Nodes are spread by a hash, and some are larger than others: there is room for twice the share.
        Analysts.OfHops operators = Analysts.ofHops(
                service,
                Room.part(Math.max(1, parts.hops() / 2)),
                new Share(part, parts.hops()),
                feed,
                outbox::teller,
                sign -> outbox.found(Stage.VERDICTS, 0, clock.now, sign),
                EventSink.to(event -> outbox.found(Stage.VERDICTS, 0, clock.now, event)));
        List<Operator> all = new ArrayList<>(List.of(clock));
        all.addAll(operators.all());
        return new HopPart(new Station(parts.waitingBytes(Stage.HOPS), 0, null, all), feed, operators);
    }

    @Override
    public void packet(long nanos, byte[] packet) {
        operators.joined().add(nanos, packet);
    }

    @Override
    public void arrived(Arrived what) {
        operators.arrived().add(what.nanos(), what);
        reached(what.lastNanos());
    }

    @Override
    public void found(long nanos, Object what) {
        operators.moves().add(nanos, (Move) what);
    }
}
