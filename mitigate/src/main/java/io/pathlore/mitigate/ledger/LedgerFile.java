package io.pathlore.mitigate.ledger;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One file of records: length, CRC-32C of length and content, content. Records are appended and synced together; when the file has grown far
 * beyond what is worth keeping it is written anew beside, and takes the old one's place in one step. What a crash left behind the last sync
 * fails its check and is passed over; what follows it is looked for, because a rule that is forgotten is worse than one that is found twice.
 */
final class LedgerFile {
    static final String NAME = "mitigations.log";
    private static final String NEXT = "mitigations.new";
    /** Given up when the disk is full, so that the kill switch can still be written down. */
    private static final String RESERVE = "mitigations.reserve";

    private static final int RESERVE_BYTES = 64 << 10;
    private static final long COMPACT_BYTES = 1 << 20;
    private static final int HEAD = 8;
    private static final int LONGEST = 64 << 10;

    private final LedgerFiles files;
    private long length;
    private long compacted;
    private boolean dirtyTail;
    private boolean reserved;
    private long damaged;

    private LedgerFile(LedgerFiles files) {
        this.files = files;
    }

    /** Reads what is there, in order, into {@code records}. */
    static LedgerFile open(LedgerFiles files, List<byte[]> records) throws IOException {
        LedgerFile file = new LedgerFile(files);
        files.delete(NEXT);
        byte[] bytes = files.read(NAME);
        file.length = bytes.length;
        file.scan(bytes, records);
        file.reserved = files.read(RESERVE).length == RESERVE_BYTES;
        return file;
    }

    private void scan(byte[] bytes, List<byte[]> records) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int at = 0;
        boolean lost = false;
        while (bytes.length - at >= HEAD) {
            int size = in.getInt(at);
            if (size > 0
                    && size <= LONGEST
                    && size <= bytes.length - at - HEAD
                    && in.getInt(at + 4) == check(bytes, at + HEAD, size)) {
                byte[] content = new byte[size];
                in.get(at + HEAD, content);
                records.add(content);
                at += HEAD + size;
                lost = false;
            } else {
                if (!lost) {
                    damaged++;
                    lost = true;
                }
                at++;
            }
        }
    }

    private static int check(byte[] bytes, int at, int size) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(4).putInt(0, size));
        crc.update(bytes, at, size);
        return (int) crc.getValue();
    }

    /** Places where something was that is no record: the end that a crash cut short, or damage. */
    long damaged() {
        return damaged;
    }

    /** Worth writing anew. */
    boolean isMostlyOld() {
        return length > Math.max(COMPACT_BYTES, 2 * compacted);
    }

    /** On the disk when it returns; when it throws, as if it had not been called. */
    void append(List<byte[]> records) throws IOException {
        if (dirtyTail) {
            files.truncate(NAME, length);
            dirtyTail = false;
        }
        byte[] bytes = framed(records);
        try {
            files.append(NAME, bytes);
            files.sync(NAME);
            length += bytes.length;
        } catch (IOException e) {
            dirtyTail = true;
            undo();
            throw e;
        }
    }

    // As soon as can be, so that a crash does not bring back what was told to have failed.
    private void undo() {
        try {
            files.truncate(NAME, length);
            dirtyTail = false;
        } catch (IOException again) {
            // Tried again before the next record.
        }
    }

    /** These and nothing else, on the disk when it returns. */
    void replace(List<byte[]> records) throws IOException {
        byte[] bytes = framed(records);
        files.create(NEXT);
        files.append(NEXT, bytes);
        files.sync(NEXT);
        files.rename(NEXT, NAME);
        files.syncDirectory();
        length = bytes.length;
        compacted = length;
        dirtyTail = false;
    }

    /** Puts something aside for worse times. */
    void reserve() throws IOException {
        if (!reserved) {
            files.create(RESERVE);
            files.append(RESERVE, new byte[RESERVE_BYTES]);
            files.sync(RESERVE);
            reserved = true;
        }
    }

    void useReserve() throws IOException {
        if (reserved) {
            files.delete(RESERVE);
            reserved = false;
        }
    }

    private static byte[] framed(List<byte[]> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] record : records) {
            if (record.length == 0 || record.length > LONGEST) {
                throw new IllegalArgumentException("a record of " + record.length + " octets");
            }
            out.writeBytes(ByteBuffer.allocate(HEAD)
                    .putInt(record.length)
                    .putInt(check(record, 0, record.length))
                    .array());
            out.writeBytes(record);
        }
        return out.toByteArray();
    }

    static List<byte[]> records(LedgerFiles files) throws IOException {
        List<byte[]> records = new ArrayList<>();
        open(files, records);
        return records;
    }
}
