package io.pathlore.cli;

import io.pathlore.cli.service.CollectorProcess;
import io.pathlore.mitigate.ledger.Mitigation;
import io.pathlore.mitigate.ledger.Mitigations;
import io.pathlore.mitigate.ledger.Operator;
import io.pathlore.mitigate.ledger.State;
import java.util.concurrent.TimeUnit;

/** Somebody who approves what nobody else did in good time. He does so by name, as everybody must. */
final class DemoOperator {
    static final String NAME = "demo";
    private static final Operator WHO = new Operator(NAME, "nobody else did");

    private final Mitigations mitigations;
    private final long patienceNanos;

    DemoOperator(Mitigations mitigations, double speed) {
        this.mitigations = mitigations;
        patienceNanos = (long) (TimeUnit.SECONDS.toNanos(20) / speed);
    }

    void look() {
        for (Mitigation each : mitigations.view().mitigations()) {
            if (each.state() == State.PROPOSED && waitsNanos(each) <= 0) {
                // An answer of no is of no interest: somebody else was faster, or it is over.
                mitigations.approve(each.id(), each.revision(), WHO);
            }
        }
    }

    /** How long others still have to approve it first. */
    long waitsNanos(Mitigation proposed) {
        return proposed.createdNanos() + patienceNanos - CollectorProcess.epochNanos();
    }
}
