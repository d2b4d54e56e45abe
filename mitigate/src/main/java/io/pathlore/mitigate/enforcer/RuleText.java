package io.pathlore.mitigate.enforcer;

import io.pathlore.model.JsonLine;
import io.pathlore.model.MacText;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;

/** Rules as text: one form for equal rules, and the JSON others are told. */
public final class RuleText {
    private RuleText() {}

    /** For people and as a name: {@code drop device=00:00:00:00:01:01 destination=192.168.1.10 port=5792}. */
    public static String of(Rule rule) {
        RuleMatch match = rule.match();
        StringBuilder text =
                new StringBuilder(rule.drops() ? "drop" : "limit to " + rule.bytesPerSecond() + " bytes/s");
        if (match.device() != RuleMatch.ANY) {
            text.append(" device=").append(MacText.of(match.device()));
        }
        if (match.source() != null) {
            text.append(" source=").append(match.source());
        }
        if (match.destination() != null) {
            text.append(" destination=").append(match.destination());
        }
        if (match.protocol() != RuleMatch.ANY) {
            text.append(" protocol=").append(match.protocol());
        }
        if (match.destinationPort() != RuleMatch.ANY) {
            text.append(" port=").append(match.destinationPort());
        }
        return text.toString();
    }

    /** The keys {@code match} and {@code action}, and what passes where it is limited. */
    public static JsonLine write(JsonLine json, Rule rule) {
        RuleMatch match = rule.match();
        json.open("match");
        if (match.device() != RuleMatch.ANY) {
            json.text("device", MacText.of(match.device()));
        }
        if (match.source() != null) {
            json.text("source", match.source().toString());
        }
        if (match.destination() != null) {
            json.text("destination", match.destination().toString());
        }
        json.number("protocol", match.protocol()).number("destinationPort", match.destinationPort());
        json.close().text("action", rule.drops() ? "drop" : "rate-limit");
        if (!rule.drops()) {
            json.integer("bytesPerSecond", rule.bytesPerSecond());
        }
        return json;
    }
}
