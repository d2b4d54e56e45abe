package io.pathlore.engine;

/** Where one thread counts what became of reports; the process has a ledger for it. Hot path. */
public interface Tally {
    /** Where somebody else counts. */
    Tally NOBODY = new Tally() {
        @Override
        public void analysed(long reports) {}

        @Override
        public void shed(long reports) {}

        @Override
        public void publish() {}
    };

    void analysed(long reports);

    /** Not analysed, because there was no room or no time. */
    void shed(long reports);

    /** Shows what was counted so far to others. */
    void publish();
}
