package io.pathlore.analysis.ddos;

import io.pathlore.model.AttackVector;
import java.util.EnumMap;
import java.util.Map;

/**
 * What is too much for one victim. Packets are per second; for a scan, victims of one source.
 *
 * @param bytesPerSecond of any one vector, 0 where octets do not matter
 * @param flowsPerSecond of any one vector, 0 where flows do not matter
 */
public record Limits(Map<AttackVector, Long> packets, long bytesPerSecond, long flowsPerSecond) {
    /**
     * Packets that no one answers, of which ordinary hosts see few: some hundred connections begun, or a thousand packets of a
     * stream. Who has more than that on purpose says so for its prefix.
     */
    public static final Limits USUAL = new Limits(
            Map.of(
                    AttackVector.UDP_FLOOD, 1_000L,
                    AttackVector.SYN_FLOOD, 500L,
                    AttackVector.ICMP_FLOOD, 500L,
                    AttackVector.REFLECTION, 500L,
                    AttackVector.FRAGMENT_FLOOD, 500L,
                    AttackVector.CARPET_BOMBING, 1_000L,
                    AttackVector.SCAN, 16L),
            0,
            0);

    public Limits {
        packets = Map.copyOf(packets);
        for (AttackVector vector : AttackVector.values()) {
            Long limit = packets.get(vector);
            if (limit == null || limit < 1) {
                throw new IllegalArgumentException(vector.label() + ": a limit from 1");
            }
        }
    }

    public long of(AttackVector vector) {
        Long limit = packets.get(vector);
        return limit == null ? Long.MAX_VALUE : limit; // never: the constructor saw to it
    }

    /** From so many packets on it matters who gets them; 0 where octets matter, too. */
    long least(AttackVector vector) {
        return bytesPerSecond > 0 ? 0 : of(vector);
    }

    /** The same with other limits for some. */
    public Limits with(Map<AttackVector, Long> others, long bytes, long flows) {
        Map<AttackVector, Long> all = new EnumMap<>(packets);
        all.putAll(others);
        return new Limits(all, bytes, flows);
    }
}
