package io.pathlore.cli.scale;

import io.pathlore.analysis.ddos.AttackWatch;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;

/** Gives the parts of networks what one part of exporters has for them: each what is sent to its networks, and what comes out of them. */
final class ToAttacks {
    private final int parts;
    private final Outbox outbox;
    private final ReportRow row = new ReportRow();

    ToAttacks(int parts, Outbox outbox) {
        this.parts = parts;
        this.outbox = outbox;
    }

    /** Hot path. */
    void report(ByteBuffer bytes, int at) {
        row.wrap(bytes, at);
        if (!AttackWatch.isOfVictim(row)) {
            return;
        }
        int victim = AttackWatch.partOfVictim(row, parts);
        outbox.report(Stage.ATTACKS, victim, bytes, at);
        if (AttackWatch.isOfSender(row)) {
            int sender = AttackWatch.partOfSender(row, parts);
            if (sender != victim) {
                outbox.reportOfHop(Stage.ATTACKS, sender, bytes, at, AttackWatch.firstHop(row));
            }
        }
    }
}
