package io.pathlore.mitigate.ledger;

import io.pathlore.mitigate.enforcer.RuleText;
import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import io.pathlore.model.Rule;

/**
 * One entry of the ledger, as it was at a moment.
 *
 * @param reason why it is wanted
 * @param owner who approved it, empty before
 * @param trouble the last failure or the refusal, empty where there is none
 * @param ended why it is not wanted any more, empty while it is
 * @param wanted it should be in force
 * @param sent the enforcer said yes
 * @param proven drop reports say so
 * @param packetsPerSecond that it stops, or {@link JsonLine#ABSENT}
 * @param blastRadius in ten-thousandths, or {@link BlastRadius#UNKNOWN}
 * @param revision goes up with every change an operator should have seen before acting
 */
public record Mitigation(
        String id,
        EventId attack,
        State state,
        Rule rule,
        String enforcer,
        long node,
        String reason,
        String owner,
        String trouble,
        String ended,
        long createdNanos,
        long expiresNanos,
        boolean wanted,
        boolean sent,
        boolean proven,
        long packetsPerSecond,
        int blastRadius,
        long revision) {

    public String toJson() {
        JsonLine json = new JsonLine().begin();
        write(json);
        return json.end();
    }

    /** As keys of an object that was begun. */
    public void write(JsonLine json) {
        json.text("id", id).text("attack", attack.toString()).text("state", state.label());
        RuleText.write(json, rule);
        json.text("enforcer", enforcer).number("node", node).text("reason", reason);
        json.text("owner", owner);
        if (!trouble.isEmpty()) {
            json.text("trouble", trouble);
        }
        if (!ended.isEmpty()) {
            json.text("ended", ended);
        }
        json.time("createdAt", createdNanos).time("expiresAt", expiresNanos);
        json.bool("wanted", wanted).bool("sent", sent).bool("proven", proven);
        json.number("packetsPerSecond", packetsPerSecond);
        if (blastRadius != BlastRadius.UNKNOWN) {
            json.share("blastRadius", blastRadius);
        }
        json.integer("revision", revision);
    }
}
