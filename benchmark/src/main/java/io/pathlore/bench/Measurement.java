package io.pathlore.bench;

import java.io.IOException;
import java.io.PrintStream;

/** Something to measure beside its baseline, in one run. */
public interface Measurement {
    String name();

    /** One line. */
    String about();

    /**
     * Writes a table for people and returns the same as numbers.
     *
     * @param quick for a first impression rather than for the record
     * @throws IOException with a message for the user, when it cannot be run here
     */
    Results run(boolean quick, PrintStream out) throws IOException, InterruptedException;
}
