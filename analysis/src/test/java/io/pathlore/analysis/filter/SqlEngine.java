package io.pathlore.analysis.filter;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * As much of SQL as filters become, read from its text and evaluated by the rules of SQL: it shares no code with what it checks.
 * Null is NULL; a truth is a {@code Boolean}; numbers are {@code BigInteger}.
 */
final class SqlEngine {
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(<=|>=|<>|[()=<>,?]|'(?:[^'])*'|[A-Za-z_][A-Za-z_0-9]*|[0-9]+)");

    private final List<String> tokens = new ArrayList<>();
    private final Iterator<Object> parameters;
    private final Map<String, @Nullable Object> row;
    private int at;

    private SqlEngine(Sql sql, Map<String, @Nullable Object> row) {
        Matcher matcher = TOKEN.matcher(sql.text());
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        if (end != sql.text().length()) {
            throw new IllegalArgumentException("cannot read " + sql.text().substring(end));
        }
        parameters = sql.parameters().iterator();
        this.row = row;
    }

    /** Whether a row is selected. */
    static boolean selects(Sql sql, Map<String, @Nullable Object> row) {
        SqlEngine engine = new SqlEngine(sql, row);
        Object result = engine.or();
        if (engine.at != engine.tokens.size() || engine.parameters.hasNext()) {
            throw new IllegalArgumentException("something is left over in " + sql);
        }
        return Boolean.TRUE.equals(result);
    }

    private boolean takes(String token) {
        boolean there = at < tokens.size() && tokens.get(at).equals(token);
        at += there ? 1 : 0;
        return there;
    }

    private void need(String token) {
        if (!takes(token)) {
            throw new IllegalArgumentException("no " + token + " at " + tokens.subList(at, tokens.size()));
        }
    }

    private @Nullable Object or() {
        Object result = and();
        while (takes("OR")) {
            Object next = and();
            result = Boolean.TRUE.equals(result) || Boolean.TRUE.equals(next)
                    ? Boolean.TRUE
                    : result == null || next == null ? null : Boolean.FALSE;
        }
        return result;
    }

    private @Nullable Object and() {
        Object result = not();
        while (takes("AND")) {
            Object next = not();
            result = Boolean.FALSE.equals(result) || Boolean.FALSE.equals(next)
                    ? Boolean.FALSE
                    : result == null || next == null ? null : Boolean.TRUE;
        }
        return result;
    }

    private @Nullable Object not() {
        if (takes("NOT")) {
            return negated(not());
        }
        return comparison();
    }

    private static @Nullable Object negated(@Nullable Object truth) {
        return truth == null ? null : !(Boolean) truth;
    }

    private @Nullable Object comparison() {
        Object left = operand();
        boolean negated = takes("NOT");
        if (takes("BETWEEN")) {
            Object from = operand();
            need("AND");
            Object to = operand();
            Object within = left == null ? null : compare(left, from) >= 0 && compare(left, to) <= 0;
            return negated ? negated(within) : within;
        }
        if (takes("IN")) {
            need("(");
            boolean found = false;
            do {
                Object one = operand();
                found |= left != null && compare(left, one) == 0;
            } while (takes(","));
            need(")");
            return left == null ? null : found;
        }
        if (takes("LIKE")) {
            String pattern = literal();
            return left == null ? null : like(pattern, (String) left) != negated;
        }
        if (takes("ILIKE")) {
            String pattern = String.valueOf(operand());
            need("ESCAPE");
            need("'\\'");
            return left == null ? null : like(pattern, (String) left);
        }
        for (String operator : List.of("=", "<>", "<", "<=", ">", ">=")) {
            if (takes(operator)) {
                Object right = operand();
                return left == null || right == null ? null : holds(operator, compare(left, right));
            }
        }
        return left;
    }

    private String literal() {
        String token = tokens.get(at++);
        return token.substring(1, token.length() - 1);
    }

    private static boolean holds(String operator, int order) {
        return switch (operator) {
            case "=" -> order == 0;
            case "<>" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    private static int compare(Object left, @Nullable Object right) {
        if (left instanceof BigInteger number && right instanceof BigInteger other) {
            return number.compareTo(other);
        }
        if (left instanceof String text && right instanceof String other) {
            return text.compareTo(other);
        }
        throw new IllegalArgumentException("types differ: " + left + " and " + right);
    }

    private static boolean like(String pattern, String text) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\') {
                regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
            } else {
                regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL)
                .matcher(text)
                .matches();
    }

    private @Nullable Object operand() {
        String token = tokens.get(at++);
        return switch (token) {
            case "(" -> {
                Object inner = or();
                need(")");
                yield inner;
            }
            case "?" -> {
                Object value = parameters.next();
                yield value instanceof Long number ? BigInteger.valueOf(number) : value;
            }
            case "TRUE" -> true;
            case "CAST" -> {
                need("(");
                Object value = operand();
                need("AS");
                need("UHUGEINT");
                need(")");
                yield new BigInteger(String.valueOf(value));
            }
            case "coalesce" -> {
                need("(");
                Object first = or();
                while (takes(",")) {
                    Object next = or();
                    first = first == null ? next : first;
                }
                need(")");
                yield first;
            }
            case "regexp_full_match" -> {
                need("(");
                Object text = operand();
                need(",");
                Object regex = operand();
                need(")");
                yield text == null ? null : Pattern.matches(String.valueOf(regex), (String) text);
            }
            default -> {
                if (Character.isDigit(token.charAt(0))) {
                    yield new BigInteger(token);
                }
                if (!row.containsKey(token)) {
                    throw new IllegalArgumentException("no column " + token);
                }
                yield row.get(token);
            }
        };
    }
}
