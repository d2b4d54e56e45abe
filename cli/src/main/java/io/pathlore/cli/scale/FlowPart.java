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
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.List;

/** Some of the flows: what they send, which ways they take, and packets that several nodes told of. */
final class FlowPart implements Part, Outbox.Reader {
    /** Flows are counted, and followed; those beyond are not. */
    private static final int FLOWS = 1_048_576;

    private static final int LEAST = 4_096;

    /** Some node tells of drops. */
    enum DropsTold {
        YES
    }

    private final ReportRow row = new ReportRow();
    private final TableFeed feed;
    private final Station station;

    FlowPart(Parts parts, int part, Outbox outbox) {
        Service service = parts.service();
        Room room = Room.part(parts.flows());
        feed = new TableFeed(
                outbox.rows(parts.datagrams() + part), service.config().inventory(), PathBook.of(service, room));
        Clock clock = new Clock();
        List<Operator> operators = new ArrayList<>(List.of(clock));
        operators.addAll(Analysts.ofFlows(
                service,
                room,
                feed,
                packet -> outbox.packet(clock.now, packet),
                Move.to(move -> outbox.found(Stage.HOPS, 0, clock.now, move)),
                EventSink.to(event -> outbox.found(Stage.HOPS, 0, clock.now, event))));
        station = new Station(
                parts.waitingBytes(Stage.FLOWS), Math.max(LEAST, FLOWS / parts.flows()), feed.flows(), operators);
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
    public void found(long nanos, Object what) {
        if (what != DropsTold.YES) {
            throw new IllegalStateException("not for flows: " + what);
        }
        feed.dropsTold(nanos);
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
