package io.pathlore.dataplane.node;

/**
 * What a sink learns from destination headers: packets that a source marked and that never came, and nodes on the way that
 * decremented the TTL but said nothing [INT June 2016 §4.1].
 */
public final class SinkFindings {
    private long packets;
    private long lost;
    private int hiddenHops;

    void add(long lostBefore, int hiddenHops) {
        packets++;
        lost += lostBefore;
        this.hiddenHops = hiddenHops;
    }

    void clear() {
        packets = 0;
        lost = 0;
        hiddenHops = 0;
    }

    /** Packets that had a destination header. */
    public long packets() {
        return packets;
    }

    public long lost() {
        return lost;
    }

    /** Of the last packet that told. */
    public int hiddenHops() {
        return hiddenHops;
    }
}
