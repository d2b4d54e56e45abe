package io.pathlore.model;

import java.util.Locale;

/** How much an event matters to the one on duty. */
public enum Severity {
    INFO,
    WARNING,
    CRITICAL;

    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
        return label;
    }
}
