package io.pathlore.mitigate.enforcer;

import io.pathlore.model.JsonLine;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;

/** Rules as text: one form for equal rules, and the JSON others are told. */
public final class RuleText {
    private static final int MAC_OCTETS = 6;

    private RuleText() {}

    /** For people and as a name: {@code drop device=00:00:00:00:01:01 destination=192.168.1.10 port=5792}. */
    public static String of(Rule rule) {
        RuleMatch match = rule.match();
        StringBuilder text =
                new StringBuilder(rule.drops() ? "drop" : "limit to " + rule.bytesPerSecond() + " bytes/s");
        if (match.device() != RuleMatch.ANY) {
            text.append(" device=").append(mac(match.device()));
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
            json.text("device", mac(match.device()));
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

    /** Lower case with colons. */
    static String mac(long device) {
        StringBuilder text = new StringBuilder(3 * MAC_OCTETS);
        for (int shift = 8 * (MAC_OCTETS - 1); shift >= 0; shift -= 8) {
            int octet = (int) (device >>> shift) & 0xFF;
            text.append(Character.forDigit(octet >> 4, 16)).append(Character.forDigit(octet & 0xF, 16));
            if (shift > 0) {
                text.append(':');
            }
        }
        return text.toString();
    }
}
