package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.journal.PlainJournal;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} in the middle of a minute: what the journal has is in the tables, all of it, and once. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class TablesIT {
    private static final int PER_SECOND = 2_000;
    private static final int PAYLOAD = 200;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(130);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final String STORED = "SELECT sum(datagrams)::BIGINT AS n FROM exporters_1m";
    private static final String TWICE = "SELECT count(*) - count(DISTINCT (time, exporter)) AS n FROM exporters_1m";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void whatIsInTheJournalIsInTheTablesOnceAfterKills() throws Exception {
        Setup setup = Setup.in(temp).small().set("journal.sync=20ms", "store.memory=128MiB");
        for (int run = 1; run <= 2; run++) {
            try (RunningCollector collector = setup.start();
                    Load load = new Load("127.0.0.2", collector.port(), run, PER_SECOND, PAYLOAD)) {
                load.awaitSent(3 * PER_SECOND); // some seconds are stored already, and the minute is not
                collector.kill();
                int _ = load.stop();
            }
        }
        try (RunningCollector collector = setup.start();
                Load load = new Load("127.0.0.2", collector.port(), 3, PER_SECOND, PAYLOAD)) {
            load.awaitSent(PER_SECOND);
            collector.atRest(load.stop());
            long kept = PlainJournal.read(collector.journal()).datagrams().size();
            assertThat(kept).isGreaterThan(5L * PER_SECOND);
            // The rest of the minute is read again from the journal, or is told when it is over.
            String all = "{\"n\":" + kept + "}";
            String stored = "";
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!stored.contains(all) && System.nanoTime() < deadline) {
                LockSupport.parkNanos(POLL_NANOS);
                stored = collector.api().query(STORED);
            }
            assertThat(stored).as(collector.api().good("/api/v1/status")).contains(all);
            assertThat(collector.api().query(TWICE)).contains("{\"n\":0}");
        }
    }
}
