package io.pathlore.cli.service;

/**
 * How much of the heap each of those who remember things may take: a sixteenth. Whatever arrives, all of them together leave room for
 * the rest of the program.
 */
final class Room {
    private static final int SHARE = 16;

    private Room() {}

    /** So many things of this size. */
    static int of(int bytesEach, int least, int most) {
        return Math.clamp(Runtime.getRuntime().maxMemory() / SHARE / bytesEach, least, Math.max(least, most));
    }
}
