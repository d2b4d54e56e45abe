package io.pathlore.analysis.rollup;

/** Is told what was added up, when its time is over. All that is passed is borrowed. */
public interface RollupSink {
    void hopSecond(long startNanos, HopWindow window);

    void hopMinute(long startNanos, HopWindow window);

    void dropSecond(long startNanos, DropWindow window);

    void linkMinute(long startNanos, LinkWindow window);

    void node(NodeSighting node);

    /** Everything that begins before this time has been told: a whole minute. */
    void complete(long untilNanos);
}
