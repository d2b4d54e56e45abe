package io.pathlore.analysis.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Random expressions, such as parsing could give. */
final class Expressions {
    private static final int DEPTH = 4;
    private static final int LONGEST = 1_500;

    private final RandomGenerator random;
    private final List<Field> fields;

    private Expressions(RandomGenerator random, Set<Field> fields) {
        this.random = random;
        this.fields = List.copyOf(fields);
    }

    /** Over these fields only. */
    static Expression random(RandomGenerator random, Set<Field> fields) {
        Expression expression;
        do {
            expression = new Expressions(random, fields).any(DEPTH);
        } while (expression.toString().length() > LONGEST);
        return expression;
    }

    private Expression any(int depth) {
        return switch (depth == 0 ? 3 : random.nextInt(5)) {
            case 0 -> Expression.and(several(depth - 1));
            case 1 -> Expression.or(several(depth - 1));
            case 2 -> new Expression.Not(any(depth - 1));
            default -> comparison();
        };
    }

    private List<Expression> several(int depth) {
        List<Expression> terms = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i >= 0; i--) {
            terms.add(any(depth));
        }
        return terms;
    }

    private Expression comparison() {
        Field field = fields.get(random.nextInt(fields.size()));
        if (field.type() == FieldType.FLAG) {
            return new Expression.Is(field);
        }
        if (field.type().isOrdered() && random.nextBoolean()) {
            Expression.Relation[] relations = Expression.Relation.values();
            return new Expression.Order(field, relations[random.nextInt(relations.length)], number(field));
        }
        if (random.nextInt(3) == 0) {
            switch (field.type()) {
                case WORD, FLOW, DEVICE -> {
                    return new Expression.Like(field, new Value.Text(pattern(field)));
                }
                case PATH -> {
                    return new Expression.Like(field, path(true));
                }
                case NODE, NUMBER, TIME, SIZE, VERSION, SEVERITY, PROTOCOL, REASON, ADDRESS, FLAG -> {}
            }
        }
        List<Value> values = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            values.add(value(field));
        }
        return new Expression.Match(field, values);
    }

    private Value value(Field field) {
        return switch (field.type()) {
            case NODE, NUMBER, TIME, SIZE, VERSION, SEVERITY, PROTOCOL, REASON, FLAG -> {
                long one = number(field);
                long other = random.nextInt(3) == 0 ? number(field) : one;
                yield new Value.Numbers(Math.min(one, other), Math.max(one, other));
            }
            case ADDRESS -> addresses();
            case WORD, FLOW, DEVICE -> new Value.Text(text(field));
            case PATH -> path(false);
        };
    }

    long number(Field field) {
        return switch (field.type()) {
            case VERSION -> List.of(5L, 10L, 20L).get(random.nextInt(3));
            case SEVERITY -> random.nextInt(3);
            case PROTOCOL -> random.nextInt(256);
            case TIME ->
                random.nextInt(8)
                        * List.of(1L, 1_000L, 1_000_000L, 1_000_000_000L).get(random.nextInt(4));
            default -> random.nextInt(4) == 0 ? random.nextLong(1L << 32) : random.nextInt(6);
        };
    }

    String text(Field field) {
        return switch (field.type()) {
            case FLOW -> "000000000000000" + random.nextInt(4);
            case DEVICE -> random.nextBoolean() ? "02:00:00:00:00:0" + random.nextInt(4) : random.nextInt(3) + "/1";
            default -> field.words().get(random.nextInt(field.words().size()));
        };
    }

    private String pattern(Field field) {
        StringBuilder pattern = new StringBuilder(text(field));
        pattern.insert(random.nextInt(pattern.length() + 1), random.nextBoolean() ? '*' : '%');
        int at = random.nextInt(pattern.length());
        if (random.nextInt(4) == 0) {
            pattern.insert(
                    at, List.of('_', '\\', '"', '\'', ' ', '(', '.', '\u00e4').get(random.nextInt(8)));
        }
        return random.nextInt(8) == 0 ? List.of("and", "", "..", "not").get(random.nextInt(4)) : pattern.toString();
    }

    private Value path(boolean pattern) {
        List<Long> nodes = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            nodes.add(pattern && random.nextBoolean() ? Wildcards.ANY_HOPS : random.nextLong(1, 4));
        }
        return new Value.Path(nodes);
    }

    private Value addresses() {
        boolean v6 = random.nextBoolean();
        int length = random.nextInt(v6 ? 129 : 33);
        Value.Addresses one = read(address(v6) + (random.nextBoolean() ? "/" + length : ""));
        Value.Addresses other = read(address(v6));
        boolean range = one.isSingle()
                && random.nextInt(3) == 0
                && one.isIpv4() == other.isIpv4()
                && Value.Addresses.isNotAfter(one.fromHigh(), one.fromLow(), other.toHigh(), other.toLow());
        return range ? new Value.Addresses(one.fromHigh(), one.fromLow(), other.toHigh(), other.toLow()) : one;
    }

    /** From few, so that they are met again; with those at the ends of prefixes among them. */
    private String address(boolean v6) {
        return address(random, v6);
    }

    static String address(RandomGenerator random, boolean v6) {
        return v6
                ? List.of(
                                "::",
                                "::1",
                                "2001:db8::1",
                                "2001:db8::ffff:1",
                                "8000::",
                                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")
                        .get(random.nextInt(6))
                : List.of("0.0.0.0", "10.0.0.1", "10.0.0.2", "10.2.0.0", "128.0.0.0", "255.255.255.255")
                        .get(random.nextInt(6));
    }

    private static Value.Addresses read(String text) {
        Value.Addresses addresses = AddressReader.read(text);
        if (addresses == null) {
            throw new IllegalStateException(text);
        }
        return addresses;
    }
}
