package io.pathlore.analysis.filter;

import java.util.ArrayList;
import java.util.List;

/** What a filter says, with names and units resolved. Immutable; {@code toString} is text that parses to the same. */
public sealed interface Expression {
    /** Of at least two, none of them an {@code And}; of none at all for what is always true. */
    record And(List<Expression> terms) implements Expression {
        public And {
            terms = List.copyOf(terms);
        }

        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    /** Of at least two, none of them an {@code Or}. */
    record Or(List<Expression> terms) implements Expression {
        public Or {
            terms = List.copyOf(terms);
        }

        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    record Not(Expression term) implements Expression {
        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    /** A flag that is set. */
    record Is(Field field) implements Expression {
        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    /** One of these values: {@code =} and {@code in}; and inside a {@code Not}, {@code !=}. */
    record Match(Field field, List<Value> values) implements Expression {
        public Match {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    /** Less or more than a number. */
    record Order(Field field, Relation relation, long number) implements Expression {
        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    record Like(Field field, Value pattern) implements Expression {
        @Override
        public String toString() {
            return Printer.print(this);
        }
    }

    enum Relation {
        LESS("<"),
        LESS_EQUAL("<="),
        GREATER(">"),
        GREATER_EQUAL(">=");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }

        public String sign() {
            return sign;
        }

        boolean holds(long left, long right) {
            return switch (this) {
                case LESS -> left < right;
                case LESS_EQUAL -> left <= right;
                case GREATER -> left > right;
                case GREATER_EQUAL -> left >= right;
            };
        }
    }

    /** Always true. */
    Expression ALL = new And(List.of());

    static Expression and(List<Expression> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        List<Expression> flat = new ArrayList<>();
        for (Expression term : terms) {
            if (term instanceof And inner) {
                flat.addAll(inner.terms);
            } else {
                flat.add(term);
            }
        }
        return new And(flat);
    }

    static Expression or(List<Expression> terms) {
        if (terms.size() == 1) {
            return terms.getFirst();
        }
        List<Expression> flat = new ArrayList<>();
        for (Expression term : terms) {
            if (term instanceof Or inner) {
                flat.addAll(inner.terms);
            } else {
                flat.add(term);
            }
        }
        return new Or(flat);
    }
}
