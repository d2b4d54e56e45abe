package io.pathlore.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that works when it is told to, by a line on its standard input, and answers each with one line. Several of them
 * can so take turns within milliseconds, whatever language they are written in, and none works while another does.
 */
public final class Contestant implements AutoCloseable {
    private static final int SECONDS_TO_END = 10;

    private final String name;
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    public Contestant(String name, List<String> command) throws IOException {
        this.name = name;
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII);
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** The next line it writes. */
    public String read() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException(name + " ended unexpectedly" + how());
        }
        return line;
    }

    /** 128 and more is a signal: somebody, or the system, ended it. */
    private String how() {
        try {
            return process.waitFor(1, TimeUnit.SECONDS) ? ", exit code " + process.exitValue() : "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Has it work, and returns the nanoseconds of processor time it says this took. */
    public long work(String command) throws IOException {
        return Long.parseLong(ask(command));
    }

    /** Has it work, and returns what it says. */
    public String ask(String command) throws IOException {
        in.write(command + "\n");
        in.flush();
        return read();
    }

    /** Has it work, and returns the numbers it says. */
    public long[] numbers(String command) throws IOException {
        return Arrays.stream(ask(command).split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    /** Ends it at once, for who has no time. When this returns it writes nothing more. */
    public void abort() {
        process.destroyForcibly().onExit().join();
    }

    /** It ends when its input does. */
    @Override
    public void close() throws IOException {
        in.close();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
