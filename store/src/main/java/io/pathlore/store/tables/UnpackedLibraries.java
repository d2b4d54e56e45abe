package io.pathlore.store.tables;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.c.jni.JniLoader;

/**
 * Native code that libraries bring along, and unpack into the temporary directory. They remove it when the process ends by itself, and that of
 * DuckDB has 70 MB. So it loses its name as soon as it is loaded: where nothing is left nobody has to clear up, whoever ends the process.
 */
final class UnpackedLibraries {
    /** What this process has loaded, where the system tells. */
    private static final Path LOADED = Path.of("/proc/self/maps");

    private static final List<String> NAMES = List.of("libduckdb_java", "jnilib-");

    private static boolean withArrow;
    private static boolean removed;

    private UnpackedLibraries() {}

    /** DuckDB is loaded. {@code arrow}: that one is wanted, too. */
    static synchronized void settle(boolean arrow) {
        if (removed && (withArrow || !arrow)) {
            return;
        }
        if (arrow) {
            JniLoader.get().ensureLoaded();
            withArrow = true;
        }
        removed = true;
        try {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toRealPath();
            for (String line : Files.readAllLines(LOADED, StandardCharsets.ISO_8859_1)) {
                int at = line.indexOf('/');
                if (at >= 0 && isUnpacked(Path.of(line.substring(at)), temporary)) {
                    boolean _ = Files.deleteIfExists(Path.of(line.substring(at)));
                }
            }
        } catch (IOException e) {
            // Another system, or another's file: it stays until the process ends by itself.
        }
    }

    private static boolean isUnpacked(Path file, Path temporary) {
        return temporary.equals(file.getParent())
                && NAMES.stream().anyMatch(String.valueOf(file.getFileName())::startsWith);
    }
}
