package io.pathlore.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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

    /** The processors this process may use. */
    public static List<Integer> processors() {
        List<Integer> all = new ArrayList<>();
        String allowed = valueAfter(Path.of("/proc/self/status"), "Cpus_allowed_list", "");
        for (String range : allowed.split(",", -1)) {
            Matcher ends = Pattern.compile("(\\d+)(?:-(\\d+))?").matcher(range.strip());
            if (ends.matches()) {
                int first = Integer.parseInt(ends.group(1));
                int last = ends.group(2) == null ? first : Integer.parseInt(ends.group(2));
                IntStream.rangeClosed(first, last).forEach(all::add);
            }
        }
        return all;
    }

    /**
     * What to put in front of a command so that it keeps to this processor, a little before others where that is allowed: those
     * who share the machine have to get on as well.
     */
    public static List<String> on(int processor) throws InterruptedException {
        List<String> pin = List.of("taskset", "-c", Integer.toString(processor));
        List<String> first = List.of("nice", "-n", "-5");
        boolean allowed = works(Stream.concat(first.stream(), Stream.of("true")).toList());
        return allowed ? Stream.concat(first.stream(), pin.stream()).toList() : pin;
    }

    /** Whether the system lends large pages to who asks for them. */
    public static boolean hasLargePages() {
        try {
            String modes = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
            return modes.contains("[madvise]") || modes.contains("[always]");
        } catch (IOException e) {
            return false;
        }
    }

    /** How many processes wanted a processor in the last minute: what else the machine does is in it. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
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
