package io.pathlore.mitigate.audit;

import io.pathlore.model.JsonLine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who did what, when, why, and on what evidence: one line of JSON for each act, of which the last key is the SHA-256 of the line up to there
 * and of the hash before it. So no line can be changed, left out, put in or moved without all that follow it being written anew; and how many
 * there are, with the last hash, is worth writing down elsewhere.
 *
 * <p>Lines that the disk does not take wait, in bounded number, and are written when it does; what had to be left out is a line itself.
 */
public final class AuditLog implements AutoCloseable {
    /** Before the first line. */
    static final String BEGINNING = "0".repeat(64);

    static final int WAITING = 1024;
    private static final String HASH = ",\"hash\":\"";
    private static final int HASH_DIGITS = 64;
    /** Behind the hash: quote and brace. */
    private static final int END = 2;

    private static final Pattern NUMBER = Pattern.compile("\\{\"line\":([0-9]{1,18}),");

    /** Of one key; what is longer is cut. */
    public static final int LONGEST_TEXT = 500;

    private static final int LONGEST_LINE = 16 << 10;

    /**
     * One act.
     *
     * @param who the name of a token, {@code auto}, or {@code pathlore} itself
     * @param evidence the id of an attack, or empty
     * @param subject the id of a mitigation, or empty
     * @param comment what a person said about it, or empty
     */
    public record Act(
            long epochNanos, String who, String what, String why, String evidence, String subject, String comment) {
        /** One that nobody commented on. */
        public Act(long epochNanos, String who, String what, String why, String evidence, String subject) {
            this(epochNanos, who, what, why, evidence, subject, "");
        }
    }

    private final Path file;
    private final FileChannel channel;
    private final Deque<Act> waiting = new ArrayDeque<>();
    private long leftOut;
    private String last;
    private long lines;
    private long length;
    private String trouble = "";

    /**
     * Opens it, and goes on behind its last whole line; a line that a crash cut short is taken away. Of the rest only the last line is
     * looked at: {@link AuditCheck} looks at all.
     */
    public AuditLog(Path file) throws IOException {
        this.file = file;
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        length = wholeLines(file);
        channel.truncate(length);
        String line = lastLine(file, length);
        last = line.isEmpty() ? BEGINNING : hashOf(line);
        lines = count(file);
    }

    private static long wholeLines(Path file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long end = in.length();
            while (end > 0) {
                in.seek(end - 1);
                if (in.read() == '\n') {
                    break;
                }
                end--;
            }
            return end;
        }
    }

    private static String lastLine(Path file, long length) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            int size = (int) Math.min(LONGEST_LINE, length);
            byte[] tail = new byte[size];
            in.seek(length - size);
            in.readFully(tail);
            String text = new String(tail, StandardCharsets.UTF_8).stripTrailing();
            return text.substring(text.lastIndexOf('\n') + 1);
        }
    }

    private static long count(Path file) throws IOException {
        try (var all = Files.lines(file, StandardCharsets.UTF_8)) {
            return all.count();
        }
    }

    private static String hashOf(String line) throws IOException {
        int at = line.lastIndexOf(HASH);
        if (at < 0 || line.length() != at + HASH.length() + HASH_DIGITS + END) {
            throw new IOException("the audit ends in a line without a hash; look at it with 'pathlore audit check'");
        }
        return line.substring(at + HASH.length(), at + HASH.length() + HASH_DIGITS);
    }

    /** On the disk when it returns true; otherwise it waits. */
    public synchronized boolean append(Act act) {
        if (waiting.size() == WAITING) {
            leftOut++;
        } else {
            waiting.addLast(act);
        }
        return flush();
    }

    /** Tries what waits again. */
    public synchronized boolean flush() {
        if (waiting.isEmpty()) {
            return true;
        }
        List<Act> acts = new ArrayList<>(waiting);
        if (leftOut > 0) {
            long time = acts.getLast().epochNanos();
            acts.add(new Act(time, "pathlore", "left-out", leftOut + " acts, while the disk took none", "", ""));
        }
        String hash = last;
        StringBuilder text = new StringBuilder();
        long number = lines;
        for (Act act : acts) {
            String line = line(++number, act, hash);
            hash = line.substring(line.length() - END - HASH_DIGITS, line.length() - END);
            text.append(line).append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        try {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            while (from.hasRemaining()) {
                channel.write(from, length + from.position());
            }
            channel.force(false);
        } catch (IOException e) {
            trouble = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            undo();
            return false;
        }
        waiting.clear();
        leftOut = 0;
        trouble = "";
        last = hash;
        lines = number;
        length += bytes.length;
        return true;
    }

    private void undo() {
        try {
            channel.truncate(length);
        } catch (IOException e) {
            // The next try writes over it.
        }
    }

    private static String line(long number, Act act, String before) {
        JsonLine json = new JsonLine()
                .begin()
                .integer("line", number)
                .time("time", act.epochNanos())
                .text("who", tame(act.who()))
                .text("what", tame(act.what()))
                .text("why", tame(act.why()));
        if (!act.comment().isEmpty()) {
            json.text("comment", tame(act.comment()));
        }
        String open = json.text("attack", tame(act.evidence()))
                .text("mitigation", tame(act.subject()))
                .end()
                .strip();
        String body = open.substring(0, open.length() - 1);
        return body + HASH + hash(before, body) + "\"}";
    }

    private static String tame(String text) {
        String line = text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
        return line.length() <= LONGEST_TEXT ? line : line.substring(0, LONGEST_TEXT);
    }

    static String hash(String before, String body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest((before + body).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The hash of the last line on the disk. */
    public synchronized String last() {
        return last;
    }

    public synchronized long lines() {
        return lines;
    }

    /** Why lines wait, empty where none does. */
    public synchronized String trouble() {
        return trouble;
    }

    public Path file() {
        return file;
    }

    /** The last lines, oldest first. */
    public List<String> tail(int most) throws IOException {
        return tail(most, Long.MAX_VALUE, "", "");
    }

    /** Likewise, of those before this line, about an attack, and about a mitigation; empty is any. */
    public synchronized List<String> tail(int most, long before, String attack, String mitigation) throws IOException {
        // Quotes in other fields are escaped, so this is found nowhere else.
        String about = attack.isEmpty() ? "" : ",\"attack\":\"" + attack + "\",";
        String with = mitigation.isEmpty() ? "" : ",\"mitigation\":\"" + mitigation + "\",";
        Deque<String> kept = new ArrayDeque<>();
        try (var all = Files.lines(file, StandardCharsets.UTF_8)) {
            var wanted = before == Long.MAX_VALUE ? all : all.takeWhile(line -> numberOf(line) < before);
            wanted.filter(line -> line.contains(about) && line.contains(with)).forEach(line -> {
                if (kept.size() == most) {
                    kept.removeFirst();
                }
                kept.addLast(line);
            });
        }
        return List.copyOf(kept);
    }

    @Override
    public synchronized void close() throws IOException {
        boolean all = flush();
        channel.close();
        if (!all) {
            throw new IOException(file + ": " + waiting.size() + " acts could not be written: " + trouble);
        }
    }

    /** Which line it is, as it says itself. */
    public static long numberOf(String line) {
        Matcher matcher = NUMBER.matcher(line);
        return matcher.lookingAt() ? Long.parseLong(matcher.group(1)) : 0;
    }

    static int hashAt(String line) {
        int at = line.length() - END - HASH_DIGITS - HASH.length();
        return at > 0 && line.startsWith(HASH, at) && line.endsWith("\"}") ? at : -1;
    }

    static String hashIn(String line) {
        return line.substring(line.length() - END - HASH_DIGITS, line.length() - END);
    }
}
