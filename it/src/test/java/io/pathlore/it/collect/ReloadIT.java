package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another configuration while datagrams come in: none of them is lost for it, and a bad one changes nothing. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class ReloadIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @SuppressWarnings("NullAway.Init")
    private Path file;

    @SuppressWarnings("NullAway.Init")
    private RunningCollector collector;

    /** Holds seconds of what is sent here, however busy the machine is. */
    private String buffer = "2MiB";

    private int port;
    private long sent;
    private int reloads;

    private void start(int workers) throws IOException {
        file = temp.resolve("pathlore.yaml");
        Setup setup = Setup.in(temp).small().set("listen.workers=" + workers).with("--config", file.toString());
        port = setup.port();
        write("allow: [127.0.0.0/8]", port);
        collector = setup.start();
    }

    @AfterEach
    void theLedgerBalancesInTheEnd() throws IOException {
        JavaProcess.Ended ended = collector.stop();
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(RunningCollector.lastLedger(ended.err()).accountedFor()).isEqualTo(sent);
        assertThat(ended.err()).doesNotContain("Exception").doesNotContain("\tat ");
    }

    private void write(String more, Integer... ports) throws IOException {
        String text = "listen:\n  receive-buffer: %s\n  ports: %s\n  %s\n".formatted(buffer, List.of(ports), more);
        Files.writeString(file, text);
    }

    private void reloadBySignal() throws IOException {
        reloads++;
        collector.signal("HUP");
        RunningCollector.until(
                "read again",
                () -> collector
                                .errors()
                                .lines()
                                .filter(line -> line.contains("configuration re"))
                                .count()
                        == reloads);
    }

    private Api.Answer reload() throws IOException {
        reloads++;
        return collector.api().post("/api/v1/reload", collector.adminToken());
    }

    private void send(Sender from, int to, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            sent++;
            from.send(to, ReportBytes.v20(1, sent, 1, (int) sent));
        }
    }

    private Map<String, Long> counted(Sender from, int to, int count) throws IOException {
        Reading before = collector.api().ledger();
        send(from, to, count);
        return collector.atRest(sent).since(before);
    }

    @Test
    void whoMaySendAndHowMuchChangesWithTheNextDatagram() throws IOException {
        start(1);
        try (Sender two = Sender.from("127.0.0.2");
                Sender three = Sender.from("127.0.0.3")) {
            assertThat(counted(two, port, 5)).containsEntry("accepted", 5L);
            assertThat(counted(three, port, 5)).containsEntry("accepted", 5L);

            write("allow: [127.0.0.2/32]", port);
            reloadBySignal();
            assertThat(counted(three, port, 5))
                    .containsEntry("rejected.acl", 5L)
                    .doesNotContainKey("accepted");
            assertThat(counted(two, port, 5)).containsEntry("accepted", 5L);

            write("allow: [127.0.0.0/8]\n  rate-limit: 10", port);
            assertThat(reload().body()).isEqualTo("{\"needRestart\":[]}");
            Map<String, Long> limited = counted(three, port, 100);
            assertThat(limited.getOrDefault("rejected.rate", 0L)).isPositive();
            assertThat(limited.getOrDefault("rejected.rate", 0L) + limited.getOrDefault("accepted", 0L))
                    .isEqualTo(100);

            write("allow: [127.0.0.0/8]\n  binding: enforce", port);
            assertThat(reload().status()).isEqualTo(200);
            assertThat(counted(two, port, 3)).containsEntry("analysed", 3L); // the first to speak for this node
            assertThat(counted(three, port, 3))
                    .containsEntry("shed.binding", 3L)
                    .doesNotContainKey("analysed");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void portsComeAndGoAndTheOthersLoseNothing(int workers) throws IOException {
        start(workers);
        int other = RunningCollector.freeUdpPort();
        try (Load load = new Load("127.0.0.9", port, 9, 2_000);
                Sender sender = Sender.from("127.0.0.2")) {
            for (int round = 0; round < 3; round++) {
                write("allow: [127.0.0.0/8]", port, other);
                reloadBySignal();
                load.awaitSent(load.sent() + 200);
                send(sender, other, 10);
                write("allow: [127.0.0.0/8]", port);
                assertThat(reload().status()).isEqualTo(200);
                load.awaitSent(load.sent() + 200);
            }
            sent += load.stop();
            Reading now = collector.atRest(sent);
            assertThat(now.sum("kernelDropped")).isZero();
            assertThat(now.get("accepted")).isEqualTo(sent);
            // Nobody listens there any more.
            sender.send(other, ReportBytes.v20(1, 1, 1, 1));
            send(sender, port, 1);
            assertThat(collector.atRest(sent).get("accepted")).isEqualTo(sent);
        }
    }

    /** The kernel's own counter goes with the socket; what it had counted stays. */
    @Test
    void whatTheKernelDroppedIsNeverForgotten() throws IOException {
        buffer = "64KiB";
        start(1);
        int other = RunningCollector.freeUdpPort();
        write("allow: [127.0.0.0/8]", port, other);
        reloadBySignal();
        String socket = "kernelDropped.127.0.0.1:" + other;
        long dropped = 0;
        try (Sender sender = Sender.from("127.0.0.2")) {
            for (int round = 0; round < 2; round++) {
                collector.pause();
                send(sender, other, 1_000);
                collector.resume();
                long now = collector.atRest(sent).get(socket);
                assertThat(now).isGreaterThan(dropped).isLessThan(sent);
                dropped = now;
                for (Integer[] ports : new Integer[][] {{port}, {port, other}}) {
                    write("allow: [127.0.0.0/8]", ports);
                    assertThat(reload().status()).isEqualTo(200);
                    assertThat(collector.api().ledger().get(socket)).isEqualTo(dropped);
                    assertThat(collector.api().metrics().get(socket)).isEqualTo(dropped);
                }
            }
        }
    }

    @Test
    void whatCannotBeUsedChangesNothingAndIsNamed() throws IOException {
        start(1);
        try (Sender sender = Sender.from("127.0.0.2");
                var busy = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))) {
            assertThat(reload().status()).isEqualTo(200); // unchanged
            assertThat(counted(sender, port, 2)).containsEntry("accepted", 2L);

            write("alow: [10.0.0.0/8]", port);
            reloadBySignal();
            assertThat(collector.errors())
                    .contains("error configuration refused, the old one stays:")
                    .contains(file + ":4")
                    .contains("alow");
            Api.Answer refused = reload();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body()).contains("pathlore.yaml:4");
            assertThat(counted(sender, port, 2)).containsEntry("accepted", 2L);

            write("allow: [10.0.0.0/8]", port, busy.getLocalPort());
            refused = reload();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body()).contains("port " + busy.getLocalPort() + " is taken");
            assertThat(counted(sender, port, 2)).containsEntry("accepted", 2L); // not the new allow-list either
            assertThat(collector.api().good("/api/v1/status")).doesNotContain("127.0.0.1:" + busy.getLocalPort());

            assertThat(collector.api().post("/api/v1/reload", "not-the-token").status())
                    .isEqualTo(401);
        }
    }
}
