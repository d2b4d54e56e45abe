package io.pathlore.dataplane.traffic;

import java.util.List;

/** Echo requests and replies; each sender asks one receiver, in turn. */
public record Ping(Conditions conditions, List<Integer> from, List<Integer> to, long periodNanos, PacketSizes sizes)
        implements TrafficSource {
    private static final int HEADERS = 28;

    public Ping {
        from = List.copyOf(from);
        to = List.copyOf(to);
        Pairs.check(from, to);
        if (periodNanos <= 0) {
            throw new IllegalArgumentException("period: must be more than 0");
        }
    }

    @Override
    public void begin(Stage stage, long seed, long startNanos, long endNanos) {
        long first = conditions.window().from(startNanos);
        long until = conditions.window().until(startNanos, endNanos);
        Exchange.Form form = new Exchange.Form(true, Math.max(8, sizes.largest() - HEADERS), 0, periodNanos, 0, false);
        for (int i = 0; i < from.size(); i++) {
            int asker = from.get(i);
            new Exchange(stage, conditions, form, asker, Pairs.inTurn(to, asker, i), i + 1 & 0xFFFF, Dice.of(seed, i))
                    .begin(first, until);
        }
    }
}
