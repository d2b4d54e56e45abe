package io.pathlore.cli.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Origin;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * YAML text to settings, with line numbers. Scalars stay text: whether {@code 0x0103} is a number is for the key to say, not
 * for YAML. Anchors and aliases are refused; they would make a line number mean two places.
 */
final class YamlFile {
    private static final int MAX_DEPTH = 32;
    private static final Pattern PLACE = Pattern.compile("^ +in .*, line ([0-9]+), column");

    private final YAMLParser parser;
    private final String source;
    private final int fixedLine;

    private YamlFile(YAMLParser parser, String source, int fixedLine) {
        this.parser = parser;
        this.source = source;
        this.fixedLine = fixedLine;
    }

    /** A whole file; an empty one is an empty section. */
    static Section parse(String text, String source) {
        Setting setting = parse(text, source, -1);
        if (setting instanceof Section section) {
            return section;
        }
        if (setting instanceof Scalar scalar && scalar.text() == null) {
            return new Section(Map.of(), setting.origin());
        }
        throw setting.origin().error("expected keys and values, like 'decode:'");
    }

    /** One value given outside of a file. */
    static Setting parseValue(String text, Origin origin) {
        return parse(text, origin.source(), origin.line());
    }

    private static Setting parse(String text, String source, int fixedLine) {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            YamlFile file = new YamlFile(parser, source, fixedLine);
            JsonToken first = parser.nextToken();
            if (first == null) {
                return new Scalar(null, new Origin(source, Math.max(fixedLine, 0)));
            }
            Setting setting = file.setting(first, "", 0);
            if (parser.nextToken() != null) {
                throw file.origin().error("a second YAML document; only one is read");
            }
            return setting;
        } catch (JsonProcessingException e) {
            throw syntax(e, source, fixedLine);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // from a string: cannot happen
        }
    }

    /** SnakeYAML tells a problem over several lines: what it was reading, then the problem, each with an indented place. */
    private static ConfigException syntax(JsonProcessingException e, String source, int fixedLine) {
        String message = String.valueOf(e.getOriginalMessage());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            message = String.valueOf(cause.getMessage());
        }
        int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
        String problem = "";
        for (String part : message.split("\n", -1)) {
            Matcher place = PLACE.matcher(part);
            if (place.find()) {
                line = Integer.parseInt(place.group(1));
            } else if (!part.isBlank() && !part.startsWith(" ")) {
                problem = part.strip();
            }
        }
        return new Origin(source, fixedLine >= 0 ? fixedLine : line).error("not valid YAML: " + problem);
    }

    private Setting setting(JsonToken token, String path, int depth) throws IOException {
        Origin origin = origin();
        if (parser.isCurrentAlias() || parser.getObjectId() != null) {
            throw origin.error("YAML anchors and aliases are not supported");
        }
        if (depth > MAX_DEPTH) {
            throw origin.error("nested too deep");
        }
        if (token == JsonToken.START_OBJECT) {
            return section(path, origin, depth);
        }
        if (token == JsonToken.START_ARRAY) {
            return items(path, origin, depth);
        }
        return new Scalar(token == JsonToken.VALUE_NULL ? null : parser.getText(), origin);
    }

    private Section section(String path, Origin origin, int depth) throws IOException {
        Map<String, Setting> entries = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            String keyPath = path.isEmpty() ? key : path + "." + key;
            Origin keyOrigin = origin();
            Setting value = at(keyOrigin, setting(parser.nextToken(), keyPath, depth + 1));
            if (entries.put(key, value) != null) {
                throw keyOrigin.error("key '" + keyPath + "' is given twice");
            }
        }
        return new Section(entries, origin);
    }

    private Items items(String path, Origin origin, int depth) throws IOException {
        List<Setting> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(setting(token, path, depth + 1));
        }
        return new Items(items, origin);
    }

    /** A value may start a line below its key; an error about it should point at the key. */
    private static Setting at(Origin key, Setting value) {
        return switch (value) {
            case Scalar scalar -> new Scalar(scalar.text(), key);
            case Items items -> new Items(items.items(), key);
            case Section section -> new Section(section.entries(), key);
        };
    }

    private Origin origin() {
        int line = fixedLine >= 0
                ? fixedLine
                : ((JsonParser) parser).currentTokenLocation().getLineNr();
        return new Origin(source, line);
    }
}
