package io.pathlore.analysis.sequence;

import java.util.Locale;
import java.util.Optional;

/** What an exporter numbers; the values of {@code sequence} in the inventory. */
public enum Counting {
    /** Found out from the numbers. */
    AUTO,
    /** Every datagram has a number [TR 2.0 §3.2]. */
    DATAGRAM,
    /** Every report has one; the datagram carries that of its first or of its last report. */
    REPORT,
    /** The number is not a counter. */
    NONE;

    private static final Counting[] VALUES = values();
    private final String label = name().toLowerCase(Locale.ROOT);

    public String label() {
        return label;
    }

    public static Optional<Counting> ofLabel(String label) {
        for (Counting counting : VALUES) {
            if (counting.label.equals(label)) {
                return Optional.of(counting);
            }
        }
        return Optional.empty();
    }

    static Counting of(int ordinal) {
        return VALUES[ordinal];
    }
}
