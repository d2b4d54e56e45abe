package io.pathlore.analysis.plan;

import io.pathlore.model.Prefix;
import io.pathlore.model.RuleMatch;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a rule would match, in the words of filters: to ask for stored reports of it. */
public final class RuleFilter {
    private RuleFilter() {}

    public static String of(RuleMatch match) {
        StringBuilder text = new StringBuilder();
        if (match.device() != RuleMatch.ANY) {
            and(text, "device = " + mac(match.device()));
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

    static String mac(long mac) {
        return String.format(
                Locale.ROOT,
                "%02x:%02x:%02x:%02x:%02x:%02x",
                mac >>> 40 & 0xFF,
                mac >>> 32 & 0xFF,
                mac >>> 24 & 0xFF,
                mac >>> 16 & 0xFF,
                mac >>> 8 & 0xFF,
                mac & 0xFF);
    }
}
