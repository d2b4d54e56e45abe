package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where it cannot run it says so in one line, and in its exit code. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class RefusalIT {
    private static final int RUNTIME = 1;
    private static final int USAGE = 2;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private record Refused(int status, String words, JavaProcess process) {
        boolean is(JavaProcess.Ended ended) {
            return ended.status() == status
                    && ended.out().isEmpty()
                    && ended.err().lines().count() == 1
                    && ended.err().startsWith("pathlore: ")
                    && ended.err().contains(words)
                    && !ended.err().contains("Exception")
                    && !ended.err().contains("bug");
        }
    }

    private final Map<String, Refused> cases = new LinkedHashMap<>();

    private Setup setup(String name) throws IOException {
        return Setup.in(Files.createDirectories(temp.resolve(name))).small();
    }

    private void expect(String name, int status, String words, Setup setup) throws IOException {
        cases.put(name, new Refused(status, words, setup.run()));
    }

    /** All at once, for each is a virtual machine that starts. */
    @Test
    void oneLineAndTheRightNumber() throws IOException {
        var loopback = InetAddress.ofLiteral("127.0.0.1");
        Setup first = setup("first");
        try (RunningCollector running = first.start();
                var udp = new DatagramSocket(new InetSocketAddress(loopback, 0));
                var tcp = new ServerSocket(0, 1, loopback)) {
            int port = udp.getLocalPort();
            expect(
                    "UDP port",
                    RUNTIME,
                    "port " + port + " is taken on 127.0.0.1",
                    setup("udp").on(port, RunningCollector.freeTcpPort()));
            expect(
                    "UDP port of another collector",
                    RUNTIME,
                    "port " + running.port() + " is taken on 127.0.0.1",
                    setup("udp2").set("listen.workers=2").on(running.port(), RunningCollector.freeTcpPort()));
            expect(
                    "HTTP port",
                    RUNTIME,
                    String.valueOf(tcp.getLocalPort()),
                    setup("tcp").on(RunningCollector.freeUdpPort(), tcp.getLocalPort()));
            expect(
                    "journal in use",
                    RUNTIME,
                    "is written by another collector (process " + running.pid(),
                    setup("locked").keepingIn(first.data()));
            Path file = Files.createFile(temp.resolve("file"));
            expect(
                    "data is a file",
                    RUNTIME,
                    file.toString(),
                    setup("file-data").keepingIn(file));
            expect(
                    "data cannot be written",
                    RUNTIME,
                    "/proc/pathlore",
                    setup("proc").keepingIn(Path.of("/proc/pathlore")));
            Setup noJournal = setup("journal-file");
            Files.createFile(Files.createDirectories(noJournal.data()).resolve("journal"));
            expect("journal is a file", RUNTIME, "journal", noJournal);
            expect(
                    "address of nobody",
                    RUNTIME,
                    "192.0.2.1 is no address of this machine",
                    setup("address").set("listen.addresses=192.0.2.1"));
            expect("key of nothing", USAGE, "listen.prots", setup("key").set("listen.prots=1"));
            expect("value of nothing", USAGE, "memory", setup("value").set("memory=much"));
            Path bad = Files.writeString(temp.resolve("bad.yaml"), "listen:\n  ports: [70000]\n");
            expect("bad file", USAGE, bad + ":2", setup("bad").with("--config", bad.toString()));

            Map<String, String> wrong = new LinkedHashMap<>();
            for (var each : cases.entrySet()) {
                JavaProcess.Ended ended = each.getValue().process().await();
                if (!each.getValue().is(ended)) {
                    wrong.put(each.getKey(), ended.toString());
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(running.api().get("/readyz").status()).isEqualTo(200); // untroubled
        }
    }
}
