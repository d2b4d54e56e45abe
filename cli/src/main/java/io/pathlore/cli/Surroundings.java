package io.pathlore.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * What the program gets from the process it runs in. Tests hand in their own; nothing else reads {@code System}.
 *
 * @param directory relative file names and {@code pathlore.yaml} are looked up here
 * @param systemDirectory and then {@code pathlore.yaml} here
 * @param interruption Ctrl-C
 */
public record Surroundings(
        InputStream in,
        OutputStream out,
        OutputStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment,
        Path directory,
        Path systemDirectory,
        Interruption interruption) {
    /** For callers who are not interrupted. */
    public Surroundings(
            InputStream in,
            OutputStream out,
            OutputStream err,
            boolean outIsTerminal,
            boolean errIsTerminal,
            Map<String, String> environment,
            Path directory,
            Path systemDirectory) {
        this(in, out, err, outIsTerminal, errIsTerminal, environment, directory, systemDirectory, Interruption.NEVER);
    }

    /** The same, for a part of the program that shall not show its progress. */
    Surroundings withoutTerminal() {
        return new Surroundings(in, out, err, false, false, environment, directory, systemDirectory, interruption);
    }

    static Surroundings ofThisProcess(Interruption interruption) {
        return new Surroundings(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                isTerminal(1),
                isTerminal(2),
                System.getenv(),
                Path.of(""),
                Path.of("/etc/pathlore"),
                interruption);
    }

    /** Java only tells whether stdin and stdout both are one; Linux tells each. */
    private static boolean isTerminal(int descriptor) {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(descriptor)));
            return target.startsWith("/dev/pts") || target.startsWith("/dev/tty") || target.startsWith("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            Console console = System.console();
            return Objects.nonNull(console) && console.isTerminal();
        }
    }
}
