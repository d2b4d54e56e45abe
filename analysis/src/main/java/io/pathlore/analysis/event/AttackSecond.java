package io.pathlore.analysis.event;

import io.pathlore.model.EventId;

/**
 * How much of an attack came in, in one second of stream time: to be drawn.
 *
 * @param startNanos when the second begins
 * @param amount packets, or where it is not known how many a report stands for, reports
 * @param limit what is too much for the victim in a second, as far as it has been learnt
 */
public record AttackSecond(EventId attack, long startNanos, long amount, boolean packets, long limit) {}
