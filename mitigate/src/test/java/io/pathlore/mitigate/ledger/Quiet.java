package io.pathlore.mitigate.ledger;

import io.pathlore.mitigate.enforcer.Enforcer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts of a ledger that nobody listens to and nobody judges. */
public final class Quiet implements LedgerListener {
    private Quiet() {}

    public static Mitigations.Parts parts(Mode mode, LedgerClock clock, Enforcer... enforcers) {
        return new Mitigations.Parts(
                Limits.DEFAULT, mode, List.of(enforcers), (_, _) -> null, _ -> 125, new Quiet(), clock);
    }

    @Override
    public void onAct(Operator by, String what, String why, @Nullable Mitigation about) {}

    @Override
    public void onAlert(Alert alert, String text, @Nullable Mitigation about) {}
}
