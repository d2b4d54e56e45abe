package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.journal.PlainJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM in the midst of it: nothing that was let in is forgotten. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class StopIT {
    private static final int BACKLOG = 3_000;
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void underLoadItEndsInOrderAndTheJournalHoldsWhatWasAccepted() throws IOException {
        Setup setup = Setup.in(temp).small();
        try (RunningCollector collector = setup.start();
                Load load = new Load("127.0.0.2", collector.port(), 1, 20_000)) {
            RunningCollector.until("under way", () -> collector.api().ledger().get("journalled") > 2_000);
            // So that much waits in the kernel when it is told to end.
            collector.pause();
            load.awaitSent(load.sent() + BACKLOG);
            int before = load.sent() - 1;
            collector.signal("TERM");
            long start = System.nanoTime();
            collector.resume();
            JavaProcess.Ended ended = collector.process().await();
            long took = System.nanoTime() - start;
            int sent = load.stop();

            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(took).isLessThan(DRAIN_NANOS);
            Reading last = RunningCollector.lastLedger(ended.err());
            assertThat(last.get("inFlight")).isZero();
            assertThat(last.violations()).isEmpty();
            assertThat(last.accountedFor()).isBetween((long) before, (long) sent);
            assertThat(last.get("journalled")).isEqualTo(last.get("accepted")).isEqualTo(last.get("datagramsRead"));

            PlainJournal journal = PlainJournal.read(collector.journal());
            assertThat(journal.remarks()).isEmpty();
            List<PlainJournal.Datagram> kept = journal.datagrams();
            assertThat(kept).hasSize((int) last.get("accepted"));
            int number = 0;
            int skipped = 0;
            for (PlainJournal.Datagram each : kept) {
                while (!Hex.text(load.bytes(++number)).equals(each.bytes())) {
                    skipped++;
                    assertThat(number).isLessThan(sent);
                }
            }
            // What is not there the kernel dropped, and behind the last one read nobody can miss any.
            assertThat((long) skipped).isLessThanOrEqualTo(last.sum("kernelDropped"));
            assertThat(last.get("sequenceLost")).isEqualTo(skipped);
        }
    }
}
