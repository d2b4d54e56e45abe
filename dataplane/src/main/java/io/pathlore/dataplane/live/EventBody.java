package io.pathlore.dataplane.live;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a call: {@code {"event": {…}}} with texts, whole numbers and words inside. Anything deeper is not what the controller is
 * told. Bounded by the text's length, and each step moves on.
 */
final class EventBody {
    private static final int DEEPEST = 4;

    private final String text;
    private int at;

    private EventBody(String text) {
        this.text = text;
    }

    /** The event, or null where the text is no such thing. Texts are {@code String}, numbers {@code Long}, other values are left out. */
    @SuppressWarnings("unchecked")
    static @Nullable Map<String, Object> read(String text) {
        EventBody body = new EventBody(text);
        try {
            Map<String, Object> all = body.object(0);
            body.space();
            return body.at == text.length() && all.get("event") instanceof Map<?, ?> event
                    ? (Map<String, Object>) event
                    : null;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return null;
        }
    }

    private Map<String, Object> object(int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("too deep");
        }
        Map<String, Object> members = new HashMap<>();
        expect('{');
        if (peek() == '}') {
            expect('}');
            return members;
        }
        while (true) {
            String key = string();
            expect(':');
            Object value = value(depth);
            if (value != null) {
                members.put(key, value);
            }
            if (peek() == '}') {
                expect('}');
                return members;
            }
            expect(',');
        }
    }

    private @Nullable Object value(int depth) {
        char first = peek();
        if (first == '"') {
            return string();
        }
        if (first == '{') {
            return object(depth + 1);
        }
        int start = at;
        while (at < text.length() && ",} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        if (word.matches("-?(0|[1-9][0-9]{0,17})")) {
            return Long.valueOf(word);
        }
        if (word.matches("true|false|null|-?[0-9]+\\.[0-9]+")) {
            return null;
        }
        throw new IllegalArgumentException("not a value");
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            if (c == '\\') {
                c = text.charAt(at++);
                if (c == 'u') {
                    c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
                    at += 4;
                } else if ("\"\\/".indexOf(c) < 0) {
                    c = ' ';
                }
            }
            out.append(c);
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        space();
        return text.charAt(at);
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw new IllegalArgumentException("expected " + wanted);
        }
        at++;
    }
}
