package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology;
import java.util.List;

/** Something that sends for a while. Values only: what it needs while it runs belongs to one {@link #begin}. */
public interface TrafficSource {
    /**
     * Starts its first timers; the stage stands at {@code startNanos}. Nothing new is begun from {@code endNanos} on; what is
     * open then is closed, which takes some more packets.
     *
     * @param seed of this source alone, see {@link #seed}
     */
    void begin(Stage stage, long seed, long startNanos, long endNanos);

    /** What of it a detector should find in a run over that time; nothing for benign traffic. */
    default List<AttackFact> attacks(Topology topology, long startNanos, long endNanos) {
        return List.of();
    }

    /** A seed that depends on the name of the source only, so that another source beside it changes nothing. */
    static long seed(long runSeed, String name) {
        return Dice.seed(runSeed, name);
    }
}
