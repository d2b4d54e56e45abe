package io.pathlore.mitigate.ledger;

import io.pathlore.model.EventId;
import io.pathlore.model.Rule;

/**
 * What planning would like.
 *
 * @param enforcer by name
 * @param node at which it is to act
 * @param reason in one line, for people
 * @param impact packets per second it would stop: what matters most comes first where not all can come
 * @param automatic the evidence suffices to act without a person
 */
public record Proposal(
        EventId attack, Rule rule, String enforcer, long node, String reason, long impact, boolean automatic) {
    private static final int LONGEST = 500;

    public Proposal {
        String line = reason.replaceAll("\\p{Cntrl}", "?");
        reason = line.length() <= LONGEST ? line : line.substring(0, LONGEST);
    }
}
