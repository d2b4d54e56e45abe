package io.pathlore.analysis.event;

/** Is told what happened. Events of one operator come in the order they were found. */
@FunctionalInterface
public interface EventSink {
    void on(Event event);

    /** The packets of a congestion that is over. */
    default void on(Burst burst) {}

    /** Each second of an attack that has been told of, and those just before it. */
    default void on(AttackSecond second) {}
}
