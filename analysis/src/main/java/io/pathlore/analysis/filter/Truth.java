package io.pathlore.analysis.filter;

import java.util.List;

/** The answer to a filter, or to a part of it: SQL's three values, by SQL's rules. */
enum Truth {
    TRUE,
    FALSE,
    UNKNOWN;

    private static Truth of(boolean is) {
        return is ? TRUE : FALSE;
    }

    /** Hot path: over a view it allocates nothing but what the view does. */
    static Truth of(Expression expression, Subject subject) {
        return switch (expression) {
            case Expression.And and -> all(and.terms(), subject);
            case Expression.Or or -> any(or.terms(), subject);
            case Expression.Not not -> not(of(not.term(), subject));
            case Expression.Is is -> anyValue(is, is.field(), subject);
            case Expression.Match match -> anyValue(match, match.field(), subject);
            case Expression.Order order -> anyValue(order, order.field(), subject);
            case Expression.Like like -> anyValue(like, like.field(), subject);
        };
    }

    private static Truth not(Truth truth) {
        return switch (truth) {
            case TRUE -> FALSE;
            case FALSE -> TRUE;
            case UNKNOWN -> UNKNOWN;
        };
    }

    private static Truth all(List<Expression> terms, Subject subject) {
        Truth truth = TRUE;
        for (int i = 0; i < terms.size(); i++) {
            Truth one = of(terms.get(i), subject);
            if (one == FALSE) {
                return FALSE;
            }
            truth = one == UNKNOWN ? UNKNOWN : truth;
        }
        return truth;
    }

    private static Truth any(List<Expression> terms, Subject subject) {
        Truth truth = FALSE;
        for (int i = 0; i < terms.size(); i++) {
            Truth one = of(terms.get(i), subject);
            if (one == TRUE) {
                return TRUE;
            }
            truth = one == UNKNOWN ? UNKNOWN : truth;
        }
        return truth;
    }

    /** Of several values those that are known decide; it is unknown only where none is. */
    private static Truth anyValue(Expression comparison, Field field, Subject subject) {
        if (field == Field.PATH) {
            return subject.count(Field.PATH) == 0 ? UNKNOWN : of(pathHolds(comparison, subject));
        }
        Truth truth = UNKNOWN;
        for (int p = 0; p < field.parts(); p++) {
            Field part = field.part(p);
            int count = field.type() == FieldType.ADDRESS ? 1 : subject.count(part);
            for (int i = 0; i < count; i++) {
                Truth one = holds(comparison, part, i, subject);
                if (one == TRUE) {
                    return TRUE;
                }
                truth = one == FALSE ? FALSE : truth;
            }
        }
        return truth;
    }

    private static Truth holds(Expression comparison, Field field, int index, Subject subject) {
        return switch (field.type()) {
            case ADDRESS ->
                subject.hasAddress(field)
                        ? of(holds(comparison, subject.addressHigh(field), subject.addressLow(field)))
                        : UNKNOWN;
            case WORD, FLOW, DEVICE -> {
                String text = subject.text(field, index);
                yield text == null ? UNKNOWN : of(holds(comparison, text));
            }
            case NODE, NUMBER, TIME, SIZE, VERSION, SEVERITY, PROTOCOL, REASON, FLAG, PATH -> {
                long number = subject.number(field, index);
                yield number == Subject.ABSENT ? UNKNOWN : of(holds(comparison, number));
            }
        };
    }

    private static boolean holds(Expression comparison, long number) {
        if (comparison instanceof Expression.Order order) {
            return order.relation().holds(number, order.number());
        }
        if (comparison instanceof Expression.Match match) {
            List<Value> values = match.values();
            for (int i = 0; i < values.size(); i++) {
                if (values.get(i) instanceof Value.Numbers numbers && numbers.contains(number)) {
                    return true;
                }
            }
            return false;
        }
        return number != 0;
    }

    private static boolean holds(Expression comparison, long high, long low) {
        List<Value> values = comparison instanceof Expression.Match match ? match.values() : List.of();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof Value.Addresses addresses && addresses.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(Expression comparison, String text) {
        if (comparison instanceof Expression.Like(Field field, Value.Text(String pattern))) {
            return Wildcards.matches(pattern, text);
        }
        List<Value> values = comparison instanceof Expression.Match match ? match.values() : List.of();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof Value.Text word && word.text().equals(text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean pathHolds(Expression comparison, Subject subject) {
        if (comparison instanceof Expression.Like(Field field, Value.Path(List<Long> nodes))) {
            return Wildcards.matches(nodes, subject);
        }
        List<Value> values = comparison instanceof Expression.Match match ? match.values() : List.of();
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i) instanceof Value.Path path && Wildcards.matches(path.nodes(), subject)) {
                return true;
            }
        }
        return false;
    }
}
