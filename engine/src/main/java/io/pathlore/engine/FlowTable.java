package io.pathlore.engine;

import io.pathlore.analysis.flow.FlowFold;
import io.pathlore.analysis.flow.FlowSink;
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

    /** Whole lines, so that a flow has no part in a fourth; not a power of two, or the places of many buckets would share a few sets of the cache. */
    static final int SLOT = (STATE_AT + FlowState.LENGTH + LINE - 1) / LINE * LINE;

    /** For each flow: its place and its print. */
    static final int BYTES_PER_FLOW = SLOT + PRINT;

    private static final long HALF_LIFE_NANOS = 10_000_000_000L;
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SIZE = 0;
    private static final int EVICTED = 1;
    private static final int UNTOLD = 2;
    private static final long NONE = Long.MIN_VALUE;
    private static final long MINUTE_NANOS = 60_000_000_000L;

    /** As with seconds: receive times of several sockets differ by less. */
    private static final long SETTLE_NANOS = 1_000_000_000L;

    /** In stream time, for telling of all flows: nobody has to wait for it. */
    private static final long SWEEP_NANOS = 2_000_000_000L;

    private static final int LEAST_SWEPT = 64;

    /** Flows with fewer reports are not told of when they have to leave, or a sweep of invented ones would fill the disk. */
    private static final int WORTH_TELLING = 10;

    private final transient FlowFold fold = new FlowFold();
    private final transient FlowState state = new FlowState();
    private final int buckets;
    private final ByteBuffer prints;
    private final ByteBuffer slots;
    private final long[] counts = new long[3];
    private final transient FlowSink sink;

    /** Nobody needs it: what is looked at goes somewhere, so that it is looked at. */
    long looked;

    // Telling of a minute that is over: where, and which begins.
    private int swept = Integer.MAX_VALUE;
    private long minute = NONE;
    private long sweptAt;

    FlowTable(int flows, FlowSink sink) {
        this.sink = sink;
        buckets = Math.max(1, (flows + WAYS - 1) / WAYS);
        prints = TableMemory.allocate((long) buckets * LINE);
        slots = TableMemory.allocate((long) buckets * WAYS * SLOT);
    }

    /** As many as one table can hold: its memory is one buffer. */
    static int maxFlows() {
        return Integer.MAX_VALUE / SLOT / WAYS * WAYS;
    }

    /** Looks at what the first {@code count} of these will need, and changes nothing: at their prints, and when these are there, at their places. */
    void expect(ReportRow[] reports, int count) {
        long seen = 0;
        for (int i = 0; i < count; i++) {
            seen ^= prints.getLong(bucket(reports[i].flowHash()) * LINE);
        }
        for (int i = 0; i < count; i++) {
            long hash = reports[i].flowHash();
            int bucket = bucket(hash);
            int way = way(bucket, print(hash));
            if (way >= 0) {
                int slot = slot(bucket, way);
                seen ^= slots.getLong(slot) ^ slots.getLong(slot + LINE) ^ slots.getLong(slot + 2 * LINE);
            }
        }
        looked ^= seen;
    }

    private static long print(long hash) {
        return hash == 0 ? 1 : hash;
    }

    private int bucket(long hash) {
        return (int) ((hash >>> 32) * buckets >>> 32);
    }

    /** Of all places of a bucket, the one with this print; below 0 where there is none. */
    private int way(int bucket, long print) {
        for (int way = 0; way < WAYS; way++) {
            if (prints.getLong(bucket * LINE + way * PRINT) == print) {
                return way;
            }
        }
        return -1;
    }

    void on(ReportRow report) {
        if (report.dropped()) {
            sink.drop(report.receivedNanos());
        }
        if (!report.hasFlow()) {
            return;
        }
        long hash = report.flowHash();
        long print = print(hash);
        int bucket = bucket(hash);
        int expected = way(bucket, print);
        if (expected >= 0 && holds(slot(bucket, expected), report)) {
            add(slot(bucket, expected), report, hash);
            return;
        }
        int line = bucket * LINE;
        int free = -1;
        for (int way = 0; way < WAYS; way++) {
            long there = prints.getLong(line + way * PRINT);
            if (there == print && holds(slot(bucket, way), report)) {
                add(slot(bucket, way), report, hash);
                return;
            }
            if (there == 0 && free < 0) {
                free = way;
            }
        }
        int way = free >= 0 ? free : victim(bucket, report.receivedNanos());
        if (free < 0) {
            leave(bucket, way);
        }
        COUNT.setOpaque(counts, free >= 0 ? SIZE : EVICTED, counts[free >= 0 ? SIZE : EVICTED] + 1);
        prints.putLong(line + way * PRINT, print);
        int slot = slot(bucket, way);
        slots.put(slot + KEY_AT, report.buffer(), report.offset() + ReportRow.FLOW_AT, ReportRow.FLOW_LENGTH);
        slots.putInt(slot + KIND_AT, report.kind());
        state.wrap(slots, slot + STATE_AT);
        fold.begin(state);
        add(slot, report, hash);
    }

    private void add(int slot, ReportRow report, long hash) {
        state.wrap(slots, slot + STATE_AT);
        boolean later = FlowFold.isLater(state, report);
        if (later && state.minuteReports() > 0) {
            sink.minute(key(slot), hash, state);
        }
        long path = state.path();
        fold.add(state, report);
        // Once a minute again: whoever keeps paths may have had to forget it.
        if (state.path() != path || later && !report.dropped() && report.isWholeStack()) {
            sink.path(report);
        }
    }

    private FlowKey key(int slot) {
        return ReportRow.flow(slots, slot + KEY_AT, slots.getInt(slot + KIND_AT));
    }

    private void leave(int bucket, int way) {
        int slot = slot(bucket, way);
        state.wrap(slots, slot + STATE_AT);
        if (state.minuteReports() >= WORTH_TELLING) {
            sink.minute(key(slot), prints.getLong(bucket * LINE + way * PRINT), state);
        } else if (state.minuteReports() > 0) {
            COUNT.setOpaque(counts, UNTOLD, counts[UNTOLD] + 1);
        }
    }

    /** Tells of the minutes that are over, bit by bit. */
    void onTime(long nowNanos) {
        long now = Math.floorDiv(nowNanos - SETTLE_NANOS, MINUTE_NANOS);
        if (minute == NONE) {
            minute = now;
        } else if (now > minute) {
            if (swept < capacity()) {
                sweep(capacity()); // time has jumped
            }
            minute = now;
            swept = 0;
            sweptAt = nowNanos - SETTLE_NANOS;
        }
        if (swept < capacity()) {
            long share = (long) capacity() * Math.min(SWEEP_NANOS, nowNanos - sweptAt) / SWEEP_NANOS;
            sweptAt = nowNanos;
            sweep((int) Math.max(LEAST_SWEPT, share));
        }
    }

    private void sweep(int places) {
        int end = Math.min(capacity(), swept + Math.min(places, capacity()));
        for (; swept < end; swept++) {
            long print = prints.getLong(swept * PRINT);
            int slot = swept * SLOT;
            if (print != 0 && state.wrap(slots, slot + STATE_AT).minute() < minute && state.minuteReports() > 0) {
                sink.minute(key(slot), print, state);
                state.beginMinute(state.minute());
            }
        }
        if (swept == capacity()) {
            sink.complete(minute * MINUTE_NANOS);
        }
    }

    /** Tells of all there is, also of the minute that is not over. */
    void end() {
        minute = Long.MAX_VALUE / MINUTE_NANOS;
        for (swept = 0; swept < capacity(); swept++) {
            long print = prints.getLong(swept * PRINT);
            int slot = swept * SLOT;
            if (print != 0 && state.wrap(slots, slot + STATE_AT).minuteReports() > 0) {
                sink.minute(key(slot), print, state);
                state.beginMinute(state.minute());
            }
        }
    }

    /** Minutes of flows that had to leave before they were told. Any thread. */
    long untold() {
        return (long) COUNT.getOpaque(counts, UNTOLD);
    }

    private static int slot(int bucket, int way) {
        return (bucket * WAYS + way) * SLOT;
    }

    private boolean holds(int slot, ReportRow report) {
        return report.isFlow(slots, slot + KEY_AT) && slots.getInt(slot + KIND_AT) == report.kind();
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
