package io.pathlore.model;

import java.util.Optional;

/** The kinds of attack, by the name events use. */
public enum AttackVector {
    UDP_FLOOD("udp-flood"),
    SYN_FLOOD("syn-flood"),
    ICMP_FLOOD("icmp-flood"),
    REFLECTION("reflection"),
    FRAGMENT_FLOOD("fragment-flood"),
    CARPET_BOMBING("carpet-bombing"),
    SCAN("scan");

    private static final AttackVector[] VALUES = values();

    private final String label;

    AttackVector(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public static Optional<AttackVector> ofLabel(String label) {
        for (AttackVector vector : VALUES) {
            if (vector.label.equals(label)) {
                return Optional.of(vector);
            }
        }
        return Optional.empty();
    }
}
