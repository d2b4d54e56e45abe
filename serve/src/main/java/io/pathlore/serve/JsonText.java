package io.pathlore.serve;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Writes JSON [RFC 8259] piece by piece; the caller keeps the order right, this the commas and the escapes. */
public final class JsonText {
    private static final int SCALE = 6;

    private final StringBuilder out = new StringBuilder(256);
    private boolean comma;

    public JsonText open(char bracket) {
        between().append(bracket);
        comma = false;
        return this;
    }

    public JsonText close(char bracket) {
        out.append(bracket);
        comma = true;
        return this;
    }

    public JsonText name(String name) {
        quoted(name).append(':');
        comma = false;
        return this;
    }

    public JsonText value(String text) {
        quoted(text);
        return this;
    }

    public JsonText value(long number) {
        between().append(number);
        return this;
    }

    /** Up to six digits behind the point; must be finite, for JSON has no other numbers. */
    public JsonText value(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException("JSON has no " + number);
        }
        String text = BigDecimal.valueOf(number)
                .setScale(SCALE, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
        between().append(text);
        return this;
    }

    /** JSON that is written already. */
    public JsonText raw(String json) {
        between().append(json);
        return this;
    }

    public JsonText value(boolean truth) {
        between().append(truth);
        return this;
    }

    private StringBuilder between() {
        if (comma) {
            out.append(',');
        }
        comma = true;
        return out;
    }

    private StringBuilder quoted(String text) {
        between().append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c) && !paired(text, i)) {
                out.append("\\u").append(String.format("%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"');
    }

    private static boolean paired(String text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
