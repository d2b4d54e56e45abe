package io.pathlore.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Runs the program as a user would, without a process. */
final class Program {
    record Ended(int status, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    private Path directory = Path.of("/nonexistent");
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private byte[] in = new byte[0];
    private boolean outIsTerminal;
    private boolean errIsTerminal;
    private Interruption interruption = Interruption.NEVER;

    static Ended run(String... args) {
        return new Program().with(args);
    }

    /** Decodes a vector given in hex. */
    static Ended runHex(byte[] bytes, String... args) {
        String[] all = Arrays.copyOf(args, args.length + 2);
        all[args.length] = "--hex";
        all[args.length + 1] = HexFormat.of().formatHex(bytes);
        return run(all);
    }

    Program in(Path directory) {
        this.directory = directory;
        return this;
    }

    Program input(byte[] in) {
        this.in = in;
        return this;
    }

    Program set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Program interruptedBy(Interruption interruption) {
        this.interruption = interruption;
        return this;
    }

    Program onTerminal() {
        outIsTerminal = true;
        errIsTerminal = true;
        return this;
    }

    /** What it writes, where that is no text. */
    byte[] outOf(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        with(out, args);
        return out.toByteArray();
    }

    Ended with(String... args) {
        return with(new ByteArrayOutputStream(), args);
    }

    /** What it has said so far, while it runs. */
    String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Ended with(ByteArrayOutputStream out, String... args) {
        err.reset();
        Surroundings around = new Surroundings(
                new ByteArrayInputStream(in),
                out,
                err,
                outIsTerminal,
                errIsTerminal,
                environment,
                directory,
                Path.of("/nonexistent"),
                interruption);
        int status = Main.run(args, around);
        return new Ended(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
