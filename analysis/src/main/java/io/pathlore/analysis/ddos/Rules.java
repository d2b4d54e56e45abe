package io.pathlore.analysis.ddos;

import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import java.util.Comparator;
import java.util.List;

/**
 * When traffic is an attack.
 *
 * @param usual for victims that no prefix says anything else of
 * @param prefixes what is too much for victims inside them; the longest counts
 * @param perDevice packets in a second from one device to one address and port that are an attack by themselves, as
 *     Transparent Security has it; 0 where that is not asked for
 * @param factor of what is usual for a victim, below which nothing is an attack
 * @param clearPercent of the limit, below which an attack is not seen any more
 * @param holdNanos for so long, before it is over
 * @param sources so many devices at least
 * @param reporters so many nodes at least have to report it
 * @param keys victims, and as many scanners, that are counted at a time
 * @param suspects of them that are looked at closely
 * @param seed of hashes
 */
public record Rules(
        Limits usual,
        List<PrefixLimits> prefixes,
        long perDevice,
        double factor,
        int clearPercent,
        long holdNanos,
        int sources,
        int reporters,
        int keys,
        int suspects,
        long seed) {
    private static final int KEYS = 32_768;
    private static final int SUSPECTS = 2_048;
    private static final long HOLD_NANOS = 60_000_000_000L;

    /** Reports of a second, as the reference implementation has it. */
    public static final long TRANSPARENT_SECURITY = 100;

    /** Limits of the victims in a prefix. */
    public record PrefixLimits(Prefix prefix, Limits limits) {}

    public Rules {
        prefixes = prefixes.stream()
                .sorted(Comparator.comparingInt((PrefixLimits one) -> -one.prefix.length()))
                .toList();
        if (factor < 1 || clearPercent < 1 || clearPercent > 100 || holdNanos < 0 || keys < 64 || suspects < 1) {
            throw new IllegalArgumentException("rules that cannot hold");
        }
    }

    public static Rules usual(long seed) {
        return new Rules(Limits.USUAL, List.of(), 0, 3, 50, HOLD_NANOS, 1, 1, KEYS, SUSPECTS, seed);
    }

    public Rules withPerDevice(long packets) {
        return new Rules(
                usual, prefixes, packets, factor, clearPercent, holdNanos, sources, reporters, keys, suspects, seed);
    }

    public Rules withLimits(Limits other, List<PrefixLimits> ofPrefixes) {
        return new Rules(
                other,
                ofPrefixes,
                perDevice,
                factor,
                clearPercent,
                holdNanos,
                sources,
                reporters,
                keys,
                suspects,
                seed);
    }

    public Rules withHold(long nanos) {
        return new Rules(
                usual, prefixes, perDevice, factor, clearPercent, nanos, sources, reporters, keys, suspects, seed);
    }

    public Rules withAgreement(int ofSources, int ofReporters) {
        return new Rules(
                usual,
                prefixes,
                perDevice,
                factor,
                clearPercent,
                holdNanos,
                ofSources,
                ofReporters,
                keys,
                suspects,
                seed);
    }

    public Rules withRoom(int forKeys, int forSuspects) {
        return new Rules(
                usual,
                prefixes,
                perDevice,
                factor,
                clearPercent,
                holdNanos,
                sources,
                reporters,
                forKeys,
                forSuspects,
                seed);
    }

    public Rules withSeed(long other) {
        return new Rules(
                usual, prefixes, perDevice, factor, clearPercent, holdNanos, sources, reporters, keys, suspects, other);
    }

    /** The least of all limits to packets of one vector; 0 where octets are limited, too. */
    long least(AttackVector vector) {
        long least = perDevice > 0 ? Math.min(perDevice, usual.least(vector)) : usual.least(vector);
        for (PrefixLimits one : prefixes) {
            least = Math.min(least, one.limits.least(vector));
        }
        return least;
    }

    Limits of(boolean v6, long high, long low) {
        for (PrefixLimits one : prefixes) {
            if (one.prefix.holds(v6, high, low)) {
                return one.limits;
            }
        }
        return usual;
    }
}
