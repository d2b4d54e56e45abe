package io.pathlore.cli.config;

import io.pathlore.cli.config.Setting.Items;
import io.pathlore.cli.config.Setting.Origin;
import io.pathlore.cli.config.Setting.Scalar;
import io.pathlore.cli.config.Setting.Section;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds, reads and merges the configuration: {@code defaults.yaml}, one file, the environment, {@code --set}; each wins over
 * the ones before it. What is unknown or does not fit is a {@link ConfigException} that says where it stands.
 */
public final class ConfigLoader {
    private static final String VARIABLE = "PATHLORE_";
    private static final String FILE = "pathlore.yaml";
    private static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

    private final Path directory;
    private final Path systemDirectory;
    private final Map<String, String> environment;
    /** {@code pathlore.yaml} is looked for in the first directory, then in the second. */
    public ConfigLoader(Path directory, Path systemDirectory, Map<String, String> environment) {
        this.directory = directory;
        this.systemDirectory = systemDirectory;
        this.environment = new TreeMap<>(environment);
    }

    /** {@code file} is that of {@code --config}, or null to look in the usual places; {@code sets} are {@code key=value}. */
    public Config load(@Nullable Path file, List<String> sets) {
        Path found = file != null ? file : usualFile();
        boolean variables = environment.keySet().stream().anyMatch(name -> name.startsWith(VARIABLE));
        return found == null && !variables && sets.isEmpty() ? Config.DEFAULT : read(found, sets);
    }

    /** As {@link #load}, with all sections. */
    public Service loadService(@Nullable Path file, List<String> sets) {
        Settings merged = merge(file != null ? file : usualFile(), sets);
        return new ServiceReader(directory, environment.get("HOME"))
                .read(ConfigReader.read(merged), merged, dump(merged));
    }

    /** All that holds, and where it comes from; checked as by {@link #loadService}. */
    public ConfigDump dump(@Nullable Path file, List<String> sets) {
        loadService(file, sets);
        Settings merged = merge(file != null ? file : usualFile(), sets);
        return dump(merged);
    }

    private static ConfigDump dump(Settings merged) {
        return new ConfigDump(merged.whole(), Shape.of(defaults()));
    }

    /** The name of the file that is read, as the user would say it; null where there is none. */
    public @Nullable String fileName(@Nullable Path file) {
        Path found = file != null ? file : usualFile();
        return found == null ? null : nameOf(found);
    }

    /** The same without variables, as the file alone means it. */
    public ConfigLoader withoutVariables() {
        Map<String, String> rest = new TreeMap<>(environment);
        rest.keySet().removeIf(name -> name.startsWith(VARIABLE));
        return new ConfigLoader(directory, systemDirectory, rest);
    }

    Config read(@Nullable Path found, List<String> sets) {
        return ConfigReader.read(merge(found, sets));
    }

    private Settings merge(@Nullable Path found, List<String> sets) {
        Section defaults = defaults();
        Shape.Keys shape = Shape.of(defaults);
        Setting merged = defaults;
        if (found != null) {
            Section section = YamlFile.parse(read(found), nameOf(found));
            Shape.check(section, shape, "");
            merged = Settings.merge(merged, section);
        }
        for (Setting setting : fromEnvironment(shape)) {
            merged = Settings.merge(merged, setting);
        }
        for (String set : sets) {
            merged = Settings.merge(merged, fromOption(set, shape));
        }
        return new Settings((Section) merged, "");
    }

    static Section defaults() {
        try (InputStream in = ConfigLoader.class.getResourceAsStream("defaults.yaml")) {
            if (in == null) {
                throw new IllegalStateException("defaults.yaml is not in the jar");
            }
            return YamlFile.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), Origin.DEFAULT.source());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable Path usualFile() {
        Path here = directory.resolve(FILE);
        if (Files.exists(here)) {
            return here;
        }
        Path system = systemDirectory.resolve(FILE);
        return Files.exists(system) ? system : null;
    }

    /** As the user would name it. */
    private String nameOf(Path file) {
        return file.startsWith(directory) ? directory.relativize(file).toString() : file.toString();
    }

    private String read(Path file) {
        try {
            Path path = directory.resolve(file);
            if (Files.isRegularFile(path) && Files.size(path) > MAX_FILE_BYTES) {
                throw new ConfigException(nameOf(file) + ": too large for a configuration file");
            }
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            throw new ConfigException(nameOf(file) + ": no such file");
        } catch (CharacterCodingException e) {
            throw new ConfigException(nameOf(file) + ": not UTF-8 text");
        } catch (IOException e) {
            boolean isDirectory = Files.isDirectory(directory.resolve(file));
            throw new ConfigException(
                    nameOf(file) + ": " + (isDirectory ? "is a directory" : "cannot be read: " + e.getMessage()));
        }
    }

    private List<Setting> fromEnvironment(Shape.Keys shape) {
        Map<String, String> paths = new LinkedHashMap<>();
        variables(shape, "", paths);
        List<Setting> settings = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (!name.startsWith(VARIABLE)) {
                return;
            }
            String path = paths.get(name);
            if (path != null) {
                settings.add(value(path, value, new Origin(name, 0), shape));
            } else if (isOfASection(name, shape)) {
                String nearest = Nearest.to(name, paths.keySet());
                throw new ConfigException("environment variable " + name + " names no key"
                        + (nearest == null ? "" : "; did you mean " + nearest + "?"));
            }
        });
        return settings;
    }

    // Others share the prefix: the launcher, and whatever an orchestrator sets for a service called pathlore.
    private static boolean isOfASection(String name, Shape.Keys shape) {
        for (var entry : shape.keys().entrySet()) {
            if (entry.getValue() instanceof Shape.Keys && name.startsWith(variableOf(entry.getKey()) + "_")) {
                return true;
            }
        }
        return false;
    }

    /** Variables exist for single values and for lists of them. */
    private static void variables(Shape.Keys keys, String path, Map<String, String> into) {
        keys.keys().forEach((key, shape) -> {
            String keyPath = path.isEmpty() ? key : path + "." + key;
            if (shape instanceof Shape.Keys section) {
                variables(section, keyPath, into);
            } else if (shape instanceof Shape.Value || shape instanceof Shape.ListOf(Shape.Value item)) {
                into.put(variableOf(keyPath), keyPath);
            }
        });
    }

    private static String variableOf(String path) {
        return VARIABLE + path.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private static Setting fromOption(String set, Shape.Keys shape) {
        int equals = set.indexOf('=');
        if (equals < 1) {
            throw new ConfigException("--set " + set + ": expected KEY=VALUE, like decode.mode=strict");
        }
        return value(set.substring(0, equals).strip(), set.substring(equals + 1), new Origin("--set", 0), shape);
    }

    /** The section that a file would have with this one value in it. */
    private static Setting value(String path, String text, Origin origin, Shape.Keys shape) {
        String[] keys = path.split("\\.", -1);
        Shape at = shape;
        for (String key : keys) {
            at = switch (at) {
                case Shape.Keys known -> known.keys().getOrDefault(key, new Shape.Anything());
                case Shape.Mapping mapping -> mapping.value();
                case Shape.ListOf list -> throw origin.error(path + ": single items of a list cannot be set");
                case Shape.Value value -> throw origin.error(path + ": goes deeper than the key does");
                case Shape.Anything anything -> anything;
            };
        }
        Setting setting = parse(text, at, origin);
        for (int i = keys.length - 1; i >= 0; i--) {
            setting = new Section(Map.of(keys[i], setting), origin);
        }
        Shape.check(setting, shape, "");
        return setting;
    }

    private static Setting parse(String text, Shape shape, Origin origin) {
        if (shape instanceof Shape.Value(Shape.Kind kind)) {
            boolean isNull = kind == Shape.Kind.OPTIONAL && (text.isEmpty() || text.equals("null"));
            return new Scalar(isNull ? null : text, origin);
        }
        if (shape instanceof Shape.ListOf(Shape.Value item) && !text.startsWith("[")) {
            List<Setting> items = new ArrayList<>();
            for (String part : text.split(",", -1)) {
                if (!part.isBlank()) {
                    items.add(new Scalar(part.strip(), origin));
                }
            }
            return new Items(items, origin);
        }
        return YamlFile.parseValue(text, origin);
    }
}
