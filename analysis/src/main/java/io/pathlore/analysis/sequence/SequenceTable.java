package io.pathlore.analysis.sequence;

import io.pathlore.analysis.sequence.StreamKey.Version;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The streams of one receiver, as many as there is room for: {@value #BYTES_PER_STREAM} octets each.
 *
 * <p>Hot path. One owner thread; {@link #totals} and {@link #evicted} may be read by any. Nothing is allocated after
 * construction but by the views for people. A new stream in a full table takes the place of one not heard since the hand of the
 * clock last passed it; streams heard only once go first, so that a sweep of random ids turns out itself. What an evicted stream
 * missed is lost, and its counts stay in the totals. The same datagrams in the same order leave the same streams.
 *
 * <p>The first {@value #PAGES} places remember the bytes of their whole window, the others those of the newest numbers.
 */
public final class SequenceTable {
    /** 64,000 with everything that belongs to them stay below 32 MB. */
    public static final int DEFAULT_CAPACITY = 64_000;

    static final int PAGES = 256;
    static final int BYTES_PER_STREAM = SequenceTracker.STATE_LENGTH + StreamKey.LENGTH;

    private static final int MAX_CAPACITY = 4_000_000;
    private static final int ALIGNMENT = 64;
    private static final int FIRST_INDEX = 1024;

    // Behind the key.
    private static final int HEARD = 42;
    private static final int HASH = 44;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int OUTCOMES = 0;
    private static final int IN_ORDER = OUTCOMES + Outcome.IN_ORDER.ordinal();
    private static final int ARRIVED = Outcome.COUNT;
    private static final int LOST = ARRIVED + 1;
    private static final int MISSING = LOST + 1;
    private static final int SUSPICIONS = MISSING + 1;
    private static final int EVICTED = SUSPICIONS + 1;
    private static final int STREAMS = EVICTED + 1;
    private static final int COUNTERS = STREAMS + 1;

    private final int capacity;
    private final long seed;
    private final ByteBuffer slots;
    private final ByteBuffer pages;
    private final int[] index;
    private int mask; // of the part that is in use
    private final long[] counters = new long[COUNTERS];
    private final SequenceTracker tracker;
    private final StreamKey moved = new StreamKey();
    private int size;
    private int hand;

    public SequenceTable(int capacity, long seed, SequenceTracker.Rules rules) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("capacity must be 1 to " + MAX_CAPACITY + ", is " + capacity);
        }
        this.capacity = capacity;
        this.seed = seed;
        slots = allocate(capacity * BYTES_PER_STREAM);
        pages = allocate(Math.min(PAGES, capacity) * SequenceTracker.PAGE_LENGTH);
        index = new int[Math.max(2, Integer.highestOneBit(capacity * 3 / 2) * 2)];
        mask = Math.min(index.length, FIRST_INDEX) - 1;
        tracker = new SequenceTracker(rules);
    }

    private static ByteBuffer allocate(int length) {
        return ByteBuffer.allocateDirect((int) aligned(length))
                .alignedSlice(ALIGNMENT)
                .order(SequenceTracker.ORDER);
    }

    /** An aligned slice gives up what does not fill a line on either side. */
    private static long aligned(long length) {
        return length / ALIGNMENT * ALIGNMENT + 2 * ALIGNMENT;
    }

    /** All memory that grows with the capacity. */
    public static long bytes(int capacity) {
        long pages = (long) Math.min(PAGES, capacity) * SequenceTracker.PAGE_LENGTH;
        long index = (long) Integer.highestOneBit(capacity * 3 / 2) * 2 * Integer.BYTES;
        return aligned((long) capacity * BYTES_PER_STREAM) + aligned(pages) + index;
    }

    /** {@code counting} matters when the stream is new; {@link SequenceTracker#on} tells the rest. */
    public Outcome on(StreamKey key, Counting counting, long sequence, long nowNanos, int reports, long bytesHash) {
        int slot = find(key);
        if (slot < 0) {
            slot = add(key, counting);
        } else {
            hear(slot, true);
        }
        wrap(slot);
        if (tracker.inOrder(sequence, nowNanos, reports, bytesHash)) {
            add(IN_ORDER, 1);
            add(ARRIVED, 1);
            return Outcome.IN_ORDER;
        }
        return stepByStep(sequence, nowNanos, reports, bytesHash);
    }

    private Outcome stepByStep(long sequence, long nowNanos, int reports, long bytesHash) {
        long lost = tracker.lost();
        long missing = tracker.missing();
        long arrived = tracker.arrived();
        int suspicions = tracker.suspicions();
        Outcome outcome = tracker.stepByStep(sequence, nowNanos, reports, bytesHash);
        add(OUTCOMES + outcome.ordinal(), 1);
        add(ARRIVED, tracker.arrived() - arrived);
        addLoss(lost, missing);
        add(SUSPICIONS, tracker.suspicions() - suspicions);
        return outcome;
    }

    /** The stream of the last {@link #on}: good until the next. */
    public SequenceTracker tracker() {
        return tracker;
    }

    /**
     * Settles what is old enough in places {@code from} and up, at most {@code limit} of them, so that a host can spread the work.
     * Returns where to go on, 0 at the end.
     */
    public int settle(int from, int limit, long nowNanos) {
        int end = Math.min(size, (int) Math.min((long) from + limit, Integer.MAX_VALUE));
        for (int slot = from; slot < end; slot++) {
            wrap(slot);
            long lost = tracker.lost();
            long missing = tracker.missing();
            tracker.settle(nowNanos);
            addLoss(lost, missing);
        }
        return end >= size ? 0 : end;
    }

    /** Settles everything: the receiver has stopped. */
    public void close() {
        for (int slot = 0; slot < size; slot++) {
            closeOne(slot);
        }
    }

    private void closeOne(int slot) {
        wrap(slot);
        long lost = tracker.lost();
        long missing = tracker.missing();
        long arrived = tracker.arrived();
        tracker.close();
        add(ARRIVED, tracker.arrived() - arrived);
        addLoss(lost, missing);
    }

    private void addLoss(long lostBefore, long missingBefore) {
        long lost = tracker.lost() - lostBefore;
        if (lost != 0) {
            add(LOST, lost);
        }
        long missing = tracker.missing() - missingBefore;
        if (missing != 0) {
            add(MISSING, missing);
        }
    }

    private void add(int counter, long by) {
        SLOT.setRelease(counters, counter, counters[counter] + by);
    }

    private long read(int counter) {
        return (long) SLOT.getAcquire(counters, counter);
    }

    private long read(Outcome outcome) {
        return read(OUTCOMES + outcome.ordinal());
    }

    // Places
    // --------------------------------------------------------------------------------------------------------------

    private void wrap(int slot) {
        int at = slot * BYTES_PER_STREAM + StreamKey.LENGTH;
        if (slot < PAGES) {
            tracker.wrap(slots, at, pages, slot * SequenceTracker.PAGE_LENGTH);
        } else {
            tracker.wrap(slots, at);
        }
    }

    private int find(StreamKey key) {
        int hash = key.hash(seed);
        for (int i = hash & mask; index[i] != 0; i = i + 1 & mask) {
            int slot = index[i] - 1;
            if (hash(slot) == hash && holds(slot, key)) {
                return slot;
            }
        }
        return -1;
    }

    private boolean holds(int slot, StreamKey key) {
        int at = slot * BYTES_PER_STREAM;
        return slots.getLong(at + 32) == key.source
                && slots.getLong(at + 8) == key.exporterLow
                && slots.getLong(at) == key.exporterHigh
                && slots.getLong(at + 24) == key.destinationLow
                && slots.getLong(at + 16) == key.destinationHigh
                && slots.getShort(at + 40) == (short) key.port;
    }

    private void write(int slot, StreamKey key) {
        int at = slot * BYTES_PER_STREAM;
        slots.putLong(at, key.exporterHigh)
                .putLong(at + 8, key.exporterLow)
                .putLong(at + 16, key.destinationHigh)
                .putLong(at + 24, key.destinationLow)
                .putLong(at + 32, key.source)
                .putShort(at + 40, (short) key.port)
                .putInt(at + HASH, key.hash(seed));
    }

    private int hash(int slot) {
        return slots.getInt(slot * BYTES_PER_STREAM + HASH);
    }

    private boolean heard(int slot) {
        return slots.get(slot * BYTES_PER_STREAM + HEARD) != 0;
    }

    private void hear(int slot, boolean heard) {
        slots.put(slot * BYTES_PER_STREAM + HEARD, (byte) (heard ? 1 : 0));
    }

    private StreamKey read(int slot, StreamKey into) {
        int at = slot * BYTES_PER_STREAM;
        into.exporterHigh = slots.getLong(at);
        into.exporterLow = slots.getLong(at + 8);
        into.destinationHigh = slots.getLong(at + 16);
        into.destinationLow = slots.getLong(at + 24);
        into.source = slots.getLong(at + 32);
        into.port = Short.toUnsignedInt(slots.getShort(at + 40));
        return into;
    }

    private int add(StreamKey key, Counting counting) {
        int slot = size < capacity ? size : evict();
        if (slot == size) {
            size++;
            SLOT.setRelease(counters, STREAMS, (long) size);
        }
        write(slot, key);
        hear(slot, false);
        if (2 * size > mask && mask < index.length - 1) {
            widen();
        } else {
            link(slot);
        }
        wrap(slot);
        tracker.begin(key.version().width(), counting);
        return slot;
    }

    private void link(int slot) {
        int i = hash(slot) & mask;
        while (index[i] != 0) {
            i = i + 1 & mask;
        }
        index[i] = slot + 1;
    }

    /** A few streams are found in a few cache lines, however many there may be. */
    private void widen() {
        Arrays.fill(index, 0, mask + 1, 0);
        mask = 2 * mask + 1;
        for (int slot = 0; slot < size; slot++) {
            link(slot);
        }
    }

    private int evict() {
        while (heard(hand)) {
            hear(hand, false);
            hand = hand + 1 == capacity ? 0 : hand + 1;
        }
        int slot = hand;
        hand = hand + 1 == capacity ? 0 : hand + 1;
        closeOne(slot);
        unlink(slot);
        add(EVICTED, 1);
        return slot;
    }

    /** Those behind it move up, so that a search may stop at the first empty place [Knuth, TAOCP 3, 6.4 R]. */
    private void unlink(int slot) {
        int hole = hash(slot) & mask;
        while (index[hole] != slot + 1) {
            hole = hole + 1 & mask;
        }
        int i = hole;
        while (true) {
            i = i + 1 & mask;
            if (index[i] == 0) {
                break;
            }
            int home = hash(index[i] - 1) & mask;
            if ((i - home & mask) >= (i - hole & mask)) {
                index[hole] = index[i];
                hole = i;
            }
        }
        index[hole] = 0;
    }

    // Views
    // ---------------------------------------------------------------------------------------------------------------

    /** Of all streams, evicted ones too. Any thread; each number is exact, together they may be a datagram apart. */
    public SequenceTotals totals() {
        long received = 0;
        for (int i = 0; i < Outcome.COUNT; i++) {
            received += read(OUTCOMES + i);
        }
        return new SequenceTotals(
                received,
                read(ARRIVED),
                read(LOST),
                read(MISSING),
                read(Outcome.DUPLICATE),
                read(Outcome.REORDERED),
                read(Outcome.LATE),
                read(Outcome.RESTART),
                read(Outcome.RESEEDED),
                read(SUSPICIONS));
    }

    /** Datagrams of all streams with this outcome. Any thread. */
    public long count(Outcome outcome) {
        return read(outcome);
    }

    /** Streams that had to leave. Any thread. */
    public long evicted() {
        return read(EVICTED);
    }

    /** Streams there are. Any thread. */
    public int size() {
        return (int) read(STREAMS);
    }

    /** Streams in places {@code from} and up, at most {@code limit}. Owner only. Returns where to go on, 0 at the end. */
    public int scan(int from, int limit, long nowNanos, Consumer<? super StreamView> to) {
        int end = Math.min(size, (int) Math.min((long) from + limit, Integer.MAX_VALUE));
        for (int slot = from; slot < end; slot++) {
            to.accept(view(slot, nowNanos));
        }
        return end >= size ? 0 : end;
    }

    /** Takes who a stream is of, when it was heard of last, and how often it is; {@code nodeId} as in {@link StreamView}. */
    @FunctionalInterface
    public interface Watcher {
        void stream(
                long exporterHigh,
                long exporterLow,
                Version version,
                long nodeId,
                int hwId,
                long lastNanos,
                double perSecond);
    }

    /** As {@link #scan}, for who looks at all streams all the time: makes nothing. */
    public int watch(int from, int limit, Watcher to) {
        int end = Math.min(size, from + limit);
        for (int slot = from; slot < end; slot++) {
            wrap(slot);
            StreamKey key = read(slot, moved);
            to.stream(
                    key.exporterHigh,
                    key.exporterLow,
                    key.version(),
                    nodeId(key),
                    hwId(key),
                    tracker.lastNanos(),
                    tracker.rate());
        }
        return end >= size ? 0 : end;
    }

    private static long nodeId(StreamKey key) {
        return key.version() == Version.TR05 ? StreamView.NO_NODE : key.source >>> 32;
    }

    private static int hwId(StreamKey key) {
        return (int) (key.source >>> 8) & 0xFFFF;
    }

    /** Sums of the streams there are, by exporter in the order of their addresses. Owner only. */
    public List<ExporterTotals> exporters(long nowNanos) {
        Map<Address, SequenceTotals> sums = new TreeMap<>();
        Map<Address, int[]> streams = new TreeMap<>();
        scan(0, size, nowNanos, stream -> {
            Address address = new Address(stream.exporterHigh(), stream.exporterLow());
            sums.merge(address, stream.totals(), SequenceTotals::plus);
            streams.computeIfAbsent(address, unused -> new int[1])[0]++;
        });
        List<ExporterTotals> all = new ArrayList<>(sums.size());
        sums.forEach((address, sum) -> all.add(
                new ExporterTotals(address.high, address.low, streams.getOrDefault(address, new int[1])[0], sum)));
        return all;
    }

    /**
     * One exporter, all its streams together.
     *
     * @param streams how many of them there are now
     */
    public record ExporterTotals(long exporterHigh, long exporterLow, int streams, SequenceTotals totals) {}

    private record Address(long high, long low) implements Comparable<Address> {
        private static final Comparator<Address> ORDER = Comparator.<Address>comparingLong(a -> a.high ^ Long.MIN_VALUE)
                .thenComparingLong(a -> a.low ^ Long.MIN_VALUE);

        @Override
        public int compareTo(Address other) {
            return ORDER.compare(this, other);
        }
    }

    private StreamView view(int slot, long nowNanos) {
        wrap(slot);
        StreamKey key = read(slot, moved);
        return new StreamView(
                key.exporterHigh,
                key.exporterLow,
                key.destinationHigh,
                key.destinationLow,
                key.port,
                key.version(),
                nodeId(key),
                hwId(key),
                tracker.sequence(),
                tracker.lastNanos(),
                tracker.counts(),
                tracker.counting(),
                tracker.rate(),
                tracker.suspected(nowNanos),
                tracker.totals());
    }

    /** What two runs over the same datagrams must agree on, octet for octet. */
    long fingerprint() {
        long sum = Arrays.hashCode(counters);
        for (int at = 0; at < size * BYTES_PER_STREAM; at += Long.BYTES) {
            sum = sum * 0x9E37_79B9_7F4A_7C15L + slots.getLong(at);
        }
        return sum;
    }
}
