package io.pathlore.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Numbers by name, in the order they were put. */
public final class Results {
    private static final MathContext DIGITS = new MathContext(4);

    private final Map<String, Double> numbers = new LinkedHashMap<>();

    public void put(String name, double number) {
        numbers.put(name, number);
    }

    /** One line; four digits say more than any measurement knows. */
    String json(String bench, String machine) {
        String members = numbers.entrySet().stream()
                .map(each -> quoted(each.getKey()) + ":" + rounded(each.getValue()))
                .collect(Collectors.joining(","));
        return "{\"bench\":%s,\"machine\":%s,\"results\":{%s}}".formatted(quoted(bench), quoted(machine), members);
    }

    private static String rounded(double number) {
        return BigDecimal.valueOf(number).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    private static String quoted(String text) {
        var out = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').appendCodePoint(c);
            } else if (c < ' ') {
                out.append("\\u%04x".formatted(c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append('"').toString();
    }
}
