package io.pathlore.it.collect;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A main class of the test class path in a virtual machine of its own, with what it prints in files. */
public record JavaProcess(Process process, Path out, Path err) {
    private static final long PATIENCE_SECONDS = 120;

    /** How it ended. */
    public record Ended(int status, String out, String err) {}

    /**
     * Starts it.
     *
     * @param before words in front of the virtual machine's own, such as another program that runs it
     * @param jvm its options
     */
    public static JavaProcess start(
            Path directory, List<String> before, List<String> jvm, String main, List<String> arguments)
            throws IOException {
        return start(directory, before, jvm, System.getProperty("java.class.path"), main, arguments);
    }

    /** Starts one of another class path. */
    public static JavaProcess start(
            Path directory,
            List<String> before,
            List<String> jvm,
            String classPath,
            String main,
            List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.add("-cp");
        command.add(classPath);
        command.add(main);
        command.addAll(arguments);
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PATHLORE_") || name.contains("JAVA_"));
        return new JavaProcess(builder.start(), out, err);
    }

    public Ended await() throws IOException {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("does not end; so far it said: " + errors());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return new Ended(process.exitValue(), Files.readString(out), errors());
    }

    public String errors() throws IOException {
        return Files.readString(err);
    }
}
