package io.pathlore.cli.explain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What each key of a decoded report means; from {@code fields.txt}. */
public final class FieldGuide {
    private static final String FILE = "fields.txt";

    /**
     * One key, or several that mean the same in different places.
     *
     * @param paths with dots, without the places in arrays: {@code int.hops.nodeId}
     * @param unit empty where there is none
     * @param carried which versions have it
     * @param clause where it is written; empty where it is not of a specification
     * @param absent what it means when the key is not there
     */
    public record Entry(List<String> paths, String means, String unit, String carried, String clause, String absent) {
        public Entry {
            paths = List.copyOf(paths);
        }
    }

    private final List<Entry> entries;

    private FieldGuide(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    public static FieldGuide load() {
        try (InputStream in = Objects.requireNonNull(FieldGuide.class.getResourceAsStream(FILE), FILE);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return new FieldGuide(read(lines.lines().toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Entry> read(List<String> lines) {
        List<Entry> entries = new ArrayList<>();
        List<String> paths = List.of();
        Map<String, String> says = new HashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            if (line.startsWith("#")) {
                continue;
            }
            if (line.isEmpty()) {
                add(entries, paths, says);
                paths = List.of();
                says.clear();
            } else if (paths.isEmpty()) {
                paths = List.of(line.split(" ", -1));
            } else {
                says.put(line.substring(0, colon), line.substring(colon + 2));
            }
        }
        add(entries, paths, says);
        return entries;
    }

    private static void add(List<Entry> entries, List<String> paths, Map<String, String> says) {
        if (!paths.isEmpty()) {
            entries.add(new Entry(
                    paths,
                    says.getOrDefault("means", ""),
                    says.getOrDefault("unit", ""),
                    says.getOrDefault("carried", ""),
                    says.getOrDefault("clause", ""),
                    says.getOrDefault("absent", "")));
        }
    }

    public List<Entry> entries() {
        return entries;
    }

    /** Those whose path is this, ends with it, or where it is an object lies below it; in any case. */
    public List<Entry> find(String name) {
        String wanted = "." + name.toLowerCase(Locale.ROOT);
        return entries.stream()
                .filter(entry -> entry.paths.stream()
                        .map(path -> "." + path.toLowerCase(Locale.ROOT))
                        .anyMatch(path -> path.endsWith(wanted) || path.startsWith(wanted + ".")))
                .toList();
    }
}
