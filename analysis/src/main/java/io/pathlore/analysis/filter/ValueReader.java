package io.pathlore.analysis.filter;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads what stands behind an operator, by the type of the field. */
final class ValueReader {
    /** More digits say nothing more, and would take long. */
    private static final int LONGEST_NUMBER = 40;

    private static final int LARGEST_PROTOCOL = 255;
    private static final List<String> YES = List.of("true", "yes", "1");
    private static final List<String> NO = List.of("false", "no", "0");

    private final String source;
    private final Names names;

    ValueReader(String source, Names names) {
        this.source = source;
        this.names = names;
    }

    /** More than one where a name stands for several numbers. */
    List<Value> values(Field field, Token token) throws FilterException {
        return switch (field.type()) {
            case NODE -> numbers(nodes(field, token));
            case REASON -> numbers(reasons(field, token));
            case ADDRESS -> List.of(addresses(field, token));
            case WORD -> List.of(new Value.Text(word(field, token)));
            case FLOW -> List.of(new Value.Text(flow(field, token)));
            case DEVICE -> List.of(new Value.Text(device(field, token)));
            case PATH -> List.of(new Value.Path(hops(field, token, false)));
            case NUMBER, TIME, SIZE, VERSION, SEVERITY, PROTOCOL, FLAG -> numbers(List.of(number(field, token)));
        };
    }

    private static List<Value> numbers(List<Long> numbers) {
        List<Value> values = new ArrayList<>();
        numbers.forEach(number -> values.add(Value.Numbers.only(number)));
        return values;
    }

    /** The one number that a token is, where only one will do. */
    long number(Field field, Token token) throws FilterException {
        return switch (field.type()) {
            case NODE -> only(nodes(field, token), token);
            case REASON -> only(reasons(field, token), token);
            case NUMBER, TIME, SIZE -> quantity(field, token);
            case VERSION -> version(field, token);
            case SEVERITY -> field.words().indexOf(word(field, token));
            case PROTOCOL -> protocol(field, token);
            case FLAG -> flag(field, token) ? 1 : 0;
            case ADDRESS, WORD, FLOW, DEVICE, PATH -> throw wrong(field, token, "");
        };
    }

    private long only(List<Long> numbers, Token token) throws FilterException {
        if (numbers.size() != 1) {
            throw error(token, token.shown() + " stands for " + numbers.size() + " numbers; write the one you mean");
        }
        return numbers.getFirst();
    }

    /** Both ends belong to it. */
    Value range(Field field, Token first, Token last) throws FilterException {
        FieldType type = field.type();
        if (type == FieldType.ADDRESS) {
            return addresses(field, first, last);
        }
        if (type == FieldType.WORD || type == FieldType.FLOW || type == FieldType.DEVICE || type == FieldType.PATH) {
            throw error(first, last, field.text() + " has no ranges; it is " + type.wanted());
        }
        long from = number(field, first);
        long to = number(field, last);
        if (from > to) {
            throw error(first, last, "the range ends before it begins");
        }
        return new Value.Numbers(from, to);
    }

    private Value addresses(Field field, Token first, Token last) throws FilterException {
        Value.Addresses from = addresses(field, first);
        Value.Addresses to = addresses(field, last);
        if (!from.isSingle() || !to.isSingle()) {
            throw error(first, last, "a range goes from one address to another");
        }
        if (from.isIpv4() != to.isIpv4()) {
            throw error(first, last, "a range has addresses of one family");
        }
        if (!Value.Addresses.isNotAfter(from.fromHigh(), from.fromLow(), to.fromHigh(), to.fromLow())) {
            throw error(first, last, "the range ends before it begins");
        }
        return new Value.Addresses(from.fromHigh(), from.fromLow(), to.toHigh(), to.toLow());
    }

    private Value.Addresses addresses(Field field, Token token) throws FilterException {
        Value.Addresses addresses = AddressReader.read(token.text());
        if (addresses == null) {
            throw wrong(field, token, "");
        }
        return addresses;
    }

    // Numbers
    // --------------------------------------------------------------------------------------------------------------

    private long quantity(Field field, Token token) throws FilterException {
        String text = token.text();
        if (isHex(text)) {
            return hex(token);
        }
        int digits = 0;
        while (digits < text.length() && isDecimal(text.charAt(digits))) {
            digits++;
        }
        String unitText = text.substring(digits);
        Unit unit = Unit.of(unitText);
        if (digits == 0 || !unitText.isEmpty() && unit == null) {
            throw wrong(field, token, "");
        }
        Unit.Measure measure = field.type().measure();
        if (unit != null && unit.measure() != measure) {
            throw error(
                    token,
                    token.shown() + " is " + unit.measure() + "; " + field.text() + " is "
                            + field.type().wanted());
        }
        return whole(field, token, text.substring(0, digits), unit == null ? 1 : unit.factor());
    }

    private long whole(Field field, Token token, String decimal, long factor) throws FilterException {
        if (decimal.length() > LONGEST_NUMBER) {
            throw error(token, "this number is too long");
        }
        try {
            return new BigDecimal(decimal).multiply(BigDecimal.valueOf(factor)).longValueExact();
        } catch (NumberFormatException e) {
            throw wrong(field, token, "");
        } catch (ArithmeticException e) {
            throw error(token, token.shown() + " is too large or too fine for " + field.text());
        }
    }

    private long hex(Token token) throws FilterException {
        String digits = token.text().substring(2);
        // More than 15 digits may take the sign bit.
        if (digits.length() > 15 || !isHexDigits(digits)) {
            throw error(token, token.shown() + " is not a hexadecimal number of at most 60 bits");
        }
        return Long.parseLong(digits, 16);
    }

    private static boolean isHex(String text) {
        return text.length() > 2 && (text.startsWith("0x") || text.startsWith("0X"));
    }

    private static boolean isDecimal(char c) {
        return c >= '0' && c <= '9' || c == '.';
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.charAt(0) >= '0' && text.charAt(0) <= '9' && (isHex(text) || isDigits(text));
    }

    private static boolean isDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private long version(Field field, Token token) throws FilterException {
        return switch (token.text()) {
            case "0.5" -> 5;
            case "1", "1.0" -> 10;
            case "2", "2.0" -> 20;
            default -> throw wrong(field, token, "");
        };
    }

    private long protocol(Field field, Token token) throws FilterException {
        int known = Protocols.number(token.text());
        if (known >= 0) {
            return known;
        }
        long number = isNumber(token.text()) ? quantity(field, token) : -1;
        if (number < 0 || number > LARGEST_PROTOCOL) {
            throw wrong(field, token, Nearest.hint(token.text(), Protocols.NAMES));
        }
        return number;
    }

    private boolean flag(Field field, Token token) throws FilterException {
        String word = token.text().toLowerCase(Locale.ROOT);
        if (!YES.contains(word) && !NO.contains(word)) {
            throw wrong(field, token, "");
        }
        return YES.contains(word);
    }

    private List<Long> nodes(Field field, Token token) throws FilterException {
        return named(field, token, names.nodes(token.text()), names.nodeNames());
    }

    private List<Long> reasons(Field field, Token token) throws FilterException {
        return named(field, token, names.dropReasons(token.text()), names.dropReasonNames());
    }

    /** What looks like a number is one, unless quotes and a name say otherwise. */
    private List<Long> named(Field field, Token token, List<Long> named, List<String> known) throws FilterException {
        boolean number = isNumber(token.text());
        if (number && (token.is(Token.Kind.WORD) || named.isEmpty())) {
            return List.of(quantity(field, token));
        }
        if (named.isEmpty()) {
            throw wrong(field, token, Nearest.hint(token.text(), known));
        }
        return named;
    }

    // Words
    // --------------------------------------------------------------------------------------------------------------

    private String word(Field field, Token token) throws FilterException {
        for (String known : field.words()) {
            if (known.equalsIgnoreCase(token.text())) {
                return known;
            }
        }
        String hint = Nearest.hint(token.text(), field.words());
        throw wrong(field, token, hint);
    }

    private String flow(Field field, Token token) throws FilterException {
        String id = token.text().toLowerCase(Locale.ROOT);
        if (id.length() != 16 || !isHexDigits(id)) {
            throw wrong(field, token, "");
        }
        return id;
    }

    private static boolean isHexDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 127 || Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private String device(Field field, Token token) throws FilterException {
        String mac = mac(token.text());
        if (mac != null) {
            return mac;
        }
        int slash = token.text().lastIndexOf('/');
        String port = token.text().substring(slash + 1);
        if (slash <= 0 || port.isEmpty() || port.length() > LONGEST_NUMBER || !isDigits(port)) {
            throw wrong(field, token, "");
        }
        String name = token.text().substring(0, slash);
        Token node = new Token(token.kind(), name, token.start(), token.start() + name.length());
        return only(nodes(field, node), node) + "/" + port;
    }

    /** With colons, hyphens or dots, lower case with colons; null when it is none. */
    private static @Nullable String mac(String text) {
        boolean pairs = text.length() == 17;
        if (!pairs && text.length() != 14) {
            return null;
        }
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean between = pairs ? i % 3 == 2 : i % 5 == 4;
            if (between ? !(pairs ? c == ':' || c == '-' : c == '.') : c > 127 || Character.digit(c, 16) < 0) {
                return null;
            }
            if (!between) {
                digits.append(digits.length() % 3 == 2 ? ":" : "").append(Character.toLowerCase(c));
            }
        }
        return digits.toString();
    }

    // Patterns
    // --------------------------------------------------------------------------------------------------------------

    /** Of names, those that are alike; of words, the pattern. */
    Expression like(Field field, Token token) throws FilterException {
        FieldType type = field.type();
        if (type == FieldType.NODE || type == FieldType.REASON) {
            boolean ofNodes = type == FieldType.NODE;
            List<Long> found = ofNodes ? names.nodesLike(token.text()) : names.dropReasonsLike(token.text());
            if (found.isEmpty()) {
                throw error(token, "no " + (ofNodes ? "node" : "drop reason") + " has a name like " + token.shown());
            }
            return new Expression.Match(field, numbers(found));
        }
        return new Expression.Like(field, new Value.Text(token.text()));
    }

    /** Nodes of a path: one, or where it is quoted several. */
    List<Long> hops(Field field, Token token, boolean pattern) throws FilterException {
        List<Long> hops = new ArrayList<>();
        for (String part : token.text().split(">", -1)) {
            String hop = part.strip();
            Token named = new Token(isNumber(hop) ? Token.Kind.WORD : token.kind(), hop, token.start(), token.end());
            boolean any = hop.length() == 1 && Wildcards.is(hop.charAt(0));
            if (any && !pattern) {
                throw error(token, "'" + hop + "' is for like");
            }
            hops.add(any ? Wildcards.ANY_HOPS : only(nodes(field, named), named));
        }
        return hops;
    }

    // Errors
    // --------------------------------------------------------------------------------------------------------------

    private FilterException wrong(Field field, Token token, String hint) {
        String wanted = field.type() == FieldType.WORD
                ? "one of " + String.join(", ", shown(field))
                : field.type().wanted();
        return new FilterException(
                source,
                token.start(),
                token.end(),
                token.shown() + " is not " + wanted + hint,
                Expected.of(Expected.Kind.VALUE, field));
    }

    /** There are too many names of errors for a line. */
    private static List<String> shown(Field field) {
        List<String> words = field.words();
        if (words.size() <= 16) {
            return words;
        }
        List<String> some = new ArrayList<>(words.subList(0, 3));
        some.add("…");
        return some;
    }

    private FilterException error(Token token, String message) {
        return new FilterException(source, token.start(), token.end(), message);
    }

    private FilterException error(Token first, Token last, String message) {
        return new FilterException(source, first.start(), last.end(), message);
    }
}
