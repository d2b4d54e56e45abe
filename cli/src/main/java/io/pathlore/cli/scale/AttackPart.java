package io.pathlore.cli.scale;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.Share;
import io.pathlore.analysis.ddos.Inner;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.service.Analysts;
import io.pathlore.cli.service.Room;
import io.pathlore.engine.Station;
import java.util.ArrayList;
import java.util.List;

/** Some of the networks: attacks on who is in them, and those in them who scan others. */
final class AttackPart extends StationPart {
    /** Networks are few, and much more is sent to some than to others: there is room for so many times the share. */
    private static final int UNEVEN = 8;

    private final Analysts.OfAttacks operators;

    private AttackPart(Station station, Analysts.OfAttacks operators) {
        super(station);
        this.operators = operators;
    }

    static AttackPart of(Parts parts, int part, Outbox outbox) {
        Clock clock = new Clock();
        Analysts.OfAttacks operators = Analysts.ofAttacks(
                parts.service(),
                Room.part(Math.max(1, parts.attacks() / UNEVEN)),
                new Share(part, parts.attacks()),
                parts.seed(),
                sign -> outbox.found(Stage.VERDICTS, 0, clock.now, sign),
                EventSink.to(event -> outbox.found(Stage.VERDICTS, 0, clock.now, event)));
        List<Operator> all = new ArrayList<>(List.of(clock));
        all.addAll(operators.all());
        return new AttackPart(new Station(parts.waitingBytes(Stage.ATTACKS), 0, null, all), operators);
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
}
