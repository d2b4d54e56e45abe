package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Who sends may invent whatever he likes: flows, nodes, addresses. Tables stay as large as they were made, what had to leave them
 * is counted, and the process takes no more memory than it was given.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(900)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LimitsIT {
    private static final long MIB = 1 << 20;
    private static final long MEMORY = 64 * MIB;
    private static final long HEAP = 64 * MIB;
    /** Classes, compiled code, stacks and the collector's own: what a virtual machine takes beside heap and buffers. */
    private static final long MARGIN = 160 * MIB;

    private static final int FLOWS = 100_000;
    private static final int EXPORTERS = 4_096;
    private static final int MOST_SERIES = 1_000;
    private static final int REPORTS = 128;
    private static final int LONG = 1_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private RunningCollector collector;

    private long sent;
    private long series;
    private int window;
    private int waiting;

    @BeforeAll
    void start() throws IOException {
        collector = Setup.in(temp)
                .set("memory=64MiB", "analysis.flows=" + FLOWS, "journal.enabled=false")
                .jvm("-Xmx64m")
                .start();
        series = series();
        window = collector.api().metrics().window();
    }

    @AfterAll
    void theLedgerBalancesInTheEnd() throws IOException {
        JavaProcess.Ended ended = collector.stop();
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(RunningCollector.lastLedger(ended.err()).accountedFor()).isEqualTo(sent);
    }

    private long series() throws IOException {
        return collector
                .api()
                .good("/metrics")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    private void send(Sender from, byte[] datagram) throws IOException {
        from.send(collector.port(), datagram);
        waiting += datagram.length < LONG ? 1 : datagram.length / LONG;
        sent++;
        if (waiting >= window) {
            collector.untilRead(sent);
            waiting = 0;
        }
    }

    /** Returns what was counted, after everything has been read. */
    private Reading checked() throws IOException {
        Reading ledger = collector.atRest(sent);
        assertThat(ledger.get("analysed")).isEqualTo(ledger.get("reportsDecoded"));
        assertThat(collector.memory("VmHWM")).isLessThan(MEMORY + HEAP + MARGIN);
        assertThat(series()).isLessThan(series + 10).isLessThan(MOST_SERIES); // but for those of errors
        return collector.api().metrics();
    }

    @Test
    @Order(1)
    void aMillionFlowsTakeTheRoomThereIs() throws IOException {
        flows(1_000_000);
    }

    @Test
    @Order(4)
    @Tag("slow")
    void tenMillionFlowsTakeTheRoomThereIs() throws IOException {
        flows(10_000_000);
    }

    private void flows(int count) throws IOException {
        long evicted = collector.api().metrics().get("flowsEvicted");
        long resident = 0;
        int sequence = 0;
        try (Sender sender = Sender.from("127.0.0.2")) {
            for (int flow = 0; flow < count; flow += REPORTS) {
                send(sender, ReportBytes.v20(1, ++sequence, 1, sequence, REPORTS, flow, 0));
                if (resident == 0 && flow > count / 2) {
                    collector.untilRead(sent);
                    resident = collector.memory("VmRSS");
                }
            }
        }
        Reading metrics = checked();
        assertThat(metrics.get("flowsMax")).isLessThanOrEqualTo(FLOWS);
        assertThat(metrics.get("flows")).isLessThanOrEqualTo(metrics.get("flowsMax"));
        assertThat(metrics.get("flowsEvicted") - evicted).isGreaterThanOrEqualTo(count - (long) FLOWS);
        // The second half took nothing that the first had not.
        assertThat(collector.memory("VmRSS")).isLessThan(resident + 16 * MIB);
    }

    @Test
    @Order(2)
    void inventedNodesTurnOutEachOther() throws IOException {
        int nodes = 80_000;
        Random random = new Random(20_26);
        try (Sender sender = Sender.from("127.0.0.3")) {
            for (int i = 0; i < nodes; i++) {
                send(sender, ReportBytes.v20(1, i, random.nextInt(), i));
            }
        }
        Reading metrics = checked();
        assertThat(metrics.get("nodesBound")).isLessThanOrEqualTo(65_536);
        assertThat(metrics.get("nodesBound") + metrics.get("bindingUnknown")).isGreaterThan(nodes - 100);
        assertThat(metrics.get("streams")).isPositive();
        assertThat(metrics.get("streams") + metrics.get("streamsEvicted")).isGreaterThan(nodes - 100);
        assertThat(metrics.get("streamsEvicted")).isPositive();
        assertThat(metrics.get("sequenceLost")).isZero();
    }

    @Test
    @Order(3)
    void inventedAddressesTurnOutEachOther() throws IOException {
        sweep(5_000);
    }

    @Test
    @Order(5)
    @Tag("slow")
    void aSweepOfHalfAMillionAddressesDoesToo() throws IOException {
        sweep(500_000);
    }

    private void sweep(int addresses) throws IOException {
        long before = collector.api().metrics().get("exporters")
                + collector.api().metrics().get("exportersEvicted");
        for (int i = 0; i < addresses; i++) {
            try (Sender sender = Sender.from("127.%d.%d.%d".formatted(1 + (i >> 16), i >> 8 & 0xFF, i & 0xFF))) {
                send(sender, ReportBytes.v20(1, i, 1, i));
            }
        }
        Reading metrics = checked();
        assertThat(metrics.get("exporters")).isLessThanOrEqualTo(EXPORTERS);
        assertThat(metrics.get("exporters") + metrics.get("exportersEvicted")).isEqualTo(before + addresses);
        assertThat(metrics.get("exportersEvicted")).isGreaterThanOrEqualTo(addresses - (long) EXPORTERS);
    }
}
