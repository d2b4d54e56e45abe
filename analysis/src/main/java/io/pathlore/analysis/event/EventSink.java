package io.pathlore.analysis.event;

import java.util.function.Consumer;

/** Is told what happened. Events of one operator come in the order they were found. */
@FunctionalInterface
public interface EventSink {
    void on(Event event);

    /** The packets of a congestion that is over. */
    default void on(Burst burst) {}

    /** Each second of an attack that has been told of, and those just before it. */
    default void on(AttackSecond second) {}

    /** Whoever is told by this takes all of it, whatever it is. */
    static EventSink to(Consumer<Object> taker) {
        return new EventSink() {
            @Override
            public void on(Event event) {
                taker.accept(event);
            }

            @Override
            public void on(Burst burst) {
                taker.accept(burst);
            }

            @Override
            public void on(AttackSecond second) {
                taker.accept(second);
            }
        };
    }

    /** What {@link #to} gave. */
    default void tell(Object what) {
        switch (what) {
            case Event event -> on(event);
            case Burst burst -> on(burst);
            case AttackSecond second -> on(second);
            default -> throw new IllegalArgumentException("no event: " + what);
        }
    }
}
