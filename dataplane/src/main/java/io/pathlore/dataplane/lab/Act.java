package io.pathlore.dataplane.lab;

/** Something that takes part in a run: traffic, faults. */
@FunctionalInterface
public interface Act {
    /** At virtual time 0; from then on it lives by timers. */
    void begin(Lab lab);
}
