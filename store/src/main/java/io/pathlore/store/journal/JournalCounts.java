package io.pathlore.store.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What became of records, and what the journal is. One writer, the thread that owns the journal; any readers. */
public final class JournalCounts {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int JOURNALLED = JournalDrop.values().length;
    private static final int ACKNOWLEDGED = JOURNALLED + 1;
    private static final int BYTES = JOURNALLED + 2;
    private static final int SEGMENTS = JOURNALLED + 3;
    private static final int REMOVED = JOURNALLED + 4;
    private static final int DAMAGED = JOURNALLED + 5;
    private static final int SYNCS = JOURNALLED + 6;

    private final long[] slots = new long[SYNCS + 1];

    JournalCounts() {
        set(ACKNOWLEDGED, SegmentHeader.NONE);
    }

    /** Records that are on the disk for good. */
    public long journalled() {
        return get(JOURNALLED);
    }

    public long dropped(JournalDrop reason) {
        return get(reason.ordinal());
    }

    /** Every record up to this position is on the disk, or counted as dropped; -1 before the first. */
    public long acknowledgedPosition() {
        return get(ACKNOWLEDGED);
    }

    /** Of all segments. */
    public long bytes() {
        return get(BYTES);
    }

    public long segments() {
        return get(SEGMENTS);
    }

    /** Segments removed because they were too old or too many. */
    public long removed() {
        return get(REMOVED);
    }

    /** What was found damaged when the journal was opened. */
    public long damaged() {
        return get(DAMAGED);
    }

    public long syncs() {
        return get(SYNCS);
    }

    void drop(JournalDrop reason, long records) {
        set(reason.ordinal(), slots[reason.ordinal()] + records);
    }

    /** In this order: who sees the position finds its records counted. */
    void acknowledge(long records, long position) {
        set(SYNCS, slots[SYNCS] + 1);
        set(JOURNALLED, slots[JOURNALLED] + records);
        set(ACKNOWLEDGED, position);
    }

    void hold(long segments, long bytes) {
        set(SEGMENTS, segments);
        set(BYTES, bytes);
    }

    void remove() {
        set(REMOVED, slots[REMOVED] + 1);
    }

    void damage() {
        set(DAMAGED, slots[DAMAGED] + 1);
    }

    private long get(int slot) {
        return (long) SLOT.getAcquire(slots, slot);
    }

    private void set(int slot, long value) {
        SLOT.setRelease(slots, slot, value);
    }
}
