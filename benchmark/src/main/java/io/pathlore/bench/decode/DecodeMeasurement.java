package io.pathlore.bench.decode;

import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.Spread;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Telemetry reports into columns and into JSON, beside the same columns filled by C. */
public final class DecodeMeasurement implements Measurement {
    private record Plan(int rounds, int turns, int warmMillis, int jmhMillis) {}

    private static final Plan FULL = new Plan(5, 15, 2500, 500);
    private static final Plan QUICK = new Plan(2, 9, 1000, 200);

    private static final double GOAL_JSON_PER_SECOND = 100_000;
    /** What a harness allocates now and then comes to less for each report. */
    private static final double NOTHING_BYTES = 0.05;

    @Override
    public String name() {
        return "decode";
    }

    @Override
    public String about() {
        return "telemetry reports into columns and into JSON, beside C";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        Plan plan = quick ? QUICK : FULL;
        try (var lab = new Lab()) {
            out.printf(
                    "decode: %d rounds of %d turns, %s%n",
                    plan.rounds, plan.turns, lab.pinned() ? "all on one processor" : "not pinned for want of taskset");
            Map<Corpus.Kind, List<Map<Entry, Round.Score>>> rounds = new EnumMap<>(Corpus.Kind.class);
            var random = new Random(plan.rounds);
            for (int i = 1; i <= plan.rounds; i++) {
                progress("round " + i);
                for (Corpus.Kind kind : Corpus.Kind.values()) {
                    try (var round = new Round(lab, kind, plan.warmMillis)) {
                        rounds.computeIfAbsent(kind, each -> new ArrayList<>()).add(round.run(plan.turns, random));
                    }
                }
            }
            progress("allocation");
            var allocation = new Allocation(plan.jmhMillis);
            var results = new Results();
            rounds.forEach((kind, scores) -> table(out, kind, scores, allocation, results));
            progress("command");
            command(out, lab, results);
            return results;
        }
    }

    private static void progress(String what) {
        System.err.println("bench: " + what);
    }

    private static void table(
            PrintStream out,
            Corpus.Kind kind,
            List<Map<Entry, Round.Score>> rounds,
            Allocation allocation,
            Results results) {
        out.printf(
                "%n%-34s %9s %7s   %-19s %8s   %s%n",
                "%d octets, %s".formatted(kind.datagramBytes(), kind.name().toLowerCase(Locale.ROOT)),
                "ns/report",
                "M/s",
                "speed of C = 1",
                "B/report",
                "goal");
        for (Entry entry : Entry.values()) {
            Spread nanos = spread(rounds, entry, Round.Score::nanos);
            Spread ratio = spread(rounds, entry, Round.Score::ratio);
            String name = entry.key() + "." + kind.datagramBytes();
            results.put(name + ".ns", nanos.median());
            if (entry != Entry.C && entry != Entry.JSON) {
                results.put(name + ".ratio", ratio.median());
                results.put(name + ".ratioMin", ratio.min());
                results.put(name + ".ratioMax", ratio.max());
            }
            String bytes = "";
            if (entry.isJava()) {
                double perReport = allocation.perReport(entry, kind);
                results.put(name + ".bytesPerReport", perReport);
                bytes = "%.2f".formatted(perReport);
            }
            out.printf(
                    Locale.ROOT,
                    "  %-32s %9.1f %7.2f   %-19s %8s   %s%n",
                    entry.title(),
                    nanos.median(),
                    1000 / nanos.median(),
                    "%.2f [%.2f..%.2f]".formatted(ratio.median(), ratio.min(), ratio.max()),
                    bytes,
                    verdict(entry, kind, nanos, ratio, allocation));
        }
        if (kind == Corpus.Kind.CONFORMANT) {
            results.put(
                    "json.reportsPerSecond",
                    1e9 / spread(rounds, Entry.JSON, Round.Score::nanos).median());
        }
    }

    private static Spread spread(
            List<Map<Entry, Round.Score>> rounds, Entry entry, ToDoubleFunction<Round.Score> number) {
        return Spread.of(rounds.stream()
                .map(round -> round.get(entry))
                .filter(score -> score != null)
                .map(number::applyAsDouble)
                .toList());
    }

    private static String verdict(Entry entry, Corpus.Kind kind, Spread nanos, Spread ratio, Allocation allocation) {
        return switch (entry) {
            case FLOOR, C -> "";
            case VIEWS, LENIENT -> {
                double goal = entry == Entry.LENIENT ? 0.4 : kind == Corpus.Kind.CONFORMANT ? 0.6 : 0.55;
                boolean reached = ratio.median() >= goal && allocation.perReport(entry, kind) < NOTHING_BYTES;
                yield "%.2f, 0 B: %s".formatted(goal, reached ? "ok" : "below");
            }
            case JSON -> verdict(1e9 / nanos.median());
        };
    }

    private static String verdict(double jsonPerSecond) {
        return "%.2f M/s: %s"
                .formatted(GOAL_JSON_PER_SECOND / 1e6, jsonPerSecond >= GOAL_JSON_PER_SECOND ? "ok" : "below");
    }

    private static void command(PrintStream out, Lab lab, Results results) throws IOException, InterruptedException {
        Corpus.Kind kind = Corpus.Kind.CONFORMANT;
        Double seconds = Command.seconds(lab, kind);
        out.println();
        if (seconds == null) {
            out.println("decode -o json: skipped, this build has no such command");
            return;
        }
        double perSecond = kind.reports() / seconds;
        results.put("command.reportsPerSecond", perSecond);
        out.printf(
                Locale.ROOT,
                "decode -o json, the whole command over %d reports of %d octets: %.2f s of processor time, %.2f M/s   goal %s%n",
                kind.reports(),
                kind.datagramBytes(),
                seconds,
                perSecond / 1e6,
                verdict(perSecond));
    }
}
