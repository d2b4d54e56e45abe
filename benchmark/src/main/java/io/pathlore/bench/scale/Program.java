package io.pathlore.bench.scale;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A Java process with libraries of its own, whose words go to a file. */
record Program(String name, Process process, Path log) implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TAIL_LINES = 20;

    static Program start(
            String name, Path directory, Path libraries, List<String> jvm, String main, List<String> arguments)
            throws IOException {
        if (!Files.isDirectory(libraries)) {
            throw new IOException(libraries + " is not there: start this with ./bench job, which builds it");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of("-cp", libraries + "/*", main));
        command.addAll(arguments);
        Path log = Files.createTempFile(directory, name, ".log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new Program(name, process, log);
    }

    /** What may be asked again and again until it holds. */
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException;
    }

    /** While all of these run. */
    static void await(String what, long seconds, List<Program> programs, Condition condition) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.holds()) {
            for (Program each : programs) {
                if (!each.process.isAlive()) {
                    throw new IOException(each.name + " ended: " + each.tail());
                }
            }
            if (System.nanoTime() > deadline) {
                throw new IOException("waited in vain: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    String tail() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
