package io.pathlore.store.tables;

import static io.pathlore.store.tables.Rows.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Newer programs bring tables up to date, older ones leave them alone. */
class MigrationsTest {
    private static final List<String> ONE = Migrations.STEPS.subList(0, 1);
    private static final List<String> TWO = Stream.concat(
                    ONE.stream(),
                    Stream.of("ALTER TABLE hops_1s ADD COLUMN mood VARCHAR; UPDATE hops_1s SET mood = 'good'"))
            .toList();
    private static final List<String> BROKEN = Stream.concat(
                    ONE.stream(),
                    Stream.of("ALTER TABLE hops_1s ADD COLUMN mood VARCHAR; ALTER TABLE no_such ADD x INT"))
            .toList();

    /** For ever: whoever removes what is old looks into every table, and older versions lack some. */
    private static final TableOptions OPTIONS = new TableOptions(
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            TableOptions.DEFAULT.memoryBytes(),
            TableOptions.DEFAULT.queueBytes(),
            TableOptions.DEFAULT.threads());

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private TableStore open(List<String> migrations) throws TableException {
        return TableStore.open(directory, OPTIONS, line -> {}, migrations);
    }

    private void fillVersionOne() throws TableException {
        try (TableStore store = open(ONE)) {
            assertThat(store.append(Rows.hop(false, START, 7, 1))).isTrue();
            assertThat(store.mark(START, Map.of("a", "b"))).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
        }
    }

    private static List<String> ask(TableStore store, String sql) throws Exception {
        return store.queries(QueryLimits.DEFAULT).ask(sql).rows();
    }

    @Test
    void goesStepByStepAndKeepsWhatIsThere() throws Exception {
        fillVersionOne();
        for (int time = 0; time < 2; time++) {
            try (TableStore store = open(TWO)) {
                assertThat(ask(store, "SELECT node, mood FROM hops_1s"))
                        .containsExactly("{\"node\":7,\"mood\":\"good\"}");
                assertThat(ask(store, "FROM schema_version")).containsExactly("{\"version\":2}");
                assertThat(store.stored()).isEqualTo(new Mark(1, START, Map.of("a", "b")));
            }
        }
    }

    @Test
    void anOlderProgramRefusesInOneLine() throws Exception {
        open(TWO).close();
        assertThatThrownBy(() -> open(ONE))
                .isInstanceOf(TableException.class)
                .hasMessage("tables " + directory + ": have schema version 2, this program knows up to 1;"
                        + " use the newer program that wrote them");
        assertThatThrownBy(() -> Database.read(directory, TableOptions.DEFAULT, ONE))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("schema version 2");
        open(TWO).close();
    }

    @Test
    void whoOnlyReadsDoesNotMigrate() throws Exception {
        fillVersionOne();
        assertThatThrownBy(() -> Database.read(directory, TableOptions.DEFAULT, TWO))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("have schema version 1, this program reads 2");
    }

    @Test
    void aStepThatFailsChangesNothing() throws Exception {
        fillVersionOne();
        assertThatThrownBy(() -> open(BROKEN))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("no_such");
        try (TableStore store = open(TWO)) {
            assertThat(ask(store, "SELECT node, mood FROM hops_1s")).containsExactly("{\"node\":7,\"mood\":\"good\"}");
        }
    }

    @Test
    void anOlderVersionGetsTablesOfAttacks() throws Exception {
        try (TableStore store = open(Migrations.STEPS.subList(0, 3))) {
            assertThat(store.append(Rows.full(Table.EVENTS))).isTrue();
            assertThat(store.mark(START, Map.of("a", "b"))).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
        }
        try (TableStore store = open(Migrations.STEPS)) {
            assertThat(ask(store, "SELECT count(*) AS n FROM attacks")).containsExactly("{\"n\":1}");
            assertThat(ask(store, "FROM attacks_1s")).isEmpty();
            assertThat(store.append(List.of(Rows.full(Table.ATTACKS_1S), Rows.full(Table.STOPPED))))
                    .isTrue();
            assertThat(store.flush()).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
            assertThat(ask(store, "SELECT amount, packets FROM attacks_1s JOIN stopped USING (attack_id)"))
                    .containsExactly("{\"amount\":4000,\"packets\":3900}");
        }
    }

    @Test
    void flowsOfAnOlderVersionStay() throws Exception {
        List<String> before;
        try (TableStore store = open(Migrations.STEPS.subList(0, 2))) {
            assertThat(store.append(Rows.full(Table.FLOWS_1M))).isTrue();
            assertThat(store.mark(START, Map.of("a", "b"))).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
            before = ask(store, "FROM flows_1m");
            assertThat(before).hasSize(1);
        }
        try (TableStore store = open(Migrations.STEPS)) {
            assertThat(ask(store, "FROM flows_1m")).isEqualTo(before);
            assertThat(store.append(Rows.full(Table.FLOWS_1M))).isTrue();
            assertThat(store.mark(START + 1, Map.of("a", "c"))).isTrue();
            assertThat(store.step(0)).as(store.health().line()).isTrue();
            assertThat(ask(store, "FROM flows_1m")).hasSize(2);
        }
    }
}
