package io.pathlore.dataplane.fault;

import java.nio.ByteBuffer;

/** Writes forged reports. */
@FunctionalInterface
public interface Forgery {
    /** The longest payload there is room for. */
    int CAPACITY = 2048;

    /**
     * Writes one payload from offset 0.
     *
     * @param number of the report, from 0
     * @return its end
     */
    int write(ByteBuffer out, int number, long nowNanos);

    /** The same bytes each time. */
    static Forgery copies(byte[] payload) {
        byte[] kept = payload.clone();
        return (out, number, nowNanos) -> {
            out.put(0, kept);
            return kept.length;
        };
    }
}
