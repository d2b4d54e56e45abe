package io.pathlore.analysis.filter;

import java.util.List;

/** Patterns of {@code like}: {@code *} and {@code %} stand for anything, also nothing; case makes no difference. */
final class Wildcards {
    /** Stands for any hops in the pattern of a path. */
    static final long ANY_HOPS = -2;

    private Wildcards() {}

    static boolean is(char c) {
        return c == '*' || c == '%';
    }

    /**
     * Only the last wildcard that was met is ever tried again: an earlier one could not match more than it does. So the time is
     * that of both lengths multiplied, at worst.
     */
    static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int wildcard = -1;
        int resume = 0;
        while (t < text.length()) {
            if (p < pattern.length() && is(pattern.charAt(p))) {
                wildcard = p++;
                resume = t;
            } else if (p < pattern.length() && same(pattern.charAt(p), text.charAt(t))) {
                p++;
                t++;
            } else if (wildcard >= 0) {
                p = wildcard + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && is(pattern.charAt(p))) {
            p++;
        }
        return p == pattern.length();
    }

    private static boolean same(char a, char b) {
        return a == b || Character.toLowerCase(a) == Character.toLowerCase(b);
    }

    /** The same over the nodes of a path. */
    static boolean matches(List<Long> pattern, Subject subject) {
        int hops = subject.count(Field.PATH);
        int p = 0;
        int t = 0;
        int wildcard = -1;
        int resume = 0;
        while (t < hops) {
            if (p < pattern.size() && pattern.get(p) == ANY_HOPS) {
                wildcard = p++;
                resume = t;
            } else if (p < pattern.size() && pattern.get(p) == subject.number(Field.PATH, t)) {
                p++;
                t++;
            } else if (wildcard >= 0) {
                p = wildcard + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.size() && pattern.get(p) == ANY_HOPS) {
            p++;
        }
        return p == pattern.size();
    }
}
