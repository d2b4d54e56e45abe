package io.pathlore.testkit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Just enough JSON to compare two decoders: a strict parser (RFC 8259; no duplicate keys, nothing behind the value) and a
 * printer with one form for equal values. Objects are {@code Map<String, Object>}, arrays {@code List<Object>}, integers
 * that fit are {@code Long}, other numbers {@code BigDecimal}, null is null.
 */
public final class Json {
    private static final int DEEPEST = 256;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static @Nullable Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.space();
        if (json.at < text.length()) {
            throw json.bad("something behind the value");
        }
        return value;
    }

    /** For text that is an object, which it mostly is. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String text) {
        if (parse(text) instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new IllegalArgumentException("not a JSON object: " + text);
    }

    /** One line, keys sorted, no space: equal values give equal text. */
    public static String canonical(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        print(value, out);
        return out.toString();
    }

    private static void print(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> sorted = new TreeMap<>();
                map.forEach((key, entry) -> sorted.put(String.valueOf(key), entry));
                out.append('{');
                String between = "";
                for (Map.Entry<String, @Nullable Object> entry : sorted.entrySet()) {
                    out.append(between);
                    quote(entry.getKey(), out);
                    out.append(':');
                    print(entry.getValue(), out);
                    between = ",";
                }
                out.append('}');
            }
            case Iterable<?> list -> {
                out.append('[');
                String between = "";
                for (Object entry : list) {
                    out.append(between);
                    print(entry, out);
                    between = ",";
                }
                out.append(']');
            }
            case String string -> quote(string, out);
            case Boolean truth -> out.append(truth);
            case BigDecimal number -> out.append(number.stripTrailingZeros().toPlainString());
            case Number number -> out.append(number.longValue());
            default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private @Nullable Object value(int depth) {
        if (depth > DEEPEST) {
            throw bad("nested too deeply");
        }
        space();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members(int depth) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        expect('{');
        space();
        if (peek() == '}') {
            expect('}');
            return members;
        }
        while (true) {
            space();
            String key = string();
            space();
            expect(':');
            if (members.containsKey(key)) {
                throw bad("the key " + key + " stands there twice");
            }
            members.put(key, value(depth + 1));
            space();
            if (peek() == '}') {
                expect('}');
                return members;
            }
            expect(',');
        }
    }

    private List<@Nullable Object> elements(int depth) {
        List<@Nullable Object> elements = new ArrayList<>();
        expect('[');
        space();
        if (peek() == ']') {
            expect(']');
            return elements;
        }
        while (true) {
            elements.add(value(depth + 1));
            space();
            if (peek() == ']') {
                expect(']');
                return elements;
            }
            expect(',');
        }
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                throw bad("a control character in a string");
            }
            out.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                int code = 0;
                for (int i = 0; i < 4; i++) {
                    int digit = Character.digit(next(), 16);
                    if (digit < 0) {
                        throw bad("not a hex digit");
                    }
                    code = code << 4 | digit;
                }
                yield (char) code;
            }
            default -> throw bad("an unknown escape");
        };
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw bad("not a value");
        }
        at += word.length();
        return value;
    }

    private Object number() {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        int first = at;
        digits();
        if (at - first > 1 && text.charAt(first) == '0') {
            throw bad("a leading zero");
        }
        boolean whole = true;
        if (peek() == '.') {
            whole = false;
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            whole = false;
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        BigDecimal number = new BigDecimal(text.substring(start, at));
        if (whole && number.toBigInteger().bitLength() < Long.SIZE) {
            return number.longValueExact();
        }
        return number;
    }

    private void digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == start) {
            throw bad("a digit is missing");
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** The next character, or 0 at the end, which starts nothing. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char next() {
        if (at >= text.length()) {
            throw bad("the text ends");
        }
        return text.charAt(at++);
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            at--;
            throw bad("expected " + wanted);
        }
    }

    private IllegalArgumentException bad(String why) {
        return new IllegalArgumentException(why + " at " + at + " of: " + text);
    }
}
