package io.pathlore.store.journal;

import io.pathlore.store.journal.Recovery.Segment;
import io.pathlore.wire.envelope.Envelope;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to segment files. What {@link #sync} acknowledged survives a crash; every other record is counted as
 * dropped, with the reason. A full or broken disk is not an exception but a state: records are dropped and counted, and the
 * journal tries again by itself.
 *
 * <p>Hot path: {@link #append}. Belongs to one thread; only {@link #counts} may be read by others. Times come from outside:
 * {@code ticks} is a monotonic clock, for trying again; {@code nowNanos} is the time of day, for what is written down.
 */
public final class Journal implements Closeable {
    /** Between two attempts to begin a segment on a disk that refused. */
    static final long RETRY_NANOS = 250_000_000;
    /**
     * Positions of one run start at a multiple of this: above all that the run before can have given out, also to records
     * that a crash took away. So no position is ever given twice.
     */
    static final long RUN = 1L << 40;

    private final JournalFiles files;
    private final JournalOptions options;
    private final LongSupplier entropy;
    private final Closeable lock;
    private final Deque<Segment> closed;
    private final List<JournalDamage> found;
    private final JournalCounts counts = new JournalCounts();
    private final RecordFrame frame = new RecordFrame();
    private final TimeIndex index = new TimeIndex();
    private final Consumer<IOException> onTrouble;
    private final long edgeId;
    private final long firstPosition;

    private long nextPosition;
    private @Nullable JournalFile active;
    private long activeFirst;
    private long activeCreated;
    private int salt;
    /** Where the next record goes, up to where all is on the disk, and what lies between. */
    private long end;

    private long syncedEnd;
    private long unsynced;
    private long lastPosition;
    private long syncedPosition;
    private long closedBytes;
    private JournalDrop trouble = JournalDrop.ERROR;
    private boolean waiting;
    private long retryAt;

    private Journal(
            JournalFiles files,
            JournalOptions options,
            LongSupplier entropy,
            Closeable lock,
            Recovery recovery,
            Consumer<IOException> onTrouble) {
        this.files = files;
        this.options = options;
        this.entropy = entropy;
        this.lock = lock;
        this.onTrouble = onTrouble;
        closed = new ArrayDeque<>(recovery.segments());
        for (Segment segment : closed) {
            closedBytes += segment.bytes();
        }
        found = List.copyOf(recovery.damage());
        found.forEach(damage -> counts.damage());
        Long known = recovery.edgeId();
        edgeId = known == null ? entropy.getAsLong() : known;
        lastPosition = recovery.lastPosition();
        syncedPosition = lastPosition;
        long highest = recovery.highestPosition();
        firstPosition = highest == SegmentHeader.NONE ? 0 : (highest / RUN + 1) * RUN;
        nextPosition = firstPosition;
    }

    /**
     * Opens a journal for writing, after putting it in order.
     *
     * @param entropy where random bits come from
     * @param onTrouble told about each refusal of the disk; called by the thread that owns the journal
     * @throws JournalException if another one writes it, or the disk refuses
     */
    public static Journal open(
            JournalFiles files,
            JournalOptions options,
            LongSupplier entropy,
            long nowNanos,
            Consumer<IOException> onTrouble)
            throws IOException {
        Closeable lock = files.lock();
        boolean opened = false;
        try {
            Recovery recovery = new Recovery(files);
            recovery.run();
            Journal journal = new Journal(files, options, entropy, lock, recovery, onTrouble);
            journal.begin(journal.firstPosition, nowNanos);
            journal.publish();
            opened = true;
            return journal;
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw JournalException.because("cannot be opened", files.where(), e);
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    public JournalCounts counts() {
        return counts;
    }

    /** What was damaged when the journal was opened, and what was done about it. */
    public List<JournalDamage> found() {
        return found;
    }

    public long edgeId() {
        return edgeId;
    }

    /** The first position for a record of this run; further ones rise from here. */
    public long firstPosition() {
        return firstPosition;
    }

    /** For the next record. What is dropped keeps its own: a reader sees the gap. */
    long takePosition() {
        return nextPosition++;
    }

    /** Whether there is something to {@link #sync}. */
    public boolean unsynced() {
        return unsynced > 0;
    }

    /**
     * Appends the records from {@code from} to {@code to}: frames and envelopes, at multiples of 8, positions rising. Writes
     * their checksums into the block, and moves its position and limit. All are either written or counted as dropped.
     */
    void append(ByteBuffer block, int from, int to, long ticks, long nowNanos) {
        int at = from;
        while (at < to) {
            if (active == null && !begin(Envelope.position(block, at + RecordFrame.LENGTH), ticks, nowNanos)) {
                counts.drop(trouble, count(block, at, to));
                return;
            }
            int part = seal(block, at, to);
            if (part == at) {
                rotate(ticks);
            } else {
                write(block, at, part, ticks);
                at = part;
            }
        }
    }

    /** Seals as many records as this segment has room for, at least one if it is empty; returns where they end. */
    private int seal(ByteBuffer block, int from, int to) {
        int at = from;
        long offset = end;
        while (at < to) {
            int size = RecordFrame.sizeAt(block, at);
            if (offset + size > options.segmentBytes() && offset > SegmentHeader.LENGTH) {
                break;
            }
            frame.seal(block, at, salt);
            int envelope = at + RecordFrame.LENGTH;
            index.add(offset, Envelope.position(block, envelope), Envelope.receivedNanos(block, envelope));
            offset += size;
            at += size;
        }
        return at;
    }

    private void write(ByteBuffer block, int from, int to, long ticks) {
        JournalFile file = active;
        if (file == null) {
            throw new IllegalStateException("no segment");
        }
        block.limit(to).position(from);
        IOException failure = null;
        try {
            while (block.hasRemaining()) {
                file.write(block, end + block.position() - from);
            }
        } catch (IOException e) {
            failure = e;
        }
        int written = block.position();
        block.clear();
        int at = from;
        long whole = 0;
        // Records that are whole in the file count, also when the disk became full behind them.
        while (at < to && at + RecordFrame.sizeAt(block, at) <= written) {
            lastPosition = Envelope.position(block, at + RecordFrame.LENGTH);
            at += RecordFrame.sizeAt(block, at);
            whole++;
        }
        end += at - from;
        unsynced += whole;
        if (failure == null) {
            waiting = false;
            return;
        }
        long lost = count(block, at, to);
        index.takeBack(end, lost, lastPosition);
        JournalDrop reason = reason(failure);
        counts.drop(reason, lost);
        report(failure);
        if (reason == JournalDrop.ERROR) {
            abandon(reason, ticks);
        } else {
            cut(file, end);
        }
    }

    /** Acknowledges what was appended; if the disk refuses, all of it since the last time is dropped. */
    void sync(long ticks) {
        JournalFile file = active;
        if (file == null || unsynced == 0) {
            return;
        }
        try {
            file.sync();
            if (!files.exists(SegmentName.segment(activeFirst))) {
                throw new JournalException("journal " + files.where() + ": " + SegmentName.segment(activeFirst)
                        + " was removed while it was written; leave the directory to the collector");
            }
        } catch (IOException e) {
            // The system may have thrown the pages away; to ask again would be answered with yes.
            report(e);
            abandon(reason(e), ticks);
            return;
        }
        syncedEnd = end;
        syncedPosition = lastPosition;
        counts.acknowledge(unsynced, lastPosition);
        unsynced = 0;
        publish();
    }

    /** Closes a segment that is old, removes those that need not be kept. To be called now and then. */
    void maintain(long ticks, long nowNanos) {
        if (active != null
                && end > SegmentHeader.LENGTH
                && nowNanos - activeCreated >= options.segmentAge().toNanos()) {
            rotate(ticks);
        }
        try {
            retain(nowNanos);
        } catch (IOException e) {
            report(e);
        }
        publish();
    }

    private void retain(long nowNanos) throws IOException {
        while (!closed.isEmpty()) {
            Segment oldest = closed.getFirst();
            boolean tooMuch = options.keepBytes() > 0 && closedBytes + activeBytes() > options.keepBytes();
            boolean tooOld = !options.keep().isZero()
                    && nowNanos - endOfOldest() > options.keep().toNanos();
            if (!tooMuch && !tooOld) {
                return;
            }
            delete(oldest);
            closed.removeFirst();
            closedBytes -= oldest.bytes();
            counts.remove();
        }
    }

    /** The oldest segment was closed when the one behind it was made; its records are older still. */
    private long endOfOldest() {
        boolean first = true;
        for (Segment segment : closed) {
            if (!first) {
                return segment.createdNanos();
            }
            first = false;
        }
        return active == null ? Long.MAX_VALUE : activeCreated;
    }

    private void delete(Segment segment) throws IOException {
        files.delete(SegmentName.index(segment.firstPosition()));
        files.delete(SegmentName.segment(segment.firstPosition()));
        // Each for itself, so that after a crash never an older one is gone and a younger one back.
        files.syncDirectory();
    }

    private long activeBytes() {
        return active == null ? 0 : end;
    }

    /** Closes the segment for good: all of it on the disk, its index beside it. The next record begins another. */
    private void rotate(long ticks) {
        sync(ticks);
        JournalFile file = active;
        if (file == null) {
            return;
        }
        try {
            if (index.records() > 0) {
                Recovery.writeIndex(files, activeFirst, index, end);
            }
        } catch (IOException e) {
            report(e); // a reader does without it
        }
        closeQuietly(file);
        retire(end);
    }

    private void retire(long length) {
        closed.addLast(new Segment(activeFirst, length, activeCreated));
        closedBytes += length;
        active = null;
        publish();
    }

    /** Gives the segment up behind what was acknowledged, and counts the rest as dropped. */
    private void abandon(JournalDrop reason, long ticks) {
        JournalFile file = active;
        if (file == null) {
            return;
        }
        counts.drop(reason, unsynced);
        unsynced = 0;
        lastPosition = syncedPosition;
        cut(file, syncedEnd);
        closeQuietly(file);
        retire(syncedEnd);
        refuse(reason, ticks);
    }

    // As well as it goes: what stays behind the end is overwritten, or not valid, or was written indeed.
    private void cut(JournalFile file, long length) {
        try {
            file.truncate(length);
        } catch (IOException e) {
            report(e);
        }
    }

    private void closeQuietly(JournalFile file) {
        try {
            file.close();
        } catch (IOException e) {
            report(e);
        }
    }

    /** Begins a segment for the record at {@code position}; false if the disk refuses, or did a moment ago. */
    private boolean begin(long position, long ticks, long nowNanos) {
        if (waiting && ticks - retryAt < 0) {
            return false;
        }
        try {
            begin(position, nowNanos);
            return true;
        } catch (IOException e) {
            report(e);
            refuse(reason(e), ticks);
            return false;
        }
    }

    private void refuse(JournalDrop reason, long ticks) {
        trouble = reason;
        waiting = true;
        retryAt = ticks + RETRY_NANOS;
    }

    /** A segment appears under its name complete or not at all, and is there for good before the first record. */
    private void begin(long position, long nowNanos) throws IOException {
        String name = SegmentName.segment(position);
        SegmentHeader header = new SegmentHeader((int) entropy.getAsLong(), edgeId, position, lastPosition, nowNanos);
        JournalFile file = files.create(name + SegmentName.TEMPORARY);
        boolean begun = false;
        try {
            Recovery.writeAll(file, header.encode());
            file.sync();
            files.rename(name + SegmentName.TEMPORARY, name);
            files.syncDirectory();
            begun = true;
        } finally {
            if (!begun) {
                closeQuietly(file);
                discard(name + SegmentName.TEMPORARY);
                discard(name);
            }
        }
        active = file;
        activeFirst = position;
        activeCreated = nowNanos;
        salt = header.salt();
        end = SegmentHeader.LENGTH;
        syncedEnd = end;
        index.clear();
        removeEmpty();
    }

    /** Only now that there is a younger one: its name was the proof that its positions are taken. */
    private void removeEmpty() {
        Segment last = closed.peekLast();
        if (last == null || !last.isEmpty()) {
            return;
        }
        try {
            delete(last);
            closed.removeLast();
            closedBytes -= last.bytes();
        } catch (IOException e) {
            report(e); // it goes with the old ones
        }
    }

    /** So that a disk that refuses for hours does not fill with attempts. */
    private void discard(String name) {
        try {
            files.delete(name);
        } catch (IOException e) {
            report(e);
        }
    }

    private JournalDrop reason(IOException failure) {
        return files.isFull(failure) ? JournalDrop.FULL : JournalDrop.ERROR;
    }

    private void report(IOException failure) {
        onTrouble.accept(failure);
    }

    private void publish() {
        counts.hold(closed.size() + (active == null ? 0 : 1), closedBytes + activeBytes());
    }

    private static long count(ByteBuffer block, int from, int to) {
        long records = 0;
        for (int at = from; at < to; at += RecordFrame.sizeAt(block, at)) {
            records++;
        }
        return records;
    }

    /** Acknowledges the rest and lets others write. */
    @Override
    public void close() throws IOException {
        rotate(0);
        lock.close();
    }

    /** Only lets others write, after something unexpected: acknowledges nothing, and leaves the rest to recovery. */
    void release() throws IOException {
        try (Closeable _ = lock;
                JournalFile _ = active) {
            active = null;
            unsynced = 0;
        }
    }
}
