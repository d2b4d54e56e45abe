package io.pathlore.testkit.journal;

import io.pathlore.testkit.Hex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads a whole journal into memory, slowly, as docs/reference/journal.md says and as nothing else does. If this and the real
 * reader disagree, one of the two is wrong, or the page is.
 */
public final class PlainJournal {
    private static final String MAGIC = "504c4a524e4c0d0a";
    private static final int CASTAGNOLI = 0x82F6_3B78;
    private static final int[] TABLE = table();

    private final List<Datagram> datagrams = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /** One record. Addresses are the 16 octets in hexadecimal digits, so is the datagram. */
    public record Datagram(
            long position,
            long edge,
            int flags,
            long timeNanos,
            String exporter,
            int exporterPort,
            String destination,
            int destinationPort,
            long originalLength,
            String bytes) {}

    private PlainJournal() {}

    public static PlainJournal read(Path directory) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.toList()) {
                files.put(String.valueOf(entry.getFileName()), Files.readAllBytes(entry));
            }
        }
        return read(files);
    }

    /** The files of a journal by their names. */
    public static PlainJournal read(SortedMap<String, byte[]> files) {
        PlainJournal journal = new PlainJournal();
        List<String> segments = files.keySet().stream()
                .filter(name -> name.matches("[0-9a-f]{16}\\.journal"))
                .sorted()
                .toList();
        long last = -1;
        for (String name : segments) {
            byte[] segment = files.getOrDefault(name, new byte[0]);
            last = journal.segment(name, segment, last, name.equals(segments.getLast()));
        }
        return journal;
    }

    /** In the order of the journal. */
    public List<Datagram> datagrams() {
        return datagrams;
    }

    /** What is not as it should be. */
    public List<String> remarks() {
        return remarks;
    }

    private long segment(String name, byte[] bytes, long lastBefore, boolean isLast) {
        if (bytes.length < 64 || !Hex.text(Arrays.copyOf(bytes, 8)).equals(MAGIC)) {
            remarks.add(name + ": no header");
            return lastBefore;
        }
        ByteBuffer file = ByteBuffer.wrap(bytes);
        if (file.getInt(60) != crc(Arrays.copyOf(bytes, 60))) {
            remarks.add(name + ": header checksum");
            return lastBefore;
        }
        if (file.getShort(8) != 1) {
            throw new IllegalArgumentException(name + ": version " + file.getShort(8));
        }
        long first = Long.parseLong(name.substring(0, 16), 16);
        if (file.getLong(24) != first) {
            remarks.add(name + ": named otherwise than its header");
        }
        if (lastBefore >= 0 && file.getLong(32) > lastBefore) {
            remarks.add(name + ": records are missing before it");
        }
        int salt = file.getInt(12);
        long last = first - 1;
        int at = file.getShort(10);
        while (at < bytes.length) {
            if (valid(file, at, salt, last)) {
                int length = file.getInt(at);
                last = record(file, at + 8, at + 8 + length);
                at = at + (8 + length + 7) / 8 * 8;
                continue;
            }
            if (isLast) {
                break;
            }
            remarks.add(name + ": damage at " + at);
            do {
                at += 8;
            } while (at < bytes.length && !valid(file, at, salt, last));
        }
        return last < first ? lastBefore : last;
    }

    private static boolean valid(ByteBuffer file, int at, int salt, long last) {
        if (file.capacity() - at < 8) {
            return false;
        }
        int length = file.getInt(at);
        if (length < 68 || length > 65_603 || (8 + length + 7) / 8 * 8 > file.capacity() - at) {
            return false;
        }
        byte[] summed = new byte[8 + length];
        file.get(at, summed);
        ByteBuffer.wrap(summed).putInt(4, salt);
        return crc(summed) == file.getInt(at + 4) && file.getLong(at + 8 + 24) > last;
    }

    private long record(ByteBuffer file, int at, int end) {
        long position = file.getLong(at + 24);
        if (file.get(at) != 1) {
            remarks.add("envelope version " + file.get(at) + " at position " + position);
            return position;
        }
        int header = Short.toUnsignedInt(file.getShort(at + 2));
        datagrams.add(new Datagram(
                position,
                file.getLong(at + 16),
                Byte.toUnsignedInt(file.get(at + 1)),
                file.getLong(at + 8),
                hex(file, at + 32, at + 48),
                Short.toUnsignedInt(file.getShort(at + 64)),
                hex(file, at + 48, at + 64),
                Short.toUnsignedInt(file.getShort(at + 66)),
                Integer.toUnsignedLong(file.getInt(at + 4)),
                hex(file, at + header, end)));
        return position;
    }

    private static String hex(ByteBuffer file, int from, int to) {
        byte[] part = new byte[to - from];
        file.get(from, part);
        return Hex.text(part);
    }

    static int crc(byte[] bytes) {
        int crc = -1;
        for (byte b : bytes) {
            crc = crc >>> 8 ^ TABLE[(crc ^ b) & 0xFF];
        }
        return ~crc;
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int octet = 0; octet < 256; octet++) {
            int crc = octet;
            for (int bit = 0; bit < 8; bit++) {
                crc = crc >>> 1 ^ CASTAGNOLI & -(crc & 1);
            }
            table[octet] = crc;
        }
        return table;
    }
}
