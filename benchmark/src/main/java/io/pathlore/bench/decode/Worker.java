package io.pathlore.bench.decode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What {@code decode.c} is to C: one variant over one corpus in a process of its own, so that it is compiled for itself
 * alone. Speaks the same way: a tally first, then processor time for {@code decode PASSES}; {@code warm MILLIS} before.
 */
final class Worker {
    private final Replay replay;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private Worker(Replay replay) {
        this.replay = replay;
    }

    static void main(String[] arguments) throws IOException {
        Reader.Variant variant = Reader.Variant.valueOf(arguments[0].toUpperCase(Locale.ROOT));
        var worker = new Worker(new Replay(Corpus.read(Path.of(arguments[1])), variant));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        var out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        out.println(worker.replay.tally());
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int space = line.indexOf(' ');
            int amount = Integer.parseInt(line.substring(space + 1));
            out.println(line.startsWith("warm") ? worker.warm(amount) : worker.decode(amount));
        }
    }

    private long decode(int passes) {
        long before = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < passes; i++) {
            replay.pass();
        }
        return threads.getCurrentThreadCpuTime() - before;
    }

    /** Until the thread has worked this long, however busy the machine is. */
    private long warm(int millis) {
        long spent = 0;
        while (spent < millis * 1_000_000L) {
            spent += decode(1);
        }
        return spent;
    }
}
