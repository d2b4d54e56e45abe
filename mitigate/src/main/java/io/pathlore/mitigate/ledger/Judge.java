package io.pathlore.mitigate.ledger;

import io.pathlore.model.Rule;
import org.jspecify.annotations.Nullable;

/** Judges a rule by itself, whoever wants it. Asked when it is proposed, and again before it is approved. */
@FunctionalInterface
public interface Judge {
    /**
     * Why this rule must not be, in one line; or null.
     *
     * @param automatic no person has looked at it
     */
    @Nullable
    String refusal(Rule rule, boolean automatic);
}
