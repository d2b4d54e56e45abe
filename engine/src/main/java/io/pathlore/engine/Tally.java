package io.pathlore.engine;

/** Where one thread counts what became of reports; the process has a ledger for it. Hot path. */
public interface Tally {
    void analysed(long reports);

    /** Not analysed, because there was no room or no time. */
    void shed(long reports);

    /** Shows what was counted so far to others. */
    void publish();
}
