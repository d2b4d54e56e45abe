package io.pathlore.store.journal;

import io.pathlore.store.journal.JournalDamage.Kind;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a journal in order that may have been left at any point: removes files that were never finished, sets aside segments
 * that cannot be read, cuts what a crash left half written. Only the last segment is gone through, so this takes as long for
 * ten gigabytes as for one segment. May itself be cut short, and done again.
 */
final class Recovery {
    private final JournalFiles files;
    private final List<JournalDamage> damage = new ArrayList<>();
    private final Deque<Segment> segments = new ArrayDeque<>();
    private long highest = SegmentHeader.NONE;
    private long lastBefore = SegmentHeader.NONE;
    private @Nullable Long edgeId;

    Recovery(JournalFiles files) {
        this.files = files;
    }

    void run() throws IOException {
        List<String> names = files.list();
        for (String name : names) {
            if (SegmentName.isTemporary(name)
                    || SegmentName.isIndex(name)
                            && !names.contains(SegmentName.segment(SegmentName.firstPosition(name)))) {
                files.delete(name);
            } else if (SegmentName.isQuarantined(name)) {
                highest = Math.max(highest, SegmentName.firstPosition(name));
            }
        }
        List<String> found = SegmentName.segments(names);
        List<SegmentHeader> headers = new ArrayList<>();
        for (String name : found) {
            highest = Math.max(highest, SegmentName.firstPosition(name));
            SegmentHeader header = header(name);
            if (header == null) {
                quarantine(name);
            } else {
                headers.add(header);
            }
        }
        long before = SegmentHeader.NONE;
        for (int i = 0; i < headers.size(); i++) {
            before = keep(headers.get(i), before, i == headers.size() - 1);
        }
        lastBefore = before;
        highest = Math.max(highest, before);
        files.syncDirectory();
    }

    /** What was found, oldest first. */
    List<JournalDamage> damage() {
        return damage;
    }

    /** Oldest first. */
    Deque<Segment> segments() {
        return segments;
    }

    /** The highest position that was ever seen here, or {@link SegmentHeader#NONE}. */
    long highestPosition() {
        return highest;
    }

    /** Position of the last record. */
    long lastPosition() {
        return lastBefore;
    }

    /** Of the last segment; null if there is none. */
    @Nullable
    Long edgeId() {
        return edgeId;
    }

    private @Nullable SegmentHeader header(String name) throws IOException {
        try (JournalFile file = files.open(name)) {
            SegmentHeader header = SegmentHeader.read(file, name, files.where());
            return header == null || header.firstPosition() != SegmentName.firstPosition(name) ? null : header;
        }
    }

    private void quarantine(String name) throws IOException {
        String bad = name + ".header" + SegmentName.QUARANTINED;
        files.rename(name, bad);
        files.delete(SegmentName.index(SegmentName.firstPosition(name)));
        damage.add(new JournalDamage(
                Kind.HEADER, bad, 0, 0, "the header is not readable; set aside, and read by nobody until repaired"));
    }

    /** Returns the position of the last record up to here, as far as it is known. */
    private long keep(SegmentHeader header, long before, boolean last) throws IOException {
        String name = SegmentName.segment(header.firstPosition());
        if (before != SegmentHeader.NONE && header.lastBefore() > before) {
            damage.add(missing(name, before, header.lastBefore()));
        }
        long size;
        TimeIndex index;
        try (JournalFile file = files.open(name)) {
            size = file.size();
            index = TimeIndex.read(files, header.firstPosition(), size);
        }
        if (index == null && last) {
            index = mend(header, name);
            size = index == null ? SegmentHeader.LENGTH : sizeOf(name);
        }
        segments.add(new Segment(header.firstPosition(), size, header.createdNanos()));
        if (last) {
            edgeId = header.edgeId();
            return index == null ? header.lastBefore() : index.lastPosition();
        }
        // Without an index the chain is not checked here; a reader does.
        return index == null ? SegmentHeader.NONE : index.lastPosition();
    }

    static JournalDamage missing(String name, long before, long lastBefore) {
        return new JournalDamage(
                Kind.MISSING,
                name,
                0,
                0,
                "records after " + before + " up to " + lastBefore + " are missing before it");
    }

    private long sizeOf(String name) throws IOException {
        try (JournalFile file = files.open(name)) {
            return file.size();
        }
    }

    /** Cuts the last segment behind its last valid record and makes its index. Null if it has no records. */
    private @Nullable TimeIndex mend(SegmentHeader header, String name) throws IOException {
        TimeIndex index = new TimeIndex();
        try (JournalFile file = files.edit(name)) {
            long end = SegmentHeader.LENGTH;
            SegmentCursor cursor = new SegmentCursor(file, header, SegmentCursor.newBuffer());
            for (var step = cursor.step(); step != SegmentCursor.Step.END; step = cursor.step()) {
                long reached = cursor.offset();
                if (step == SegmentCursor.Step.RECORD) {
                    int envelope = cursor.envelopeAt();
                    index.add(end, cursor.lastPosition(), Envelope.receivedNanos(cursor.buffer(), envelope));
                    end = reached;
                } else if (cursor.resume()) {
                    // Valid records behind a hole stay: they may be acknowledged, and the hole the disk's doing.
                    end = cursor.offset();
                    damage.add(new JournalDamage(
                            Kind.RECORD,
                            name,
                            reached,
                            end - reached,
                            (end - reached) + " bytes at " + reached + " are no records"));
                } else {
                    break;
                }
            }
            long torn = file.size() - end;
            if (torn > 0) {
                file.truncate(end);
                damage.add(new JournalDamage(
                        Kind.TORN, name, end, torn, "cut " + torn + " bytes behind the last whole record"));
            }
            // After a kill, what was just read may be in memory only.
            file.sync();
            if (index.records() == 0) {
                return null;
            }
            writeIndex(files, header.firstPosition(), index, end);
        }
        return index;
    }

    /** Complete or not there at all; not yet durable, as it can be made again. */
    static void writeIndex(JournalFiles files, long firstPosition, TimeIndex index, long segmentLength)
            throws IOException {
        String name = SegmentName.index(firstPosition);
        try (JournalFile file = files.create(name + SegmentName.TEMPORARY)) {
            writeAll(file, index.encode(firstPosition, segmentLength));
            file.sync();
        }
        files.rename(name + SegmentName.TEMPORARY, name);
    }

    static void writeAll(JournalFile file, ByteBuffer bytes) throws IOException {
        long offset = 0;
        while (bytes.hasRemaining()) {
            offset += file.write(bytes, offset);
        }
    }

    /** A closed segment, as much as its removal needs. */
    record Segment(long firstPosition, long bytes, long createdNanos) {
        boolean isEmpty() {
            return bytes <= SegmentHeader.LENGTH;
        }
    }
}
