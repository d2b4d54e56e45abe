package io.pathlore.cli.config;

import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Section;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What may stand at a place of the configuration file. Read off {@code defaults.yaml}, which has every key, so a key cannot
 * have a default and be unknown; only what an empty list, an empty map or a null cannot show is written down here.
 */
sealed interface Shape {
    record Keys(Map<String, Shape> keys) implements Shape {
        public Keys {
            keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        }
    }

    /** Keys are the user's: domain ids, interface numbers. */
    record Mapping(Shape value) implements Shape {}

    record ListOf(Shape item) implements Shape {}

    record Value(Kind kind) implements Shape {}

    /** Of a part that no command of this release reads. */
    record Anything() implements Shape {}

    enum Kind {
        /** Null allowed: the default is null. */
        OPTIONAL(".*", ""),
        TEXT(".*", "a value"),
        BOOLEAN("true|false", "true or false"),
        INTEGER("-?[0-9]+|0[xX][0-9a-fA-F]+", "a whole number"),
        DURATION("[0-9]+(ns|us|ms|s|m|h|d)|0", "a duration, like 200ms, 5s or 7d"),
        SIZE("[0-9]+([KMGT]i?B|B)?", "a size, like 64MiB");

        final Pattern pattern;
        final String wanted;

        Kind(String pattern, String wanted) {
            this.pattern = Pattern.compile(pattern, Pattern.DOTALL);
            this.wanted = wanted;
        }

        /** What the default is, its replacement must be. */
        static Kind of(@Nullable String text) {
            if (text == null) {
                return OPTIONAL;
            }
            if (BOOLEAN.accepts(text)) {
                return BOOLEAN;
            }
            if (INTEGER.accepts(text)) {
                return INTEGER;
            }
            if (DURATION.accepts(text)) {
                return DURATION;
            }
            return SIZE.accepts(text) ? SIZE : TEXT;
        }

        boolean accepts(String text) {
            return pattern.matcher(text).matches();
        }
    }

    Shape TEXT = new Value(Kind.TEXT);
    Shape OPTIONAL = new Value(Kind.OPTIONAL);
    Shape INTEGER = new Value(Kind.INTEGER);
    Shape BOOLEAN = new Value(Kind.BOOLEAN);

    /** What the defaults cannot show, by path. */
    Map<String, Shape> NOT_SHOWN = Map.of(
            "decode.domains",
            new Mapping(new ListOf(keys("bit", INTEGER, "words", INTEGER, "source-only", BOOLEAN, "name", TEXT))),
            "inventory",
            new ListOf(inventoryEntry()),
            "defend.thresholds",
            new Mapping(new Anything()),
            "defend.enforcers",
            new ListOf(new Mapping(new Anything())),
            "notify",
            new ListOf(new Mapping(new Anything())),
            "maintenance",
            new ListOf(new Mapping(new Anything())),
            "edges",
            new ListOf(new Mapping(TEXT)),
            "http.tls",
            new Anything());

    private static Shape inventoryEntry() {
        Map<String, Shape> keys = new LinkedHashMap<>();
        keys.put("node", INTEGER);
        keys.put("name", TEXT);
        keys.put("addresses", new ListOf(TEXT));
        keys.put("profile", TEXT);
        keys.put("sequence", TEXT);
        keys.put("sampling", OPTIONAL);
        keys.put("timestamp-unit", TEXT);
        keys.put("clock", TEXT);
        keys.put("queue", keys("unit", TEXT, "capacity", INTEGER));
        keys.put("interfaces", new Mapping(keys("name", TEXT, "speed", TEXT)));
        keys.put("drop-reasons", new Anything()); // a word or a map
        return new Keys(keys);
    }

    private static Keys keys(Object... namesAndShapes) {
        Map<String, Shape> keys = new LinkedHashMap<>();
        for (int i = 0; i < namesAndShapes.length; i += 2) {
            keys.put((String) namesAndShapes[i], (Shape) namesAndShapes[i + 1]);
        }
        return new Keys(keys);
    }

    static Keys of(Section defaults) {
        return keysOf(defaults, "");
    }

    private static Keys keysOf(Section section, String path) {
        Map<String, Shape> keys = new LinkedHashMap<>();
        section.entries().forEach((key, value) -> {
            String keyPath = path.isEmpty() ? key : path + "." + key;
            Shape known = NOT_SHOWN.get(keyPath);
            keys.put(key, known != null ? known : shapeOf(value, keyPath));
        });
        return new Keys(keys);
    }

    private static Shape shapeOf(Setting setting, String path) {
        return switch (setting) {
            case Setting.Scalar scalar -> new Value(Kind.of(scalar.text()));
            case Items items when items.items().isEmpty() -> new ListOf(TEXT);
            case Items items -> new ListOf(shapeOf(items.items().getFirst(), path));
            case Section section -> keysOf(section, path);
        };
    }

    /** Throws with the line of the first thing that does not fit. */
    static void check(Setting setting, Shape shape, String path) {
        switch (shape) {
            case Anything anything -> {}
            case Keys keys -> {
                for (var entry : section(setting, path).entries().entrySet()) {
                    String keyPath = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                    Shape inner = keys.keys().get(entry.getKey());
                    if (inner == null) {
                        throw entry.getValue().origin().error(unknownKey(keyPath, entry.getKey(), keys));
                    }
                    check(entry.getValue(), inner, keyPath);
                }
            }
            case Mapping mapping ->
                section(setting, path)
                        .entries()
                        .forEach((key, value) -> check(value, mapping.value(), path + "." + key));
            case ListOf list -> {
                if (!(setting instanceof Items items)) {
                    throw setting.origin().error(path + ": expected a list, like [a, b]");
                }
                for (Setting item : items.items()) {
                    check(item, list.item(), path);
                }
            }
            case Value value -> checkValue(setting, value.kind(), path);
        }
    }

    private static Section section(Setting setting, String path) {
        if (setting instanceof Section section) {
            return section;
        }
        if (setting instanceof Setting.Scalar scalar && scalar.text() == null) {
            return new Section(Map.of(), scalar.origin()); // "listen:" with everything below it commented out
        }
        throw setting.origin().error((path.isEmpty() ? "the file" : path) + ": expected keys and values");
    }

    private static void checkValue(Setting setting, Kind kind, String path) {
        if (!(setting instanceof Setting.Scalar scalar)) {
            throw setting.origin().error(path + ": expected a single value");
        }
        String text = scalar.text();
        if (text == null) {
            if (kind != Kind.OPTIONAL) {
                throw scalar.origin().error(path + ": has no value; expected " + kind.wanted);
            }
        } else if (!kind.accepts(text)) {
            throw scalar.origin().error(path + ": '" + text + "' is not " + kind.wanted);
        }
    }

    private static String unknownKey(String path, String key, Keys known) {
        String nearest = Nearest.to(key, known.keys().keySet());
        return "unknown key '" + path + "'"
                + (nearest != null
                        ? "; did you mean '" + nearest + "'?"
                        : "; known here: " + String.join(", ", known.keys().keySet()));
    }
}
