package io.pathlore.cli.scale;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.analysis.ddos.Inner;
import io.pathlore.analysis.event.AttackSecond;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.Room;
import io.pathlore.cli.service.RowSink;
import io.pathlore.cli.service.TableFeed;
import io.pathlore.engine.Station;
import java.util.ArrayList;
import java.util.List;

/** Some of the networks: attacks on who is in them, and those in them who scan others. */
final class AttackPart extends StationPart {
    /** Networks are few, and much more is sent to some than to others: there is room for so many times the share. */
    private static final int UNEVEN = 8;

    private final Analysts.OfAttacks operators;
    private final MinuteEnds minutes;

    private AttackPart(Station station, Analysts.OfAttacks operators, MinuteEnds minutes) {
        super(station);
        this.operators = operators;
        this.minutes = minutes;
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
        Analysts.OfAttacks operators = Analysts.ofAttacks(
                parts.service(),
                Room.part(Math.max(1, parts.attacks() / UNEVEN)),
                new Share(part, parts.attacks()),
                parts.seed(),
                sign -> outbox.found(Stage.VERDICTS, 0, clock.now, sign),
                events);
        List<Operator> all = new ArrayList<>(List.of(clock));
        all.addAll(operators.all());
        MinuteEnds minutes = new MinuteEnds(AttackWatch.LATEST_NANOS, rows::complete);
        all.add(minutes);
        return new AttackPart(new Station(parts.waitingBytes(Stage.ATTACKS), 0, null, all), operators, minutes);
    }

    @Override
    public void inner(Inner told) {
        operators.inner().add(told.nanos(), told);
    }

    @Override
    public void last(long nanos) {
        operators.attacks().newest(nanos);
        reached(nanos);
    }

    /** A part that no report came to says how far it is, too. */
    @Override
    void time(long untilNanos) {
        minutes.at(untilNanos);
    }
}
