package io.pathlore.store.tables;

import static io.pathlore.store.tables.Rows.SECOND;
import static io.pathlore.store.tables.Rows.START;
import static io.pathlore.store.tables.TableHealth.State.BEHIND;
import static io.pathlore.store.tables.TableHealth.State.FAILED;
import static io.pathlore.store.tables.TableHealth.State.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is stored is what was appended, the mark says how far, and trouble is a state. */
class TableStoreTest {
    private static final TableOptions OPTIONS =
            new TableOptions(Duration.ofHours(1), Duration.ofHours(2), Duration.ofHours(3), 128L << 20, 1 << 20, 1);
    private static final int EVENTS = 3_500;
    private static final Map<String, String> HERE = Map.of("journal", "0000010000000007");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final List<String> notes = new ArrayList<>();
    private long ticks;

    private TableStore open() throws TableException {
        return TableStore.open(directory, OPTIONS, notes::add);
    }

    private boolean store(TableStore store, long storedTo, Row... rows) {
        assertThat(store.append(List.of(rows))).isTrue();
        assertThat(store.mark(storedTo, HERE)).isTrue();
        return step(store);
    }

    private boolean step(TableStore store) {
        ticks += TableStore.RETRY_NANOS;
        return store.step(ticks);
    }

    private static List<String> ask(TableStore store, String sql) throws Exception {
        return store.queries(QueryLimits.DEFAULT).ask(sql).rows();
    }

    private static long count(TableStore store, Table table) throws Exception {
        String row = ask(store, "SELECT count(*) AS n FROM " + table.label()).getFirst();
        return Long.parseLong(row.replaceAll("\\D", ""));
    }

    private static final Map<Table, List<String>> AS_JSON = Map.ofEntries(
            Map.entry(Table.HOPS_1S, List.of(fullHop(), unknownHop())),
            Map.entry(Table.HOPS_1M, List.of(fullHop(), unknownHop())),
            Map.entry(
                    Table.FLOWS_1M,
                    List.of(
                            "{'time':'2026-11-15 18:00:00','flow_id':'"
                                    + Rows.FLOW.withVni(9).id()
                                    + "','source':'10.0.1.1','source_number':167772417,'destination':'10.0.2.2',"
                                    + "'destination_number':167772674,'protocol':6,'source_port':45678,"
                                    + "'destination_port':80,'icmp_type':null,'icmp_code':null,'vni':9,'reports':5,"
                                    + "'packets':500,'path_id':'ab12','latency_p50':7,'latency_p99':8,'drops':6}",
                            "{'time':'2026-11-15 18:00:00','flow_id':'" + Rows.FLOW_V6.id()
                                    + "','source':'2001:db8::1','source_number':42540766411282592856903984951653826561,"
                                    + "'destination':'fe80::ffff:ffff:ffff:fffe',"
                                    + "'destination_number':338288524927261089672465640915057246206,'protocol':58,"
                                    + "'source_port':null,'destination_port':null,'icmp_type':128,'icmp_code':0,"
                                    + "'vni':7,'reports':0,'packets':null,'path_id':null,'latency_p50':null,"
                                    + "'latency_p99':null,'drops':null}")),
            Map.entry(
                    Table.PATHS,
                    List.of(
                            "{'path_id':'ab12','nodes':[1,4294967295,3],'complete':true,"
                                    + "'last_seen':'2026-11-15 18:00:00'}",
                            "{'path_id':'cd34','nodes':[],'complete':false,'last_seen':'2026-11-15 18:00:00'}")),
            Map.entry(
                    Table.LINKS_1M,
                    List.of(
                            "{'time':'2026-11-15 18:00:00','from_node':1,'from_interface':2,'to_node':3,"
                                    + "'to_interface':4,'reports':5,'latency':-6,'latency_error':7,'hidden_hops':8}",
                            "{'time':'2026-11-15 18:00:00','from_node':null,'from_interface':null,'to_node':null,"
                                    + "'to_interface':null,'reports':0,'latency':null,'latency_error':null,'hidden_hops':null}")),
            Map.entry(
                    Table.DROPS_1S,
                    List.of(
                            "{'time':'2026-11-15 18:00:00','node':1,'interface':2,'queue':3,'reason':80,'reports':5,"
                                    + "'packets':500}",
                            "{'time':'2026-11-15 18:00:00','node':null,'interface':null,'queue':null,'reason':null,"
                                    + "'reports':0,'packets':null}")),
            Map.entry(
                    Table.ATTACKS_1S,
                    List.of(
                            "{'time':'2026-11-15 18:00:00','attack_id':'f00d','amount':4000,'unit':'packets',"
                                    + "'threshold':1000}",
                            "{'time':'2026-11-15 18:00:00','attack_id':'beef','amount':0,'unit':'reports',"
                                    + "'threshold':0}")),
            Map.entry(
                    Table.STOPPED,
                    List.of(
                            "{'time':'2026-11-15 18:00:00.000000002','since':'2026-11-15 18:00:00.000000001',"
                                    + "'attack_id':'f00d','mitigation_id':'m1','packets':3900}",
                            "{'time':'2026-11-15 18:00:00','since':'2026-11-15 18:00:00','attack_id':'beef',"
                                    + "'mitigation_id':'m1','packets':0}")),
            Map.entry(
                    Table.EPISODES,
                    List.of(
                            "{'id':'e1','node':1,'interface':2,'queue':3,'start':'2026-11-15 18:00:00',"
                                    + "'end':'2026-11-15 18:00:00.000000001','peak_occupancy':4,'completeness':0.5,"
                                    + "'packets':6,'json':'{\\\"a\\\":\\\"ü\\\\u0000\\\"}'}",
                            "{'id':'e2','node':null,'interface':null,'queue':null,'start':'2026-11-15 18:00:00',"
                                    + "'end':null,'peak_occupancy':null,'completeness':null,'packets':null,"
                                    + "'json':'{}'}")),
            Map.entry(
                    Table.EVENTS,
                    List.of(
                            "{'kind':'attack','id':'f00d','start':'2026-11-15 18:00:00',"
                                    + "'end':'2026-11-15 18:00:00.000000001',"
                                    + "'detected_at':'2026-11-15 18:00:00.000000002','severity':'critical',"
                                    + "'completeness':1.0,'node':1,'interface':2,'queue':3,'flow_id':'63d0',"
                                    + "'json':'{\\\"k\\\":[1]}'}",
                            "{'kind':'loop','id':'beef','start':'2026-11-15 18:00:00','end':null,'detected_at':null,"
                                    + "'severity':'info','completeness':null,'node':null,'interface':null,"
                                    + "'queue':null,'flow_id':null,'json':'{}'}")),
            Map.entry(
                    Table.EXPORTERS_1M,
                    List.of(
                            "{'time':'2026-11-15 18:00:00','exporter':'192.168.0.1','exporter_number':3232235521,"
                                    + "'datagrams':1,'bytes':2,'undecodable':3,'reports':4,'rejected_reports':5,"
                                    + "'duplicates':6,'lost':7,'completeness':0.25}",
                            "{'time':'2026-11-15 18:00:00','exporter':'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',"
                                    + "'exporter_number':340282366920938463463374607431768211455,'datagrams':0,"
                                    + "'bytes':0,'undecodable':0,'reports':null,'rejected_reports':null,"
                                    + "'duplicates':null,'lost':null,'completeness':null}")),
            Map.entry(
                    Table.NODES,
                    List.of(
                            "{'node':3,'name':'leaf-3','exporter':'2001:db8::1',"
                                    + "'exporter_number':42540766411282592856903984951653826561,'version':'2.0',"
                                    + "'first_seen':'2026-11-15 18:00:00',"
                                    + "'last_seen':'2026-11-15 18:00:00.000000001'}",
                            "{'node':4,'name':null,'exporter':null,'exporter_number':null,'version':null,"
                                    + "'first_seen':'2026-11-15 18:00:00','last_seen':null}")));

    private static String fullHop() {
        return "{'time':'2026-11-15 18:00:00.123456789','node':4294967295,'interface':2,'queue':4,'reports':5,"
                + "'latency_min':6,'latency_p50':7,'latency_p99':8,'latency_max':9,'latency_histogram':"
                + "'\\\\x01R\\\\x01','occupancy_max':10,'utilization_max':11,'drops':12,'completeness':0.972}";
    }

    private static String unknownHop() {
        return "{'time':'2026-11-15 18:00:00','node':null,'interface':null,'queue':null,'reports':0,"
                + "'latency_min':null,'latency_p50':null,'latency_p99':null,'latency_max':null,"
                + "'latency_histogram':null,'occupancy_max':null,'utilization_max':null,'drops':null,"
                + "'completeness':null}";
    }

    @ParameterizedTest
    @EnumSource(Table.class)
    void keepsEveryValueAndEveryUnknown(Table table) throws Exception {
        try (TableStore store = open()) {
            assertThat(store(store, START, Rows.full(table), Rows.unknown(table)))
                    .as(store.health().line())
                    .isTrue();
        }
        try (TableReader reader = TableReader.open(directory, OPTIONS)) {
            Answer answer = reader.queries(QueryLimits.DEFAULT).ask("FROM " + table.label());
            assertThat(answer.columns()).isEqualTo(table.columnNames());
            assertThat(answer.rows())
                    .containsExactlyInAnyOrderElementsOf(AS_JSON.getOrDefault(table, List.of()).stream()
                            .map(json -> json.replace('\'', '"'))
                            .toList());
        }
    }

    @Test
    void storesNothingBeforeTheMarkAndRemembersItsWords() throws Exception {
        try (TableStore store = open()) {
            assertThat(store.stored()).isEqualTo(Mark.NONE);
            assertThat(store.append(Rows.hop(false, START, 1, 1))).isTrue();
            assertThat(step(store)).isFalse();
            assertThat(count(store, Table.HOPS_1S)).isZero();
            assertThat(store.mark(START + 7, Map.of("a", "1", "b", "it's"))).isTrue();
            assertThat(step(store)).isTrue();
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(1);
            assertThat(store.append(Rows.hop(false, START, 2, 1))).isTrue();
        }
        try (TableStore store = open()) {
            assertThat(store.stored()).isEqualTo(new Mark(1, START + 7, Map.of("a", "1", "b", "it's")));
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(1);
            store(store, START + 8);
            assertThat(store.stored()).isEqualTo(new Mark(2, START + 8, HERE));
        }
    }

    @Test
    void rowsMayBeStoredBeforeTheirMark() throws Exception {
        try (TableStore store = open()) {
            store(store, START + SECOND, Rows.hop(false, START, 1, 1));
            assertThat(store.append(Rows.hop(false, START + SECOND, 2, 1))).isTrue();
            assertThat(store.flush()).isTrue();
            assertThat(step(store)).isTrue();
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(2);
            assertThat(store.stored()).isEqualTo(new Mark(2, START + SECOND, HERE));
            assertThat(store.flush()).as("nothing is no step").isTrue();
            assertThat(step(store)).isFalse();
        }
    }

    /** The process that stored is killed: what it left is copied while it has the file open. */
    @Test
    void afterACrashBetweenRowsAndTheirMarkNothingCountsTwice(@TempDir Path crashed) throws Exception {
        Row[] second = {Rows.hop(false, START + SECOND, 1, 2), Rows.hop(true, START + 60 * SECOND, 2, 2)};
        Row ofAttack = new Row.AttackSecond(START + SECOND, "e", 4, true, 1);
        try (TableStore store = open()) {
            store(store, START + SECOND, Rows.hop(false, START, 1, 1), Rows.event("e", START, "{}"));
            assertThat(store.append(List.of(second))).isTrue();
            assertThat(store.append(List.of(Rows.event("f", START + SECOND, "{}"), ofAttack)))
                    .isTrue();
            assertThat(store.flush()).isTrue();
            assertThat(step(store)).isTrue();
            for (String file : List.of(Database.FILE, Database.FILE + ".wal")) {
                Files.copy(directory.resolve(file), crashed.resolve(file));
            }
        }
        try (TableStore store = TableStore.open(crashed, OPTIONS, notes::add)) {
            assertThat(store.stored()).isEqualTo(new Mark(2, START + SECOND, HERE));
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(2);
            store.rewind();
            assertThat(step(store)).isTrue();
            assertThat(ask(store, "SELECT reports FROM hops_1s UNION ALL SELECT reports FROM hops_1m"))
                    .containsExactly("{\"reports\":1}");
            assertThat(count(store, Table.EVENTS))
                    .as("is replaced when it is found again")
                    .isEqualTo(2);
            assertThat(count(store, Table.ATTACKS_1S)).as("likewise").isEqualTo(1);
            assertThat(store.stored()).isEqualTo(new Mark(3, START + SECOND, HERE));
            assertThat(store.append(List.of(Rows.event("f", START + SECOND, "{}"), ofAttack)))
                    .isTrue();
            assertThat(store(store, START + 120 * SECOND, second)).isTrue();
            assertThat(ask(store, "SELECT reports FROM hops_1s UNION ALL SELECT reports FROM hops_1m ORDER BY ALL"))
                    .containsExactly("{\"reports\":1}", "{\"reports\":2}", "{\"reports\":2}");
            assertThat(count(store, Table.EVENTS)).isEqualTo(2);
            assertThat(count(store, Table.ATTACKS_1S)).isEqualTo(1);
        }
    }

    @Test
    void withoutAnyMarkAllIsToBeReadAgain() throws Exception {
        try (TableStore store = open()) {
            assertThat(store.append(Rows.hop(false, START, 1, 1))).isTrue();
            assertThat(store.flush()).isTrue();
            assertThat(step(store)).isTrue();
            store.rewind();
            assertThat(store(store, START + SECOND, Rows.hop(false, START, 2, 1)))
                    .isTrue();
            assertThat(ask(store, "SELECT node FROM hops_1s")).containsExactly("{\"node\":2}");
        }
    }

    @Test
    void whatIsTooMuchForOneTransactionIsStoredInSeveralAndMarkedWithTheLast() throws Exception {
        TableOptions roomy = new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 64L << 20, 64L << 20, 1);
        int rows = (int) (2 * (roomy.memoryBytes() / 16) / Row.FIXED_WEIGHT) + 1;
        try (TableStore store = TableStore.open(directory, roomy, notes::add)) {
            for (int i = 0; i < rows; i++) {
                assertThat(store.append(Rows.hop(false, START, i, i))).isTrue();
            }
            assertThat(store.mark(START + SECOND, HERE)).isTrue();
            for (int transaction = 1; transaction <= 2; transaction++) {
                assertThat(step(store)).isTrue();
                assertThat(count(store, Table.HOPS_1S)).isEqualTo((long) transaction * (rows / 2));
                assertThat(store.stored()).isEqualTo(new Mark(transaction, Row.ABSENT, Map.of()));
            }
            assertThat(step(store)).isTrue();
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(rows);
            assertThat(store.stored()).isEqualTo(new Mark(3, START + SECOND, HERE));
            assertThat(store.health().waitingBytes()).isZero();
        }
    }

    @Test
    void rowsWithoutTheirMarkAreNotStored() throws Exception {
        List<String> picky = new ArrayList<>(Migrations.STEPS);
        picky.add("DROP TABLE stored_positions;"
                + " CREATE TABLE stored_positions (stream VARCHAR, position VARCHAR CHECK (position <> 'bad'))");
        try (TableStore store = TableStore.open(directory, OPTIONS, notes::add, picky)) {
            assertThat(store(store, START, Rows.hop(false, START, 1, 1))).isTrue();
            assertThat(store.append(Rows.hop(false, START, 2, 1))).isTrue();
            assertThat(store.append(Rows.event("e", START, "{}"))).isTrue();
            assertThat(store.mark(START + 1, Map.of("journal", "bad"))).isTrue();
            assertThat(step(store)).isFalse();
            assertThat(step(store)).isFalse();
            assertThat(store.health().state()).isEqualTo(FAILED);
            assertThat(store.stored()).isEqualTo(new Mark(1, START, HERE));
        }
        try (TableStore store = TableStore.open(directory, OPTIONS, notes::add, picky)) {
            assertThat(store.stored()).isEqualTo(new Mark(1, START, HERE));
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(1);
            assertThat(count(store, Table.EVENTS)).isZero();
        }
    }

    @Test
    void keepsTheLastWordOfAnEventAndAPath() throws Exception {
        try (TableStore store = open()) {
            store(store, START, Rows.event("e1", START, "{\"n\":1}"), Rows.event("e2", START, "{\"n\":2}"));
            store(store, START + 1, Rows.event("e1", START, "{\"n\":3}"), Rows.event("e1", START, "{\"n\":4}"));
            store(store, START + 2, Rows.path("p", START, 1L, 2L), Rows.path("q", START, 3L));
            store(store, START + 3, Rows.path("p", START + SECOND, 1L, 4L));
            assertThat(ask(store, "SELECT id, json FROM events ORDER BY id"))
                    .containsExactly(
                            "{\"id\":\"e1\",\"json\":\"{\\\"n\\\":4}\"}", "{\"id\":\"e2\",\"json\":\"{\\\"n\\\":2}\"}");
            assertThat(ask(store, "SELECT path_id, nodes FROM paths ORDER BY path_id"))
                    .containsExactly("{\"path_id\":\"p\",\"nodes\":[1,4]}", "{\"path_id\":\"q\",\"nodes\":[3]}");
        }
    }

    /** Who looks on from then on only, after a stop, does not know it. */
    @Test
    void remembersWhenANodeWasSeenFirst() throws Exception {
        String sql = "SELECT name, epoch_ns(first_seen) - " + START + " AS first, epoch_ns(last_seen) - " + START
                + " AS last FROM nodes ORDER BY name";
        try (TableStore store = open()) {
            store(store, START, new Row.Node(3, "leaf", null, null, START + 5, START + 6));
            store(
                    store,
                    START + 1,
                    new Row.Node(3, "leaf-3", null, null, START + 7, START + 8),
                    new Row.Node(4, "leaf-4", null, null, START + 7, START + 8));
            assertThat(ask(store, sql))
                    .containsExactly(
                            "{\"name\":\"leaf-3\",\"first\":5,\"last\":8}",
                            "{\"name\":\"leaf-4\",\"first\":7,\"last\":8}");
            store(store, START + 2, new Row.Node(4, "leaf-4", null, null, START, START + 9));
            assertThat(ask(store, sql).getLast()).isEqualTo("{\"name\":\"leaf-4\",\"first\":0,\"last\":9}");
        }
    }

    @Test
    void manyRowsTravelInBatchesAndLeaveNoMemoryBehind() throws Exception {
        TableOptions roomy = new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 256L << 20, 64L << 20, 2);
        try (TableStore store = TableStore.open(directory, roomy, notes::add)) {
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 40_000; i++) {
                    assertThat(store.append(Rows.hop(false, START + round, i, i)))
                            .isTrue();
                }
                store(store, START + round);
            }
            assertThat(ask(store, "SELECT count(*) AS n, sum(reports) AS s, count(DISTINCT node) AS d FROM hops_1s"))
                    .containsExactly("{\"n\":120000,\"s\":2399940000,\"d\":40000}");
            assertThat(store.health().stored()).isEqualTo(120_000);
            assertThat(store.health().waitingBytes()).isZero();
            assertThat(store.travelling()).isZero();
        }
    }

    @Test
    void turnsAwayWhatDoesNotFitAndNeverMarksPastIt() throws Exception {
        try (TableStore store = open()) {
            store(store, START + SECOND, Rows.hop(false, START, 1, 1));
            int taken = 0;
            while (store.append(Rows.hop(false, START + SECOND, 2, 1))) {
                taken++;
            }
            assertThat(taken * Row.FIXED_WEIGHT).isLessThanOrEqualTo(OPTIONS.queueBytes());
            assertThat((taken + 1) * Row.FIXED_WEIGHT).isGreaterThan(OPTIONS.queueBytes());
            assertThat(store.append(List.of(Rows.hop(false, START, 3, 1), Rows.hop(false, START, 4, 1))))
                    .isFalse();
            assertThat(store.mark(START + 2 * SECOND, HERE)).isFalse();
            assertThat(store.flush()).isFalse();
            assertThat(step(store)).isFalse();
            assertThat(store.health().state()).isEqualTo(BEHIND);
            assertThat(store.health().refused()).isEqualTo(3);
            assertThat(notes).hasSize(1);

            assertThat(store.restart()).isEqualTo(new Mark(1, START + SECOND, HERE));
            assertThat(store.health().state()).isEqualTo(OK);
            store(store, START + 2 * SECOND, Rows.hop(false, START + SECOND, 2, 1));
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(2);
        }
    }

    @Test
    void removesWhatIsOldByItsTierAndUsesTheRoomAgain() throws Exception {
        long hour = Duration.ofHours(1).toNanos();
        try (TableStore store = open()) {
            for (int i = 0; i <= 6; i++) {
                store(
                        store,
                        START + i * hour,
                        Rows.hop(false, START + i * hour, 1, 1),
                        Rows.hop(true, START + i * hour, 1, 1),
                        Rows.path("p" + i, START + i * hour, 1L),
                        Rows.event("e" + i, START + i * hour, "{}"));
            }
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(2);
            assertThat(count(store, Table.HOPS_1M)).isEqualTo(3);
            assertThat(count(store, Table.PATHS)).isEqualTo(3);
            assertThat(count(store, Table.EVENTS)).isEqualTo(4);
            long size = 0;
            for (int i = 7; i < 60; i++) {
                List<Row> rows = new ArrayList<>();
                for (int n = 0; n < 5_000; n++) {
                    rows.add(Rows.hop(false, START + i * hour, n * 7919L % 5_000, n * 104_729L % 1_000_003));
                }
                store(store, START + i * hour, rows.toArray(new Row[0]));
                if (i == 20) {
                    size = Files.size(directory.resolve(Database.FILE));
                }
            }
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(10_000);
            assertThat(Files.size(directory.resolve(Database.FILE))).isLessThanOrEqualTo(2 * size);
        }
    }

    @Test
    void tablesThatWereRemovedAreAStateAndAreFilledAgain() throws Exception {
        try (TableStore store = open()) {
            store(store, START, Rows.hop(false, START, 1, 1));
            Files.delete(directory.resolve(Database.FILE));
            Files.deleteIfExists(directory.resolve(Database.FILE + ".wal"));
            assertThat(store(store, START + 1, Rows.hop(false, START, 2, 1))).isFalse();
            assertThat(store.health().state()).isEqualTo(FAILED);
            assertThat(store.health().line())
                    .contains("were removed while in use")
                    .doesNotContain("\n");
            assertThat(store.stored()).isEqualTo(new Mark(1, START, HERE));
            assertThatThrownBy(store::restart).isInstanceOf(TableException.class);

            assertThat(step(store)).isFalse();
            assertThat(store.health().state()).isEqualTo(BEHIND);
            assertThat(store.restart()).isEqualTo(Mark.NONE);
            assertThat(store(store, START + 1, Rows.hop(false, START, 1, 1), Rows.hop(false, START, 2, 1)))
                    .isTrue();
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(2);
            assertThat(store.health().state()).isEqualTo(OK);
            assertThat(notes).hasSize(3).allSatisfy(line -> assertThat(line).contains(directory.toString()));
        }
    }

    /** The disk had no room for more than its name. */
    @Test
    void aFileThatWasNeverFinishedIsMadeAgain() throws Exception {
        Files.createFile(directory.resolve(Database.FILE));
        Files.writeString(directory.resolve(Database.FILE + ".new"), "half of it");
        try (TableStore store = open()) {
            assertThat(store(store, START, Rows.hop(false, START, 1, 1))).isTrue();
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(1);
        }
        assertThat(directory.resolve(Database.FILE + ".new")).doesNotExist();
    }

    @Test
    void rowsWaitOutADirectoryThatCannotBeUsed() throws Exception {
        try (TableStore store = open()) {
            store(store, START, Rows.hop(false, START, 1, 1));
            Path file = directory.resolve(Database.FILE);
            Path away = directory.resolve("away");
            Files.move(file, away);
            Files.createDirectory(file);
            assertThat(store(store, START + 1, Rows.hop(false, START, 2, 1))).isFalse();
            assertThat(store.append(Rows.hop(false, START, 3, 1))).isTrue();
            assertThat(store.mark(START + 2, HERE)).isTrue();
            assertThat(step(store)).isFalse();
            assertThat(store.health().state()).isEqualTo(FAILED);
            assertThat(store.health().failures()).isEqualTo(2);
            assertThat(store.step(ticks + 1)).isFalse();
            assertThat(store.health().failures()).as("not before its time").isEqualTo(2);

            Files.delete(file);
            Files.move(away, file);
            assertThat(step(store)).isTrue();
            assertThat(store.health().state()).isEqualTo(OK);
            assertThat(store.stored()).as("the same again, and not more").isEqualTo(new Mark(2, START + 1, HERE));
            assertThat(step(store)).isTrue();
            assertThat(store.stored()).isEqualTo(new Mark(3, START + 2, HERE));
            assertThat(ask(store, "SELECT node FROM hops_1s ORDER BY node"))
                    .containsExactly("{\"node\":1}", "{\"node\":2}", "{\"node\":3}");
            assertThat(notes).hasSize(2);
        }
    }

    @Test
    void aThreadStoresWhatIsMarkedAndTheRestAtItsEnd() throws Exception {
        TableStore store = open();
        Thread thread = new Thread(store, "pathlore-store");
        thread.start();
        for (int i = 1; i <= 20; i++) {
            assertThat(store.append(Rows.hop(false, START + i, i, 1))).isTrue();
            assertThat(store.mark(START + i, Map.of("n", Integer.toString(i)))).isTrue();
        }
        store.stop();
        thread.join();
        assertThat(store.stored().storedToNanos()).isEqualTo(START + 20);
        assertThat(count(store, Table.HOPS_1S)).isEqualTo(20);
        store.close();
        assertThat(store.append(Rows.hop(false, START, 1, 1))).isFalse();
        assertThat(store.health().state()).isEqualTo(FAILED);
    }

    @Test
    void whatIsLeftAtTheEndIsTriedAgain() throws Exception {
        TableStore store = open();
        store(store, START, Rows.hop(false, START, 1, 1));
        Path file = directory.resolve(Database.FILE);
        Path away = directory.resolve("away");
        Files.move(file, away);
        Files.createDirectory(file);
        for (int i = 1; i <= 3; i++) {
            assertThat(store.append(Rows.hop(false, START + i, i, 1))).isTrue();
            assertThat(store.mark(START + i, HERE)).isTrue();
        }
        store.stop();
        Thread thread = new Thread(store, "pathlore-store");
        thread.start();
        while (store.health().failures() < 2) {
            assertThat(thread.isAlive()).as("it has more patience than that").isTrue();
            Thread.onSpinWait();
        }
        Files.delete(file);
        Files.move(away, file);
        thread.join();
        assertThat(store.stored().storedToNanos()).as(store.health().line()).isEqualTo(START + 3);
        assertThat(count(store, Table.HOPS_1S)).isEqualTo(4);
        store.close();
    }

    @Test
    void questionsDoNotHoldUpRows() throws Exception {
        try (TableStore store = open()) {
            store(store, START, Rows.hop(false, START, 1, 1));
            try (Database.Reader reader = store.database().reader();
                    var statement = reader.statement()) {
                statement.execute("BEGIN TRANSACTION READ ONLY");
                try (var rows = statement.executeQuery("SELECT count(*) FROM hops_1s")) {
                    assertThat(rows.next()).isTrue();
                    // Long enough for the old ones to be removed, and the file to be written anew.
                    long later = START + Duration.ofHours(10).toNanos();
                    assertThat(store(store, later, Rows.hop(false, later, 2, 1)))
                            .as(store.health().line())
                            .isTrue();
                    assertThat(rows.getLong(1)).isEqualTo(1);
                }
            }
            assertThat(ask(store, "SELECT node FROM hops_1s")).containsExactly("{\"node\":2}");
        }
    }

    /**
     * While somebody reads, DuckDB cannot join groups of rows that are not full; afterwards it wants to join them, uncompressed in
     * memory, and a checkpoint that runs out of memory takes the instance with it, now and whenever it is opened again.
     */
    @Test
    void whatWasPutOffWhileSomebodyReadDoesNotKeepRowsOutAfterwards() throws Exception {
        TableOptions tight = new TableOptions(Duration.ZERO, Duration.ZERO, Duration.ZERO, 64L << 20, 64L << 20, 1);
        int steps = 40;
        int after = 25;
        Random random = new Random(1);
        try (TableStore store = TableStore.open(directory, tight, notes::add)) {
            store(store, START, longEvents(random, 0));
            try (Database.Reader reader = store.database().reader();
                    var statement = reader.statement()) {
                statement.execute("BEGIN TRANSACTION READ ONLY");
                try (var answer = statement.executeQuery("SELECT count(*) FROM events")) {
                    assertThat(answer.next()).isTrue();
                }
                for (int n = 1; n < steps; n++) {
                    assertThat(store(store, START + n, longEvents(random, n)))
                            .as(store.health().line())
                            .isTrue();
                }
            }
            for (int n = steps; n < steps + after; n++) {
                store(store, START + n, longEvents(random, n));
            }
            step(store);
            assertThat(store.health().failures())
                    .as("how often it finds out that there is not enough: " + notes)
                    .isLessThanOrEqualTo(1);
            assertThat(store.stored().storedToNanos()).isEqualTo(START + steps + after - 1);
            assertThat(count(store, Table.EVENTS)).isEqualTo((long) (steps + after) * EVENTS);
        }
    }

    @Test
    void joiningIsLeftAfterAFailureAndTakenUpAgainLater() throws Exception {
        try (TableStore store = open()) {
            assertThat(joiningTasks(store)).isEqualTo("1");
            store(store, START, Rows.hop(false, START, 1, 1));
            Path file = directory.resolve(Database.FILE);
            Path away = directory.resolve("away");
            Files.move(file, away);
            assertThat(store(store, START + 1, Rows.hop(false, START, 2, 1))).isFalse();
            Files.move(away, file);
            assertThatThrownBy(store::database)
                    .as("what failed is stored before anybody asks")
                    .isInstanceOf(TableException.class);
            assertThat(step(store)).isTrue();
            assertThat(joiningTasks(store)).isEqualTo("0");
            assertThat(store(store, START + TableStore.RETENTION_NANOS, Rows.hop(false, START + 2, 3, 1)))
                    .isTrue();
            assertThat(joiningTasks(store)).isEqualTo("1");
            assertThat(store(store, START + TableStore.RETENTION_NANOS + 1, Rows.hop(false, START + 3, 4, 1)))
                    .isTrue();
            assertThat(count(store, Table.HOPS_1S)).isEqualTo(4);
        }
    }

    private static String joiningTasks(TableStore store) throws Exception {
        try (Database.Reader reader = store.database().reader();
                var statement = reader.statement();
                var answer = statement.executeQuery("SELECT current_setting('max_vacuum_tasks')")) {
            assertThat(answer.next()).isTrue();
            return answer.getString(1);
        }
    }

    private static Row[] longEvents(Random random, int n) {
        byte[] octets = new byte[500];
        Row[] all = new Row[EVENTS];
        for (int i = 0; i < EVENTS; i++) {
            random.nextBytes(octets);
            all[i] = Rows.event(n + "-" + i, START + n, HexFormat.of().formatHex(octets));
        }
        return all;
    }

    @Test
    void saysThatThereIsNothingToRead() {
        assertThatThrownBy(() -> TableReader.open(directory, OPTIONS))
                .isInstanceOf(TableException.class)
                .hasMessage("tables " + directory + ": there are none");
    }
}
