package io.pathlore.analysis.ddos;

/**
 * Packets that come in by an interface have met another node before.
 *
 * @param nanos the end of the tick in which that was seen: from then on it counts
 * @param place node and interface, by their hash
 * @param untilNanos when it is forgotten, if it is not seen again
 */
public record Inner(long nanos, long place, long untilNanos) {}
