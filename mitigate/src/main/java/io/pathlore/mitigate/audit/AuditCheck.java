package io.pathlore.mitigate.audit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads an audit from its first line on.
 *
 * @param lines that are in order
 * @param last the hash of the last of them: compare it with one you wrote down, for whoever can write the file can also cut its end off
 * @param problem what is wrong, and in which line; null where nothing is
 */
public record AuditCheck(long lines, String last, @Nullable String problem) {
    private static final int LONGEST = 64 << 10;

    public boolean holds() {
        return problem == null;
    }

    public static AuditCheck of(Path file) throws IOException {
        String before = AuditLog.BEGINNING;
        long number = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            while (true) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                int octet = in.read();
                while (octet >= 0 && octet != '\n' && bytes.size() <= LONGEST) {
                    bytes.write(octet);
                    octet = in.read();
                }
                if (octet < 0 && bytes.size() == 0) {
                    return new AuditCheck(number, before, null);
                }
                String problem = octet < 0 ? "is cut short" : null;
                String line = problem == null ? text(bytes.toByteArray()) : null;
                if (problem == null) {
                    problem = line == null ? "is not text" : problem(line, before, number + 1);
                }
                if (problem != null || line == null) {
                    return new AuditCheck(number, before, "line " + (number + 1) + " " + problem);
                }
                number++;
                before = AuditLog.hashIn(line);
            }
        }
    }

    // Bytes that are no UTF-8 would all look alike once they are characters.
    private static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static @Nullable String problem(String line, String before, long number) {
        int at = AuditLog.hashAt(line);
        if (at < 0) {
            return "has no hash";
        }
        if (!line.startsWith("{\"line\":" + number + ",")) {
            return "is not the one that should follow";
        }
        String hash = AuditLog.hash(before, line.substring(0, at));
        return hash.equals(AuditLog.hashIn(line)) ? null : "does not hold with the line before it";
    }
}
