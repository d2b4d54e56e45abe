package io.pathlore.cli.scale;

import io.pathlore.analysis.ddos.ScanSign;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.hop.LinkSign;
import io.pathlore.analysis.path.Move;
import io.pathlore.analysis.rollup.Arrived;
import io.pathlore.analysis.rollup.Teller;
import io.pathlore.cli.service.Analysts;
import io.pathlore.engine.Station;

/** What only the whole shows: which link is down, who scans together, and how complete the input of everything was that was found. */
final class VerdictPart extends StationPart {
    private final Analysts.OfWhole operators;

    private VerdictPart(Station station, Analysts.OfWhole operators) {
        super(station, operators.completeness());
        this.operators = operators;
    }

    static VerdictPart of(Parts parts, Outbox outbox) {
        Analysts.OfWhole operators = Analysts.ofWhole(parts.service(), new EventSink() {
            @Override
            public void on(Event event) {
                outbox.event(event);
            }

            @Override
            public void on(Burst burst) {
                outbox.burst(burst);
            }
        });
        return new VerdictPart(new Station(parts.waitingBytes(Stage.VERDICTS), 0, null, operators.all()), operators);
    }

    @Override
    public void arrived(Arrived what) {
        operators.arrived().add(what.nanos(), what);
        reached(what.lastNanos());
    }

    @Override
    public void teller(Teller who) {
        operators.tellers().add(who.nanos(), who);
    }

    @Override
    public void found(long nanos, Object what) {
        switch (what) {
            case Move move -> operators.moves().add(nanos, move);
            case LinkSign sign -> operators.signs().add(nanos, sign);
            case ScanSign sign -> operators.scanners().add(nanos, sign);
            default -> operators.events().add(nanos, what);
        }
    }
}
