package io.pathlore.mitigate.ledger;

import java.util.Locale;

/** How far the ledger goes by itself. */
public enum Mode {
    /** Writes down what it would propose. */
    OBSERVE,
    /** An operator approves. */
    PROPOSE,
    /** Approves by itself what the evidence suffices for. */
    AUTO;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
