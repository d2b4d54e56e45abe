package io.pathlore.testkit.vectors;

import io.pathlore.testkit.Hex;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The worked examples by name, {@code R1} to {@code I4}: reports, packets and options with known meaning [spec-notes 10]. */
public final class GoldenVectors {
    private static final Map<String, Vector> ALL = load();

    private GoldenVectors() {}

    /** One example: where its bytes come from and which layer they start at. */
    public static final class Vector {
        private final String name;
        private final String origin;
        private final Start start;
        private final byte[] bytes;

        private Vector(String name, String origin, Start start, byte[] bytes) {
            this.name = name;
            this.origin = origin;
            this.start = start;
            this.bytes = bytes;
        }

        public String name() {
            return name;
        }

        public String origin() {
            return origin;
        }

        public Start start() {
            return start;
        }

        public byte[] bytes() {
            return bytes.clone();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    public static Vector vector(String name) {
        Vector vector = ALL.get(name);
        if (vector == null) {
            throw new IllegalArgumentException("no golden vector " + name + ", there are " + ALL.keySet());
        }
        return vector;
    }

    public static byte[] bytes(String name) {
        return vector(name).bytes();
    }

    public static List<Vector> all() {
        return List.copyOf(ALL.values());
    }

    private static Map<String, Vector> load() {
        Map<String, Vector> vectors = new TreeMap<>();
        for (String path : TextResource.read("index.txt").lines()) {
            TextResource file = TextResource.read(path);
            String name = path.substring(path.indexOf('/') + 1, path.length() - ".hex".length())
                    .toUpperCase(Locale.ROOT);
            byte[] bytes = Hex.bytes(String.join("", file.lines()));
            if (bytes.length != Integer.parseInt(file.comment("bytes"))) {
                throw new IllegalStateException(path + " has " + bytes.length + " bytes");
            }
            vectors.put(name, new Vector(name, file.comment("origin"), Start.named(file.comment("start")), bytes));
        }
        return vectors;
    }
}
