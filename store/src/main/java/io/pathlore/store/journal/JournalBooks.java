package io.pathlore.store.journal;

/**
 * What became of the datagrams offered to a journal, at one moment: each is in exactly one of {@code journalled},
 * {@code full}, {@code slow}, {@code error} and {@link #waiting}.
 *
 * @param taken offers that were not refused
 * @param journalled on the disk for good
 * @param full dropped because the disk is full
 * @param slow offers that were refused because the memory before the disk is full
 * @param error dropped because the disk refuses, or the writing thread failed
 */
public record JournalBooks(long taken, long journalled, long full, long slow, long error) {
    /** Taken, and neither journalled nor dropped yet. Never negative. */
    public long waiting() {
        return taken - journalled - full - error;
    }

    public long dropped(JournalDrop reason) {
        return switch (reason) {
            case FULL -> full;
            case SLOW -> slow;
            case ERROR -> error;
        };
    }
}
