package io.pathlore.dataplane.traffic;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers with units, as scenario files have them. Whoever reads them adds the name of the parameter to what is wrong. */
final class Quantity {
    private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([A-Za-z%]*)");

    private static final Map<String, Long> NANOS = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);
    private static final Map<String, Long> OCTETS = Map.of(
            "",
            1L,
            "B",
            1L,
            "KB",
            1_000L,
            "MB",
            1_000_000L,
            "GB",
            1_000_000_000L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30);
    private static final Map<String, Long> BITS =
            Map.of("bps", 1L, "kbps", 1_000L, "Mbps", 1_000_000L, "Gbps", 1_000_000_000L);
    private static final Map<String, Long> PACKETS = Map.of("pps", 1L, "kpps", 1_000L, "Mpps", 1_000_000L);
    private static final Map<String, Long> PERCENT = Map.of("", 1L, "%", 1L);
    private static final Map<String, Long> PLAIN = Map.of("", 1L);

    private Quantity() {}

    static long nanos(String text) {
        return read(text, NANOS, 1, "a duration such as 200ms or 10s");
    }

    static long bytes(String text) {
        return read(text, OCTETS, 1, "a size such as 64KiB or 10MB");
    }

    static long bitsPerSecond(String text) {
        return read(text, BITS, 1, "a rate such as 10Mbps");
    }

    static boolean isPackets(String text) {
        return text.endsWith("pps");
    }

    static long packetsPerSecond(String text) {
        return read(text, PACKETS, 1, "a rate such as 5000pps or 10Mbps");
    }

    static long percent(String text) {
        return read(text, PERCENT, 1, "percent");
    }

    static long count(String text) {
        return read(text, PLAIN, 1, "a whole number");
    }

    /** With up to three decimals. */
    static long thousandths(String text) {
        return read(text, PLAIN, 1_000, "a number");
    }

    private static long read(String text, Map<String, Long> units, long parts, String wanted) {
        Matcher matcher = FORM.matcher(text.strip());
        Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new IllegalArgumentException("'" + text + "' is not " + wanted);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(unit))
                    .multiply(BigDecimal.valueOf(parts))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is not " + wanted, e);
        }
    }
}
