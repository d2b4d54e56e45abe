package io.pathlore.analysis.filter;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A question about reports, flows, events or rows, as people write it: docs/reference/filter.md. Immutable; two that mean the
 * same in the same words, whatever their spelling, are equal.
 */
public final class Filter {
    public static final int MAX_LENGTH = 4096;
    /** Brackets and {@code not} inside each other. */
    public static final int MAX_DEPTH = 64;
    /** Comparisons, and values in lists and paths. */
    public static final int MAX_TERMS = 256;

    /** Everything matches. */
    public static final Filter ALL = new Filter("", Expression.ALL, Map.of());

    private final String source;
    private final Expression expression;
    private final Map<Field, Token> places;

    private Filter(String source, Expression expression, Map<Field, Token> places) {
        this.source = source;
        this.expression = expression;
        this.places = places;
    }

    /** Blank text is {@link #ALL}. */
    public static Filter parse(String text, Names names) throws FilterException {
        Parser parser = new Parser(text, names);
        Expression expression = parser.parse();
        return new Filter(text, expression, Map.copyOf(parser.places()));
    }

    /** True only where it is known to be: what depends on something absent does not match, and neither does its opposite. */
    public boolean matches(Subject subject) {
        return Truth.of(expression, subject) == Truth.TRUE;
    }

    public Expression expression() {
        return expression;
    }

    /** As it was written. */
    public String source() {
        return source;
    }

    public Set<Field> fields() {
        return places.keySet();
    }

    /**
     * Refuses a filter that asks for what is not there, instead of matching nothing for ever.
     *
     * @param things the plural of what is filtered: {@code reports}
     */
    public Filter only(Set<Field> known, String things) throws FilterException {
        for (Field field : Field.values()) {
            boolean there = known.contains(field) || field.parts() > 1 && known.contains(field.part(0));
            if (!there && places.containsKey(field)) {
                String all = known.stream().sorted().map(Field::text).collect(Collectors.joining(", "));
                throw at(field, things + " have no '" + field.text() + "'; they have " + all);
            }
        }
        return this;
    }

    /** The condition for a {@code WHERE}, over a table with these columns. */
    public Sql toSql(Columns columns) throws FilterException {
        only(columns.fields(), "rows of " + columns.table());
        return Sql.of(expression, columns);
    }

    private FilterException at(Field field, String message) {
        Token token = places.get(field);
        return token == null
                ? new FilterException(source, 0, source.length(), message)
                : new FilterException(source, token.start(), token.end(), message);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Filter filter && expression.equals(filter.expression);
    }

    @Override
    public int hashCode() {
        return expression.hashCode();
    }

    /** With names and units resolved, in one spelling; parses to an equal filter, unless that makes it too long. */
    @Override
    public String toString() {
        return expression.toString();
    }
}
