package io.pathlore.bench.load;

import io.pathlore.bench.Machine;
import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.Spread;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The receive path of the collector beside a receiver in C that does nothing but receive: what a datagram costs when it waits in
 * the socket, and the highest rate at which none is lost.
 */
public final class LoadMeasurement implements Measurement {
    private record Plan(int drainRounds, int growthRounds, int warmDrains, int ratePairs, Lossless.Plan lossless) {}

    private static final Plan FULL = new Plan(100, 30, 600, 3, new Lossless.Plan(9, 8, 1, 1.03));
    private static final Plan QUICK = new Plan(10, 3, 150, 1, new Lossless.Plan(5, 4, 1, 1.06));

    private static final int STREAMS = 1_000;
    private static final List<Integer> GROWTH = List.of(10, 1_000, 64_000);
    private static final List<Integer> FLOW_GROWTH = List.of(1_000, 1_000_000, 10_000_000);
    private static final List<Entry> WITHOUT_TABLES =
            Stream.of(Entry.values()).filter(entry -> !entry.stores()).toList();
    private static final List<Entry> RATED = List.of(Entry.RECEIVE, Entry.ACCOUNT, Entry.JOURNAL, Entry.COLLECT);
    private static final double WARM_PER_SECOND = 150_000;
    private static final double WARM_SECONDS = 6;
    /** A tick of the loop comes to less for each datagram. */
    private static final double NOTHING_BYTES = 0.05;

    private record Pair(Lossless.Rate c, Lossless.Rate java) {
        double ratio() {
            return java.perSecond() / c.perSecond();
        }
    }

    @Override
    public String name() {
        return "load";
    }

    @Override
    public String about() {
        return "datagrams received, decoded and accounted for, beside C";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        Plan plan = quick ? QUICK : FULL;
        Results results = new Results();
        try (var rig = new Rig(directory())) {
            double disk = Disk.bytesPerSecond(rig.file("disk"));
            out.printf("load: %s%n", rig.describe());
            progress("drain");
            Map<Entry, Drain.Score> drained = drain(rig, plan);
            drainTable(out, drained, results);
            progress("growth");
            growthTable(out, Entry.ACCOUNT, "streams", growth(rig, plan), results);
            progress("growth with flows");
            growthTable(out, Entry.ANALYSE, "flows", flowGrowth(rig, plan), results);
            Map<Entry, List<Pair>> rates = new EnumMap<>(Entry.class);
            Map<Entry, Pauses> pauses = new EnumMap<>(Entry.class);
            rates(rig, plan, drained, rates, pauses);
            rateTable(out, plan, rates, pauses, results);
            results.put("disk.bytesPerSecond", disk);
            results.put("loadAverage", Machine.load());
            out.printf(
                    Locale.ROOT,
                    "%ndisk alone, one block behind the other: %.0f MB/s; load average of the machine: %.1f%n",
                    disk / 1e6,
                    Machine.load());
        }
        return results;
    }

    /** Journals go to the disk the program lies on; the directory for temporary files may be memory. */
    static Path directory() throws IOException {
        Path target = Path.of(System.getProperty("pathlore.root", "."), "target");
        return Files.createDirectories(target);
    }

    private static void progress(String what) {
        System.err.println("bench: " + what);
    }

    // ---- what a datagram costs

    private static Map<Entry, Drain.Score> drain(Rig rig, Plan plan) throws IOException {
        Map<Entry, Lane> lanes = new EnumMap<>(Entry.class);
        try {
            for (Entry entry : WITHOUT_TABLES) {
                lanes.put(entry, rig.drain(entry, STREAMS));
            }
            var drain = new Drain<>(lanes);
            drain.warm(plan.warmDrains);
            return drain.run(plan.drainRounds);
        } finally {
            for (Lane lane : lanes.values()) {
                lane.close();
            }
        }
    }

    private static void drainTable(PrintStream out, Map<Entry, Drain.Score> scores, Results results) {
        out.printf(
                "%n%-34s %9s   %-19s %8s   %s%n",
                "a full socket is emptied", "ns of CPU", "speed of C = 1", "B/report", "goal");
        scores.forEach((entry, score) -> {
            String name = entry.key() + ".drain";
            results.put(name + ".ns", score.nanos().median());
            results.put(name + ".ratio", score.ratio().median());
            results.put(name + ".ratioMin", score.ratio().min());
            results.put(name + ".ratioMax", score.ratio().max());
            String bytes = "";
            if (entry.isJava()) {
                results.put(name + ".bytesPerReport", score.allocatedBytes());
                bytes = String.format(
                        Locale.ROOT,
                        "%.2f%s",
                        score.allocatedBytes(),
                        score.allocatedBytes() < NOTHING_BYTES ? "" : " (!)");
            }
            out.printf(
                    Locale.ROOT,
                    "  %-32s %9.0f   %-19s %8s   %s%n",
                    entry.title(),
                    score.nanos().median(),
                    text(score.ratio()),
                    bytes,
                    entry.verdict(score.ratio().median()));
        });
    }

    private static String text(Spread ratio) {
        return String.format(Locale.ROOT, "%.2f [%.2f..%.2f]", ratio.median(), ratio.min(), ratio.max());
    }

    // ---- how that grows

    private static Map<Integer, Drain.Score> growth(Rig rig, Plan plan) throws IOException {
        Map<Integer, Lane> lanes = new LinkedHashMap<>();
        try {
            for (int streams : GROWTH) {
                lanes.put(streams, rig.drain(Entry.ACCOUNT, streams));
            }
            var drain = new Drain<>(lanes);
            drain.warm(plan.warmDrains);
            return drain.run(plan.growthRounds);
        } finally {
            for (Lane lane : lanes.values()) {
                lane.close();
            }
        }
    }

    private static Map<Integer, Drain.Score> flowGrowth(Rig rig, Plan plan) throws IOException {
        Map<Integer, Lane> lanes = new LinkedHashMap<>();
        try {
            for (int flows : FLOW_GROWTH) {
                Lane lane = rig.drain(Entry.ANALYSE, STREAMS, flows);
                lanes.put(flows, lane);
                lane.drain(flows / Lane.PRELOAD); // until all of them are known
            }
            var drain = new Drain<>(lanes);
            drain.warm(plan.warmDrains);
            return drain.run(plan.growthRounds);
        } finally {
            for (Lane lane : lanes.values()) {
                lane.close();
            }
        }
    }

    private static void growthTable(
            PrintStream out, Entry entry, String what, Map<Integer, Drain.Score> scores, Results results) {
        out.printf("%n%-34s %9s   %s%n", entry.title() + ", " + what, "ns of CPU", "speed of the first = 1");
        scores.forEach((number, score) -> {
            String name = entry.key() + "." + what + number;
            results.put(name + ".ns", score.nanos().median());
            results.put(name + ".ratio", score.ratio().median());
            out.printf(
                    Locale.ROOT, "  %,-32d %9.0f   %s%n", number, score.nanos().median(), text(score.ratio()));
        });
    }

    // ---- the rate without loss

    private static void rates(
            Rig rig,
            Plan plan,
            Map<Entry, Drain.Score> drained,
            Map<Entry, List<Pair>> rates,
            Map<Entry, Pauses> pauses)
            throws IOException, InterruptedException {
        var lossless = new Lossless(plan.lossless);
        List<Entry> order = new ArrayList<>(RATED);
        var random = new Random(1);
        for (int i = 1; i <= plan.ratePairs; i++) {
            Collections.shuffle(order, random);
            for (Entry entry : order) {
                progress("rate %d of %d: %s".formatted(i, plan.ratePairs, entry.title()));
                Path log = rig.file("pauses-" + entry + i);
                try (Lane c = rig.live(Entry.C, STREAMS, log);
                        Lane java = rig.live(entry, STREAMS, log)) {
                    java.run(WARM_PER_SECOND, WARM_SECONDS);
                    // Full batches are another case than few datagrams, and are compiled when they come.
                    java.run(guess(drained, entry), WARM_SECONDS);
                    java.run(guess(drained, entry), WARM_SECONDS);
                    Lossless.Rate ofC = lossless.find(c, guess(drained, Entry.C));
                    Lossless.Rate ofJava = lossless.find(java, guess(drained, entry));
                    java.check();
                    rates.computeIfAbsent(entry, each -> new ArrayList<>()).add(new Pair(ofC, ofJava));
                }
                pauses.put(entry, Pauses.of(log));
            }
        }
    }

    static double guess(Map<Entry, Drain.Score> drained, Entry entry) {
        Drain.Score score = drained.get(entry);
        return score == null ? WARM_PER_SECOND : 1e9 / score.nanos().median();
    }

    private static void rateTable(
            PrintStream out, Plan plan, Map<Entry, List<Pair>> rates, Map<Entry, Pauses> pauses, Results results) {
        out.printf(
                Locale.ROOT,
                "%n%-34s %9s %9s   %-19s %17s   %s%n",
                "%d of %d s without loss, k/s".formatted(plan.lossless.passing(), plan.lossless.runs()),
                "C",
                "Java",
                "speed of C = 1",
                "99.9% of pauses",
                "goal");
        for (Entry entry : RATED) {
            List<Pair> pairs = rates.getOrDefault(entry, List.of());
            Spread c = Spread.of(pairs.stream().map(pair -> pair.c.perSecond()).toList());
            Spread java =
                    Spread.of(pairs.stream().map(pair -> pair.java.perSecond()).toList());
            Spread ratio = Spread.of(pairs.stream().map(Pair::ratio).toList());
            Pauses paused = pauses.getOrDefault(entry, new Pauses(new long[0]));
            long longest = paused.quantile(0.999);
            String name = entry.key() + ".lossless";
            results.put(name + ".perSecond", java.median());
            results.put(name + ".cPerSecond", c.median());
            results.put(name + ".ratio", ratio.median());
            results.put(name + ".ratioMin", ratio.min());
            results.put(name + ".ratioMax", ratio.max());
            results.put(name + ".pauseNanos", (double) longest);
            out.printf(
                    Locale.ROOT,
                    "  %-32s %9s %9s   %-19s %17s   %s%n",
                    entry.title(),
                    rate(pairs.stream().anyMatch(pair -> pair.c.atLeast()), c.median()),
                    rate(pairs.stream().anyMatch(pair -> pair.java.atLeast()), java.median()),
                    text(ratio),
                    paused.count() == 0
                            ? "no pause"
                            : String.format(Locale.ROOT, "%.0f us of %d", longest / 1e3, paused.count()),
                    entry.verdict(ratio.median()));
        }
    }

    /** {@code atLeast}: the sender is no faster. */
    static String rate(boolean atLeast, double perSecond) {
        return String.format(Locale.ROOT, "%s%.0f", atLeast ? ">=" : "", perSecond / 1e3);
    }
}
