package io.pathlore.cli.scale;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.path.Move;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.PathBook;
import io.pathlore.cli.service.Room;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.Station;
import java.util.ArrayList;
import java.util.List;

/** Some of the flows: what they send, which ways they take, and packets that several nodes told of. */
final class FlowPart extends StationPart {
    /** Flows are counted, and followed; those beyond are not. */
    private static final int FLOWS = 1_048_576;

    private static final int LEAST = 4_096;

    /** Some node tells of drops. */
    enum DropsTold {
        YES
    }

    private final TableFeed feed;

    private FlowPart(Station station, TableFeed feed, ToHops hops) {
        super(station, feed, hops);
        this.feed = feed;
    }

    static FlowPart of(Parts parts, int part, Outbox outbox) {
        Service service = parts.service();
        Room room = Room.part(parts.flows());
        TableFeed feed = new TableFeed(
                outbox.rows(parts.datagrams() + part), service.config().inventory(), PathBook.of(service, room));
        Clock clock = new Clock();
        ToHops hops = new ToHops(parts.hops(), outbox);
        List<Operator> operators = new ArrayList<>(List.of(clock));
        operators.addAll(Analysts.ofFlows(
                service,
                room,
                feed,
                packet -> hops.packet(clock.now, packet),
                Move.to(move -> hops.move(clock.now, move)),
                outbox::inner,
                EventSink.to(event -> outbox.found(Stage.VERDICTS, 0, clock.now, event))));
        int flows = Math.max(LEAST, FLOWS / parts.flows());
        return new FlowPart(new Station(parts.waitingBytes(Stage.FLOWS), flows, feed.flows(), operators), feed, hops);
    }

    @Override
    public void found(long nanos, Object what) {
        if (what != DropsTold.YES) {
            throw new IllegalStateException("not for flows: " + what);
        }
        feed.dropsTold(nanos);
    }
}
