package io.pathlore.store.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Where in a segment a time or a position is, roughly: an entry every 64 KiB and every second. Receive times need not rise,
 * so an entry has the latest time of all records before it: whoever looks for a time starts at the last entry whose time is
 * earlier, and misses nothing. Lies beside its segment once that is closed, and can be made from it again.
 *
 * <p>Hot path: {@link #add}. Of fixed size: when it is full, every second entry goes.
 */
final class TimeIndex {
    private static final int CAPACITY = 8192;
    private static final int SPACING_BYTES = 64 << 10;
    private static final long SPACING_NANOS = 1_000_000_000;
    private static final long MAGIC = 0x504C_494E_4458_0D0AL;
    private static final int VERSION = 1;
    private static final int HEADER = 64;
    private static final int ENTRY = 24;

    private final long[] offsets;
    private final long[] positions;
    private final long[] latestBefore;
    private int entries;
    private long spacing = SPACING_BYTES;
    private long lastEntryNanos;
    private long records;
    private long lastPosition = SegmentHeader.NONE;
    private long earliest = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;

    TimeIndex() {
        this(CAPACITY);
    }

    private TimeIndex(int capacity) {
        offsets = new long[capacity];
        positions = new long[capacity];
        latestBefore = new long[capacity];
    }

    void clear() {
        entries = 0;
        spacing = SPACING_BYTES;
        records = 0;
        lastPosition = SegmentHeader.NONE;
        earliest = Long.MAX_VALUE;
        latest = Long.MIN_VALUE;
    }

    void add(long offset, long position, long timeNanos) {
        if (entries == 0
                || offset - offsets[entries - 1] >= spacing
                || timeNanos - lastEntryNanos >= SPACING_NANOS && spacing == SPACING_BYTES) {
            if (entries == offsets.length) {
                thin();
            }
            offsets[entries] = offset;
            positions[entries] = position;
            latestBefore[entries] = latest;
            entries++;
            lastEntryNanos = timeNanos;
        }
        records++;
        lastPosition = position;
        earliest = Math.min(earliest, timeNanos);
        latest = Math.max(latest, timeNanos);
    }

    private void thin() {
        int kept = 0;
        for (int i = 0; i < entries; i += 2) {
            offsets[kept] = offsets[i];
            positions[kept] = positions[i];
            latestBefore[kept] = latestBefore[i];
            kept++;
        }
        entries = kept;
        spacing *= 2;
    }

    /**
     * Forgets the last {@code count} records, which start at {@code offset}, because they were not written. Their times stay
     * in the range of the segment, which is then wider than needed.
     */
    void takeBack(long offset, long count, long lastPosition) {
        while (entries > 0 && offsets[entries - 1] >= offset) {
            entries--;
        }
        records -= count;
        this.lastPosition = lastPosition;
    }

    long records() {
        return records;
    }

    /** {@link SegmentHeader#NONE} if there is no record. */
    long lastPosition() {
        return lastPosition;
    }

    long earliestNanos() {
        return earliest;
    }

    long latestNanos() {
        return latest;
    }

    /** No record before this offset is as late as {@code timeNanos}. */
    long offsetOfTime(long timeNanos) {
        int at = 0;
        // Times before an entry never fall, so the last one that is earlier ends the search.
        while (at + 1 < entries && latestBefore[at + 1] < timeNanos) {
            at++;
        }
        return offset(at);
    }

    /** No record before this offset has {@code position} or a greater one. */
    long offsetOfPosition(long position) {
        int at = Arrays.binarySearch(positions, 0, entries, position);
        int entry = at >= 0 ? at : Math.max(0, -at - 2);
        return offset(entry);
    }

    // From the start means from the start, also where damage lies before the first record.
    private long offset(int entry) {
        return entry == 0 ? SegmentHeader.LENGTH : offsets[entry];
    }

    /** Cold. */
    ByteBuffer encode(long firstPosition, long segmentLength) {
        ByteBuffer out = ByteBuffer.allocate(HEADER + entries * ENTRY + 4);
        out.putLong(MAGIC).putShort((short) VERSION).putShort((short) HEADER).putInt(entries);
        out.putLong(firstPosition).putLong(lastPosition).putLong(records);
        out.putLong(segmentLength).putLong(earliest).putLong(latest);
        for (int i = 0; i < entries; i++) {
            out.putLong(offsets[i]).putLong(positions[i]).putLong(latestBefore[i]);
        }
        out.putInt(checksum(out, out.position()));
        return out.flip();
    }

    /** Null if there is none, it is damaged, or it is not of this segment at this length. */
    static @Nullable TimeIndex read(JournalFiles files, long firstPosition, long segmentLength) throws IOException {
        String name = SegmentName.index(firstPosition);
        if (!files.exists(name)) {
            return null;
        }
        try (JournalFile file = files.open(name)) {
            long size = file.size();
            if (size < HEADER + 4 || size > HEADER + CAPACITY * (long) ENTRY + 4) {
                return null;
            }
            ByteBuffer in = ByteBuffer.allocate((int) size);
            while (in.hasRemaining() && file.read(in, in.position()) >= 0) {}
            return in.hasRemaining() ? null : decode(in, firstPosition, segmentLength);
        }
    }

    private static @Nullable TimeIndex decode(ByteBuffer in, long firstPosition, long segmentLength) {
        int end = in.capacity() - 4;
        int count = in.getInt(12);
        if (in.getLong(0) != MAGIC
                || in.getShort(8) != VERSION
                || in.getInt(end) != checksum(in, end)
                || count != (end - HEADER) / ENTRY
                || in.getLong(16) != firstPosition
                || in.getLong(40) != segmentLength) {
            return null;
        }
        TimeIndex index = new TimeIndex(count);
        index.entries = count;
        index.lastPosition = in.getLong(24);
        index.records = in.getLong(32);
        index.earliest = in.getLong(48);
        index.latest = in.getLong(56);
        for (int i = 0; i < count; i++) {
            index.offsets[i] = in.getLong(HEADER + i * ENTRY);
            index.positions[i] = in.getLong(HEADER + i * ENTRY + 8);
            index.latestBefore[i] = in.getLong(HEADER + i * ENTRY + 16);
        }
        return index;
    }

    private static int checksum(ByteBuffer bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(0, length));
        return (int) crc.getValue();
    }
}
