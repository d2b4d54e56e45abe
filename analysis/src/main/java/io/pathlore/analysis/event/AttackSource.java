package io.pathlore.analysis.event;

import io.pathlore.model.MacText;
import io.pathlore.model.Prefix;
import org.jspecify.annotations.Nullable;

/**
 * A device that takes part in an attack, as far as telemetry can tell devices apart.
 *
 * @param mac where the telemetry names the device, or {@link #ABSENT}
 * @param firstNode the first that met its packets, or {@link #ABSENT}
 * @param ingress the interface they came in by, or {@link #ABSENT}
 * @param address that all its packets came from, where there is one
 * @param share of the packets of the attack, in ten-thousandths
 * @param spoofed of its packets, how many have a source address nobody uses twice, in ten-thousandths
 */
public record AttackSource(
        long mac, long firstNode, long ingress, @Nullable Prefix address, int share, int spoofed, Witness witness) {
    public static final long ABSENT = -1;

    /** Who says which device it was; the weaker the witness, the less is known. */
    public enum Witness {
        /** Knows its devices by their own cables. */
        GATEWAY("gateway", 10_000),
        /** Sees where packets come in, and not who is behind that. */
        PLACE("place", 8_000),
        /** Sees the gateway's side of the home only. */
        SWITCH("switch", 8_000),
        /** Speaks for itself, and may lie. */
        DEVICE("device", 5_000),
        /** The telemetry does not say who did. */
        NOBODY("nobody", 5_000);

        private final String label;
        private final int trust;

        Witness(String label, int trust) {
            this.label = label;
            this.trust = trust;
        }

        public String label() {
            return label;
        }

        /** In ten-thousandths. */
        public int trust() {
            return trust;
        }
    }

    /** A MAC address, or {@code NODE/INTERFACE}. */
    public String device() {
        if (mac == ABSENT) {
            return firstNode + "/" + (ingress == ABSENT ? "?" : Long.toString(ingress));
        }
        return MacText.of(mac);
    }
}
