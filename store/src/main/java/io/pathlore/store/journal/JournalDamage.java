package io.pathlore.store.journal;

/**
 * Something of a journal that is not as it was written.
 *
 * @param file what it is about
 * @param offset where in the file, 0 where that makes no sense
 * @param bytes how much of the file is concerned
 * @param detail one line for a person
 */
public record JournalDamage(Kind kind, String file, long offset, long bytes, String detail) {
    public enum Kind {
        /** A segment whose start is not readable; a writer renames it to {@code .bad}. */
        HEADER,
        /** A segment that was renamed to {@code .bad}. */
        QUARANTINED,
        /** Octets between valid records, or behind the last, that are no valid record. */
        RECORD,
        /** Records that were there when the next segment was begun, and no longer are. */
        MISSING,
        /** Records behind the last valid one, cut off when the journal was opened: a crash left them half written. */
        TORN,
        /** A valid record around an envelope of a version not known here. */
        UNKNOWN
    }

    /** One line. */
    public String text() {
        return file + ": " + detail;
    }
}
