package io.pathlore.analysis.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What could be written at a place of a filter.
 *
 * @param from the text from here to {@code to} is what a suggestion replaces: the word that the cursor stands behind, or nothing
 */
public record Completion(int from, int to, List<Suggestion> suggestions) {
    /** More help nobody. */
    static final int MAX_SUGGESTIONS = 50;

    private static final List<String> CONNECTIVES = List.of("and", "or");
    private static final List<String> BEFORE_A_CONDITION = List.of("not", "(");

    public enum Kind {
        FIELD,
        OPERATOR,
        KEYWORD,
        /** One of the words a field can have. */
        VALUE,
        /** Of a node or drop reason. */
        NAME,
        UNIT;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@code detail} is for people, and may be empty. */
    public record Suggestion(String text, Kind kind, String detail) {}

    public Completion {
        suggestions = List.copyOf(suggestions);
    }

    /** Nothing is suggested where what stands before the cursor is wrong already. What stands behind it is not looked at. */
    public static Completion at(String text, int cursor, Names names) {
        int to = Math.clamp(cursor, 0, text.length());
        int from = to;
        while (from > 0 && Lexer.isWordPart(text.charAt(from - 1))) {
            from--;
        }
        Search search = new Search(text.substring(from, to), names);
        Expected expected = expected(text.substring(0, from), names);
        if (expected == null) {
            int quote = openQuote(text.substring(0, to));
            if (quote >= 0) {
                from = quote;
                search = new Search(text.substring(quote + 1, to), names);
                expected = expected(text.substring(0, quote), names);
                expected = expected != null && expected.isValue() ? expected : null;
            }
        }
        if (expected != null) {
            search.suggest(expected);
        }
        return new Completion(from, to, search.found);
    }

    /** Of what comes next; null where the text before is wrong. */
    private static @Nullable Expected expected(String before, Names names) {
        if (before.isBlank()) {
            return Expected.of(Expected.Kind.CONDITION);
        }
        try {
            Filter.parse(before, names);
            return Expected.of(Expected.Kind.CONNECTIVE);
        } catch (FilterException e) {
            return e.start() == before.length() ? e.expected() : null;
        }
    }

    /** Where a quote begins that is not closed; -1 when there is none. */
    private static int openQuote(String text) {
        Lexer lexer = new Lexer(text);
        try {
            while (!lexer.next().is(Token.Kind.END)) {
                // to the end
            }
            return -1;
        } catch (FilterException e) {
            char at = text.charAt(e.start());
            return at == '"' || at == '\'' ? e.start() : -1;
        }
    }

    private static final class Search {
        private final String begun;
        private final Names names;
        private final List<Suggestion> found = new ArrayList<>();

        Search(String begun, Names names) {
            this.begun = begun;
            this.names = names;
        }

        void suggest(Expected expected) {
            Field field = expected.field();
            switch (expected.kind()) {
                case CONDITION -> {
                    for (Field each : Field.values()) {
                        add(each.text(), Kind.FIELD, each.meaning());
                    }
                    BEFORE_A_CONDITION.forEach(word -> add(word, Kind.KEYWORD, ""));
                }
                case OPERATOR -> operators(field);
                case NEGATED_OPERATOR -> {
                    add("in", Kind.OPERATOR, "");
                    if (field != null && field.type().isAlike()) {
                        add("like", Kind.OPERATOR, "");
                    }
                }
                case VALUE, VALUES, PATTERN -> values(field);
                case CONNECTIVE -> CONNECTIVES.forEach(word -> add(word, Kind.KEYWORD, ""));
                case CLOSE -> {
                    CONNECTIVES.forEach(word -> add(word, Kind.KEYWORD, ""));
                    add(")", Kind.KEYWORD, "");
                }
                case NEXT_VALUE -> {
                    add(",", Kind.KEYWORD, "");
                    add(")", Kind.KEYWORD, "");
                }
            }
        }

        private void operators(@Nullable Field field) {
            if (field != null) {
                for (String operator : field.type().operators().split(", ", -1)) {
                    add(operator, Kind.OPERATOR, "");
                }
            }
        }

        private void values(@Nullable Field field) {
            if (field == null) {
                return;
            }
            field.words().forEach(word -> add(word, Kind.VALUE, ""));
            FieldType type = field.type();
            if (type == FieldType.NODE || type == FieldType.PATH) {
                for (String name : names.nodeNames()) {
                    // A hop is one node.
                    if (type == FieldType.NODE || names.nodes(name).size() == 1) {
                        add(Lexer.quoted(name), Kind.NAME, joined(names.nodes(name)));
                    }
                }
            } else if (type == FieldType.REASON) {
                names.dropReasonNames()
                        .forEach(name -> add(Lexer.quoted(name), Kind.NAME, joined(names.dropReasons(name))));
            }
            units(type);
        }

        private static String joined(List<Long> numbers) {
            return String.join(", ", numbers.stream().map(String::valueOf).toList());
        }

        /** A number that was begun, with each unit behind it. */
        private void units(FieldType type) {
            int digits = 0;
            while (digits < begun.length()
                    && (Character.isDigit(begun.charAt(digits)) || begun.charAt(digits) == '.')) {
                digits++;
            }
            for (Unit unit : Unit.values()) {
                if (digits > 0 && unit.measure() == type.measure()) {
                    add(begun.substring(0, digits) + unit.text(), Kind.UNIT, "");
                }
            }
        }

        private void add(String text, Kind kind, String detail) {
            String plain = text.startsWith("\"") ? text.substring(1) : text;
            if (found.size() < MAX_SUGGESTIONS && plain.regionMatches(true, 0, begun, 0, begun.length())) {
                found.add(new Suggestion(text, kind, detail));
            }
        }
    }
}
