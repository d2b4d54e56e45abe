package io.pathlore.analysis.plan;

import io.pathlore.model.EventId;
import io.pathlore.model.Rule;
import java.util.List;

/**
 * A rule that would stop a part of an attack, and where; or that may not be, so that somebody can be told why.
 *
 * @param attack the event it comes from
 * @param node the nearest to the device that somebody can make the rule hold at
 * @param enforcer who can
 * @param reason in one line, for who has to approve it
 * @param confidence that it hits the right one, in ten-thousandths
 * @param perSecond of the attack's packets that it would stop
 * @param objections why it must not be made to hold before somebody has approved it; empty where nothing speaks against that
 * @param refusal why it must not be made to hold at all; empty where it may
 * @param blastRadius a filter: how much of the last hour's other traffic would the rule have matched?
 */
public record Proposal(
        EventId attack,
        Rule rule,
        long node,
        String enforcer,
        String reason,
        int confidence,
        long perSecond,
        List<String> objections,
        String refusal,
        String blastRadius) {
    public Proposal {
        objections = List.copyOf(objections);
    }

    /** Whether the evidence is good enough for nobody to be asked. */
    public boolean mayActAlone() {
        return objections.isEmpty() && refusal.isEmpty();
    }
}
