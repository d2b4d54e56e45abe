package io.pathlore.cli.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Origin;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every key in force with its value, as it was written, and where that was. There is nothing to hide: secrets are in files of
 * their own, and only their paths are here.
 */
public final class ConfigDump {
    private static final String INDENT = "  ";
    private static final int COMMENT_COLUMN = 44;
    /** Needs no quotes, inside brackets either. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./~][A-Za-z0-9_./~%+-]*");

    private static final Pattern NULL = Pattern.compile("~|null|Null|NULL");

    private final Section settings;
    private final Shape.Keys shape;

    ConfigDump(Section settings, Shape.Keys shape) {
        this.settings = settings;
        this.shape = shape;
    }

    /** A file that means the same, with the origin of each value in a comment. */
    public String yaml() {
        StringBuilder out = new StringBuilder();
        section(out, settings, shape, "");
        return out.toString();
    }

    private static void section(StringBuilder out, Section section, Shape shape, String indent) {
        section.entries().forEach((key, value) -> {
            String start = indent + quoted(key) + ":";
            Shape inner = inner(shape, key);
            if (value instanceof Section below && isSplit(below, inner)) {
                out.append(start).append('\n');
                section(out, below, inner, indent + INDENT);
            } else if (value instanceof Items items && items.items().stream().anyMatch(Section.class::isInstance)) {
                line(out, start, value.origin());
                items.items().forEach(item -> line(out, indent + INDENT + "- " + flow(item), item.origin()));
            } else {
                line(out, start + " " + flow(value), value.origin());
            }
        });
    }

    /** Whether its keys come from different places, and so have a line each. */
    private static boolean isSplit(Section section, Shape shape) {
        return !section.entries().isEmpty() && (shape instanceof Shape.Keys || shape instanceof Shape.Mapping);
    }

    private static Shape inner(Shape shape, String key) {
        return switch (shape) {
            case Shape.Keys keys -> keys.keys().getOrDefault(key, new Shape.Anything());
            case Shape.Mapping mapping -> mapping.value();
            case Shape.ListOf list -> list.item();
            case Shape.Value value -> value;
            case Shape.Anything anything -> anything;
        };
    }

    private static void line(StringBuilder out, String text, Origin origin) {
        out.append(text)
                .append(" ".repeat(Math.max(2, COMMENT_COLUMN - text.length())))
                .append("# ")
                .append(place(origin).replaceAll("\\p{Cntrl}", "?"))
                .append('\n');
    }

    private static String place(Origin origin) {
        return origin.isDefault() ? "default" : origin.place();
    }

    private static String flow(Setting setting) {
        return switch (setting) {
            case Scalar scalar -> scalar.text() == null ? "null" : quoted(scalar.text());
            case Items items ->
                items.items().stream().map(ConfigDump::flow).collect(Collectors.joining(", ", "[", "]"));
            case Section section when section.entries().isEmpty() -> "{}";
            case Section section ->
                section.entries().entrySet().stream()
                        .map(entry -> quoted(entry.getKey()) + ": " + flow(entry.getValue()))
                        .collect(Collectors.joining(", ", "{ ", " }"));
        };
    }

    private static String quoted(String text) {
        boolean plain = PLAIN.matcher(text).matches() && !NULL.matcher(text).matches();
        return plain ? text : JsonNodeFactory.instance.textNode(text).toString();
    }

    /** An array of objects: {@code key}, {@code value}, {@code origin}; one for each key. */
    public String json() {
        List<JsonNode> all = new ArrayList<>();
        entries(all, settings, shape, "");
        return all.stream().map(JsonNode::toString).collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    }

    private static void entries(List<JsonNode> into, Section section, Shape shape, String path) {
        for (Map.Entry<String, Setting> entry : section.entries().entrySet()) {
            String keyPath = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            Shape inner = inner(shape, entry.getKey());
            if (entry.getValue() instanceof Section below && isSplit(below, inner)) {
                entries(into, below, inner, keyPath);
            } else {
                ObjectNode one = JsonNodeFactory.instance.objectNode();
                one.put("key", keyPath);
                one.set("value", value(entry.getValue(), inner));
                one.put("origin", place(entry.getValue().origin()));
                into.add(one);
            }
        }
    }

    private static JsonNode value(Setting setting, Shape shape) {
        return switch (setting) {
            case Scalar scalar -> scalar(scalar.text(), shape);
            case Items items -> {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                items.items().forEach(item -> array.add(value(item, inner(shape, ""))));
                yield array;
            }
            case Section section -> {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                section.entries().forEach((key, value) -> object.set(key, value(value, inner(shape, key))));
                yield object;
            }
        };
    }

    /** Typed as the key is, not as YAML would have it. */
    private static JsonNode scalar(@Nullable String text, Shape shape) {
        if (text == null) {
            return JsonNodeFactory.instance.nullNode();
        }
        if (shape instanceof Shape.Value(Shape.Kind kind)) {
            if (kind == Shape.Kind.BOOLEAN) {
                return JsonNodeFactory.instance.booleanNode(text.equals("true"));
            }
            if (kind == Shape.Kind.INTEGER) {
                boolean hex = text.startsWith("0x") || text.startsWith("0X");
                return JsonNodeFactory.instance.numberNode(
                        hex ? Long.parseLong(text, 2, text.length(), 16) : Long.parseLong(text));
            }
        }
        return JsonNodeFactory.instance.textNode(text);
    }
}
