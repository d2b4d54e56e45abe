package io.pathlore.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A baseline in C, built from a source that lies beside a class. */
public final class Baseline {
    private Baseline() {}

    /** The program {@code name}, built from {@code name.c} in that directory. */
    public static Path build(Class<?> beside, String name, Path directory) throws IOException, InterruptedException {
        Path source = directory.resolve(name + ".c");
        try (InputStream in = beside.getResourceAsStream(name + ".c")) {
            if (in == null) {
                throw new IOException(name + ".c is missing in the jar");
            }
            Files.copy(in, source);
        }
        if (!Machine.works(List.of("gcc", "--version"))) {
            throw new IOException("needs gcc, to build the baseline in C; install it (Debian: apt-get install gcc)");
        }
        Path program = directory.resolve(name);
        List<String> gcc = List.of("gcc", "-O3", "-march=native", "-o", program.toString(), source.toString());
        Process process = new ProcessBuilder(gcc).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new IOException("gcc cannot build the baseline");
        }
        return program;
    }
}
