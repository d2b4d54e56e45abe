package io.pathlore.serve.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strict reader of the text format 0.0.4: HELP, TYPE, then the samples of that family; nothing twice. */
public final class Exposition {
    private static final Pattern META =
            Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)", Pattern.DOTALL);
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{([a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)+})? (\\S+)");

    private Exposition() {}

    /** Series as written, and their values. */
    public static Map<String, Double> parse(String text) {
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("the last line has no end");
        }
        Map<String, Double> samples = new LinkedHashMap<>();
        Map<String, String> kinds = new LinkedHashMap<>();
        String helped = "";
        String family = "";
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            Matcher meta = META.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (meta.matches() && meta.group(1).equals("HELP")) {
                helped = meta.group(2);
            } else if (meta.matches()) {
                family = meta.group(2);
                require(family.equals(helped) && meta.group(3).matches("counter|gauge|histogram"), line);
                require(kinds.put(family, meta.group(3)) == null, line);
            } else {
                require(sample.matches(), line);
                String suffix = sample.group(1)
                        .substring(Math.min(family.length(), sample.group(1).length()));
                boolean histogram = "histogram".equals(kinds.get(family));
                require(sample.group(1).startsWith(family) && !family.isEmpty(), line);
                require(suffix.matches(histogram ? "_bucket|_sum|_count" : ""), line);
                String value = sample.group(5).replace("Inf", "Infinity");
                String series =
                        line.substring(0, line.length() - sample.group(5).length() - 1);
                require(samples.put(series, Double.valueOf(value)) == null, line);
            }
        }
        return samples;
    }

    private static void require(boolean holds, String line) {
        if (!holds) {
            throw new IllegalArgumentException("not the text format: " + line);
        }
    }
}
