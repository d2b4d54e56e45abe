package io.pathlore.engine;

import io.pathlore.analysis.flow.FlowFold;
import io.pathlore.analysis.flow.FlowState;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The flows of one shard, as many as there is room for. A flow can be in one of eight places, whose prints share a line of
 * memory: looking up costs two lines, whoever chooses the flows. When all eight are taken, the one that says least leaves:
 * that with the fewest reports, which count half as much after every ten seconds of silence. So a sweep of invented flows
 * turns out itself, and not those that really send.
 *
 * <p>Hot path. One owner; {@link #size} and {@link #evicted} may be read by any thread. Memory is taken once.
 */
final class FlowTable {
    private static final int WAYS = 8;
    private static final int PRINT = Long.BYTES;
    private static final int LINE = 64;
    private static final int KEY_AT = 0;
    private static final int KIND_AT = ReportRow.FLOW_LENGTH;
    private static final int STATE_AT = 48;

    /** Not a power of two, or the places of many buckets would share a few sets of the cache. */
    static final int SLOT = STATE_AT + FlowState.LENGTH;

    /** For each flow: its place and its print. */
    static final int BYTES_PER_FLOW = SLOT + PRINT;

    private static final long HALF_LIFE_NANOS = 10_000_000_000L;
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SIZE = 0;
    private static final int EVICTED = 1;

    private final FlowFold fold = new FlowFold();
    private final FlowState state = new FlowState();
    private final int buckets;
    private final ByteBuffer prints;
    private final ByteBuffer slots;
    private final long[] counts = new long[2];

    FlowTable(int flows) {
        buckets = Math.max(1, (flows + WAYS - 1) / WAYS);
        prints = TableMemory.allocate((long) buckets * LINE);
        slots = TableMemory.allocate((long) buckets * WAYS * SLOT);
    }

    /** As many as one table can hold: its memory is one buffer. */
    static int maxFlows() {
        return Integer.MAX_VALUE / SLOT / WAYS * WAYS;
    }

    void on(ReportRow report) {
        if (!report.hasFlow()) {
            return;
        }
        long hash = report.flowHash();
        long print = hash == 0 ? 1 : hash;
        int bucket = (int) ((hash >>> 32) * buckets >>> 32);
        int line = bucket * LINE;
        int free = -1;
        for (int way = 0; way < WAYS; way++) {
            long there = prints.getLong(line + way * PRINT);
            if (there == print && holds(slot(bucket, way), report)) {
                fold.add(state.wrap(slots, slot(bucket, way) + STATE_AT), report);
                return;
            }
            if (there == 0 && free < 0) {
                free = way;
            }
        }
        int way = free >= 0 ? free : victim(bucket, report.receivedNanos());
        COUNT.setOpaque(counts, free >= 0 ? SIZE : EVICTED, counts[free >= 0 ? SIZE : EVICTED] + 1);
        prints.putLong(line + way * PRINT, print);
        int slot = slot(bucket, way);
        slots.put(slot + KEY_AT, report.buffer(), report.offset() + ReportRow.FLOW_AT, ReportRow.FLOW_LENGTH);
        slots.putInt(slot + KIND_AT, report.kind());
        state.wrap(slots, slot + STATE_AT);
        fold.begin(state);
        fold.add(state, report);
    }

    private static int slot(int bucket, int way) {
        return (bucket * WAYS + way) * SLOT;
    }

    private boolean holds(int slot, ReportRow report) {
        ByteBuffer row = report.buffer();
        int at = report.offset() + ReportRow.FLOW_AT;
        return slots.getLong(slot + 8) == row.getLong(at + 8)
                && slots.getLong(slot + 24) == row.getLong(at + 24)
                && slots.getLong(slot + 32) == row.getLong(at + 32)
                && slots.getInt(slot + 40) == row.getInt(at + 40)
                && slots.getLong(slot) == row.getLong(at)
                && slots.getLong(slot + 16) == row.getLong(at + 16)
                && slots.getInt(slot + KIND_AT) == report.kind();
    }

    private int victim(int bucket, long nowNanos) {
        int worst = 0;
        long least = Long.MAX_VALUE;
        long oldest = Long.MAX_VALUE;
        for (int way = 0; way < WAYS; way++) {
            state.wrap(slots, slot(bucket, way) + STATE_AT);
            long silent = Math.max(0, nowNanos - state.lastNanos()) / HALF_LIFE_NANOS;
            long worth = state.reports() >>> Math.min(silent, Long.SIZE - 1);
            if (worth < least || worth == least && state.lastNanos() < oldest) {
                worst = way;
                least = worth;
                oldest = state.lastNanos();
            }
        }
        return worst;
    }

    /** Any thread. */
    long size() {
        return (long) COUNT.getOpaque(counts, SIZE);
    }

    /** Flows that had to leave. Any thread. */
    long evicted() {
        return (long) COUNT.getOpaque(counts, EVICTED);
    }

    int capacity() {
        return buckets * WAYS;
    }

    /** Takes one flow; the state is borrowed. */
    @FunctionalInterface
    interface Visitor {
        void visit(FlowKey flow, FlowState state);
    }

    /** All flows, in the order of their places. Owner only. */
    void scan(Visitor to) {
        FlowState borrowed = new FlowState();
        for (int place = 0; place < capacity(); place++) {
            if (prints.getLong(place * PRINT) != 0) {
                int slot = place * SLOT;
                to.visit(
                        ReportRow.flow(slots, slot + KEY_AT, slots.getInt(slot + KIND_AT)),
                        borrowed.wrap(slots, slot + STATE_AT));
            }
        }
    }
}
