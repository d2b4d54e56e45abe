package io.pathlore.cli;

import java.util.Locale;

/** Times as people read them. */
final class Durations {
    private static final String[] UNITS = {"ns", "us", "ms", "s"};
    private static final int THOUSAND = 1_000;
    private static final int HUNDRED = 100;
    private static final int TEN = 10;

    private Durations() {}

    /** Three digits and a unit: 831 ns, 1.23 us, 45.6 ms. */
    static String text(long nanos) {
        double value = nanos;
        int unit = 0;
        while (value >= THOUSAND && unit < UNITS.length - 1) {
            value /= THOUSAND;
            unit++;
        }
        String digits = unit == 0 || value >= HUNDRED
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, value >= TEN ? "%.1f" : "%.2f", value);
        return digits + " " + UNITS[unit];
    }
}
