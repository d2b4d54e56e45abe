package io.pathlore.store.tables;

import io.pathlore.model.FlowKey;
import io.pathlore.model.LatencyHistogram;
import java.util.List;

/** Rows for tests: one of each table with all values different, and one of each with everything unknown that may be. */
final class Rows {
    static final long SECOND = 1_000_000_000L;
    /** 2026-11-15T18:00:00Z. */
    static final long START = 1_794_765_600L * SECOND;

    static final FlowKey FLOW = FlowKey.ipv4(0x0A000101, 0x0A000202, 6, 45678, 80);
    static final FlowKey FLOW_V6 =
            new FlowKey(true, 0x20010DB8_00000000L, 1, 0xFE800000_00000000L, -2, 58, -1, -1, 128, 0, 7);

    private static final long ABSENT = Row.ABSENT;

    private Rows() {}

    static Row.Hop hop(boolean minute, long time, long node, long reports) {
        return new Row.Hop(
                minute, time, node, 2, 0, reports, ABSENT, ABSENT, ABSENT, ABSENT, null, ABSENT, ABSENT, 0, Double.NaN);
    }

    static Row.Event event(String id, long start, String json) {
        return new Row.Event("congestion", id, start, ABSENT, start + 5, "warning", Double.NaN, 3, 2, 0, null, json);
    }

    static Row.Path path(String id, long lastSeen, Long... nodes) {
        return new Row.Path(id, List.of(nodes), true, lastSeen);
    }

    static Row full(Table table) {
        LatencyHistogram latencies = new LatencyHistogram();
        latencies.record(300);
        return switch (table) {
            case HOPS_1S, HOPS_1M ->
                new Row.Hop(
                        table == Table.HOPS_1M,
                        START + 123_456_789,
                        0xFFFFFFFFL,
                        2,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        latencies.encode(),
                        10,
                        11,
                        12,
                        0.972);
            case FLOWS_1M -> new Row.Flow(START, FLOW.withVni(9), 5, 500, "ab12", 7, 8, 6);
            case PATHS -> new Row.Path("ab12", List.of(1L, 0xFFFFFFFFL, 3L), true, START);
            case LINKS_1M -> new Row.Link(START, 1, 2, 3, 4, 5, -6L, 7, 8);
            case DROPS_1S -> new Row.Drop(START, 1, 2, 3, 80, 5, 500);
            case ATTACKS_1S -> new Row.AttackSecond(START, "f00d", 4_000, true, 1_000);
            case STOPPED -> new Row.Stopped(START + 2, START + 1, "f00d", "m1", 3_900);
            case EPISODES -> new Row.Episode("e1", 1, 2, 3, START, START + 1, 4, 0.5, 6, "{\"a\":\"ü\\u0000\"}");
            case EVENTS ->
                new Row.Event(
                        "attack", "f00d", START, START + 1, START + 2, "critical", 1, 1, 2, 3, "63d0", "{\"k\":[1]}");
            case EXPORTERS_1M ->
                new Row.Exporter(START, new Row.Address(false, 0, 0xC0A80001L), 1, 2, 3, 4, 5, 6, 7, 0.25);
            case NODES ->
                new Row.Node(3, "leaf-3", new Row.Address(true, 0x20010DB8_00000000L, 1), "2.0", START, START + 1);
        };
    }

    static Row unknown(Table table) {
        double nan = Double.NaN;
        return switch (table) {
            case HOPS_1S, HOPS_1M ->
                new Row.Hop(
                        table == Table.HOPS_1M,
                        START,
                        ABSENT,
                        ABSENT,
                        ABSENT,
                        0,
                        ABSENT,
                        ABSENT,
                        ABSENT,
                        ABSENT,
                        null,
                        ABSENT,
                        ABSENT,
                        ABSENT,
                        nan);
            case FLOWS_1M -> new Row.Flow(START, FLOW_V6, 0, ABSENT, null, ABSENT, ABSENT, ABSENT);
            case PATHS -> new Row.Path("cd34", List.of(), false, START);
            case LINKS_1M -> new Row.Link(START, ABSENT, ABSENT, ABSENT, ABSENT, 0, null, ABSENT, ABSENT);
            case DROPS_1S -> new Row.Drop(START, ABSENT, ABSENT, ABSENT, ABSENT, 0, ABSENT);
            case ATTACKS_1S -> new Row.AttackSecond(START, "beef", 0, false, 0);
            case STOPPED -> new Row.Stopped(START, START, "beef", "m1", 0);
            case EPISODES -> new Row.Episode("e2", ABSENT, ABSENT, ABSENT, START, ABSENT, ABSENT, nan, ABSENT, "{}");
            case EVENTS ->
                new Row.Event("loop", "beef", START, ABSENT, ABSENT, "info", nan, ABSENT, ABSENT, ABSENT, null, "{}");
            case EXPORTERS_1M ->
                new Row.Exporter(START, new Row.Address(true, -1, -1), 0, 0, 0, ABSENT, ABSENT, ABSENT, ABSENT, nan);
            case NODES -> new Row.Node(4, null, null, null, START, ABSENT);
        };
    }
}
