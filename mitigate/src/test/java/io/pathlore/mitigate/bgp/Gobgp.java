package io.pathlore.mitigate.bgp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A real router process on loopback that takes flow specifications of AS 65001, and what it has of them. */
final class Gobgp implements AutoCloseable {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Process process;
    private final int port;
    private final int apiPort;

    Gobgp(Path directory) throws IOException {
        port = freePort();
        apiPort = freePort();
        Path config = Files.writeString(directory.resolve("gobgpd.toml"), """
                [global.config]
                  as = 65002
                  router-id = "10.0.0.2"
                  port = %d
                  local-address-list = ["127.0.0.1"]
                [[neighbors]]
                  [neighbors.config]
                    neighbor-address = "127.0.0.1"
                    peer-as = 65001
                  [neighbors.transport.config]
                    passive-mode = true
                  [neighbors.timers.config]
                    hold-time = 9
                    keepalive-interval = 3
                    idle-hold-time-after-reset = 1
                  [[neighbors.afi-safis]]
                    [neighbors.afi-safis.config]
                      afi-safi-name = "ipv4-flowspec"
                  [[neighbors.afi-safis]]
                    [neighbors.afi-safis.config]
                      afi-safi-name = "ipv6-flowspec"
                """.formatted(port));
        process = new ProcessBuilder(
                        "gobgpd", "-f", config.toString(), "--api-hosts", "127.0.0.1:" + apiPort, "--pprof-disable")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("gobgpd.log").toFile())
                .start();
        await("ipv4", _ -> true);
    }

    /** Where continuous integration runs, its absence is a failure; elsewhere nobody has to have it. */
    static void mustBeThere() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("gobgpd", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            there = false;
        }
        String message = "gobgpd is not installed (Debian: apt-get install gobgpd): no router took our routes";
        if (!there && System.getenv("CI_NEEDS_ALL") != null) {
            Assertions.fail(message);
        }
        Assumptions.assumeTrue(there, message);
    }

    // It can only be told a number; another process may take it before it does, and then the test says so.
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    /** Its flow specifications of a family, as it prints them. */
    private List<String> routes(String family) {
        try {
            Process asked = new ProcessBuilder(
                            "gobgp",
                            "-u",
                            "127.0.0.1",
                            "-p",
                            Integer.toString(apiPort),
                            "global",
                            "rib",
                            "-a",
                            family + "-flowspec")
                    .redirectErrorStream(true)
                    .start();
            String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(asked.waitFor(10, TimeUnit.SECONDS)).isTrue();
            return asked.exitValue() != 0
                    ? List.of("unreachable: " + answer)
                    : answer.lines().filter(line -> line.startsWith("*")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    List<String> await(String family, Predicate<List<String>> wanted) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            List<String> routes = routes(family);
            boolean reached = routes.isEmpty() || !routes.getFirst().startsWith("unreachable");
            if (reached && wanted.test(routes)) {
                return routes;
            }
            assertThat(process.isAlive()).as("gobgpd runs").isTrue();
            assertThat(System.nanoTime()).as("in time; last answer: " + routes).isLessThan(deadline);
            LockSupport.parkNanos(50_000_000);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
