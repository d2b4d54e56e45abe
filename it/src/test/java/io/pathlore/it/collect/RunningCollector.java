package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code pathlore collect} as a user runs it: its own process, with the options of the launcher, on free ports of the loopback. */
public final class RunningCollector implements AutoCloseable {
    public static final String MAIN = "io.pathlore.cli.Main";

    /**
     * Those of the launcher script, and of the manifest it starts; and one compiler of two, for most of these live too short to earn
     * what the other costs.
     */
    public static final List<String> JVM = List.of(
            "-Xmx512m",
            "-XX:-UsePerfData",
            "-Xlog:disable",
            "-Xlog:all=warning,aot*=off,cds*=off:stderr",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED");

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Pattern LEDGER = Pattern.compile("info ledger (\\{.*})");
    private static final Pattern FIELD = Pattern.compile("^(\\w+):\\s+(\\d+) kB$", Pattern.MULTILINE);
    private static final int BYTES_PER_KB = 1024;

    private final JavaProcess java;
    private final Setup setup;
    private final Api api;
    private final long startNanos;
    private Duration untilReady = Duration.ZERO;
    private Duration processorUntilReady = Duration.ZERO;

    /** What one is started with. */
    public record Setup(
            Path directory,
            Path data,
            int port,
            int httpPort,
            List<String> before,
            List<String> jvm,
            List<String> arguments) {
        /** With all it writes below this directory. */
        public static Setup in(Path directory) throws IOException {
            Path data = directory.resolve("data");
            return new Setup(directory, data, freeUdpPort(), freeTcpPort(), List.of(), JVM, List.of())
                    .set("listen.addresses=127.0.0.1");
        }

        public Setup with(String... more) {
            List<String> all = new ArrayList<>(arguments);
            all.addAll(List.of(more));
            return new Setup(directory, data, port, httpPort, before, jvm, all);
        }

        public Setup set(String... keys) {
            Setup next = this;
            for (String key : keys) {
                next = next.with("--set", key);
            }
            return next;
        }

        /** With both compilers, as users have it: where speed matters. */
        Setup fast() {
            return jvm("-XX:TieredStopAtLevel=4");
        }

        /** Small tables: starts sooner. */
        public Setup small() {
            return set("memory=64MiB", "analysis.flows=1000");
        }

        Setup jvm(String... more) {
            List<String> all = new ArrayList<>(jvm);
            all.addAll(List.of(more));
            return new Setup(directory, data, port, httpPort, before, all, arguments);
        }

        Setup under(String... program) {
            return new Setup(directory, data, port, httpPort, List.of(program), jvm, arguments);
        }

        Setup on(int udp, int http) {
            return new Setup(directory, data, udp, http, before, jvm, arguments);
        }

        Setup keepingIn(Path other) {
            return new Setup(directory, other, port, httpPort, before, jvm, arguments);
        }

        JavaProcess run() throws IOException {
            List<String> all = new ArrayList<>(
                    List.of("collect", "--data", data.toString(), "--http-port", Integer.toString(httpPort)));
            all.addAll(arguments);
            if (!arguments.contains("--config")) {
                all.addAll(List.of("--port", Integer.toString(port)));
            }
            return JavaProcess.start(directory, before, jvm, MAIN, all);
        }

        /** Waits until it is ready. */
        public RunningCollector start() throws IOException {
            return new RunningCollector(this);
        }
    }

    private RunningCollector(Setup setup) throws IOException {
        this.setup = setup;
        api = new Api(setup.httpPort());
        startNanos = System.nanoTime();
        java = setup.run();
        boolean ready = false;
        try {
            awaitReady();
            ready = true;
        } finally {
            if (!ready) {
                java.process().destroyForcibly();
            }
        }
    }

    private void awaitReady() throws IOException {
        until("ready", () -> {
            assertThat(java.process().isAlive())
                    .as("it ended: %s", java.errors())
                    .isTrue();
            try {
                return api.get("/readyz").status() == 200;
            } catch (IOException e) {
                return false; // it does not listen yet
            }
        });
        untilReady = Duration.ofNanos(System.nanoTime() - startNanos);
        processorUntilReady = java.process().info().totalCpuDuration().orElse(untilReady);
    }

    public static int freeUdpPort() throws IOException {
        try (var socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
            return socket.getLocalPort();
        }
    }

    public static int freeTcpPort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    public int port() {
        return setup.port();
    }

    int httpPort() {
        return setup.httpPort();
    }

    public Api api() {
        return api;
    }

    public Path data() {
        return setup.data();
    }

    public Path journal() {
        return data().resolve("journal");
    }

    JavaProcess process() {
        return java;
    }

    long pid() {
        return java.process().pid();
    }

    /**
     * From the start of the process until it said it was ready. Where the machine has more to do than processors, how long the
     * others let it wait is not its own: then it is the time that its threads ran, one after the other.
     */
    Duration untilReady() {
        var machine = ManagementFactory.getOperatingSystemMXBean();
        boolean busy = machine.getSystemLoadAverage() > machine.getAvailableProcessors();
        return busy ? processorUntilReady : untilReady;
    }

    public String adminToken() throws IOException {
        return Files.readString(data().resolve("admin.token")).strip();
    }

    /** Another command of the program, beside it; what it prints. */
    public String command(Object... words) throws IOException {
        return command(setup.directory(), words);
    }

    /** A command of the program, with its output kept there. */
    public static String command(Path directory, Object... words) throws IOException {
        List<String> arguments = new ArrayList<>();
        for (Object word : words) {
            arguments.add(word.toString());
        }
        JavaProcess.Ended ended =
                JavaProcess.start(directory, List.of(), JVM, MAIN, arguments).await();
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended.out();
    }

    String makeToken(String name, String role) throws IOException {
        return command("token", "add", name, "--role", role, "--set", "data=" + data())
                .strip();
    }

    public String errors() throws IOException {
        return java.errors();
    }

    /** What may be asked again and again until it holds. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException;
    }

    public static void until(String what, Condition condition) throws IOException {
        until(what, Duration.ofNanos(PATIENCE_NANOS), condition);
    }

    /** Not longer than that. */
    public static void until(String what, Duration patience, Condition condition) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Waits until so many datagrams were read, or dropped by the kernel, and nothing waits between threads. */
    Reading atRest(long datagrams) throws IOException {
        Reading[] last = new Reading[1];
        until(datagrams + " datagrams accounted for", () -> {
            last[0] = api.ledger();
            return last[0].accountedFor() >= datagrams && last[0].get("inFlight") == 0;
        });
        assertThat(last[0].accountedFor()).isEqualTo(datagrams);
        assertThat(last[0].violations()).isEmpty();
        return last[0];
    }

    /** Waits until so many datagrams were read, or dropped by the kernel. */
    void untilRead(long datagrams) throws IOException {
        until(datagrams + " datagrams read", () -> api.ledger().accountedFor() >= datagrams);
    }

    /** Memory of the process in bytes, by a name of {@code /proc/PID/status}: VmRSS, VmHWM. */
    long memory(String field) throws IOException {
        Matcher matcher = FIELD.matcher(Files.readString(Path.of("/proc/" + pid() + "/status")));
        while (matcher.find()) {
            if (matcher.group(1).equals(field)) {
                return Long.parseLong(matcher.group(2)) * BYTES_PER_KB;
            }
        }
        throw new IllegalStateException("no " + field);
    }

    void signal(String name) throws IOException {
        try {
            int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .start()
                    .waitFor();
            assertThat(status).isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Stops it where it stands, until {@link #resume}. */
    void pause() throws IOException {
        signal("STOP");
        until("stopped", () -> {
            String stat = Files.readString(Path.of("/proc/" + pid() + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        });
    }

    void resume() throws IOException {
        signal("CONT");
    }

    public JavaProcess.Ended stop() throws IOException {
        java.process().destroy(); // SIGTERM
        return java.await();
    }

    public JavaProcess.Ended kill() throws IOException {
        java.process().destroyForcibly(); // SIGKILL
        return java.await();
    }

    /** The ledger it told last, when it ended. */
    static Reading lastLedger(String errors) {
        Matcher matcher = LEDGER.matcher(errors);
        if (!matcher.find()) {
            throw new AssertionError("no last ledger in: " + errors);
        }
        return Reading.ofJson(matcher.group(1));
    }

    @Override
    public void close() {
        java.process().destroyForcibly();
    }
}
