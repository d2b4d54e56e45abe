package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.ingest.Rejection;
import io.pathlore.ingest.Shed;
import io.pathlore.model.Fault;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.wire.tr20.GroupHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReceiveLoopTest {
    private static final byte[] REPORT = GoldenVectors.bytes("R7");

    /** The golden report of another node, with another number. */
    private static byte[] report(long node, int sequence) {
        byte[] bytes = REPORT.clone();
        GroupHeader.encode(ByteBuffer.wrap(bytes), 0, 0, sequence, node);
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everySizeIsCountedOnceAndToTheByte(boolean portable) throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().portable(portable))) {
            long bytes = 0;
            for (int size : new int[] {0, 1, 7, 8, 11, 12, 1_472, 8_972, 65_507}) {
                byte[] datagram = new byte[size];
                java.util.Arrays.fill(datagram, (byte) 0xF0);
                rig.send(datagram);
                bytes += size;
            }
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.read(Term.BYTES_READ)).isEqualTo(bytes);
            assertThat(now.rejected(Rejection.EMPTY)).isEqualTo(1);
            assertThat(now.undecodable(Fault.TR_UNKNOWN_VERSION)).isEqualTo(8);
            assertThat(now.read(Term.JOURNALLED)).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void oneLongerThanAllowedIsOversize(boolean portable) throws IOException {
        Listen listen = new Listen(List.of(Rig.V4), List.of(0), 1 << 20, 1, false, 200);
        try (var rig = new Rig(Rig.Settings.plain().on(listen).portable(portable))) {
            rig.send(new byte[200]);
            rig.send(new byte[201]);
            rig.send(new byte[9_000]);
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.rejected(Rejection.OVERSIZE)).isEqualTo(2);
            assertThat(now.read(Term.ACCEPTED)).isEqualTo(1);
            assertThat(now.read(Term.BYTES_READ)).isEqualTo(200 + 201 + 9_000);
        }
    }

    @Test
    void aBatchOfMixedExportersKeepsThemApart() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain())) {
            List<DatagramChannel> switches = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                switches.add(Rig.from("127.0.1." + i));
            }
            for (int round = 0; round < 20; round++) {
                for (int i = 1; i <= 8; i++) {
                    rig.send(switches.get(i - 1), Rig.V4, report(i, round));
                    expected.add("127.0.1." + i + " node " + i + " seq " + round);
                }
            }
            rig.readAll();
            assertThat(rig.reports).isEqualTo(expected);
            assertThat(rig.exporters.rows())
                    .hasSize(8)
                    .allMatch(row -> row.datagrams() == 20
                            && row.reports() == 20
                            && row.bytes() == 20L * REPORT.length
                            && row.lastFault() == Fault.NONE);
            for (DatagramChannel channel : switches) {
                channel.close();
            }
        }
    }

    @Test
    void readsBothFamiliesAndSeveralPorts() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().on(Listen.on(List.of(Rig.V4, Rig.V6), List.of(0, 0), 1 << 20)))) {
            assumeTrue(rig.sockets.size() == 4, "no IPv6 here");
            try (DatagramChannel sender = DatagramChannel.open()) {
                rig.send(sender, Rig.V4, report(1, 1));
                rig.send(sender, Rig.V6, report(2, 1));
                int second = rig.sockets.socket(2).port();
                assertThat(second).isNotEqualTo(rig.port());
                sender.send(ByteBuffer.wrap(report(3, 1)), new java.net.InetSocketAddress(Rig.V4, second));
                rig.sent++;
            }
            rig.readAll();
            assertThat(rig.reports)
                    .containsExactlyInAnyOrder("127.0.0.1 node 1 seq 1", "::1 node 2 seq 1", "127.0.0.1 node 3 seq 1");
        }
    }

    @Test
    void aSourceThatIsNotAllowedIsNamedOnce() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().allowing("127.0.2.0/24"));
                DatagramChannel friend = Rig.from("127.0.2.1");
                DatagramChannel stranger = Rig.from("127.0.3.1")) {
            for (int i = 0; i < 10; i++) {
                rig.send(friend, Rig.V4, REPORT);
                rig.send(stranger, Rig.V4, REPORT);
            }
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.rejected(Rejection.ACL)).isEqualTo(10);
            assertThat(now.read(Term.ACCEPTED)).isEqualTo(10);
            assertThat(rig.exporters.size()).isEqualTo(1);
            assertThat(rig.admission.refused().sources())
                    .extracting(RefusedSources.Source::hint)
                    .containsExactly("datagrams from 127.0.3.1 are refused; to accept them:"
                            + " listen.allow: [127.0.2.0/24, 127.0.3.1]");
        }
    }

    @Test
    void aNoisyExporterDoesNotSilenceAQuietOne() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().atRate(1));
                DatagramChannel noisy = Rig.from("127.0.2.1");
                DatagramChannel quiet = Rig.from("127.0.2.2")) {
            for (int i = 0; i < 200; i++) {
                rig.send(noisy, Rig.V4, REPORT);
            }
            rig.send(quiet, Rig.V4, REPORT);
            Ledger.Snapshot now = rig.readAll();
            List<ExporterTable.Row> rows = rig.exporters.rows();
            assertThat(now.rejected(Rejection.RATE))
                    .isEqualTo(rows.get(0).overRate())
                    .isGreaterThan(150);
            assertThat(rows.get(0).datagrams() + rows.get(0).overRate()).isEqualTo(200);
            assertThat(rows.get(1).datagrams()).isEqualTo(1);
        }
    }

    @Test
    void theFirstTestThatFailsIsTheOneCounted() throws IOException {
        Listen listen = new Listen(List.of(Rig.V4), List.of(0), 1 << 20, 1, false, 200);
        try (var rig = new Rig(Rig.Settings.plain().on(listen).allowing("10.0.0.0/8"))) {
            rig.send(new byte[0]);
            rig.send(new byte[201]);
            rig.send(new byte[200]);
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.rejected(Rejection.EMPTY)).isEqualTo(1);
            assertThat(now.rejected(Rejection.OVERSIZE)).isEqualTo(1);
            assertThat(now.rejected(Rejection.ACL)).isEqualTo(1);
        }
    }

    @Test
    void learningOnlyMarksWhoSpeaksForTheNodeOfAnother() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().binding(NodeBinding.Mode.LEARN));
                DatagramChannel real = Rig.from("127.0.2.1");
                DatagramChannel spoof = Rig.from("127.0.2.2")) {
            rig.send(real, Rig.V4, report(3, 1));
            rig.send(spoof, Rig.V4, report(3, 2));
            rig.send(real, Rig.V4, report(3, 3));
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.read(Term.ANALYSED)).isEqualTo(3);
            assertThat(rig.datagrams)
                    .containsExactly(
                            "127.0.2.1 " + REPORT.length,
                            "127.0.2.2 " + REPORT.length + " unbound",
                            "127.0.2.1 " + REPORT.length);
        }
    }

    @Test
    void enforcingShedsThem() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().binding(NodeBinding.Mode.ENFORCE));
                DatagramChannel real = Rig.from("127.0.2.1");
                DatagramChannel spoof = Rig.from("127.0.2.2")) {
            rig.send(real, Rig.V4, report(3, 1));
            rig.send(spoof, Rig.V4, report(3, 2));
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.shed(Shed.BINDING)).isEqualTo(1);
            assertThat(rig.reports).containsExactly("127.0.2.1 node 3 seq 1");
            assertThat(rig.datagrams).last().asString().endsWith("unbound");
        }
    }

    @Test
    void offLooksAtNothing() throws IOException {
        try (var rig = new Rig(Rig.Settings.plain().binding(NodeBinding.Mode.OFF));
                DatagramChannel spoof = Rig.from("127.0.2.2")) {
            rig.send(report(3, 1));
            rig.send(spoof, Rig.V4, report(3, 2));
            rig.readAll();
            assertThat(rig.datagrams).noneMatch(line -> line.endsWith("unbound"));
            assertThat(rig.binding.entries()).isZero();
        }
    }

    @Test
    void aFanoutThatIsFullIsCounted() throws IOException {
        var ledger = new Ledger(false);
        Ledger.Worker worker = ledger.addWorker();
        try (var rig = new Rig(Rig.Settings.plain())) {
            var exporters = new ExporterTable(4, 0, ExporterTable.Profiles.AUTO, 1);
            var admission = new Admission(9_000, AllowList.of(List.of("private")), exporters, worker, 1);
            Fanout full = new Fanout() {
                private int room = 3;

                @Override
                public boolean offer(DatagramBatch batch, int index, int exporter) {
                    return room-- > 0;
                }

                @Override
                public void endBatch() {}

                @Override
                public void onTick(long nowNanos) {}

                @Override
                public void end() {}
            };
            var loop = new ReceiveLoop(rig.sockets, admission, full, ledger, worker);
            for (int i = 0; i < 10; i++) {
                rig.send(REPORT);
            }
            while (ledger.snapshot().read(Term.DATAGRAMS_READ) < 10) {
                loop.turn(100);
            }
            assertThat(ledger.snapshot().read(Term.ACCEPTED)).isEqualTo(3);
            assertThat(ledger.snapshot().read(Term.QUEUE_DROPPED)).isEqualTo(7);
        }
    }

    @Test
    void stopsAtOnceWhenNothingHappens() throws Exception {
        try (var rig = new Rig(Rig.Settings.plain())) {
            Thread thread = rig.loop.start(0);
            assertThat(thread.getName()).isEqualTo("pathlore-ingest-udp-0");
            long start = System.nanoTime();
            rig.loop.stop();
            thread.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(thread.isAlive()).isFalse();
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
            assertThat(rig.loop.failure()).isNull();
        }
    }

    /** However the stop falls into the stream: what was sent before the socket closed was read or counted. */
    @Test
    void stoppedUnderLoadTheLedgerIsBalanced() throws Exception {
        for (int round = 0; round < 10; round++) {
            try (var rig = new Rig(Rig.Settings.plain().keepingNothing())) {
                Thread thread = rig.loop.start(0);
                try (DatagramChannel sender = DatagramChannel.open()) {
                    long upTo = 500 + 300L * round;
                    while (rig.sent < upTo) {
                        rig.send(sender, Rig.V4, REPORT);
                    }
                    rig.loop.stop();
                    thread.join();
                }
                Ledger.Snapshot now = rig.ledger.snapshot();
                assertThat(now.check()).isEmpty();
                assertThat(now.read(Term.DATAGRAMS_READ) + now.kernelDropped()).isEqualTo(rig.sent);
                assertThat(rig.loop.failure()).isNull();
            }
        }
    }
}
