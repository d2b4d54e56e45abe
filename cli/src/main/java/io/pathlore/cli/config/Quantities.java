package io.pathlore.cli.config;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units as people write them. What cannot be read is an {@link IllegalArgumentException} that says what can. */
public final class Quantities {
    private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z%]*)");
    private static final long SECOND = 1_000_000_000L;

    private static final Map<String, Long> NANOS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            SECOND,
            "m",
            60 * SECOND,
            "h",
            3600 * SECOND,
            "d",
            86_400 * SECOND);
    private static final Map<String, Long> OCTETS = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("B", 1L),
            Map.entry("KB", 1_000L),
            Map.entry("MB", 1_000_000L),
            Map.entry("GB", 1_000_000_000L),
            Map.entry("KiB", 1L << 10),
            Map.entry("MiB", 1L << 20),
            Map.entry("GiB", 1L << 30));
    private static final Map<String, Long> BITS =
            Map.of("bps", 1L, "kbps", 1_000L, "Mbps", 1_000_000L, "Gbps", 1_000_000_000L);
    private static final Map<String, Long> SPEEDS =
            Map.of("", 1L, "K", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L, "T", 1_000_000_000_000L);
    /** Parts per billion. */
    private static final Map<String, Long> SHARE = Map.of("%", 10_000_000L, "ppm", 1_000L, "ppb", 1L);

    private Quantities() {}

    public static long nanos(String text) {
        return text.equals("0") ? 0 : read(text, NANOS, "a duration, like 200ms, 5s or 10m");
    }

    static long bytes(String text) {
        return read(text, OCTETS, "a size, like 64KiB or 1MB");
    }

    static long bitsPerSecond(String text) {
        return read(text, BITS, "a rate, like 100Mbps or 10Gbps");
    }

    /** In bits per second: {@code 100G}. */
    static long linkSpeed(String text) {
        return read(text, SPEEDS, "the speed of a link, like 100M or 10G");
    }

    /** Of a billion. */
    static long share(String text) {
        return text.equals("0") ? 0 : read(text, SHARE, "a share, like 1%, 0.01% or 50ppm");
    }

    private static long read(String text, Map<String, Long> units, String wanted) {
        Matcher matcher = FORM.matcher(text.strip());
        Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("'" + text + "' is not " + wanted);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(unit))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is too large or too fine", e);
        }
    }
}
