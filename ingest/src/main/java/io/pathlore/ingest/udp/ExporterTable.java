package io.pathlore.ingest.udp;

import io.pathlore.model.Fault;
import io.pathlore.model.IpText;
import io.pathlore.model.Profile;
import io.pathlore.wire.decode.Exporter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of each exporter, by source address: what its reports look like, and how many there were. A full table
 * forgets one that has not sent for a while; one that was heard of only once goes before all others, so that a sweep of
 * invented addresses does not push out those that really send. Hot path. One writer, any readers.
 */
public final class ExporterTable {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int DATAGRAMS = 0;
    private static final int BYTES = 1;
    private static final int REPORTS = 2;
    private static final int REJECTED_REPORTS = 3;
    private static final int UNDECODABLE = 4;
    private static final int OVER_RATE = 5;
    private static final int FIRST_SEEN = 6;
    private static final int LAST_SEEN = 7;
    private static final int LAST_FAULT = 8;
    private static final int FIGURES = 9;
    private static final int MAX_READS = 1_000;
    private static final long NO_NODE = Long.MIN_VALUE;

    /** What an operator said of an exporter. */
    @FunctionalInterface
    public interface Profiles {
        /** Nothing is known of any. */
        Profiles AUTO = (v6, hi, lo) -> Profile.AUTO;

        Profile of(boolean v6, long hi, long lo);
    }

    private final AddressIndex index;
    private transient Profiles profiles;
    private transient TokenBuckets buckets;
    private final @Nullable Exporter[] exporters;
    private final boolean[] recent;
    private final long[] nodes;
    private final long[] figures;
    private int hand;
    private volatile int known;
    private volatile long evicted;
    private volatile long version; // odd while a slot changes its owner

    public ExporterTable(int capacity, long ratePerSecond, Profiles profiles, long seed) {
        index = new AddressIndex(capacity, seed);
        this.profiles = profiles;
        buckets = new TokenBuckets(ratePerSecond, capacity);
        exporters = new Exporter[capacity];
        recent = new boolean[capacity];
        nodes = new long[capacity];
        figures = new long[capacity * FIGURES];
    }

    /** Another limit and other profiles from the next datagram on. On the thread that reads. */
    public void reconfigure(long ratePerSecond, Profiles next, long nowNanos) {
        profiles = next;
        buckets = new TokenBuckets(ratePerSecond, exporters.length);
        for (int slot = 0; slot < known; slot++) {
            buckets.reset(slot, nowNanos);
            Profile profile = next.of(index.v6(slot), index.hi(slot), index.lo(slot));
            if (exporter(slot).profile() != profile) {
                exporters[slot] = new Exporter(profile);
            }
        }
    }

    /** The slot of an exporter, which is a new one where it was not known. */
    int slotOf(boolean v6, long hi, long lo, long nowNanos) {
        int slot = index.find(v6, hi, lo);
        if (slot == AddressIndex.NONE) {
            return admit(v6, hi, lo, nowNanos);
        }
        recent[slot] = true;
        return slot;
    }

    /** The exporter of this slot, which is the one asked for last, has sent again. */
    void onAgain(int slot) {
        recent[slot] = true;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private int admit(boolean v6, long hi, long lo, long nowNanos) {
        version++;
        int slot = known;
        if (slot == exporters.length) {
            slot = oldest();
            index.remove(slot);
            evicted++;
        }
        index.put(slot, v6, hi, lo);
        recent[slot] = false;
        nodes[slot] = NO_NODE;
        Profile profile = profiles.of(v6, hi, lo);
        Exporter exporter = exporters[slot];
        if (exporter != null && exporter.profile() == profile) {
            exporter.forget();
        } else {
            exporters[slot] = new Exporter(profile);
        }
        for (int i = 0; i < FIGURES; i++) {
            SLOT.setOpaque(figures, slot * FIGURES + i, 0L);
        }
        SLOT.setOpaque(figures, slot * FIGURES + FIRST_SEEN, nowNanos);
        buckets.reset(slot, nowNanos);
        known = Math.max(known, slot + 1);
        version++;
        return slot;
    }

    /** The next that was not heard of since the hand passed it last. */
    private int oldest() {
        while (true) {
            int slot = hand;
            hand = slot + 1 == recent.length ? 0 : slot + 1;
            if (!recent[slot]) {
                return slot;
            }
            recent[slot] = false;
        }
    }

    boolean withinRate(int slot, long nowNanos) {
        if (buckets.take(slot, nowNanos)) {
            return true;
        }
        more(slot, OVER_RATE, 1);
        return false;
    }

    Exporter exporter(int slot) {
        Exporter exporter = exporters[slot];
        if (exporter == null) {
            throw new IllegalArgumentException("nobody is in slot " + slot);
        }
        return exporter;
    }

    /** Whether this is the node it was last found to speak for: who may once may always. */
    boolean speaksFor(int slot, long nodeId) {
        return nodes[slot] == nodeId;
    }

    /** Who may speak for whom is to be found out anew. */
    void forgetNodes() {
        Arrays.fill(nodes, NO_NODE);
    }

    void onSpeaksFor(int slot, long nodeId) {
        nodes[slot] = nodeId;
    }

    void onDatagram(int slot, int length, long nowNanos) {
        more(slot, DATAGRAMS, 1);
        more(slot, BYTES, length);
        SLOT.setOpaque(figures, slot * FIGURES + LAST_SEEN, nowNanos);
    }

    void onReport(int slot) {
        more(slot, REPORTS, 1);
    }

    void onRejectedReport(int slot, Fault fault) {
        more(slot, REJECTED_REPORTS, 1);
        SLOT.setOpaque(figures, slot * FIGURES + LAST_FAULT, (long) fault.ordinal());
    }

    void onUndecodable(int slot, Fault fault) {
        more(slot, UNDECODABLE, 1);
        SLOT.setOpaque(figures, slot * FIGURES + LAST_FAULT, (long) fault.ordinal());
    }

    private void more(int slot, int figure, long amount) {
        int at = slot * FIGURES + figure;
        SLOT.setOpaque(figures, at, figures[at] + amount);
    }

    /**
     * One exporter.
     *
     * @param datagrams accepted of it; those over the rate are apart
     * @param lastFault of a report or datagram, or NONE
     */
    public record Row(
            String address,
            long firstSeenNanos,
            long lastSeenNanos,
            long datagrams,
            long bytes,
            long reports,
            long rejectedReports,
            long undecodable,
            long overRate,
            Fault lastFault) {}

    /** All that are known now. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int attempt = 0; attempt < MAX_READS; attempt++) {
            long before = version;
            rows.clear();
            int count = known;
            for (int slot = 0; slot < count; slot++) {
                rows.add(row(slot));
            }
            VarHandle.loadLoadFence();
            if ((before & 1) == 0 && before == version) {
                break;
            }
            Thread.onSpinWait();
        }
        return rows;
    }

    private Row row(int slot) {
        return new Row(
                IpText.of(index.v6(slot), index.hi(slot), index.lo(slot)),
                figure(slot, FIRST_SEEN),
                figure(slot, LAST_SEEN),
                figure(slot, DATAGRAMS),
                figure(slot, BYTES),
                figure(slot, REPORTS),
                figure(slot, REJECTED_REPORTS),
                figure(slot, UNDECODABLE),
                figure(slot, OVER_RATE),
                Fault.values()[(int) figure(slot, LAST_FAULT)]);
    }

    private long figure(int slot, int figure) {
        return (long) SLOT.getOpaque(figures, slot * FIGURES + figure);
    }

    public int size() {
        return known;
    }

    public int capacity() {
        return exporters.length;
    }

    /** Exporters that were forgotten to make room. */
    public long evicted() {
        return evicted;
    }
}
