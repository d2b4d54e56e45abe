package io.pathlore.analysis.filter;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition for a {@code WHERE}. Values are never part of the text.
 *
 * @param parameters for its question marks, in order: {@code Long} or {@code String}
 */
public record Sql(String text, List<Object> parameters) {
    /** No such number is too wide for a parameter as text. */
    private static final String BETWEEN_ADDRESSES = "_number BETWEEN CAST(? AS UHUGEINT) AND CAST(? AS UHUGEINT)";

    private static final int IPV4_BITS = 32;
    private static final String BETWEEN = " BETWEEN ? AND ?";

    public Sql {
        parameters = List.copyOf(parameters);
    }

    static Sql of(Expression expression, Columns columns) {
        return switch (expression) {
            case Expression.And and ->
                and.terms().isEmpty() ? new Sql("TRUE", List.of()) : join(and.terms(), " AND ", columns);
            case Expression.Or or -> join(or.terms(), " OR ", columns);
            case Expression.Not not -> {
                Sql term = of(not.term(), columns);
                yield new Sql("NOT (" + term.text + ")", term.parameters);
            }
            case Expression.Is is -> any(is, is.field(), columns);
            case Expression.Match match -> any(match, match.field(), columns);
            case Expression.Order order -> any(order, order.field(), columns);
            case Expression.Like like -> any(like, like.field(), columns);
        };
    }

    private static Sql join(List<Expression> terms, String between, Columns columns) {
        return joined(terms.stream().map(term -> of(term, columns)).toList(), between);
    }

    private static Sql joined(List<Sql> all, String between) {
        if (all.size() == 1) {
            return all.getFirst();
        }
        List<String> texts = new ArrayList<>();
        List<Object> parameters = new ArrayList<>();
        for (Sql one : all) {
            texts.add("(" + one.text + ")");
            parameters.addAll(one.parameters);
        }
        return new Sql(String.join(between, texts), parameters);
    }

    /** Of several columns those that are known decide: where the {@code OR} is unknown, the first of them that is not does. */
    private static Sql any(Expression comparison, Field field, Columns columns) {
        List<Sql> all = new ArrayList<>();
        for (int part = 0; part < field.parts(); part++) {
            for (String column : columns.of(field.part(part))) {
                all.add(holds(comparison, field, column));
            }
        }
        if (all.size() == 1) {
            return all.getFirst();
        }
        List<Sql> choices = new ArrayList<>();
        choices.add(joined(all, " OR "));
        choices.addAll(all);
        List<Object> parameters = new ArrayList<>();
        choices.forEach(choice -> parameters.addAll(choice.parameters));
        return new Sql(
                "coalesce(" + String.join(", ", choices.stream().map(Sql::text).toList()) + ")", parameters);
    }

    private static Sql holds(Expression comparison, Field field, String column) {
        return switch (comparison) {
            case Expression.Is is -> new Sql(column, List.of());
            case Expression.Match match -> match(match, column);
            case Expression.Order order -> order(order, column);
            case Expression.Like like -> like(like, column);
            case Expression.And and -> throw notAComparison(field);
            case Expression.Or or -> throw notAComparison(field);
            case Expression.Not not -> throw notAComparison(field);
        };
    }

    private static IllegalStateException notAComparison(Field field) {
        return new IllegalStateException("not a comparison of " + field);
    }

    private static Sql order(Expression.Order order, String column) {
        if (order.field() != Field.SEVERITY) {
            return new Sql(column + " " + order.relation().sign() + " ?", List.of(order.number()));
        }
        List<Object> words = new ArrayList<>();
        List<String> all = Field.SEVERITY.words();
        for (int ordinal = 0; ordinal < all.size(); ordinal++) {
            if (order.relation().holds(ordinal, order.number())) {
                words.add(all.get(ordinal));
            }
        }
        return oneOf(column, words);
    }

    private static Sql like(Expression.Like like, String column) {
        return switch (like.pattern()) {
            case Value.Text(String pattern) -> new Sql(column + " ILIKE ? ESCAPE '\\'", List.of(escaped(pattern)));
            case Value.Path(List<Long> nodes) ->
                new Sql("regexp_full_match(" + column + ", ?)", List.of(pattern(nodes)));
            case Value.Numbers numbers -> throw notAComparison(like.field());
            case Value.Addresses addresses -> throw notAComparison(like.field());
        };
    }

    private static String escaped(String pattern) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (Wildcards.is(c)) {
                out.append('%');
            } else {
                out.append(c == '_' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return out.toString();
    }

    /** Each hop takes the {@code >} before it along, so that any number of them, also none, can be left out. */
    private static String pattern(List<Long> nodes) {
        if (nodes.getFirst() == Wildcards.ANY_HOPS) {
            // Nothing stands before the first hop.
            List<Long> rest = nodes.subList(1, nodes.size());
            return rest.isEmpty() ? ".*" : "(.*>)?" + pattern(rest);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i) == Wildcards.ANY_HOPS) {
                out.append("(>[0-9?]+)*");
            } else {
                out.append(i == 0 ? "" : ">").append(nodes.get(i));
            }
        }
        return out.toString();
    }

    private static Sql match(Expression.Match match, String column) {
        List<Object> single = new ArrayList<>();
        List<Sql> choices = new ArrayList<>();
        for (Value value : match.values()) {
            switch (value) {
                case Value.Text(String text) -> single.add(text);
                case Value.Path(List<Long> nodes) ->
                    single.add(
                            String.join(">", nodes.stream().map(String::valueOf).toList()));
                case Value.Numbers numbers -> {
                    if (match.field() == Field.SEVERITY) {
                        single.addAll(Field.SEVERITY.words().subList((int) numbers.from(), (int) numbers.to() + 1));
                    } else if (numbers.isSingle()) {
                        single.add(numbers.from());
                    } else {
                        choices.add(new Sql(column + BETWEEN, List.of(numbers.from(), numbers.to())));
                    }
                }
                case Value.Addresses addresses -> {
                    if (addresses.isSingle()) {
                        single.add(Value.Addresses.text(addresses.fromHigh(), addresses.fromLow()));
                    } else {
                        choices.add(between(addresses, column));
                    }
                }
            }
        }
        if (!single.isEmpty()) {
            choices.addFirst(oneOf(column, single));
        }
        return joined(choices, " OR ");
    }

    private static Sql oneOf(String column, List<Object> values) {
        return switch (values.size()) {
            // Never true, and unknown where the column is.
            case 0 -> new Sql(column + " <> " + column, List.of());
            case 1 -> new Sql(column + " = ?", values);
            default -> new Sql(column + " IN (" + "?, ".repeat(values.size() - 1) + "?)", values);
        };
    }

    /** Where the numbers of the two families meet, the text tells them apart. */
    private static Sql between(Value.Addresses addresses, String column) {
        BigInteger from = number(addresses.fromHigh(), addresses.fromLow());
        BigInteger to = number(addresses.toHigh(), addresses.toLow());
        String family = addresses.isIpv4()
                ? " AND " + column + " NOT LIKE '%:%'"
                : from.bitLength() <= IPV4_BITS ? " AND " + column + " LIKE '%:%'" : "";
        return new Sql(column + BETWEEN_ADDRESSES + family, List.of(from.toString(), to.toString()));
    }

    private static BigInteger number(long high, long low) {
        BigInteger both = half(high).shiftLeft(64).or(half(low));
        return Value.Addresses.isIpv4(high, low) ? both.subtract(BigInteger.valueOf(Value.Addresses.mapped(0))) : both;
    }

    private static BigInteger half(long bits) {
        BigInteger signed = BigInteger.valueOf(bits);
        return bits < 0 ? signed.add(BigInteger.ONE.shiftLeft(64)) : signed;
    }
}
