package io.pathlore.bench.defend;

import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.model.Prefix;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else's router: gobgpd on the loopback takes flow specifications of AS 65001, and is asked again and again what it has, so that a
 * virtual network can do what it says.
 */
public final class GobgpRouter implements AutoCloseable {
    private static final long ASK_MILLIS = 100;
    private static final long START_SECONDS = 30;
    private static final Pattern PART = Pattern.compile("\\[(destination|source|protocol|destination-port): ([^]]*)]");
    private static final int UDP = 17;
    private static final int TCP = 6;

    private final Process process;
    private final int port;
    private final int apiPort;
    private final Thread asking;
    private volatile Set<BlockRule> routes = Set.of();
    private volatile String trouble = "";

    public GobgpRouter(Path directory) throws IOException, InterruptedException {
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
        awaitAnswer();
        asking = Thread.ofPlatform().name("pathlore-bench-router").start(this::ask);
    }

    /** Whether there is such a program here. */
    public static boolean isInstalled() {
        try {
            return new ProcessBuilder("gobgpd", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // It can only be told a number; another process may take it before it does, and then it does not answer.
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (answer("ipv4") == null) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("gobgpd does not start: " + trouble);
            }
            Thread.sleep(ASK_MILLIS);
        }
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    /** What it has to drop now. */
    public Set<BlockRule> routes() {
        return routes;
    }

    /** Empty where all goes well. */
    public String trouble() {
        return trouble;
    }

    private void ask() {
        try {
            while (process.isAlive()) {
                Set<BlockRule> now = new LinkedHashSet<>();
                for (String family : new String[] {"ipv4", "ipv6"}) {
                    String answer = answer(family);
                    if (answer != null) {
                        answer.lines()
                                .filter(line -> line.startsWith("*") && line.contains("discard"))
                                .forEach(line -> now.add(rule(line)));
                    }
                }
                routes = now;
                Thread.sleep(ASK_MILLIS);
            }
        } catch (IOException | RuntimeException e) {
            trouble = e.toString();
        } catch (InterruptedException e) {
            // It is closed.
        }
    }

    /** Null where it does not answer. */
    private @Nullable String answer(String family) throws IOException, InterruptedException {
        Process asked = new ProcessBuilder(
                        "gobgp", "-p", Integer.toString(apiPort), "global", "rib", "-a", family + "-flowspec")
                .redirectErrorStream(true)
                .start();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (asked.waitFor() != 0) {
            trouble = answer.strip();
            return null;
        }
        trouble = "";
        return answer;
    }

    /** {@code [destination: 192.0.2.0/24][source: 198.51.100.7/32][protocol: ==udp][destination-port: ==53]}, as it prints them. */
    static BlockRule rule(String line) {
        Prefix source = null;
        Prefix destination = null;
        Integer protocol = null;
        Integer destinationPort = null;
        Matcher parts = PART.matcher(line);
        while (parts.find()) {
            String value = parts.group(2).strip().replace("==", "");
            switch (parts.group(1)) {
                case "source" -> source = prefix(value);
                case "destination" -> destination = prefix(value);
                case "protocol" ->
                    protocol = value.equals("udp") ? UDP : value.equals("tcp") ? TCP : Integer.parseInt(value);
                default -> destinationPort = Integer.valueOf(value);
            }
        }
        if (source == null && destination == null) {
            throw new IllegalArgumentException("a route of everything: " + line);
        }
        return new BlockRule(null, source, destination, protocol, destinationPort);
    }

    /** Of IPv6 it says, behind a second slash, where the bits begin. */
    private static Prefix prefix(String text) {
        String[] parts = text.split("/", -1);
        ByteBuffer address = ByteBuffer.wrap(InetAddress.ofLiteral(parts[0]).getAddress());
        boolean v6 = address.remaining() > Integer.BYTES;
        return new Prefix(
                v6,
                v6 ? address.getLong() : 0,
                v6 ? address.getLong() : Integer.toUnsignedLong(address.getInt()),
                Integer.parseInt(parts[1]));
    }

    @Override
    public void close() {
        asking.interrupt();
        process.destroyForcibly();
    }
}
