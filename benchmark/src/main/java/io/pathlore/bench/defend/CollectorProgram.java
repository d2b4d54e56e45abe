package io.pathlore.bench.defend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code pathlore collect} in a process of its own, on free ports of the loopback. */
final class CollectorProgram implements AutoCloseable {
    private static final long START_SECONDS = 60;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final long POLL_MILLIS = 50;
    private static final JsonMapper JSON = new JsonMapper();

    private final int port;
    private final int httpPort;
    private @Nullable Process process;

    CollectorProgram() throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        try (var udp = new DatagramSocket(new InetSocketAddress(here, 0));
                var tcp = new ServerSocket(0, 1, here)) {
            port = udp.getLocalPort();
            httpPort = tcp.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    /** Waits until it is ready. */
    void start(Path directory, Path config) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.pathlore.cli.Main",
                "collect"));
        command.addAll(List.of(
                "--config",
                config.toString(),
                "--data",
                directory.resolve("data").toString()));
        command.addAll(List.of("--port", Integer.toString(port), "--http-port", Integer.toString(httpPort)));
        command.addAll(List.of("--set", "listen.addresses=127.0.0.1"));
        Path errors = directory.resolve("collect.err");
        Process started = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
        process = started;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!isReady()) {
            if (!started.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the collector does not start: " + Files.readString(errors));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private boolean isReady() {
        try {
            get("/readyz");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The items of a list. */
    JsonNode items(String path) throws IOException {
        return JSON.readTree(get(path)).path("items");
    }

    private byte[] get(String path) throws IOException {
        var connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + httpPort + path).toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MILLIS);
        connection.setReadTimeout(PATIENCE_MILLIS);
        try (InputStream in = connection.getInputStream()) {
            return in.readAllBytes();
        }
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            running.onExit().join();
        }
    }
}
