package io.pathlore.bench.scale;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Processor time of another process by what its threads are for, in nanoseconds. */
final class Threads {
    /** Fields of {@code stat} behind the name, and what a tick of them is. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;
    private static final long TICK_NANOS = 10_000_000L;

    private Threads() {}

    static Map<String, Long> of(long pid) throws IOException {
        Map<String, Long> nanos = new TreeMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads) {
                String stat;
                try {
                    stat = Files.readString(thread.resolve("stat"));
                } catch (IOException e) {
                    continue; // it has ended
                }
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                long ticks = Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]);
                nanos.merge(group(name), ticks * TICK_NANOS, Long::sum);
            }
        }
        return nanos;
    }

    /** The system cuts names after 15 characters; tasks are named as in the plan of the job. */
    private static String group(String name) {
        if (name.startsWith("Source: pathlor")) {
            return "source";
        }
        for (String task : new String[] {"datagrams", "flows", "attacks", "hops"}) {
            if (name.startsWith(task + " (")) {
                return task;
            }
        }
        if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
            return "compilers of Java";
        }
        if (name.startsWith("GC Thread") || name.startsWith("G1 ") || name.startsWith("VM Thread")) {
            return "collecting garbage";
        }
        if (name.startsWith("Source Data Fet") || name.startsWith("kafka-")) {
            return "Kafka's clients";
        }
        if (name.startsWith("rocksdb") || name.startsWith("Flink-RocksDB") || name.startsWith("AsyncOperations")) {
            return "state backend";
        }
        if (name.startsWith("Filter")) {
            return "results";
        }
        return "others";
    }
}
