package io.pathlore.cli.client;

import io.pathlore.model.TimeText;
import java.util.Locale;

/** Numbers for people. */
public final class Amount {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final double THOUSAND = 1e3;
    private static final int STEP = 1_024;
    private static final double NANOS = 1e9;
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final int TO_THE_MINUTE = "2026-01-01T00:00".length();

    private Amount() {}

    /** {@code 1,234,567}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 1 datagram}, {@code 2 datagrams}. */
    public static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** {@code 16 MiB}, {@code 1.5 GiB}: whole numbers without a point. */
    public static String bytes(long number) {
        double amount = number;
        int unit = 0;
        while (amount >= STEP && unit < UNITS.length - 1) {
            amount /= STEP;
            unit++;
        }
        boolean whole = unit == 0 || amount == Math.rint(amount) || amount >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", amount, UNITS[unit]);
    }

    /** Never rounded up to all, nor down to nothing: {@code 99.99 %} of a million less one, {@code < 0.01 %} of one. */
    public static String share(double share) {
        if (share <= 0 || share >= 1) {
            return share <= 0 ? "0 %" : "100 %";
        }
        double percent = 100 * share;
        if (percent < 0.01) {
            return "< 0.01 %";
        }
        return String.format(Locale.ROOT, "%.2f %%", Math.floor(100 * percent + 1e-6) / 100);
    }

    public static String share(long part, long whole) {
        return share((double) part / whole);
    }

    /** {@code 0.4 s}, {@code 42 s}, {@code 5 min}, {@code 3 h}, {@code 2 d}. */
    public static String seconds(double seconds) {
        long whole = (long) seconds;
        if (whole < 10) {
            return String.format(Locale.ROOT, "%.1f s", Math.max(0, Math.floor(10 * seconds) / 10));
        }
        if (whole < 2 * MINUTE) {
            return whole + " s";
        }
        if (whole < 2 * HOUR) {
            return whole / MINUTE + " min";
        }
        return whole < 2 * DAY ? whole / HOUR + " h" : whole / DAY + " d";
    }

    /** {@code 340 ns}, {@code 12.3 us}, {@code 1.2 ms}, {@code 2.5 s}. */
    public static String nanos(long nanos) {
        double amount = nanos;
        int unit = 0;
        while (Math.abs(amount) >= THOUSAND && unit < TIMES.length - 1) {
            amount /= THOUSAND;
            unit++;
        }
        boolean whole = unit == 0 || Math.abs(amount) >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", amount, TIMES[unit]);
    }

    /** {@code in 4 min}; what is past, how long ago. */
    public static String until(long thenNanos, long nowNanos) {
        return thenNanos > nowNanos ? "in " + seconds((thenNanos - nowNanos) / NANOS) : age(thenNanos, nowNanos);
    }

    /** How long ago; beyond two days, when. What lies ahead, because two clocks differ, is now. */
    public static String age(long thenNanos, long nowNanos) {
        double seconds = (nowNanos - thenNanos) / NANOS;
        if (seconds < 2 * DAY) {
            return seconds(seconds) + " ago";
        }
        return TimeText.of(thenNanos).substring(0, TO_THE_MINUTE).replace('T', ' ');
    }
}
