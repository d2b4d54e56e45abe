package io.pathlore.cli;

import io.pathlore.store.journal.DiskFiles;
import io.pathlore.store.journal.JournalDamage;
import io.pathlore.store.journal.JournalException;
import io.pathlore.store.journal.JournalReader;
import io.pathlore.wire.envelope.Envelope;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams of a journal, from the oldest to what is there now, also while a collector writes it. What is damaged is told
 * and passed over. An exception is one line for the user.
 */
final class JournalInput implements Closeable {
    /** What a data directory calls its journal. */
    private static final String DIRECTORY = "journal";

    private static final int DAMAGES_TOLD = 10;

    private final Path directory;
    private final Consumer<String> tell;
    private final JournalReader reader;
    private long damages;

    /** {@code directory} is one that {@link #find} found; {@code tell} gets a line for each damage, but no endless number. */
    JournalInput(Path directory, TimeSpan span, Consumer<String> tell) {
        this.directory = directory;
        this.tell = tell;
        try {
            reader = new JournalReader(DiskFiles.of(directory), this::onDamage).between(span.since(), span.until());
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The journal that {@code named} is, or has below it as a data directory; null if there is none. */
    static @Nullable Path find(Path named) {
        try {
            if (DiskFiles.isJournal(named)) {
                return named;
            }
        } catch (IOException e) {
            throw unreadable(named, e);
        }
        Path below = named.resolve(DIRECTORY);
        return Files.isDirectory(below) ? below : null;
    }

    /** Goes to the next datagram; false if there is none at the moment. */
    boolean next() {
        try {
            return reader.next();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The datagram with all that is known about it. Borrowed until the next one. */
    Envelope envelope() {
        return reader.envelope();
    }

    /** At the end: fails if something was damaged, so that nobody takes what was read for all there was. */
    void finish() {
        if (damages > DAMAGES_TOLD) {
            tell.accept("… and " + (damages - DAMAGES_TOLD) + " more");
        }
        if (damages > 0) {
            throw new Failure("journal " + directory + ": " + Input.count(damages, "place is", "places are")
                    + " damaged; everything else was read");
        }
    }

    private void onDamage(JournalDamage damage) {
        if (++damages <= DAMAGES_TOLD) {
            tell.accept(damage.text());
        }
    }

    private Failure unreadable(IOException e) {
        return unreadable(directory, e);
    }

    private static Failure unreadable(Path directory, IOException e) {
        if (e instanceof JournalException) {
            return new Failure(String.valueOf(e.getMessage()));
        }
        String why = e instanceof AccessDeniedException
                ? "permission denied: " + e.getMessage()
                : e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new Failure("journal " + directory + ": cannot be read: " + why);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
