package io.pathlore.cli.service;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.store.tables.Column;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RollupJsonTest {
    /** 2026-11-15T18:00:00Z. */
    private static final long START = 1_794_765_600_000_000_000L;

    private static Row.Told row(RandomGenerator random) {
        Table table = Table.values()[random.nextInt(Table.values().length)];
        List<@Nullable Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            boolean needed = column.name().equals(table.timeColumn())
                    || table.identity().getFirst().equals(column.name());
            values.add(needed || random.nextInt(4) > 0 ? value(column.kind(), random) : null);
        }
        return new Row.Told(table, values);
    }

    private static Object value(Column.Kind kind, RandomGenerator random) {
        return switch (kind) {
            case TIME -> START + random.nextLong(1L << 50);
            case NUMBER -> random.nextBoolean() ? random.nextLong(1L << 33) : random.nextLong();
            case SHARE -> random.nextDouble();
            case FLAG -> random.nextBoolean();
            case TEXT -> random.nextInt(9) == 0 ? "\"\\ü\u0000\n{}/" : Long.toHexString(random.nextLong());
            case BYTES -> bytes(random, random.nextInt(300));
            case NUMBERS ->
                LongStream.range(0, random.nextInt(5))
                        .mapToObj(_ -> random.nextLong(1L << 32))
                        .toList();
            case ADDRESS -> new BigInteger(1, bytes(random, random.nextInt(17)));
        };
    }

    private static byte[] bytes(RandomGenerator random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        return one instanceof byte[] a && other instanceof byte[] b
                ? Arrays.equals(a, b)
                : one == null ? other == null : one.equals(other);
    }

    @Test
    void readsWhatItWritesOfEveryTable() {
        forAll(RollupJsonTest::row, row -> {
            Row.Told read = (Row.Told) RollupJson.read(RollupJson.json(row)).orElseThrow();
            assertThat(read.table()).isEqualTo(row.table());
            for (int i = 0; i < row.values().size(); i++) {
                assertThat(same(read.values().get(i), row.values().get(i)))
                        .as(row.table().columnNames().get(i))
                        .isTrue();
            }
            assertThat(RollupJson.key(read)).isEqualTo(RollupJson.key(row));
        });
    }

    /** As docs/reference/kafka.md has them. */
    @Test
    void isWhatThePageSays() {
        Object[] values = new Object[Table.DROPS_1S.columns().size()];
        values[0] = START;
        values[1] = 3L;
        values[2] = 2L;
        values[4] = 80L;
        values[5] = 17L;
        Row.Told row = new Row.Told(Table.DROPS_1S, Arrays.asList(values));
        assertThat(RollupJson.key(row)).isEqualTo("drops_1s/2026-11-15T18:00:00.000000000Z/3/2//80");
        assertThat(RollupJson.json(row))
                .isEqualTo("{\"table\":\"drops_1s\",\"time\":\"2026-11-15T18:00:00.000000000Z\",\"node\":3,"
                        + "\"interface\":2,\"reason\":80,\"reports\":17}");
        RollupJson.Complete until = new RollupJson.Complete(-1, START);
        assertThat(RollupJson.json(until))
                .isEqualTo("{\"table\":\"stored_to\",\"edge\":\"ffffffffffffffff\","
                        + "\"time\":\"2026-11-15T18:00:00.000000000Z\"}");
        assertThat(RollupJson.read(RollupJson.json(until))).contains(until);
    }

    @Test
    void whatIsNoRowIsNotTakenForOne() {
        for (String text : List.of(
                "",
                "{",
                "[]",
                "7",
                "{\"table\":\"secrets\"}",
                "{\"table\":\"drops_1s\",\"node\":3}",
                "{\"table\":\"drops_1s\",\"time\":\"today\",\"node\":3}",
                "{\"table\":\"drops_1s\",\"time\":\"2026-11-15T18:00:00Z\",\"node\":\"3\"}",
                "{\"table\":\"drops_1s\",\"time\":\"2026-11-15T18:00:00Z\",\"node\":99999999999999999999}",
                "{\"table\":\"nodes\",\"last_seen\":\"2026-11-15T18:00:00Z\"}",
                "{\"table\":\"hops_1s\",\"time\":\"2026-11-15T18:00:00Z\",\"latency_histogram\":\"?\"}",
                "{\"table\":\"nodes\",\"node\":1,\"last_seen\":\"2026-11-15T18:00:00Z\",\"exporter_number\":\"-1\"}",
                "{\"table\":\"stored_to\",\"edge\":\"x\",\"time\":\"2026-11-15T18:00:00Z\"}")) {
            assertThat(RollupJson.read(text)).as(text).isEmpty();
        }
        assertThat(RollupJson.read("{\"table\":\"drops_1s\",\"time\":\"2026-11-15T18:00:00Z\",\"later\":true}"))
                .as("columns may be added")
                .isPresent();
    }

    /** Whoever reads knows that all is there when the last partition says so. */
    @Test
    void isCompleteWhereTheLastPartitionIs() {
        CompleteTimes times = new CompleteTimes(START, List.of(0, 1));
        assertThat(times.reach(0, new RollupJson.Complete(7, START + 2))).isFalse();
        assertThat(times.all()).isEqualTo(START);
        assertThat(times.reach(1, new RollupJson.Complete(7, START + 1))).isFalse();
        assertThat(times.all()).isEqualTo(START + 1);
        assertThat(times.reach(1, new RollupJson.Complete(8, START - 1)))
                .as("another publisher")
                .isTrue();
        assertThat(times.all()).as("it does not fall").isEqualTo(START + 1);
    }
}
