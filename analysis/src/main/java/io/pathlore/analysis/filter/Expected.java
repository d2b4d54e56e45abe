package io.pathlore.analysis.filter;

import org.jspecify.annotations.Nullable;

/** What could stand at a place of a filter; {@code field} is the one that it would belong to. */
record Expected(Kind kind, @Nullable Field field) {
    enum Kind {
        CONDITION,
        OPERATOR,
        VALUE,
        /** Also a list. */
        VALUES,
        PATTERN,
        /** {@code and}, {@code or}, or the end. */
        CONNECTIVE,
        /** {@code and}, {@code or}, or a closing bracket. */
        CLOSE,
        /** A comma or a closing bracket. */
        NEXT_VALUE,
        /** {@code in} or {@code like} behind {@code not}. */
        NEGATED_OPERATOR
    }

    static Expected of(Kind kind) {
        return new Expected(kind, null);
    }

    static Expected of(Kind kind, Field field) {
        return new Expected(kind, field);
    }

    boolean isValue() {
        return kind == Kind.VALUE || kind == Kind.VALUES || kind == Kind.PATTERN;
    }
}
