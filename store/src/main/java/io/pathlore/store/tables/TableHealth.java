package io.pathlore.store.tables;

/**
 * How the tables are, at one moment.
 *
 * @param line what is wrong, in one line; empty while all is well
 * @param mark how far the stream is stored
 * @param stored rows that were stored since the start
 * @param refused rows that were turned away because too many waited, or because rows before them had been
 * @param waitingBytes of rows that are not stored yet
 * @param failures of attempts to store
 */
public record TableHealth(
        State state, String line, Mark mark, long stored, long refused, long waitingBytes, long failures) {
    /** What can be said in one word. */
    public enum State {
        OK,
        /** Rows were turned away: nothing is taken until {@link TableStore#restart}. */
        BEHIND,
        /** The last attempt to store failed; there will be another. */
        FAILED
    }
}
