package io.pathlore.cli.service;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Up to where something was published: one line in a file that is replaced, never changed. */
final class PublishedMark {
    static final long NONE = -1;

    /** The file for datagrams: positions of a journal. */
    static final String DATAGRAMS = "published";

    /** The file for rollups: nanoseconds of the stream. */
    static final String ROLLUPS = "rollups-published";

    private static final Pattern LINE = Pattern.compile("edge ([0-9a-f]{16}) position (\\d{1,19})\\R?");

    private final Path file;
    private long edgeId;
    private long position;

    private PublishedMark(Path file, long edgeId, long position) {
        this.file = file;
        this.edgeId = edgeId;
        this.position = position;
    }

    static PublishedMark in(Path directory, String name) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(name);
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException | FileNotFoundException e) {
            return new PublishedMark(file, 0, NONE);
        }
        Matcher line = LINE.matcher(text);
        if (!line.matches()) {
            throw new IOException("'" + file.getFileName() + "' is not what was written there");
        }
        try {
            return new PublishedMark(file, HexFormat.fromHexDigitsToLong(line.group(1)), Long.parseLong(line.group(2)));
        } catch (NumberFormatException e) {
            throw new IOException("'" + file.getFileName() + "' is not what was written there", e);
        }
    }

    /** Whose it is; 0 where nothing was published yet. */
    long edgeId() {
        return edgeId;
    }

    /** The last that was published of this journal; {@link #NONE} if it is another one. */
    long positionOf(long edge) {
        return edge == edgeId ? position : NONE;
    }

    void keep(long edge, long published) throws IOException {
        if (edge == edgeId && published == position) {
            return;
        }
        String line = "edge " + HexFormat.of().toHexDigits(edge) + " position " + published + "\n";
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        edgeId = edge;
        position = published;
    }
}
