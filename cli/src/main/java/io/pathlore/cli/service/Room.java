package io.pathlore.cli.service;

/** How many things may be remembered by each of those who remember some. Whatever arrives, all of them together leave room for the rest of the program. */
@FunctionalInterface
public interface Room {
    /** A twentieth of the heap for each of them: there are a dozen, and what they are told of takes room on its way, too. */
    Room HEAP = (bytesEach, least, most) ->
            Math.clamp(Runtime.getRuntime().maxMemory() / 20 / bytesEach, least, Math.max(least, most));

    /** A part of what all such parts may have together, wherever they are. */
    static Room part(int parts) {
        return (bytesEach, least, most) -> Math.max(least, most / parts);
    }

    /** So many things of this size. */
    int of(int bytesEach, int least, int most);
}
