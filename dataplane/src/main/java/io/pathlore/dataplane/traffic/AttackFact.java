package io.pathlore.dataplane.traffic;

import io.pathlore.wire.net.AddressText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The truth about one attack. A detector sees it through telemetry only; times are those of sending.
 *
 * @param sources who sends the packets that reach the victim, largest share first; of a reflection, the reflectors
 * @param instigators hosts that make reflectors send, by forging the victim's address; empty elsewhere
 * @param packetsPerSecond at the victim if nothing is lost, when the ramp is over
 * @param spoofedPercent of the packets, how many have a forged source address
 */
public record AttackFact(
        Vector vector,
        Victim victim,
        List<Share> sources,
        List<Integer> instigators,
        long packetsPerSecond,
        int spoofedPercent,
        long startNanos,
        long endNanos) {
    public static final int ABSENT = -1;

    public AttackFact {
        sources = List.copyOf(sources);
        instigators = List.copyOf(instigators);
    }

    /**
     * Who is hit.
     *
     * @param high upper half of an IPv6 address, else 0; {@code low} the rest, or the IPv4 address
     * @param prefixLength 32 or 128 for one address
     * @param port or {@link #ABSENT} where there is no one port
     */
    public record Victim(boolean v6, long high, long low, int prefixLength, int port, int protocol) {
        public boolean isPrefix() {
            return prefixLength < (v6 ? 128 : 32);
        }

        /** An address, or a prefix with its length. */
        public String text() {
            String address = AddressText.ip(v6, high, low);
            return isPrefix() ? address + "/" + prefixLength : address;
        }
    }

    /**
     * A device's part.
     *
     * @param host index in the topology
     * @param millionths of the packets of the attack
     */
    public record Share(int host, int millionths) {
        private static final int WHOLE = 1_000_000;

        /** Largest first; of equal ones, in the order given. */
        static List<Share> of(List<Integer> hosts, List<Integer> weights) {
            long sum = weights.stream().mapToLong(Integer::longValue).sum();
            List<Share> shares = new ArrayList<>();
            for (int i = 0; i < hosts.size(); i++) {
                shares.add(new Share(hosts.get(i), (int) ((long) WHOLE * weights.get(i) / sum)));
            }
            shares.sort(Comparator.comparingInt(Share::millionths).reversed());
            return shares;
        }
    }
}
