package io.pathlore.cli.config;

import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Origin;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A section of a file in which every key may be missing, read key by key. Every complaint names the line. */
final class Part {
    private final Section section;
    private final String path;

    private Part(Section section, String path) {
        this.section = section;
        this.path = path;
    }

    static Part of(Section file) {
        return new Part(file, "");
    }

    /** Complains of the first key that is none of these. */
    Part allow(String... keys) {
        return allow(List.of(keys));
    }

    Part allow(Collection<String> keys) {
        Set<String> known = new LinkedHashSet<>(keys);
        section.entries().forEach((key, value) -> {
            if (!known.contains(key)) {
                throw value.origin().error("unknown key '" + pathOf(key) + "'" + meant(key, known, "; known here: "));
            }
        });
        return this;
    }

    private static String meant(String word, Collection<String> known, String otherwise) {
        String nearest = Nearest.to(word, known);
        return nearest != null ? "; did you mean '" + nearest + "'?" : otherwise + String.join(", ", known);
    }

    Collection<String> keys() {
        return section.entries().keySet();
    }

    boolean has(String key) {
        return get(key) != null;
    }

    /** Null where it is missing, or has no value. */
    private @Nullable Setting get(String key) {
        Setting setting = section.entries().get(key);
        return setting instanceof Scalar scalar && scalar.text() == null ? null : setting;
    }

    /** A section that may be missing, and is empty then. */
    Part part(String key) {
        Setting setting = get(key);
        if (setting == null) {
            return new Part(new Section(Map.of(), section.origin()), pathOf(key));
        }
        return asPart(setting, pathOf(key));
    }

    private static Part asPart(Setting setting, String path) {
        if (setting instanceof Section inner) {
            return new Part(inner, path);
        }
        throw setting.origin().error(path + ": expected keys and values");
    }

    List<Part> parts(String key) {
        List<Part> parts = new ArrayList<>();
        Setting setting = get(key);
        if (setting == null) {
            return parts;
        }
        if (!(setting instanceof Items items)) {
            throw setting.origin().error(pathOf(key) + ": expected a list, each item with a -");
        }
        for (Setting item : items.items()) {
            parts.add(asPart(item, pathOf(key)));
        }
        return parts;
    }

    /** Must be there. */
    String text(String key) {
        Setting setting = get(key);
        if (setting == null) {
            throw error("needs '" + key + "'");
        }
        return scalar(setting, pathOf(key));
    }

    String text(String key, String otherwise) {
        return has(key) ? text(key) : otherwise;
    }

    private static String scalar(Setting setting, String path) {
        if (setting instanceof Scalar scalar && scalar.text() != null) {
            return scalar.text();
        }
        throw setting.origin().error(path + ": expected a single value");
    }

    /** A list, or one alone; its items as text joined by commas for who reads lists that way. */
    List<String> texts(String key) {
        Setting setting = get(key);
        if (setting == null) {
            return List.of();
        }
        if (setting instanceof Items items) {
            return items.items().stream().map(item -> scalar(item, pathOf(key))).toList();
        }
        return List.of(scalar(setting, pathOf(key)));
    }

    boolean flag(String key, boolean otherwise) {
        return word(key, otherwise ? "true" : "false", List.of("true", "false")).equals("true");
    }

    /** One of these words. */
    String word(String key, String otherwise, Collection<String> allowed) {
        String word = text(key, otherwise);
        if (!allowed.contains(word)) {
            String nearest = Nearest.to(word, allowed);
            throw error(
                    key,
                    "'" + word + "' is not one of " + String.join(", ", allowed)
                            + (nearest == null ? "" : "; did you mean '" + nearest + "'?"));
        }
        return word;
    }

    long number(String key, long otherwise, long min, long max) {
        Setting setting = get(key);
        return setting == null
                ? otherwise
                : Settings.number(setting.origin(), pathOf(key), scalar(setting, pathOf(key)), min, max);
    }

    int integer(String key, int otherwise, int min, int max) {
        return (int) number(key, otherwise, min, max);
    }

    long nanos(String key, long otherwise) {
        return quantity(key, otherwise, Quantities::nanos);
    }

    long bytes(String key, long otherwise) {
        return quantity(key, otherwise, Quantities::bytes);
    }

    long bitsPerSecond(String key, long otherwise) {
        return quantity(key, otherwise, Quantities::bitsPerSecond);
    }

    /** Of a billion. */
    int share(String key, int otherwise) {
        long share = quantity(key, otherwise, Quantities::share);
        if (share > 1_000_000_000L) {
            throw error(key, "more than 100%");
        }
        return (int) share;
    }

    private long quantity(String key, long otherwise, ToLongFunction<String> read) {
        if (!has(key)) {
            return otherwise;
        }
        return wrap(key, () -> read.applyAsLong(text(key)));
    }

    /** What can refuse its arguments. */
    interface Making<T> {
        T make();
    }

    /** Turns what a constructor complains of into an error of that key's line. */
    <T> T wrap(String key, Making<T> making) {
        try {
            return making.make();
        } catch (IllegalArgumentException e) {
            throw error(key, String.valueOf(e.getMessage()));
        }
    }

    /** The same, for the section as a whole. */
    <T> T wrap(Making<T> making) {
        try {
            return making.make();
        } catch (IllegalArgumentException e) {
            throw error(String.valueOf(e.getMessage()));
        }
    }

    ConfigException error(String key, String message) {
        Setting setting = section.entries().get(key);
        Origin origin = setting == null ? section.origin() : setting.origin();
        return origin.error(pathOf(key) + ": " + message);
    }

    ConfigException error(String message) {
        return section.origin().error(path.isEmpty() ? message : path + ": " + message);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
