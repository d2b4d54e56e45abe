package io.pathlore.bench.attacks;

import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.model.AttackVector;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** How right attacks are found: more than two hundred of them in the lab, and much traffic that is none. */
public final class AttackMeasurement implements Measurement {
    private static final int SEEDS = 4;
    private static final int HARMLESS_SEEDS = 5;
    private static final int HARMLESS_SECONDS = 600;
    private static final int QUICK_SECONDS = 60;

    /** Of one vector. */
    private static final class Count {
        int right;
        int wrong;
        int missed;
        int devices;
        int rightDevices;
        int part;
        final List<Long> delays = new ArrayList<>();

        double seconds(double share) {
            delays.sort(Comparator.naturalOrder());
            return delays.isEmpty()
                    ? 0
                    : delays.get((int) Math.min(delays.size() - 1L, (long) (share * delays.size()))) / 1e9;
        }
    }

    @Override
    public String name() {
        return "attacks";
    }

    @Override
    public String about() {
        return "attacks and their devices found, beside those of the lab; and much traffic that is none";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException {
        Path directory = Files.createTempDirectory("pathlore-bench-");
        try {
            Results results = new Results();
            attacks(quick, directory, out, results);
            harmless(quick, directory, out, results);
            return results;
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void attacks(boolean quick, Path directory, PrintStream out, Results results) throws IOException {
        List<AttackTrial> trials = AttackTrial.all(quick ? 1 : SEEDS);
        Map<AttackVector, Count> counts = new EnumMap<>(AttackVector.class);
        Count all = new Count();
        int number = 0;
        for (AttackTrial trial : trials) {
            System.err.printf("bench: %d of %d: %s%n", ++number, trials.size(), trial);
            AttackTrial.Outcome outcome = trial.run(directory);
            add(counts.computeIfAbsent(trial.vector(), vector -> new Count()), outcome);
            add(all, outcome);
            if (outcome.score().pairs().size() != 1
                    || !outcome.score().falseOnes().isEmpty()
                    || outcome.right() != outcome.devices()
                    || outcome.right() != outcome.part()) {
                out.printf(
                        "  %s: found %s, false %s, missed %s; devices named %d, right %d of %d%n",
                        trial,
                        outcome.score().pairs().size(),
                        outcome.score().falseOnes(),
                        outcome.score().missed(),
                        outcome.devices(),
                        outcome.right(),
                        outcome.part());
            }
        }
        out.printf(
                "%n%-16s %6s %6s %6s   %9s %7s   %17s %7s   %s%n",
                "vector",
                "found",
                "false",
                "missed",
                "precision",
                "recall",
                "devices precision",
                "recall",
                "delay: median, 95 %");
        counts.forEach((vector, count) -> line(out, vector.label(), count));
        line(out, "all", all);
        results.put("attacks", all.right + all.missed);
        results.put("recall", share(all.right, all.right + all.missed));
        results.put("precision", share(all.right, all.right + all.wrong));
        results.put("devices.precision", share(all.rightDevices, all.devices));
        results.put("devices.recall", share(all.rightDevices, all.part));
    }

    private static void add(Count to, AttackTrial.Outcome outcome) {
        to.right += outcome.score().pairs().size();
        to.wrong += outcome.score().falseOnes().size();
        to.missed += outcome.score().missed().size();
        to.devices += outcome.devices();
        to.rightDevices += outcome.right();
        to.part += outcome.part();
        if (!outcome.score().pairs().isEmpty()) {
            to.delays.add(outcome.delayNanos());
        }
    }

    private static void line(PrintStream out, String name, Count count) {
        out.printf(
                Locale.ROOT,
                "%-16s %6d %6d %6d   %9.3f %7.3f   %17.4f %7.4f   %.2f s, %.2f s%n",
                name,
                count.right,
                count.wrong,
                count.missed,
                share(count.right, count.right + count.wrong),
                share(count.right, count.right + count.missed),
                share(count.rightDevices, count.devices),
                share(count.rightDevices, count.part),
                count.seconds(0.5),
                count.seconds(0.95));
    }

    private static double share(int part, int of) {
        return of == 0 ? 1 : (double) part / of;
    }

    private static void harmless(boolean quick, Path directory, PrintStream out, Results results) throws IOException {
        int attacks = 0;
        int rules = 0;
        long reports = 0;
        out.printf("%nharmless:%n");
        for (HarmlessTrial.Kind kind : HarmlessTrial.Kind.values()) {
            for (int seed = 1; seed <= (quick ? 1 : HARMLESS_SEEDS); seed++) {
                HarmlessTrial trial = new HarmlessTrial(kind, quick ? QUICK_SECONDS : HARMLESS_SECONDS, seed);
                System.err.printf("bench: %s%n", trial);
                HarmlessTrial.Outcome outcome = trial.run(directory);
                attacks += outcome.attacks().size();
                rules += outcome.rules();
                reports += outcome.reports();
                if (!outcome.attacks().isEmpty()) {
                    out.printf("  %s: %s%n", trial, outcome.attacks());
                }
            }
        }
        out.printf(Locale.ROOT, "%,d reports, %d attacks told of, %d rules%n", reports, attacks, rules);
        results.put("harmless.attacks", attacks);
        results.put("harmless.rules", rules);
    }
}
