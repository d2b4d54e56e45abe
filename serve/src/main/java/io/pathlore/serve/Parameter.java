package io.pathlore.serve;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One parameter that a route takes. What is said here is what the document says and what is checked before the route is asked; what
 * a time or a filter means the route finds out itself.
 *
 * @param usual what it is when it is not given; null: nothing
 */
public record Parameter(
        String name, String means, Form form, @Nullable String usual) {
    private static final int MAX_LIMIT = 10_000;
    private static final int USUAL_LIMIT = 1_000;

    public static final Parameter LIMIT = number("limit", "so many at most", 1, MAX_LIMIT, USUAL_LIMIT);
    public static final Parameter CURSOR =
            text("cursor", "where to go on: `next` of the answer before, with all other parameters as they were");
    public static final Parameter SINCE = text("since", "from then on: RFC 3339, or so long before the end, like `5m`");
    public static final Parameter UNTIL = text("until", "up to then: RFC 3339, or `now`");

    /** What its values look like. */
    public sealed interface Form {
        record Range(long least, long most) implements Form {}

        record Word(List<String> words) implements Form {
            public Word {
                words = List.copyOf(words);
            }
        }

        /** {@code pattern}: empty, or the whole of it matches. */
        record Text(String pattern) implements Form {}
    }

    public static Parameter number(String name, String means, long least, long most, long usual) {
        return new Parameter(name, means, new Form.Range(least, most), Long.toString(usual));
    }

    /** The usual one first. */
    public static Parameter choice(String name, String means, String usual, String... others) {
        List<String> words = new ArrayList<>(List.of(usual));
        words.addAll(List.of(others));
        return new Parameter(name, means, new Form.Word(words), usual);
    }

    public static Parameter word(String name, String means, List<String> words) {
        return new Parameter(name, means, new Form.Word(words), null);
    }

    public static Parameter text(String name, String means) {
        return new Parameter(name, means, new Form.Text(""), null);
    }

    public static Parameter text(String name, String means, String pattern) {
        return new Parameter(name, means, new Form.Text(pattern), null);
    }

    public static Parameter filter(String of) {
        return text("filter", "only " + of + " that match, in the filter language");
    }

    void check(String value) throws Problem {
        switch (form) {
            case Form.Range(long least, long most) -> {
                if (!value.matches("0|[1-9][0-9]{0,17}")
                        || Long.parseLong(value) < least
                        || Long.parseLong(value) > most) {
                    throw new Problem(400, name + ": a number from " + least + " to " + most);
                }
            }
            case Form.Word(List<String> words) -> {
                if (!words.contains(value)) {
                    throw new Problem(400, name + ": " + either(words));
                }
            }
            case Form.Text(String pattern) -> {
                if (!pattern.isEmpty() && !value.matches(pattern)) {
                    throw new Problem(400, name + ": " + means);
                }
            }
        }
    }

    private static String either(List<String> words) {
        int last = words.size() - 1;
        return String.join(", ", words.subList(0, last)) + (last > 0 ? " or " : "") + words.get(last);
    }

    /** As a schema [JSON Schema 2020-12]. */
    void schema(JsonText json) {
        json.open('{');
        switch (form) {
            case Form.Range(long least, long most) -> {
                json.name("type").value("integer");
                json.name("minimum").value(least).name("maximum").value(most);
                if (usual != null) {
                    json.name("default").raw(usual);
                }
            }
            case Form.Word(List<String> words) -> {
                json.name("type").value("string").name("enum").open('[');
                words.forEach(json::value);
                json.close(']');
                if (usual != null) {
                    json.name("default").value(usual);
                }
            }
            case Form.Text(String pattern) -> {
                json.name("type").value("string");
                if (!pattern.isEmpty()) {
                    json.name("pattern").value("^(" + pattern + ")$");
                }
            }
        }
        json.close('}');
    }
}
