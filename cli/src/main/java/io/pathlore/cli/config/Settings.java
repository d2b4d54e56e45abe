package io.pathlore.cli.config;

import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Origin;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A section of the merged settings and typed reading from it: every complaint names key, value and what is allowed. */
final class Settings {
    private final Section section;
    private final String path;

    Settings(Section section, String path) {
        this.section = section;
        this.path = path;
    }

    /** {@code over} wins. Sections and maps are merged, lists and values replaced. */
    static Setting merge(Setting under, Setting over) {
        if (under instanceof Section low && over instanceof Section high) {
            Map<String, Setting> entries = new LinkedHashMap<>(low.entries());
            high.entries().forEach((key, value) -> entries.merge(key, value, Settings::merge));
            return new Section(entries, high.origin());
        }
        boolean isEmptySection = under instanceof Section && over instanceof Scalar scalar && scalar.text() == null;
        return isEmptySection ? under : over;
    }

    Section whole() {
        return section;
    }

    boolean has(String key) {
        return section.entries().containsKey(key);
    }

    boolean isDefault(String key) {
        return setting(key).origin().isDefault();
    }

    boolean isNull(String key) {
        return setting(key) instanceof Scalar scalar && scalar.text() == null;
    }

    Settings section(String key) {
        return new Settings((Section) setting(key), pathOf(key));
    }

    Map<String, Setting> entries() {
        return section.entries();
    }

    List<Settings> sections(String key) {
        List<Settings> sections = new ArrayList<>();
        for (Setting item : items(key)) {
            Setting setting = item instanceof Scalar scalar && scalar.text() == null
                    ? new Section(Map.of(), scalar.origin())
                    : item;
            sections.add(new Settings((Section) setting, pathOf(key)));
        }
        return sections;
    }

    String text(String key) {
        String text = optionalText(key);
        if (text == null) {
            throw error(key, "has no value");
        }
        return text;
    }

    @Nullable
    String optionalText(String key) {
        return ((Scalar) setting(key)).text();
    }

    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        for (Setting item : items(key)) {
            String text = ((Scalar) item).text();
            if (text == null) {
                throw item.origin().error(pathOf(key) + ": an item has no value");
            }
            texts.add(text);
        }
        return texts;
    }

    boolean flag(String key) {
        return text(key).equals("true");
    }

    long number(String key, long min, long max) {
        return number(setting(key).origin(), pathOf(key), text(key), min, max);
    }

    List<Integer> numbers(String key, int min, int max) {
        List<Integer> numbers = new ArrayList<>();
        for (Setting item : items(key)) {
            String text = String.valueOf(((Scalar) item).text());
            numbers.add((int) number(item.origin(), pathOf(key), text, min, max));
        }
        return numbers;
    }

    /** One of these words. */
    String word(String key, String... allowed) {
        String word = text(key);
        for (String one : allowed) {
            if (one.equals(word)) {
                return word;
            }
        }
        throw error(key, "'" + word + "' is not one of " + String.join(", ", allowed));
    }

    /** Decimal, or hexadecimal behind 0x. */
    static long number(Origin origin, String path, String text, long min, long max) {
        long number;
        try {
            boolean isHex = text.startsWith("0x") || text.startsWith("0X");
            number = isHex ? Long.parseLong(text, 2, text.length(), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw origin.error(path + ": '" + text + "' is not a whole number from " + range(min, max, text));
        }
        if (number < min || number > max) {
            throw origin.error(path + ": " + text + " is not in " + range(min, max, text));
        }
        return number;
    }

    private static String range(long min, long max, String text) {
        if (text.startsWith("0x")) {
            return "0x" + Long.toHexString(min) + " to 0x" + Long.toHexString(max);
        }
        return min + " to " + max;
    }

    ConfigException error(String key, String message) {
        return setting(key).origin().error(pathOf(key) + ": " + message);
    }

    ConfigException error(String message) {
        return section.origin().error(path + ": " + message);
    }

    private List<Setting> items(String key) {
        return ((Items) setting(key)).items();
    }

    Setting setting(String key) {
        Setting setting = section.entries().get(key);
        if (setting == null) {
            throw new IllegalStateException(pathOf(key) + " has no default");
        }
        return setting;
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
