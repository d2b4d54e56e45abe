package io.pathlore.mitigate.ledger;

import java.time.Duration;

/**
 * What no detector and no operator gets past.
 *
 * @param rules in force, all together
 * @param newPerMinute approvals
 * @param expiry after the last evidence
 */
public record Limits(int rules, int rulesPerEnforcer, int newPerMinute, Duration expiry) {
    /** However long evidence lasts. */
    static final Duration CEILING = Duration.ofHours(24);

    public static final Limits DEFAULT = new Limits(64, 16, 5, Duration.ofMinutes(5));

    public Limits {
        if (rules < 1 || rulesPerEnforcer < 1 || newPerMinute < 1) {
            throw new IllegalArgumentException("a cap below 1");
        }
        if (expiry.compareTo(Duration.ofSeconds(1)) < 0 || expiry.compareTo(CEILING) > 0) {
            throw new IllegalArgumentException("an expiry is 1 s to 24 h");
        }
    }
}
