package io.pathlore.model;

/**
 * What is to happen to packets, wherever somebody can make it happen.
 *
 * @param bytesPerSecond that still pass: 0 drops all
 */
public record Rule(RuleMatch match, long bytesPerSecond) {
    public static Rule drop(RuleMatch match) {
        return new Rule(match, 0);
    }

    public boolean drops() {
        return bytesPerSecond == 0;
    }
}
