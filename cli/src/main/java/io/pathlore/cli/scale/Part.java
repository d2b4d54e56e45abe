package io.pathlore.cli.scale;

/** A part of the analysis, for one thread. Time is told when all that was received before is there. */
public interface Part {
    /** An envelope for those of {@link Stage#DATAGRAMS}, a block of the parts before for others. */
    void on(byte[] block);

    /** Everything received up to this time has come. */
    void onTime(long untilNanos);

    /** There will be no more. */
    void end();

    /** Tells what it holds back: before its state is taken, and before what it told is handed on. */
    default void flush() {}

    /** What it remembers, after {@link #flush}; tells nothing. */
    byte[] state();

    /** Before anything else, in a part of the same stage. */
    void restore(byte[] state);

    Figures figures();

    /**
     * What is worth watching.
     *
     * @param flows that are counted
     * @param evicted flows that were forgotten to make room
     * @param waitingBytes of reports that wait for their time
     * @param early reports that could not wait for their time, for there was no room
     * @param again datagrams that had been here before
     * @param unreadable what came as an envelope and is none
     */
    record Figures(long flows, long evicted, long waitingBytes, long early, long again, long unreadable) {}
}
