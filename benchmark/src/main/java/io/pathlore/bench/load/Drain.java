package io.pathlore.bench.load;

import io.pathlore.bench.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Everybody empties a socket that was filled before, in turns of changing order; a ratio is that of two neighbours in a round, where
 * whatever else the machine does hits both. Processor time is what counts.
 */
final class Drain<K> {
    /** Of one turn; the first is not counted, because another one's data is in the caches. */
    private static final int TIMES = 3;

    /** How the rounds went for one: processor time for a datagram, speed where that of the first is 1, bytes for a datagram. */
    record Score(Spread nanos, Spread ratio, double allocatedBytes) {}

    private final Map<K, Lane> lanes;

    /** The first is what the others are compared to. */
    Drain(Map<K, Lane> lanes) {
        this.lanes = lanes;
    }

    void warm(int drains) throws IOException {
        for (Lane lane : lanes.values()) {
            lane.drain(drains);
        }
    }

    Map<K, Score> run(int rounds) throws IOException {
        Map<K, List<Lane.Drained>> drained = new LinkedHashMap<>();
        lanes.keySet().forEach(key -> drained.put(key, new ArrayList<>()));
        List<Map.Entry<K, Lane>> order = new ArrayList<>(lanes.entrySet());
        Random random = new Random(1);
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(order, random);
            for (Map.Entry<K, Lane> each : order) {
                each.getValue().drain(1);
                drained.getOrDefault(each.getKey(), new ArrayList<>())
                        .add(each.getValue().drain(TIMES));
            }
        }
        for (Lane lane : lanes.values()) {
            lane.check();
        }
        List<Lane.Drained> first = drained.values().iterator().next();
        Map<K, Score> scores = new LinkedHashMap<>();
        drained.forEach((key, all) -> scores.put(key, score(first, all)));
        return scores;
    }

    private static Score score(List<Lane.Drained> first, List<Lane.Drained> all) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ratios.add(first.get(i).nanos() / all.get(i).nanos());
        }
        return new Score(
                Spread.of(all.stream().map(Lane.Drained::nanos).toList()),
                Spread.of(ratios),
                Spread.of(all.stream().map(Lane.Drained::allocatedBytes).toList())
                        .median());
    }
}
