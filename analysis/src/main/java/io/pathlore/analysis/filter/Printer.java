package io.pathlore.analysis.filter;

import io.pathlore.analysis.filter.Expression.And;
import io.pathlore.analysis.filter.Expression.Is;
import io.pathlore.analysis.filter.Expression.Like;
import io.pathlore.analysis.filter.Expression.Match;
import io.pathlore.analysis.filter.Expression.Not;
import io.pathlore.analysis.filter.Expression.Or;
import io.pathlore.analysis.filter.Expression.Order;
import java.util.List;

/** Writes an expression so that it reads well and parses to the same. */
final class Printer {
    private static final Unit[] TIMES = {Unit.S, Unit.MS, Unit.US, Unit.NS};

    private final StringBuilder out = new StringBuilder();

    private Printer() {}

    static String print(Expression expression) {
        Printer printer = new Printer();
        printer.write(expression);
        return printer.out.toString();
    }

    private void write(Expression expression) {
        switch (expression) {
            case And and -> conjuncts(and.terms());
            case Or or -> alternatives(or.terms());
            case Not(Match match) -> match(match, true);
            case Not(Like like) -> like(like, " not like ");
            case Not not -> {
                out.append("not ");
                inner(not.term());
            }
            case Is is -> out.append(is.field().text());
            case Match match -> match(match, false);
            case Like like -> like(like, " like ");
            case Order(Field field, Expression.Relation relation, long number) -> {
                out.append(field.text()).append(' ').append(relation.sign()).append(' ');
                number(field, number);
            }
        }
    }

    private void conjuncts(List<Expression> terms) {
        for (int i = 0; i < terms.size(); i++) {
            out.append(i == 0 ? "" : " and ");
            inner(terms.get(i));
        }
    }

    /** {@code and} binds tighter: it needs no brackets here. */
    private void alternatives(List<Expression> terms) {
        for (int i = 0; i < terms.size(); i++) {
            out.append(i == 0 ? "" : " or ");
            write(terms.get(i));
        }
    }

    private void inner(Expression term) {
        if (term instanceof And || term instanceof Or) {
            out.append('(');
            write(term);
            out.append(')');
        } else {
            write(term);
        }
    }

    private void match(Match match, boolean negated) {
        Field field = match.field();
        out.append(field.text());
        if (match.values().size() == 1) {
            Value value = match.values().getFirst();
            out.append(isSingle(value) ? negated ? " != " : " = " : negated ? " not in " : " in ");
            value(field, value);
            return;
        }
        out.append(negated ? " not in (" : " in (");
        for (int i = 0; i < match.values().size(); i++) {
            out.append(i == 0 ? "" : ", ");
            value(field, match.values().get(i));
        }
        out.append(')');
    }

    private static boolean isSingle(Value value) {
        return switch (value) {
            case Value.Numbers numbers -> numbers.isSingle();
            case Value.Addresses addresses -> addresses.isSingle();
            case Value.Text text -> true;
            case Value.Path path -> true;
        };
    }

    private void like(Like like, String operator) {
        out.append(like.field().text()).append(operator);
        value(like.field(), like.pattern());
    }

    private void value(Field field, Value value) {
        switch (value) {
            case Value.Numbers(long from, long to) -> {
                number(field, from);
                if (from != to) {
                    out.append("..");
                    number(field, to);
                }
            }
            case Value.Addresses addresses -> addresses(addresses);
            case Value.Text(String text) -> out.append(Lexer.quoted(text));
            case Value.Path(List<Long> nodes) -> {
                for (int i = 0; i < nodes.size(); i++) {
                    out.append(i == 0 ? "" : " > ");
                    out.append(
                            nodes.get(i) == Wildcards.ANY_HOPS
                                    ? "*"
                                    : nodes.get(i).toString());
                }
            }
        }
    }

    private void number(Field field, long number) {
        switch (field.type()) {
            case TIME -> time(number);
            case VERSION -> out.append(number / 10).append('.').append(number % 10);
            case SEVERITY -> out.append(field.words().get((int) number));
            case NODE, NUMBER, SIZE, PROTOCOL, REASON, ADDRESS, WORD, FLOW, DEVICE, PATH, FLAG -> out.append(number);
        }
    }

    private void time(long nanos) {
        for (Unit unit : TIMES) {
            if (nanos % unit.factor() == 0 && (nanos > 0 || unit == Unit.NS)) {
                out.append(nanos / unit.factor()).append(unit.text());
                return;
            }
        }
    }

    private void addresses(Value.Addresses addresses) {
        out.append(Value.Addresses.text(addresses.fromHigh(), addresses.fromLow()));
        int length = addresses.prefixLength();
        if (addresses.isSingle()) {
            return;
        }
        if (length >= 0) {
            out.append('/').append(length);
        } else {
            out.append("..").append(Value.Addresses.text(addresses.toHigh(), addresses.toLow()));
        }
    }
}
