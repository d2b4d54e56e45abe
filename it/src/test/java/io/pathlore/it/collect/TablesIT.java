package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.store.tables.QueryLimits;
import io.pathlore.store.tables.TableOptions;
import io.pathlore.store.tables.TableReader;
import io.pathlore.testkit.journal.PlainJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
        Path journal;
        try (RunningCollector collector = setup.start();
                Load load = new Load("127.0.0.2", collector.port(), 3, PER_SECOND, PAYLOAD)) {
            load.awaitSent(PER_SECOND);
            int _ = load.stop();
            // The rest of the minute is read again from the journal; then the running pipeline takes over.
            RunningCollector.until(
                    "the tables have caught up",
                    Duration.ofSeconds(90),
                    () -> !collector.api().get("/api/v1/status").body().contains("\"catchingUp\":true"));
            journal = collector.journal();
            collector.stop();
        }
        long kept = PlainJournal.read(journal).datagrams().size();
        assertThat(kept).isGreaterThan(5L * PER_SECOND);
        try (TableReader tables = TableReader.open(temp.resolve("data/store"), TableOptions.DEFAULT)) {
            var queries = tables.queries(QueryLimits.DEFAULT);
            assertThat(queries.ask("SELECT sum(datagrams)::BIGINT AS n FROM exporters_1m")
                            .rows())
                    .isEqualTo(List.of("{\"n\":" + kept + "}"));
            assertThat(queries.ask("SELECT count(*) - count(DISTINCT (time, exporter)) AS twice FROM exporters_1m")
                            .rows())
                    .isEqualTo(List.of("{\"twice\":0}"));
        }
    }
}
