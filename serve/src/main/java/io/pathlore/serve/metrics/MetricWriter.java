package io.pathlore.serve.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes one scrape in the text format 0.0.4 of Prometheus. Names, kinds and label names are the program's own, so a wrong
 * one is a bug and throws; label values may come from the network, so they are escaped and cut, and a family that grows
 * beyond its bound goes without the rest, which is counted in {@code pathlore_metrics_series_dropped}.
 */
public final class MetricWriter {
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    static final int MAX_SERIES_PER_FAMILY = 1_000;
    static final int MAX_SERIES = 10_000;
    static final int MAX_LABEL_LENGTH = 128;

    private static final Pattern NAME = Pattern.compile("pathlore_[a-z][a-z0-9]*(_[a-z0-9]+)*");
    private static final Pattern LABEL = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");

    private final StringBuilder out = new StringBuilder(16 * 1024);
    private final Set<String> families = new HashSet<>();
    private int series;
    private long dropped;

    /** Only goes up while the process lives; the name ends in {@code _total}. */
    public Family counter(String name, String help, String... labels) {
        require(name.endsWith("_total"), "a counter ends in _total", name);
        return new Family(name, help, "counter", labels);
    }

    public Family gauge(String name, String help, String... labels) {
        require(!name.endsWith("_total"), "only a counter ends in _total", name);
        return new Family(name, help, "gauge", labels);
    }

    public Histogram histogram(String name, String help, double[] bounds, String... labels) {
        require(!name.endsWith("_total"), "only a counter ends in _total", name);
        require(!List.of(labels).contains("le"), "le belongs to the buckets", name);
        for (int i = 0; i < bounds.length; i++) {
            require(Double.isFinite(bounds[i]) && (i == 0 || bounds[i] > bounds[i - 1]), "bounds must rise", name);
        }
        return new Histogram(new Family(name, help, "histogram", labels), bounds.clone());
    }

    /** The whole scrape. Nothing may be written afterwards. */
    public String finish() {
        long missing = dropped;
        gauge("pathlore_metrics_series_dropped", "Series left out of this scrape because there were too many.")
                .value(missing);
        return out.toString();
    }

    /** The samples of one name. */
    public final class Family {
        private final String name;
        private final String[] labels;
        private final Set<String> seen = new HashSet<>();

        private Family(String name, String help, String kind, String... labels) {
            require(NAME.matcher(name).matches(), "not a metric name of this program", name);
            require(families.add(name), "a family is written once", name);
            for (String label : labels) {
                require(LABEL.matcher(label).matches(), "not a label name", label);
            }
            this.name = name;
            this.labels = labels.clone();
            out.append("# HELP ").append(name).append(' ');
            for (int i = 0; i < help.length(); i++) {
                escape(help.charAt(i), false);
            }
            out.append("\n# TYPE ").append(name).append(' ').append(kind).append('\n');
        }

        public Family value(long value, String... labelValues) {
            if (begin(1, labelValues)) {
                sample("", "", labelValues);
                out.append(value).append('\n');
            }
            return this;
        }

        public Family value(double value, String... labelValues) {
            if (begin(1, labelValues)) {
                sample("", "", labelValues);
                number(value);
                out.append('\n');
            }
            return this;
        }

        /** Whether there is room for these labels. The same ones twice would make the scrape worthless. */
        private boolean begin(int samples, String... labelValues) {
            require(labelValues.length == labels.length, "as many label values as names", name);
            if (seen.size() >= MAX_SERIES_PER_FAMILY || series + samples > MAX_SERIES) {
                dropped += samples;
                return false;
            }
            StringBuilder key = new StringBuilder();
            for (String value : labelValues) {
                key.append(cut(value)).append('\0');
            }
            require(seen.add(key.toString()), "one sample per set of labels", name);
            series += samples;
            return true;
        }

        private void sample(String suffix, String bound, String... labelValues) {
            out.append(name).append(suffix);
            char before = '{';
            for (int i = 0; i < labels.length; i++) {
                out.append(before).append(labels[i]).append("=\"");
                String value = cut(labelValues[i]);
                for (int at = 0; at < value.length(); at++) {
                    escape(value.charAt(at), true);
                }
                out.append('"');
                before = ',';
            }
            if (!bound.isEmpty()) {
                out.append(before).append("le=\"").append(bound).append('"');
                before = ',';
            }
            out.append(before == ',' ? "} " : " ");
        }
    }

    /** Samples in buckets. */
    public final class Histogram {
        private final Family family;
        private final double[] bounds;

        private Histogram(Family family, double[] bounds) {
            this.family = family;
            this.bounds = bounds;
        }

        /** {@code counts} are per bucket, not cumulative; one more than there are bounds, the last for all above. */
        public Histogram value(long[] counts, double sum, String... labelValues) {
            require(counts.length == bounds.length + 1, "one count per bound and one for the rest", family.name);
            if (family.begin(counts.length + 2, labelValues)) {
                long total = 0;
                for (int i = 0; i < counts.length; i++) {
                    total += counts[i];
                    family.sample("_bucket", i < bounds.length ? Double.toString(bounds[i]) : "+Inf", labelValues);
                    out.append(total).append('\n');
                }
                family.sample("_sum", "", labelValues);
                number(sum);
                out.append('\n');
                family.sample("_count", "", labelValues);
                out.append(total).append('\n');
            }
            return this;
        }
    }

    private void number(double value) {
        if (Double.isInfinite(value)) {
            out.append(value > 0 ? "+Inf" : "-Inf");
        } else {
            out.append(value); // NaN and 1.0E10 are what the format's parsers take
        }
    }

    private void escape(char c, boolean quoted) {
        switch (c) {
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '"' -> out.append(quoted ? "\\\"" : "\"");
            default -> out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '\uFFFD' : c);
        }
    }

    private static String cut(String value) {
        return value.length() <= MAX_LABEL_LENGTH ? value : value.substring(0, MAX_LABEL_LENGTH);
    }

    private static void require(boolean holds, String rule, String name) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ": " + name);
        }
    }
}
