package io.pathlore.analysis.plan;

import io.pathlore.model.MacText;
import io.pathlore.model.Prefix;
import io.pathlore.model.RuleMatch;
import org.jspecify.annotations.Nullable;

/** What a rule would match, in the words of filters: to ask for stored reports of it. */
public final class RuleFilter {
    private RuleFilter() {}

    public static String of(RuleMatch match) {
        StringBuilder text = new StringBuilder();
        if (match.device() != RuleMatch.ANY) {
            and(text, "device = " + MacText.of(match.device()));
        }
        address(text, "src", match.source());
        address(text, "dst", match.destination());
        if (match.protocol() != RuleMatch.ANY) {
            and(text, "proto = " + match.protocol());
        }
        if (match.destinationPort() != RuleMatch.ANY) {
            and(text, "dport = " + match.destinationPort());
        }
        return text.toString();
    }

    private static void address(StringBuilder text, String field, @Nullable Prefix prefix) {
        if (prefix != null) {
            and(text, field + (prefix.isAddress() ? " = " : " in ") + prefix);
        }
    }

    private static void and(StringBuilder text, String term) {
        text.append(text.isEmpty() ? "" : " and ").append(term);
    }
}
