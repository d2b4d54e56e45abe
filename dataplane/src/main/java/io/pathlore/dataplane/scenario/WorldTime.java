package io.pathlore.dataplane.scenario;

/**
 * What the time of the world is at a virtual time.
 *
 * @param epochNanos at virtual time 0
 * @param speed virtual seconds in one of the world
 */
public record WorldTime(long epochNanos, double speed) {
    public WorldTime {
        if (!(speed > 0) || Double.isInfinite(speed)) {
            throw new IllegalArgumentException("not a speed: " + speed);
        }
    }

    public static WorldTime from(long epochNanos) {
        return new WorldTime(epochNanos, 1);
    }

    public long at(long virtualNanos) {
        return epochNanos + (speed == 1 ? virtualNanos : (long) (virtualNanos / speed));
    }
}
