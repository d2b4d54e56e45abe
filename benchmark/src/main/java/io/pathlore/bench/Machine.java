package io.pathlore.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a measurement ran on. */
public final class Machine {
    private Machine() {}

    /** Processor, kernel and Java, without anything that names the machine itself. */
    public static String describe() {
        return "%d x %s, %s %s, Java %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        processor(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        Runtime.version());
    }

    private static String processor() {
        return valueAfter(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch"));
    }

    /**
     * What to put in front of a command so that it keeps to one processor, the same for all: the last one this process may
     * use. Empty where that cannot be done.
     */
    public static List<String> onOneProcessor() throws InterruptedException {
        String allowed = valueAfter(Path.of("/proc/self/status"), "Cpus_allowed_list", "");
        String last = allowed.substring(Math.max(allowed.lastIndexOf(','), allowed.lastIndexOf('-')) + 1);
        List<String> pin = List.of("taskset", "-c", last);
        return !last.isEmpty() && works(List.of("taskset", "-c", last, "true")) ? pin : List.of();
    }

    /** Whether a command is there and ends well. */
    public static boolean works(List<String> command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String valueAfter(Path file, String key, String otherwise) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(key)) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
            return otherwise;
        } catch (IOException e) {
            return otherwise;
        }
    }
}
