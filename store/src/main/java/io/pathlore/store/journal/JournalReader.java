package io.pathlore.store.journal;

import io.pathlore.store.journal.JournalDamage.Kind;
import io.pathlore.store.journal.SegmentCursor.Step;
import io.pathlore.wire.envelope.Envelope;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal from the oldest record on, or from a time or position, whether or not somebody writes it at the same time.
 * Changes nothing and needs no lock. What is damaged is named and skipped. Uses a fixed amount of memory. Belongs to one
 * thread.
 */
public final class JournalReader implements Closeable {
    /** Where halving a segment ends: the rest is read. */
    private static final long NEAR_BYTES = 256 << 10;

    /** Every span of this length in a segment has the start of a record in it. */
    private static final long SPAN_BYTES = 2L * Envelope.MAX_DATAGRAM;

    private static final long ANY_ORDER = -1;

    private final JournalFiles files;
    private final Consumer<JournalDamage> onDamage;
    private final Envelope envelope = new Envelope();
    private final ByteBuffer buffer = SegmentCursor.newBuffer();

    private long since = Long.MIN_VALUE;
    private long until = Long.MAX_VALUE;
    private long fromPosition;
    private long disorder = ANY_ORDER;

    private @Nullable JournalFile file;
    private @Nullable SegmentCursor cursor;
    private String name = "";
    /** Of the last segment that was looked at; the next has a greater one. */
    private long first = -1;

    private long lastPosition = SegmentHeader.NONE;
    /** Whether {@link #lastPosition} is the last of all records up to here, so that the next segment can be held against it. */
    private boolean chained;

    private boolean positioned;
    /** Nobody writes to this segment any more. */
    private boolean finished;

    /** What follows was received too late. */
    private boolean passed;

    private long octets;
    private long missed;

    /** {@code onDamage} is told what is wrong as the reader comes to it. */
    public JournalReader(JournalFiles files, Consumer<JournalDamage> onDamage) {
        this.files = files;
        this.onDamage = onDamage;
    }

    /** Only records received at {@code sinceNanos} or later, and before {@code untilNanos}. Before the first {@link #next}. */
    public JournalReader between(long sinceNanos, long untilNanos) {
        since = sinceNanos;
        until = untilNanos;
        return this;
    }

    /** Only records with this position or a greater one. Before the first {@link #next}. */
    public JournalReader fromPosition(long position) {
        fromPosition = position;
        return this;
    }

    /**
     * Takes it that no record stands more than {@code nanos} out of the order of time. Then a segment without an index, which is the
     * one being written, is not read from its start to find a time, nor any to its end; what is further out of order is missed.
     * Before the first {@link #next}.
     */
    public JournalReader assumingOrder(long nanos) {
        disorder = nanos;
        return this;
    }

    /** Forgets where it stands and what it was asked for, and keeps its memory, so that it can be used again. */
    public JournalReader restart() throws IOException {
        closeSegment();
        since = Long.MIN_VALUE;
        until = Long.MAX_VALUE;
        fromPosition = 0;
        disorder = ANY_ORDER;
        first = -1;
        lastPosition = SegmentHeader.NONE;
        chained = false;
        positioned = false;
        finished = false;
        passed = false;
        octets = 0;
        missed = 0;
        return this;
    }

    /**
     * Leaves out what lies between here and the end, but for the last records that are there now. What it was asked for still
     * holds.
     */
    public void skipToEnd() throws IOException {
        closeSegment();
        positioned = true;
        chained = false;
        List<String> segments = SegmentName.segments(files.list());
        if (segments.isEmpty()) {
            return;
        }
        String newest = segments.getLast();
        first = SegmentName.firstPosition(newest);
        try {
            if (enter(newest) && cursor != null) {
                boolean ignored = cursor.sync(sizeOf() - SPAN_BYTES);
            }
        } catch (NoSuchFileException e) {
            // Removed by age: there is nothing newer yet.
        }
    }

    /** Where the segment begins that it is in, or was in last: all before has a smaller position, also while nothing is in it. Below 0: there was none. */
    public long segmentPosition() {
        return first;
    }

    /** Octets of the records it went through, also of those that were not wanted. */
    public long octets() {
        return octets;
    }

    /**
     * Positions behind those it has read, or was to begin with, that were removed before it came to them. A few may never have
     * had a record; where a whole run of the writer is among them it is at least this many.
     */
    public long missed() {
        return missed;
    }

    /**
     * Goes to the next record. False: there is none now; if somebody writes the journal, asking again later may find one.
     * After true {@link #envelope} is that record, until the next call.
     */
    public boolean next() throws IOException {
        while (!passed) {
            SegmentCursor segment = cursor;
            if (segment == null) {
                if (!advance()) {
                    return false;
                }
                continue;
            }
            long before = segment.offset();
            Step step = segment.step();
            if (step == Step.RECORD) {
                lastPosition = segment.lastPosition();
                octets += segment.offset() - before;
                if (take(segment)) {
                    return true;
                }
            } else if (!finished) {
                // What is missing may still be written. The writer finishes a segment before it begins the next, so
                // once
                // there is a next one this one is read again to its end, and then for the last time.
                finished = following(first) != null;
                segment.forget();
                if (!finished) {
                    return false;
                }
            } else if (step == Step.END || !skip(segment)) {
                closeSegment();
            }
        }
        return false;
    }

    /** The record found by {@link #next}. */
    public Envelope envelope() {
        return envelope;
    }

    private boolean take(SegmentCursor segment) {
        if (!envelope.wrap(segment.buffer(), segment.envelopeAt(), segment.envelopeEnd())) {
            long offset = segment.offset();
            onDamage.accept(new JournalDamage(
                    Kind.UNKNOWN, name, offset, 0, "the record before " + offset + " holds no envelope known here"));
            return false;
        }
        long time = envelope.receivedNanos();
        passed = disorder != ANY_ORDER && time >= until && time - until >= disorder;
        return time >= since && time < until && envelope.position() >= fromPosition;
    }

    /** Names what is no record; true if there are records behind it. */
    private boolean skip(SegmentCursor segment) throws IOException {
        long offset = segment.offset();
        boolean more = segment.resume();
        long bytes = (more ? segment.offset() : sizeOf()) - offset;
        onDamage.accept(new JournalDamage(
                Kind.RECORD, name, offset, bytes, bytes + " bytes at " + offset + " are no records; skipped"));
        return more;
    }

    private long sizeOf() throws IOException {
        return file == null ? 0 : file.size();
    }

    /** Opens the next segment; false if there is none. */
    private boolean advance() throws IOException {
        if (!positioned) {
            positioned = true;
            position();
        }
        while (true) {
            String following = following(first);
            if (following == null) {
                return false;
            }
            nameQuarantined(first, SegmentName.firstPosition(following));
            // The oldest are removed first: where the last one read is gone, those behind it may be, too.
            chained = chained && files.exists(SegmentName.segment(first));
            first = SegmentName.firstPosition(following);
            try {
                if (enter(following)) {
                    return true;
                }
            } catch (NoSuchFileException e) {
                chained = false; // removed by age while it was looked for
            }
        }
    }

    private boolean enter(String following) throws IOException {
        JournalFile opened = files.open(following);
        boolean entered = false;
        try {
            SegmentHeader header = SegmentHeader.read(opened, following, files.where());
            if (header == null) {
                onDamage.accept(new JournalDamage(
                        Kind.HEADER, following, 0, opened.size(), "the header is not readable; skipped"));
                chained = false;
                return false;
            }
            if (chained && header.lastBefore() > lastPosition) {
                onDamage.accept(Recovery.missing(following, lastPosition, header.lastBefore()));
            }
            miss(Math.max(lastPosition, fromPosition - 1), header.lastBefore());
            TimeIndex index = TimeIndex.read(files, header.firstPosition(), opened.size());
            if (index != null && outside(index)) {
                lastPosition = index.lastPosition();
                chained = true;
                return false;
            }
            SegmentCursor segment = new SegmentCursor(opened, header, buffer);
            if (index != null) {
                segment.seek(Math.max(index.offsetOfTime(since), index.offsetOfPosition(fromPosition)));
            } else {
                halve(segment, opened.size());
            }
            lastPosition = header.lastBefore();
            chained = true;
            file = opened;
            cursor = segment;
            name = following;
            finished = false;
            entered = true;
            return true;
        } finally {
            if (!entered) {
                opened.close();
            }
        }
    }

    private void miss(long known, long lastBefore) {
        if (known >= 0 && lastBefore > known) {
            boolean isOneRun = known / Journal.RUN == lastBefore / Journal.RUN;
            missed += isOneRun ? lastBefore - known : lastBefore % Journal.RUN + 1;
        }
    }

    /** Without an index: goes near the first record that may be wanted. */
    private void halve(SegmentCursor segment, long size) throws IOException {
        boolean byTime = disorder != ANY_ORDER && since > Long.MIN_VALUE + disorder;
        if (!byTime && fromPosition <= segment.lastPosition() + 1) {
            return;
        }
        long low = SegmentHeader.LENGTH;
        long high = size;
        while (high - low > NEAR_BYTES) {
            long middle = low + (high - low) / 2;
            boolean early = segment.sync(middle)
                    && segment.offset() < high
                    && segment.step() == Step.RECORD
                    && envelope.wrap(segment.buffer(), segment.envelopeAt(), segment.envelopeEnd())
                    && (envelope.position() < fromPosition || byTime && envelope.receivedNanos() < since - disorder);
            if (early) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (low == SegmentHeader.LENGTH) {
            segment.seek(low); // what is damaged there shall be named
        } else {
            boolean ignored = segment.sync(low);
        }
    }

    private boolean outside(TimeIndex index) {
        return index.latestNanos() < since || index.earliestNanos() >= until || index.lastPosition() < fromPosition;
    }

    /** Segments before the one that holds the position need not be looked at. */
    private void position() throws IOException {
        for (String segment : SegmentName.segments(files.list())) {
            long start = SegmentName.firstPosition(segment);
            if (start <= fromPosition) {
                first = start - 1;
            }
        }
    }

    private @Nullable String following(long after) throws IOException {
        for (String segment : SegmentName.segments(files.list())) {
            if (SegmentName.firstPosition(segment) > after) {
                return segment;
            }
        }
        return null;
    }

    private void nameQuarantined(long after, long before) throws IOException {
        List<String> names = new ArrayList<>(files.list());
        Collections.sort(names);
        for (String bad : names) {
            if (SegmentName.isQuarantined(bad)
                    && SegmentName.firstPosition(bad) > after
                    && SegmentName.firstPosition(bad) < before) {
                onDamage.accept(new JournalDamage(Kind.QUARANTINED, bad, 0, 0, "set aside as damaged; skipped"));
            }
        }
    }

    private void closeSegment() throws IOException {
        JournalFile open = file;
        file = null;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeSegment();
    }
}
