package io.pathlore.testkit.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A text file beside the classes, below {@code /vectors}. Lines that start with # are comments. */
record TextResource(String path, String text) {
    static TextResource read(String path) {
        try (InputStream in = TextResource.class.getResourceAsStream("/vectors/" + path)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource /vectors/" + path);
            }
            return new TextResource(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    List<String> lines() {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** The value of a comment line {@code # key: value}. */
    String comment(String key) {
        String prefix = "# " + key + ": ";
        return text.lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(path + " has no line " + prefix));
    }
}
