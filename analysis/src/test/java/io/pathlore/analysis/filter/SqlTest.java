package io.pathlore.analysis.filter;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pathlore.testkit.Property;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SqlTest {
    private static final int CASES = 20_000;

    /** A table that has a column of every type, two for the ends of a link, and NULL everywhere now and then. */
    private static final Columns EVERYTHING = new Columns(
            "everything",
            Map.ofEntries(
                    Map.entry(Field.NODE, List.of("node")),
                    Map.entry(Field.HOP_NODE, List.of("from_node", "to_node")),
                    Map.entry(Field.SRC, List.of("source")),
                    Map.entry(Field.DST, List.of("destination")),
                    Map.entry(Field.SPORT, List.of("source_port")),
                    Map.entry(Field.DPORT, List.of("destination_port")),
                    Map.entry(Field.PROTO, List.of("protocol")),
                    Map.entry(Field.VERSION, List.of("version")),
                    Map.entry(Field.LATENCY, List.of("latency")),
                    Map.entry(Field.DROPPED, List.of("drops > 0")),
                    Map.entry(Field.FLOW, List.of("flow_id")),
                    Map.entry(Field.DEVICE, List.of("device")),
                    Map.entry(Field.KIND, List.of("kind")),
                    Map.entry(Field.SEVERITY, List.of("severity")),
                    Map.entry(Field.PATH, List.of("path"))));

    private static Sql sql(String text, Columns columns) throws FilterException {
        return Filter.parse(text, Network.NAMES).toSql(columns);
    }

    @Test
    void valuesAreParametersAndNeverText() throws FilterException {
        Sql sql = sql("kind like \"'; DROP TABLE events; --*\" and node = leaf-3", Columns.events());

        assertThat(sql.text()).isEqualTo("(kind ILIKE ? ESCAPE '\\') AND (node = ?)");
        assertThat(sql.parameters()).containsExactly("'; DROP TABLE events; --%", 3L);
    }

    /** In SQL an underscore stands for any sign; in a filter it is itself. */
    @Test
    void onlyStarsAndPercentsStandForAnything() throws FilterException {
        Sql sql = sql("kind like \"link_d*\\\\%\"", Columns.events());

        assertThat(sql.parameters()).containsExactly("link\\_d%\\\\%");
        assertThat(SqlEngine.selects(sql("kind like link_down", Columns.events()), Map.of("kind", "link-down")))
                .isFalse();
        assertThat(SqlEngine.selects(sql("kind like link*n", Columns.events()), Map.of("kind", "link-down")))
                .isTrue();
    }

    @Test
    void showsWhatIsAskedOfATable() throws FilterException {
        Sql sql = sql("ip in 10.2.0.0/16 and latency > 50us and not dropped", Columns.flows());

        String source = "source_number BETWEEN CAST(? AS UHUGEINT) AND CAST(? AS UHUGEINT) AND source NOT LIKE '%:%'";
        String destination = source.replace("source", "destination");
        assertThat(sql.text())
                .isEqualTo("(coalesce((" + source + ") OR (" + destination + "), " + source + ", " + destination + "))"
                        + " AND (latency_p99 > ?) AND (NOT (drops > 0))");
        String from = "167903232"; // 10.2.0.0
        String to = "167968767"; // 10.2.255.255
        assertThat(sql.parameters()).containsExactly(from, to, from, to, from, to, from, to, 50_000L);
    }

    @Test
    void severitiesAreWordsInATable() throws FilterException {
        assertThat(sql("severity >= warning", Columns.events()))
                .isEqualTo(new Sql("severity IN (?, ?)", List.of("warning", "critical")));
        assertThat(sql("severity < info", Columns.events())).isEqualTo(new Sql("severity <> severity", List.of()));
    }

    @Test
    void everythingIsAskedForWithoutAFilter() throws FilterException {
        assertThat(sql("", Columns.flows())).isEqualTo(new Sql("TRUE", List.of()));
    }

    @Test
    void namesTheFieldsThatATableHas() {
        FilterException refused =
                catchThrowableOfType(FilterException.class, () -> sql("node = 3 and vni = 5", Columns.drops()));

        assertThat(refused.render()).isEqualTo("""
                node = 3 and vni = 5
                             ^~~
                rows of drops_1s have no 'vni'; they have node, hop.node, hop.interface, hop.queue, drop.reason""");
    }

    @Test
    void everyTableOfTheStoreCanBeFilteredByEachOfItsFields() throws FilterException {
        List<Columns> tables = List.of(
                Columns.hops("hops_1s"),
                Columns.flows(),
                Columns.links(),
                Columns.drops(),
                Columns.episodes(),
                Columns.events(),
                Columns.exporters(),
                Columns.nodes(),
                Columns.paths());
        for (Columns table : tables) {
            forAll(100, r -> Expressions.random(r, table.fields()), expression -> {
                Sql sql = Filter.parse(expression.toString(), Names.NONE).toSql(table);
                assertThat(sql.text().chars().filter(c -> c == '?').count()
                                - sql.text().split("'\\?'", -1).length
                                + 1)
                        .isEqualTo(sql.parameters().size());
            });
        }
    }

    private record Case(Expression expression, Map<String, @Nullable Object> row, Facts facts) {}

    @Test
    void selectsTheRowsThatMatchInMemory() {
        long[] selected = new long[1];
        forAll(CASES, SqlTest::anyCase, value -> {
            Filter filter = Filter.parse(value.expression.toString(), Names.NONE);
            boolean matches = filter.matches(value.facts);
            selected[0] += matches ? 1 : 0;
            assertThat(SqlEngine.selects(filter.toSql(EVERYTHING), value.row)).isEqualTo(matches);
        });
        long cases = Property.cases(CASES);
        assertThat(selected[0]).as("rows that match, of " + cases).isBetween(cases / 10, cases - cases / 10);
    }

    private static Case anyCase(RandomGenerator random) {
        Map<String, @Nullable Object> row = new HashMap<>();
        Facts facts = Facts.none();
        number(random, row, facts, "node", Field.NODE, 6);
        number(random, row, facts, "source_port", Field.SPORT, 6);
        number(random, row, facts, "destination_port", Field.DPORT, 6);
        number(random, row, facts, "protocol", Field.PROTO, 20);
        number(random, row, facts, "latency", Field.LATENCY, 9_000);
        ends(random, row, facts);
        address(random, row, facts, "source", Field.SRC);
        address(random, row, facts, "destination", Field.DST);
        text(random, row, facts, "flow_id", Field.FLOW, "000000000000000" + random.nextInt(4));
        text(random, row, facts, "device", Field.DEVICE, "02:00:00:00:00:0" + random.nextInt(4));
        text(random, row, facts, "kind", Field.KIND, Field.KIND.words().get(random.nextInt(12)));
        version(random, row, facts);
        severity(random, row, facts);
        drops(random, row, facts);
        path(random, row, facts);
        return new Case(Expressions.random(random, EVERYTHING.fields()), row, facts);
    }

    private static boolean isNull(RandomGenerator random) {
        return random.nextInt(4) == 0;
    }

    private static void number(
            RandomGenerator random,
            Map<String, @Nullable Object> row,
            Facts facts,
            String column,
            Field field,
            int bound) {
        long number = isNull(random) ? Subject.ABSENT : random.nextInt(bound);
        row.put(column, number == Subject.ABSENT ? null : BigInteger.valueOf(number));
        facts.with(field, number);
    }

    private static void ends(RandomGenerator random, Map<String, @Nullable Object> row, Facts facts) {
        long from = isNull(random) ? Subject.ABSENT : random.nextInt(6);
        long to = isNull(random) ? Subject.ABSENT : random.nextInt(6);
        row.put("from_node", from == Subject.ABSENT ? null : BigInteger.valueOf(from));
        row.put("to_node", to == Subject.ABSENT ? null : BigInteger.valueOf(to));
        facts.with(Field.HOP_NODE, from, to);
    }

    private static void address(
            RandomGenerator random, Map<String, @Nullable Object> row, Facts facts, String column, Field field) {
        String text = isNull(random) ? null : Expressions.address(random, random.nextBoolean());
        row.put(column, text);
        row.put(column + "_number", text == null ? null : NUMBERS.getOrDefault(text, BigInteger.TWO));
        if (text != null) {
            facts.with(field, text);
        }
    }

    /** Written by hand, so that reading addresses is not checked by itself. */
    private static final Map<String, BigInteger> NUMBERS = Map.ofEntries(
            Map.entry("::", BigInteger.ZERO),
            Map.entry("::1", BigInteger.ONE),
            Map.entry("2001:db8::1", new BigInteger("20010db8000000000000000000000001", 16)),
            Map.entry("2001:db8::ffff:1", new BigInteger("20010db80000000000000000ffff0001", 16)),
            Map.entry("8000::", BigInteger.ONE.shiftLeft(127)),
            Map.entry(
                    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                    BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE)),
            Map.entry("0.0.0.0", BigInteger.ZERO),
            Map.entry("10.0.0.1", BigInteger.valueOf(0x0A000001)),
            Map.entry("10.0.0.2", BigInteger.valueOf(0x0A000002)),
            Map.entry("10.2.0.0", BigInteger.valueOf(0x0A020000)),
            Map.entry("128.0.0.0", BigInteger.valueOf(0x80000000L)),
            Map.entry("255.255.255.255", BigInteger.valueOf(0xFFFFFFFFL)));

    private static void text(
            RandomGenerator random,
            Map<String, @Nullable Object> row,
            Facts facts,
            String column,
            Field field,
            String text) {
        boolean absent = isNull(random);
        row.put(column, absent ? null : text);
        if (!absent) {
            facts.with(field, text);
        }
    }

    private static void version(RandomGenerator random, Map<String, @Nullable Object> row, Facts facts) {
        long version = List.of(5L, 10L, 20L, Subject.ABSENT).get(random.nextInt(4));
        row.put("version", version == Subject.ABSENT ? null : BigInteger.valueOf(version));
        facts.with(Field.VERSION, version);
    }

    private static void severity(RandomGenerator random, Map<String, @Nullable Object> row, Facts facts) {
        int ordinal = random.nextInt(4) - 1;
        row.put(
                "severity",
                ordinal < 0 ? null : List.of("info", "warning", "critical").get(ordinal));
        facts.with(Field.SEVERITY, ordinal);
    }

    private static void drops(RandomGenerator random, Map<String, @Nullable Object> row, Facts facts) {
        int drops = random.nextInt(4) - 1;
        row.put("drops", drops < 0 ? null : BigInteger.valueOf(drops));
        facts.with(Field.DROPPED, Math.min(drops, 1));
    }

    private static void path(RandomGenerator random, Map<String, @Nullable Object> row, Facts facts) {
        int hops = random.nextInt(5);
        Object[] nodes = new Object[hops];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < hops; i++) {
            long node = random.nextInt(5) == 0 ? Subject.ABSENT : random.nextInt(1, 4);
            nodes[i] = node;
            text.append(i == 0 ? "" : ">").append(node == Subject.ABSENT ? "?" : Long.toString(node));
        }
        row.put("path", hops == 0 ? null : text.toString());
        facts.with(Field.PATH, nodes);
    }
}
