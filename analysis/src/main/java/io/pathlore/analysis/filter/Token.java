package io.pathlore.analysis.filter;

/** A piece of a filter, with its place in the text: from {@code start} up to before {@code end}. */
record Token(Kind kind, String text, int start, int end) {
    enum Kind {
        /** Fields, numbers, names, addresses: what needs no quotes. */
        WORD,
        /** What was in quotes, without them. */
        QUOTED,
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_EQUAL,
        GREATER,
        GREATER_EQUAL,
        AND,
        OR,
        NOT,
        IN,
        LIKE,
        /** Any bracket; the text tells which. */
        OPEN,
        CLOSE,
        COMMA,
        RANGE,
        END
    }

    private static final int SHOWN = 40;

    /** For a message, which has to stay one line. */
    String shown() {
        return "'" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text) + "'";
    }

    boolean is(Kind other) {
        return kind == other;
    }

    boolean isValue() {
        return kind == Kind.WORD || kind == Kind.QUOTED;
    }
}
