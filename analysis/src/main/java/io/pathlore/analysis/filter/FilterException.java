package io.pathlore.analysis.filter;

import org.jspecify.annotations.Nullable;

/** A filter that cannot be understood, or asked of what it is asked of. The message is for people. */
public final class FilterException extends Exception {
    private static final long serialVersionUID = 1;

    /** What is shown of a longer line: from so far before the place, and so many characters. */
    private static final int BEFORE = 60;

    private static final int SHOWN = 100;

    private final String source;
    private final int start;
    private final int end;
    private final transient @Nullable Expected expected;

    FilterException(String source, int start, int end, String message) {
        this(source, start, end, message, null);
    }

    FilterException(String source, int start, int end, String message, @Nullable Expected expected) {
        super(message);
        this.source = source;
        this.start = start;
        this.end = end;
        this.expected = expected;
    }

    /** Index of the first character that is wrong; the length of the text where something is missing. */
    public int start() {
        return start;
    }

    /** Index behind the last one. */
    public int end() {
        return end;
    }

    /** What could have stood there; null where that is not the trouble. */
    @Nullable
    Expected expected() {
        return expected;
    }

    /**
     * The line, a caret under the place, and what is wrong, without a line feed at the end:
     *
     * <pre>
     * node = 3 and hop.latncy > 50us
     *              ^~~~~~~~~~
     * unknown field 'hop.latncy'; did you mean 'hop.latency'?
     * </pre>
     */
    public String render() {
        return place() + "\n" + plain(String.valueOf(getMessage()));
    }

    /** The line, and a caret under the place. */
    public String place() {
        int lineStart = start == 0 ? 0 : source.lastIndexOf('\n', start - 1) + 1;
        int lineEnd = source.indexOf('\n', start);
        lineEnd = lineEnd < 0 ? source.length() : lineEnd;
        int from = start - lineStart > SHOWN - 20 ? start - BEFORE : lineStart;
        int to = Math.min(lineEnd, from + SHOWN);
        String left = from > lineStart ? "…" : "";
        int length = Math.max(1, Math.min(end, to) - start);
        return left
                + plain(source.substring(from, to))
                + (to < lineEnd ? "…" : "")
                + "\n"
                + " ".repeat(left.length() + start - from)
                + "^"
                + "~".repeat(length - 1);
    }

    /** Each character as one column, and none that would steer a terminal. */
    private static String plain(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(c == '\t' ? ' ' : Character.isISOControl(c) ? '?' : c);
        }
        return out.toString();
    }
}
