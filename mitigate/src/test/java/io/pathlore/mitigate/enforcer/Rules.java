package io.pathlore.mitigate.enforcer;

import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import org.jspecify.annotations.Nullable;

/** Rules to try things with. */
public final class Rules {
    private Rules() {}

    public static Prefix v4(int a, int b, int c, int d, int length) {
        return new Prefix(false, 0, (long) a << 24 | b << 16 | c << 8 | d, length);
    }

    public static Prefix v6(long high, long low, int length) {
        return new Prefix(true, high, low, length);
    }

    /** A device of a home that floods one port of one host. */
    public static Rule device(long mac, int port) {
        return Rule.drop(new RuleMatch(mac, null, v4(192, 168, 1, 10, 32), RuleMatch.ANY, port));
    }

    public static Rule flow(@Nullable Prefix source, @Nullable Prefix destination, int protocol, int port, long rate) {
        return new Rule(new RuleMatch(RuleMatch.ANY, source, destination, protocol, port), rate);
    }
}
