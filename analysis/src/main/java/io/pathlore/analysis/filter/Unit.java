package io.pathlore.analysis.filter;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may stand behind a number. */
enum Unit {
    NS("ns", Measure.TIME, 1),
    US("us", Measure.TIME, 1_000),
    MS("ms", Measure.TIME, 1_000_000),
    S("s", Measure.TIME, 1_000_000_000),
    B("B", Measure.SIZE, 1),
    KB("KB", Measure.SIZE, 1_000),
    MB("MB", Measure.SIZE, 1_000_000),
    GB("GB", Measure.SIZE, 1_000_000_000),
    KIB("KiB", Measure.SIZE, 1L << 10),
    MIB("MiB", Measure.SIZE, 1L << 20),
    GIB("GiB", Measure.SIZE, 1L << 30),
    KBPS("kbps", Measure.RATE, 1_000),
    MBPS("Mbps", Measure.RATE, 1_000_000),
    GBPS("Gbps", Measure.RATE, 1_000_000_000);

    enum Measure {
        TIME("a time"),
        SIZE("an amount"),
        RATE("a rate");

        private final String text;

        Measure(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final Map<String, Unit> BY_TEXT = new HashMap<>();

    static {
        for (Unit unit : values()) {
            BY_TEXT.put(unit.text.toLowerCase(Locale.ROOT), unit);
        }
        BY_TEXT.put("\u00b5s", US); // micro sign
        BY_TEXT.put("\u03bcs", US); // Greek mu
    }

    private final String text;
    private final Measure measure;
    private final long factor;

    Unit(String text, Measure measure, long factor) {
        this.text = text;
        this.measure = measure;
        this.factor = factor;
    }

    /** In any case; null when there is none of that name. */
    static @Nullable Unit of(String text) {
        return BY_TEXT.get(text.toLowerCase(Locale.ROOT));
    }

    String text() {
        return text;
    }

    Measure measure() {
        return measure;
    }

    long factor() {
        return factor;
    }
}
