package io.pathlore.cli.config;

import io.pathlore.dataplane.scenario.Scenario;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Scenarios by name, for those that are shipped, or by file. */
public final class ScenarioFiles {
    private static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

    /** In the order in which they are listed. */
    private static final List<String> SHIPPED = List.of(
            "quiet",
            "demo",
            "demo-access",
            "link-failure",
            "slow-hop",
            "microburst",
            "incast",
            "queue-buildup",
            "acl-drops",
            "ttl-loop",
            "mtu",
            "hidden-hop",
            "postcard",
            "exporter-restart",
            "report-loss",
            "silent-exporter",
            "forged-reports",
            "ddos-udp-flood",
            "ddos-syn-flood",
            "carpet-bombing",
            "flash-crowd");

    private ScenarioFiles() {}

    public static List<String> shipped() {
        return SHIPPED;
    }

    /** What a shipped scenario is about, in a line. */
    public static String description(String name) {
        return ScenarioReader.description(resource(name), name + ".yaml");
    }

    /** The text of a shipped scenario, for who wants to write another. */
    public static String text(String name) {
        if (!SHIPPED.contains(name)) {
            throw unknown(name);
        }
        return resource(name);
    }

    /**
     * A shipped scenario, or a file: what has a dot or a slash in it is one.
     *
     * @throws ConfigException with file, line and what is wrong
     */
    public static Scenario load(String nameOrFile, Path directory) {
        if (SHIPPED.contains(nameOrFile)) {
            return ScenarioReader.read(nameOrFile, resource(nameOrFile), nameOrFile + ".yaml");
        }
        if (nameOrFile.indexOf('.') < 0 && nameOrFile.indexOf('/') < 0) {
            throw unknown(nameOrFile);
        }
        String file = Path.of(nameOrFile).getFileName().toString();
        String name = file.endsWith(".yaml") || file.endsWith(".yml") ? file.substring(0, file.lastIndexOf('.')) : file;
        return ScenarioReader.read(name, read(directory.resolve(nameOrFile), nameOrFile), nameOrFile);
    }

    private static ConfigException unknown(String name) {
        String nearest = Nearest.to(name, SHIPPED);
        return new ConfigException("there is no scenario '" + name + "'; "
                + (nearest != null ? "did you mean '" + nearest + "'?" : "'pathlore lab list' shows them"));
    }

    private static String resource(String name) {
        try (InputStream in = ScenarioFiles.class.getResourceAsStream("scenarios/" + name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException(name + ".yaml is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path path, String name) {
        try {
            if (Files.isRegularFile(path) && Files.size(path) > MAX_FILE_BYTES) {
                throw new ConfigException(name + ": too large for a scenario");
            }
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            throw new ConfigException(name + ": no such file");
        } catch (CharacterCodingException e) {
            throw new ConfigException(name + ": not UTF-8 text");
        } catch (IOException e) {
            throw new ConfigException(
                    name + ": " + (Files.isDirectory(path) ? "is a directory" : "cannot be read: " + e.getMessage()));
        }
    }
}
