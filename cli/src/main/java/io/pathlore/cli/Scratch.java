package io.pathlore.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory, and a port, for as long as a command runs; nothing is left behind. */
final class Scratch implements AutoCloseable {
    static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    /** How many are tried, from the one that is asked for on. */
    static final int PORTS_TRIED = 100;

    private static final int HTTP_PORT = 8080;

    private final Path directory;

    private Scratch(Path directory) {
        this.directory = directory;
    }

    /** Where TMPDIR says, which Java does not look at by itself. */
    static Scratch make(Surroundings around, String prefix) {
        String said = around.environment().getOrDefault("TMPDIR", "");
        try {
            return new Scratch(
                    said.isEmpty()
                            ? Files.createTempDirectory(prefix)
                            : Files.createTempDirectory(around.directory().resolve(said), prefix));
        } catch (IOException e) {
            throw new Failure("temporary files: cannot be kept in " + e.getMessage() + "; set TMPDIR to a directory");
        }
    }

    Path directory() {
        return directory;
    }

    /** A port for a page that only this machine sees. */
    static int freeHttpPort() {
        for (int port = HTTP_PORT; port < HTTP_PORT + PORTS_TRIED; port++) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(LOOPBACK, port));
                return port;
            } catch (IOException e) {
                // taken
            }
        }
        throw new Failure("no TCP port from " + HTTP_PORT + " to " + (HTTP_PORT + PORTS_TRIED - 1)
                + " is free: see who has them with: ss -ltnp, or give one with --http-port");
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
