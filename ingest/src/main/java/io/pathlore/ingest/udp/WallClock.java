package io.pathlore.ingest.udp;

import java.time.Instant;

/** The time of day at the edge, for datagrams the kernel gives none. */
final class WallClock {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private WallClock() {}

    static long epochNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }
}
