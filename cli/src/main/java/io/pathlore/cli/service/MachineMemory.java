package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What this machine, or the container it is, has of memory: whoever takes more is killed by the kernel, without a word. */
final class MachineMemory {
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** The virtual machine's own: classes, compiled code, stacks. */
    private static final long OTHER_BYTES = 160L << 20;

    private static final int KIBI = 1_024;
    private static final int MEBI_SHIFT = 20;

    private MachineMemory() {}

    /** What is wrong with a plan, in one line, or null. */
    static @Nullable String excess(MemoryPlan plan, Service service, long heapBytes, Path root) {
        long database = service.store().enabled() ? service.store().memoryBytes() : 0;
        long all = plan.total() + database + heapBytes + OTHER_BYTES;
        long there = bytes(root);
        if (all <= there) {
            return null;
        }
        return "memory: %d MiB for tables and queues, %d MiB of store.memory and %d MiB for Java may be needed, and there are %d MiB; set memory and store.memory lower, or the kernel may kill the collector"
                .formatted(
                        plan.total() >> MEBI_SHIFT,
                        database >> MEBI_SHIFT,
                        heapBytes + OTHER_BYTES >> MEBI_SHIFT,
                        there >> MEBI_SHIFT);
    }

    /** The least of what the machine has and what its control group may take [cgroups(7)], below {@code root}. */
    static long bytes(Path root) {
        long least = UNKNOWN;
        for (String line : lines(root.resolve("proc/meminfo"))) {
            String[] words = line.split("\\s+", -1);
            if (words.length > 1 && words[0].equals("MemTotal:")) {
                least = Math.min(least, number(words[1], KIBI));
            }
        }
        Path groups = root.resolve("sys/fs/cgroup");
        Stream<Path> own = lines(root.resolve("proc/self/cgroup")).stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> groups.resolve(line.substring("0::/".length())).resolve("memory.max"));
        Stream<Path> others = Stream.of(groups.resolve("memory.max"), groups.resolve("memory/memory.limit_in_bytes"));
        for (Path limit : Stream.concat(own, others).toList()) {
            for (String line : lines(limit)) {
                least = Math.min(least, number(line.strip(), 1));
            }
        }
        return least;
    }

    /** None where there is no such file, as on other systems. */
    private static List<String> lines(Path file) {
        if (!Files.isReadable(file)) {
            return List.of();
        }
        try (BufferedReader from = Files.newBufferedReader(file)) {
            return from.lines().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static long number(String text, long unit) {
        try {
            long value = Long.parseLong(text);
            return value <= 0 || value > UNKNOWN / unit ? UNKNOWN : value * unit;
        } catch (NumberFormatException e) {
            return UNKNOWN; // "max"
        }
    }
}
