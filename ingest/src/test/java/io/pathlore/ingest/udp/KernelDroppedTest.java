package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KernelDroppedTest {
    private static final Listen TINY = Listen.on(List.of(Rig.V4), List.of(0), 4_096);

    @Test
    void whatWasSentIsReadOrCountedAsDropped() throws IOException {
        assumeTrue(LinuxCalls.instance() != null, "only Linux counts");
        byte[] report = GoldenVectors.bytes("R7");
        for (int round = 0; round < 10; round++) {
            try (var rig = new Rig(Rig.Settings.plain().on(TINY))) {
                for (int pause = 0; pause < 3; pause++) {
                    for (int i = 0; i < 200; i++) {
                        rig.send(report);
                    }
                    Ledger.Snapshot now = rig.readAll();
                    assertThat(now.kernelDropped()).isGreaterThan(pause * 50L);
                }
            }
        }
    }

    /** Between the last read and the close no datagram may vanish, however many are still sent. */
    @Test
    void untilTheSocketIsClosedNothingVanishes() throws Exception {
        assumeTrue(LinuxCalls.instance() != null, "only Linux counts");
        byte[] report = GoldenVectors.bytes("R7");
        try (var rig = new Rig(Rig.Settings.plain())) {
            for (int i = 0; i < 100; i++) {
                rig.send(report);
            }
            rig.sockets.refuseMore();
            for (int i = 0; i < 50; i++) {
                rig.send(report);
            }
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.read(Term.DATAGRAMS_READ)).isEqualTo(100);
            assertThat(now.kernelDropped()).isEqualTo(50);
        }
    }

    @Test
    void aSocketOpenedAgainGoesOnCounting() throws IOException {
        assumeTrue(LinuxCalls.instance() != null, "only Linux counts");
        var ledger = new Ledger(false);
        byte[] report = GoldenVectors.bytes("R7");
        long expected = 0;
        int port = 0;
        for (int round = 0; round < 3; round++) {
            Listen listen = Listen.on(List.of(Rig.V4), List.of(port), 4_096);
            try (var rig = new Rig(Rig.Settings.plain().on(listen))) {
                port = rig.port();
                ledger.addSocket(
                        rig.sockets.socket(0).label(), rig.sockets.socket(0).kernelDrops());
                for (int i = 0; i < 100; i++) {
                    rig.send(report);
                }
                expected += 100 - rig.readAll().read(Term.DATAGRAMS_READ);
            }
            assertThat(ledger.snapshot().kernelDropped()).isEqualTo(expected).isPositive();
        }
        assertThat(ledger.snapshot().kernelDroppedBySocket()).isEqualTo(Map.of("127.0.0.1:" + port, expected));
    }
}
