package io.pathlore.analysis.filter;

import io.pathlore.analysis.filter.Token.Kind;
import java.util.Locale;

/** Cuts a filter into tokens, each character looked at once. */
final class Lexer {
    private static final String WORD_SIGNS = "_.:/-*%@#";

    private final String source;
    private int at;
    private long steps;

    Lexer(String source) {
        this.source = source;
    }

    /** How much work it was so far: so many characters were looked at. */
    long steps() {
        return steps;
    }

    Token next() throws FilterException {
        while (at < source.length() && isBlank(source.charAt(at))) {
            at++;
            steps++;
        }
        if (at == source.length()) {
            return new Token(Kind.END, "", at, at);
        }
        char first = source.charAt(at);
        if (first == '"' || first == '\'') {
            return quoted(first);
        }
        if (isRange(at)) {
            return sign(Kind.RANGE, 2);
        }
        return isWordPart(first) ? word() : sign(first);
    }

    private Token sign(char first) throws FilterException {
        char second = at + 1 < source.length() ? source.charAt(at + 1) : 0;
        return switch (first) {
            case '(', '{', '[' -> sign(Kind.OPEN, 1);
            case ')', '}', ']' -> sign(Kind.CLOSE, 1);
            case ',' -> sign(Kind.COMMA, 1);
            case '=' -> sign(Kind.EQUAL, second == '=' ? 2 : 1);
            case '!' -> second == '=' ? sign(Kind.NOT_EQUAL, 2) : sign(Kind.NOT, 1);
            case '<' ->
                second == '=' ? sign(Kind.LESS_EQUAL, 2) : second == '>' ? sign(Kind.NOT_EQUAL, 2) : sign(Kind.LESS, 1);
            case '>' -> second == '=' ? sign(Kind.GREATER_EQUAL, 2) : sign(Kind.GREATER, 1);
            case '&' -> doubled(Kind.AND, second == '&');
            case '|' -> doubled(Kind.OR, second == '|');
            default -> throw nothing();
        };
    }

    private Token doubled(Kind kind, boolean whole) throws FilterException {
        if (!whole) {
            throw nothing();
        }
        return sign(kind, 2);
    }

    private FilterException nothing() {
        return new FilterException(source, at, at + 1, "nothing begins with this sign");
    }

    private Token sign(Kind kind, int length) {
        int start = at;
        at += length;
        steps += length;
        return new Token(kind, source.substring(start, at), start, at);
    }

    private Token word() {
        int start = at;
        while (at < source.length() && isWordPart(source.charAt(at)) && !isRange(at)) {
            at++;
            steps++;
        }
        String text = source.substring(start, at);
        return new Token(keyword(text), text, start, at);
    }

    private Token quoted(char quote) throws FilterException {
        int start = at++;
        StringBuilder text = new StringBuilder();
        while (at < source.length() && source.charAt(at) != quote) {
            if (source.charAt(at) == '\\' && at + 1 < source.length()) {
                at++;
            }
            text.append(source.charAt(at++));
            steps++;
        }
        if (at == source.length()) {
            throw new FilterException(source, start, start + 1, "this quote is not closed");
        }
        at++;
        return new Token(Kind.QUOTED, text.toString(), start, at);
    }

    private boolean isRange(int index) {
        return source.startsWith("..", index);
    }

    private static boolean isBlank(char c) {
        return c <= ' ' || Character.isWhitespace(c) || c == '\u00a0';
    }

    static boolean isWordPart(char c) {
        return c >= 'a' && c <= 'z' || Character.isLetterOrDigit(c) || WORD_SIGNS.indexOf(c) >= 0;
    }

    private static Kind keyword(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "and" -> Kind.AND;
            case "or" -> Kind.OR;
            case "not" -> Kind.NOT;
            case "in" -> Kind.IN;
            case "like" -> Kind.LIKE;
            default -> Kind.WORD;
        };
    }

    /** With quotes where it would not be one word without them. */
    static String quoted(String text) {
        boolean plain = !text.isEmpty() && keyword(text) == Kind.WORD && !text.contains("..");
        for (int i = 0; i < text.length() && plain; i++) {
            plain = isWordPart(text.charAt(i));
        }
        return plain ? text : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
