package io.pathlore.bench.load;

import io.pathlore.bench.Machine;
import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.Spread;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All that a collector does, on one processor, beside a receiver in C that does nothing but receive; and how fast tables are filled
 * and asked.
 */
public final class WholeMeasurement implements Measurement {
    private record Plan(int warmDrains, int drainRounds, int pairs, Lossless.Plan lossless, int rows) {}

    private static final Plan FULL = new Plan(1_000, 40, 3, new Lossless.Plan(9, 8, 1, 1.03), 50_000_000);
    private static final Plan QUICK = new Plan(600, 8, 1, new Lossless.Plan(5, 4, 1, 1.06), 2_000_000);
    /** Streams of reports in which ports, queues and links are drawn by lot: what memory costs when nothing is seen twice. */
    private static final int CHAOS = 1_000;

    private static final double WARM_PER_SECOND = 100_000;
    private static final double WARM_SECONDS = 8;

    /** With the end of a minute, and so with what is done only then: it has to be compiled, too. */
    private static final double MINUTE_SECONDS = 64;

    @Override
    public String name() {
        return "whole";
    }

    @Override
    public String about() {
        return "everything on, beside C; rows stored, and questions to the tables";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        Plan plan = quick ? QUICK : FULL;
        Results results = new Results();
        try (var rig = new Rig(LoadMeasurement.directory())) {
            out.printf("whole: %s%n", rig.describe());
            Map<Entry, Drain.Score> drained =
                    drain(rig, plan, Rig.FABRIC, "a full socket, of a fabric", ".drain", out, results);
            drain(rig, plan, CHAOS, "of a network that is never the same", ".chaos", out, results);
            rates(rig, plan, drained, out, results);
            TableQuestions.run(rig.file("questions"), plan.rows, out, results);
        }
        results.put("loadAverage", Machine.load());
        return results;
    }

    private static Map<Entry, Drain.Score> drain(
            Rig rig, Plan plan, int streams, String title, String key, PrintStream out, Results results)
            throws IOException {
        Map<Entry, Lane> lanes = new EnumMap<>(Entry.class);
        Map<Entry, Drain.Score> drained;
        try {
            for (Entry entry : List.of(Entry.C, Entry.COLLECT, Entry.WHOLE)) {
                lanes.put(entry, rig.drain(entry, streams));
            }
            var drain = new Drain<>(lanes);
            drain.warm(plan.warmDrains);
            drained = drain.run(plan.drainRounds);
        } finally {
            for (Lane lane : lanes.values()) {
                lane.close();
            }
        }
        out.printf("%n%-36s %9s   %s%n", title, "ns of CPU", "speed of C = 1");
        drained.forEach((entry, score) -> {
            results.put(entry.key() + key + ".ns", score.nanos().median());
            results.put(entry.key() + key + ".ratio", score.ratio().median());
            out.printf(
                    Locale.ROOT,
                    "  %-34s %9.0f   %.2f [%.2f..%.2f]%n",
                    entry.title(),
                    score.nanos().median(),
                    score.ratio().median(),
                    score.ratio().min(),
                    score.ratio().max());
        });
        return drained;
    }

    private static void rates(Rig rig, Plan plan, Map<Entry, Drain.Score> drained, PrintStream out, Results results)
            throws IOException, InterruptedException {
        var lossless = new Lossless(plan.lossless);
        List<Lossless.Rate> c = new ArrayList<>();
        List<Lossless.Rate> java = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int i = 1; i <= plan.pairs; i++) {
            System.err.printf("bench: rate %d of %d%n", i, plan.pairs);
            Path log = rig.file("pauses-" + i);
            try (Lane bare = rig.live(Entry.C, Rig.FABRIC, log);
                    Lane whole = rig.live(Entry.WHOLE, Rig.FABRIC, log)) {
                double guess = LoadMeasurement.guess(drained, Entry.WHOLE);
                whole.run(WARM_PER_SECOND, WARM_SECONDS);
                whole.run(guess, MINUTE_SECONDS);
                Lossless.Rate ofC = lossless.find(bare, LoadMeasurement.guess(drained, Entry.C));
                Lossless.Rate ofJava = lossless.find(whole, guess);
                whole.check();
                c.add(ofC);
                java.add(ofJava);
                ratios.add(ofJava.perSecond() / ofC.perSecond());
            }
        }
        Spread ratio = Spread.of(ratios);
        boolean limited = c.stream().anyMatch(Lossless.Rate::atLeast);
        results.put("whole.lossless.perSecond", median(java));
        results.put("whole.lossless.cPerSecond", median(c));
        results.put("whole.lossless.cAtLeast", limited ? 1 : 0);
        results.put("whole.lossless.ratio", ratio.median());
        results.put("whole.lossless.ratioMin", ratio.min());
        results.put("whole.lossless.ratioMax", ratio.max());
        out.printf(
                Locale.ROOT,
                "%nwithout loss: C %s k/s, everything on %.0f k/s: %.2f [%.2f..%.2f]   goal %s%n",
                LoadMeasurement.rate(limited, median(c)),
                median(java) / 1e3,
                ratio.median(),
                ratio.min(),
                ratio.max(),
                Entry.WHOLE.verdict(ratio.median()));
        if (limited) {
            out.println("who sends is no faster: C may be, and the ratio is that to what was sent");
        }
    }

    private static double median(List<Lossless.Rate> rates) {
        return Spread.of(rates.stream().map(Lossless.Rate::perSecond).toList()).median();
    }
}
