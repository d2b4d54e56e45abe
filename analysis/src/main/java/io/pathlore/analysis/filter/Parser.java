package io.pathlore.analysis.filter;

import io.pathlore.analysis.filter.Expected.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * From text to {@link Expression}, one token at a time and never back, so that the time grows with the length alone.
 *
 * <pre>
 * filter     = [ or ]
 * or         = and { "or" and }
 * and        = term { "and" term }
 * term       = "not" term | "(" or ")" | condition
 * condition  = flag [ ( "=" | "!=" ) value ] | field operator value | field [ "not" ] ( "in" values | "like" value )
 * values     = item | "(" item { "," item } ")"
 * item       = value [ ".." value ]
 * </pre>
 */
final class Parser {
    private final String source;
    private final Lexer lexer;
    private final ValueReader reader;
    private final Map<Field, Token> places = new EnumMap<>(Field.class);
    private Token token = new Token(Token.Kind.END, "", 0, 0);
    private int terms;
    private int tokens;

    Parser(String source, Names names) {
        this.source = source;
        lexer = new Lexer(source);
        reader = new ValueReader(source, names);
    }

    /** Where each field stands first. */
    Map<Field, Token> places() {
        return places;
    }

    /** Characters and tokens looked at. */
    long steps() {
        return lexer.steps() + tokens;
    }

    Expression parse() throws FilterException {
        if (source.length() > Filter.MAX_LENGTH) {
            throw new FilterException(
                    source,
                    Filter.MAX_LENGTH,
                    Filter.MAX_LENGTH + 1,
                    "a filter has at most " + Filter.MAX_LENGTH + " characters; this one has " + source.length());
        }
        token = lexer.next();
        if (token.is(Token.Kind.END)) {
            return Expression.ALL;
        }
        Expression expression = or(0);
        if (!token.is(Token.Kind.END)) {
            throw expected(Expected.of(Kind.CONNECTIVE), "expected 'and', 'or' or the end");
        }
        return expression;
    }

    private Token take() throws FilterException {
        Token taken = token;
        tokens++;
        token = lexer.next();
        return taken;
    }

    private boolean takes(Token.Kind kind) throws FilterException {
        boolean there = token.is(kind);
        if (there) {
            take();
        }
        return there;
    }

    private Expression or(int depth) throws FilterException {
        List<Expression> all = new ArrayList<>();
        do {
            all.add(and(depth));
        } while (takes(Token.Kind.OR));
        return Expression.or(all);
    }

    private Expression and(int depth) throws FilterException {
        List<Expression> all = new ArrayList<>();
        do {
            all.add(term(depth));
        } while (takes(Token.Kind.AND));
        return Expression.and(all);
    }

    private Expression term(int depth) throws FilterException {
        boolean nests = token.is(Token.Kind.NOT) || token.is(Token.Kind.OPEN);
        if (nests && depth == Filter.MAX_DEPTH) {
            throw error(token, "nested deeper than " + Filter.MAX_DEPTH);
        }
        if (takes(Token.Kind.NOT)) {
            return new Expression.Not(term(depth + 1));
        }
        if (token.is(Token.Kind.OPEN) && token.text().equals("(")) {
            take();
            Expression inner = or(depth + 1);
            if (!token.is(Token.Kind.CLOSE) || !token.text().equals(")")) {
                throw expected(Expected.of(Kind.CLOSE), "expected 'and', 'or' or ')'");
            }
            take();
            return inner;
        }
        return condition();
    }

    private Expression condition() throws FilterException {
        if (!token.is(Token.Kind.WORD)) {
            throw expected(Expected.of(Kind.CONDITION), "expected a field");
        }
        Field field = Field.of(token.text());
        if (field == null) {
            throw unknownField();
        }
        places.putIfAbsent(field, token);
        take();
        countTerm();
        if (field.type() == FieldType.FLAG) {
            return flag(field);
        }
        boolean negated = token.is(Token.Kind.NOT);
        if (negated) {
            take();
        }
        Token operator = token;
        Expression comparison = comparison(field, negated);
        boolean differs = operator.is(Token.Kind.NOT_EQUAL);
        return negated || differs ? new Expression.Not(comparison) : comparison;
    }

    private FilterException unknownField() {
        String hint = Nearest.hint(token.text(), Field.texts());
        return new FilterException(
                source,
                token.start(),
                token.end(),
                "unknown field " + token.shown()
                        + (hint.isEmpty() ? "; known: " + String.join(", ", Field.texts()) : hint),
                Expected.of(Kind.CONDITION));
    }

    private Expression flag(Field field) throws FilterException {
        boolean differs = token.is(Token.Kind.NOT_EQUAL);
        if (!differs && !token.is(Token.Kind.EQUAL)) {
            if (isOperator(token)) {
                throw misfit(field);
            }
            return new Expression.Is(field);
        }
        take();
        boolean set = reader.number(field, value(field, Kind.VALUE)) != 0;
        Expression is = new Expression.Is(field);
        return set == differs ? new Expression.Not(is) : is;
    }

    private static boolean isOperator(Token token) {
        return switch (token.kind()) {
            case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, IN, LIKE -> true;
            case WORD, QUOTED, AND, OR, NOT, OPEN, CLOSE, COMMA, RANGE, END -> false;
        };
    }

    private Expression comparison(Field field, boolean negated) throws FilterException {
        FieldType type = field.type();
        if (!isOperator(token) || negated && !token.is(Token.Kind.IN) && !token.is(Token.Kind.LIKE)) {
            throw expected(
                    Expected.of(negated ? Kind.NEGATED_OPERATOR : Kind.OPERATOR, field),
                    "expected " + (negated ? "'in' or 'like' behind 'not'" : "an operator: " + type.operators()));
        }
        return switch (token.kind()) {
            case EQUAL, NOT_EQUAL -> {
                take();
                yield new Expression.Match(field, item(field, Kind.VALUE));
            }
            case IN -> {
                take();
                yield new Expression.Match(field, list(field));
            }
            case LIKE -> {
                if (!type.isAlike()) {
                    throw misfit(field);
                }
                take();
                yield like(field);
            }
            case LESS -> order(field, Expression.Relation.LESS);
            case LESS_EQUAL -> order(field, Expression.Relation.LESS_EQUAL);
            case GREATER -> order(field, Expression.Relation.GREATER);
            case GREATER_EQUAL -> order(field, Expression.Relation.GREATER_EQUAL);
            case WORD, QUOTED, AND, OR, NOT, OPEN, CLOSE, COMMA, RANGE, END ->
                throw new IllegalStateException("not an operator: " + token);
        };
    }

    private FilterException misfit(Field field) {
        return error(
                token,
                token.shown() + " does not fit: " + field.text() + " is "
                        + field.type().wanted() + ", and takes " + field.type().operators());
    }

    private Expression order(Field field, Expression.Relation relation) throws FilterException {
        if (!field.type().isOrdered()) {
            throw misfit(field);
        }
        take();
        return new Expression.Order(field, relation, reader.number(field, value(field, Kind.VALUE)));
    }

    private Expression like(Field field) throws FilterException {
        Token first = value(field, Kind.PATTERN);
        return field.type() == FieldType.PATH
                ? new Expression.Like(field, path(first, true))
                : reader.like(field, first);
    }

    /** Tokens joined by {@code >}, which is no operator here. */
    private Value path(Token first, boolean pattern) throws FilterException {
        List<Long> hops = new ArrayList<>(reader.hops(Field.PATH, first, pattern));
        while (takes(Token.Kind.GREATER)) {
            hops.addAll(reader.hops(Field.PATH, value(Field.PATH, Kind.VALUE), pattern));
        }
        for (int hop = 1; hop < hops.size(); hop++) {
            countTerm();
        }
        return new Value.Path(hops);
    }

    private List<Value> list(Field field) throws FilterException {
        if (!token.is(Token.Kind.OPEN)) {
            return item(field, Kind.VALUES);
        }
        String close = closing(take());
        List<Value> values = new ArrayList<>();
        do {
            countTerm();
            values.addAll(item(field, Kind.VALUE));
        } while (takes(Token.Kind.COMMA));
        if (!token.is(Token.Kind.CLOSE) || !token.text().equals(close)) {
            throw expected(Expected.of(Kind.NEXT_VALUE, field), "expected ',' or '" + close + "'");
        }
        take();
        return values;
    }

    private static String closing(Token open) {
        return switch (open.text()) {
            case "{" -> "}";
            case "[" -> "]";
            default -> ")";
        };
    }

    private List<Value> item(Field field, Kind wanted) throws FilterException {
        Token first = value(field, wanted);
        if (field.type() == FieldType.PATH) {
            return List.of(path(first, false));
        }
        if (takes(Token.Kind.RANGE)) {
            return List.of(reader.range(field, first, value(field, Kind.VALUE)));
        }
        return reader.values(field, first);
    }

    private Token value(Field field, Kind wanted) throws FilterException {
        if (!token.isValue()) {
            throw expected(
                    Expected.of(wanted, field), "expected " + field.type().wanted());
        }
        Token first = take();
        boolean number =
                first.is(Token.Kind.WORD) && Character.isDigit(first.text().charAt(0));
        boolean spaced = number && field.type().measure() != null && token.is(Token.Kind.WORD);
        if (spaced && Unit.of(token.text()) != null) {
            Token unit = take();
            return new Token(Token.Kind.WORD, first.text() + unit.text(), first.start(), unit.end());
        }
        return first;
    }

    private void countTerm() throws FilterException {
        if (++terms > Filter.MAX_TERMS) {
            throw error(token, "more than " + Filter.MAX_TERMS + " comparisons and values");
        }
    }

    private FilterException expected(Expected expected, String message) {
        String found = token.is(Token.Kind.END) ? "" : ", found " + token.shown();
        return new FilterException(source, token.start(), token.end(), message + found, expected);
    }

    private FilterException error(Token at, String message) {
        return new FilterException(source, at.start(), at.end(), message);
    }
}
