package io.pathlore.bench.decode;

import io.pathlore.bench.Contestant;
import io.pathlore.bench.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One round over one corpus. Everybody is started anew, because no two runs of a JVM compile alike, and warmed up; then all
 * take turns of some milliseconds in changing order. A ratio is taken within a turn, where whatever else the machine does
 * hits all alike, and the round counts with the medians of its turns.
 */
final class Round implements AutoCloseable {
    /** Nanoseconds for one report; the speed of C is 1. */
    record Score(double nanos, double ratio) {}

    private final Corpus.Kind kind;
    private final Map<Entry, Contestant> contestants = new EnumMap<>(Entry.class);

    Round(Lab lab, Corpus.Kind kind, int warmMillis) throws IOException {
        this.kind = kind;
        try {
            for (Entry entry : Entry.values()) {
                contestants.put(entry, lab.start(entry, kind));
            }
            check();
            for (Map.Entry<Entry, Contestant> each : contestants.entrySet()) {
                if (each.getKey().isJava()) {
                    each.getValue().work("warm " + warmMillis);
                }
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** That all of them decoded all reports to the same values. JSON has no columns to compare. */
    private void check() throws IOException {
        Tally expected = null;
        for (Map.Entry<Entry, Contestant> each : contestants.entrySet()) {
            Tally tally = Tally.parse(each.getValue().read());
            if (tally.rejected() != 0) {
                throw new IOException("%s rejects %d reports of %d octets"
                        .formatted(each.getKey().title(), tally.rejected(), kind.datagramBytes()));
            }
            if (each.getKey() == Entry.JSON) {
                continue;
            }
            if (expected != null && !expected.equals(tally)) {
                throw new IOException(
                        "%s decodes %s, not %s".formatted(each.getKey().title(), tally, expected));
            }
            expected = tally;
        }
    }

    Map<Entry, Score> run(int turns, Random random) throws IOException {
        Map<Entry, List<Double>> nanos = new EnumMap<>(Entry.class);
        Map<Entry, List<Double>> ratios = new EnumMap<>(Entry.class);
        List<Entry> order = new ArrayList<>(contestants.keySet());
        for (int turn = 0; turn < turns; turn++) {
            Collections.shuffle(order, random);
            Map<Entry, Double> spent = new EnumMap<>(Entry.class);
            for (Entry entry : order) {
                spent.put(entry, turn(entry));
            }
            double baseline = spent.getOrDefault(Entry.C, Double.NaN);
            spent.forEach((entry, value) -> {
                nanos.computeIfAbsent(entry, each -> new ArrayList<>()).add(value);
                ratios.computeIfAbsent(entry, each -> new ArrayList<>()).add(baseline / value);
            });
        }
        Map<Entry, Score> scores = new EnumMap<>(Entry.class);
        nanos.forEach((entry, values) -> scores.put(
                entry,
                new Score(
                        Spread.of(values).median(),
                        Spread.of(ratios.getOrDefault(entry, List.of())).median())));
        return scores;
    }

    private double turn(Entry entry) throws IOException {
        Contestant contestant = contestants.get(entry);
        if (contestant == null) {
            throw new IllegalStateException(entry + " does not take part");
        }
        return (double) contestant.work(entry.turn()) / entry.passes() / entry.reports(kind);
    }

    @Override
    public void close() throws IOException {
        for (Contestant contestant : contestants.values()) {
            contestant.close();
        }
    }
}
