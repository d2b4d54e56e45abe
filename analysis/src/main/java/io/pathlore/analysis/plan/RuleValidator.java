package io.pathlore.analysis.plan;

import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says no to rules that do not make sense or would hit the wrong ones. Judges what it is given, without asking who wants it or why:
 * shares nothing with who detects and plans, so that neither can talk it into anything.
 */
public final class RuleValidator {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PROTOCOL = 255;
    private static final long MAX_DEVICE = 0xFFFF_FFFF_FFFFL;
    private static final long GROUP = 1L << 40;
    private static final int LEAST_FIELDS = 2;
    private static final int ALONE_V4 = 24;
    private static final int ALONE_V6 = 48;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final List<Prefix> GROUPS =
            List.of(new Prefix(false, 0, 0xE000_0000L, 4), new Prefix(true, 0xFF00L << 48, 0, 8));
    private static final List<Prefix> NOBODY = List.of(
            new Prefix(false, 0, 0, 8),
            new Prefix(false, 0, 0x7F00_0000L, 8),
            new Prefix(false, 0, 0xF000_0000L, 4),
            new Prefix(true, 0, 0, 127)); // none, and the host itself

    private final List<NeverBlock> never;

    public RuleValidator(List<NeverBlock> never) {
        this.never = List.copyOf(never);
    }

    /**
     * Why the rule must not be, in one line; null where nothing speaks against it.
     *
     * @param alone nobody looks at it before it holds
     */
    public @Nullable String refusal(Rule rule, boolean alone) {
        RuleMatch match = rule.match();
        String reason = ranges(rule);
        reason = reason != null ? reason : fields(match);
        reason = reason != null ? reason : prefix("source", match.source(), alone);
        reason = reason != null ? reason : prefix("destination", match.destination(), alone);
        return reason != null ? reason : never(match);
    }

    private static @Nullable String ranges(Rule rule) {
        RuleMatch match = rule.match();
        if (rule.bytesPerSecond() < 0) {
            return "rate: " + rule.bytesPerSecond() + " bytes/s is below 0";
        }
        if (match.destinationPort() != RuleMatch.ANY
                && (match.destinationPort() < 0 || match.destinationPort() > MAX_PORT)) {
            return "destination port: " + match.destinationPort() + " is not from 0 to " + MAX_PORT;
        }
        if (match.protocol() != RuleMatch.ANY && (match.protocol() < 0 || match.protocol() > MAX_PROTOCOL)) {
            return "protocol: " + match.protocol() + " is not from 0 to " + MAX_PROTOCOL;
        }
        if (match.destinationPort() != RuleMatch.ANY && (match.protocol() == ICMP || match.protocol() == ICMPV6)) {
            return "destination port: ICMP has none";
        }
        if (match.device() != RuleMatch.ANY) {
            if (match.device() <= 0 || match.device() > MAX_DEVICE) {
                return "device: not the MAC address of one";
            }
            if ((match.device() & GROUP) != 0) {
                return "device: a MAC address of a group, not of a device";
            }
        }
        return null;
    }

    private static @Nullable String fields(RuleMatch match) {
        int fields = (match.device() != RuleMatch.ANY ? 1 : 0)
                + (match.source() != null ? 1 : 0)
                + (match.destination() != null ? 1 : 0)
                + (match.protocol() != RuleMatch.ANY ? 1 : 0)
                + (match.destinationPort() != RuleMatch.ANY ? 1 : 0);
        if (fields < LEAST_FIELDS) {
            return "it matches by " + fields + " field" + (fields == 1 ? "" : "s") + "; at least " + LEAST_FIELDS
                    + " are needed";
        }
        if (match.device() == RuleMatch.ANY && match.source() == null && match.destination() == null) {
            return "it names no device, source or destination: it would hold for everybody";
        }
        if (match.source() != null
                && match.destination() != null
                && match.source().v6() != match.destination().v6()) {
            return "source and destination are of different families";
        }
        return null;
    }

    private static @Nullable String prefix(String name, @Nullable Prefix prefix, boolean alone) {
        if (prefix == null) {
            return null;
        }
        if (prefix.length() == 0) {
            return name + ": the default route is everybody";
        }
        for (Prefix group : GROUPS) {
            if (group.overlaps(prefix)) {
                return name + ": " + prefix + " is multicast, or holds some";
            }
        }
        for (Prefix nobody : NOBODY) {
            if (nobody.overlaps(prefix)) {
                return name + ": " + prefix + " is nobody's address in a network";
            }
        }
        int least = prefix.v6() ? ALONE_V6 : ALONE_V4;
        return alone && prefix.length() < least
                ? name + ": " + prefix + " is shorter than /" + least + ", which needs somebody to approve it"
                : null;
    }

    private @Nullable String never(RuleMatch match) {
        for (NeverBlock entry : never) {
            Prefix kept = entry.prefix();
            if (entry.direction().isDestination() && isHit(kept, match.destination(), match.source(), false)) {
                return "never-block: it would stop packets to " + kept;
            }
            // A device is one by itself, whatever addresses it may have.
            if (entry.direction().isSource()
                    && isHit(kept, match.source(), match.destination(), match.device() != RuleMatch.ANY)) {
                return "never-block: it would stop packets from " + kept;
            }
        }
        return null;
    }

    /** {@code own} is what the rule says of that end, {@code other} of the other one, which tells the family too. */
    private static boolean isHit(Prefix kept, @Nullable Prefix own, @Nullable Prefix other, boolean named) {
        if (own != null) {
            return kept.overlaps(own);
        }
        return !named && (other == null || other.v6() == kept.v6());
    }
}
