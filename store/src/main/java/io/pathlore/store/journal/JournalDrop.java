package io.pathlore.store.journal;

/** Why a datagram did not get into the journal: the reasons of {@code journalDropped}. */
public enum JournalDrop {
    /** The disk is full. */
    FULL,
    /** The disk is slower than the network, and the buffer between them is full. */
    SLOW,
    /** The disk, or its file system, refuses; or the thread that writes failed. */
    ERROR
}
