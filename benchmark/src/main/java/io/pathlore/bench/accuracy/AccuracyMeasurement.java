package io.pathlore.bench.accuracy;

import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.truth.Observed;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.model.EventKind;
import io.pathlore.wire.decode.ReportVersion;
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

/** How right the analysis is: every scenario of the lab, in every mode and version, against what really happened in it. */
public final class AccuracyMeasurement implements Measurement {
    private static final int SEEDS = 5;
    private static final int LOSSY_SEEDS = 3;
    private static final int ONE_PERCENT = 10_000_000;
    private static final String QUIET = "quiet";

    /** Right, false and missed detections of one kind. */
    private static final class Count {
        int right;
        int wrong;
        int missed;
        final List<Long> delays = new ArrayList<>();

        double precision() {
            return right + wrong == 0 ? 1 : (double) right / (right + wrong);
        }

        double recall() {
            return right + missed == 0 ? 1 : (double) right / (right + missed);
        }

        double delaySeconds(double share) {
            if (delays.isEmpty()) {
                return 0;
            }
            delays.sort(Comparator.naturalOrder());
            return delays.get((int) Math.min(delays.size() - 1L, (long) (share * delays.size()))) / 1e9;
        }
    }

    @Override
    public String name() {
        return "accuracy";
    }

    @Override
    public String about() {
        return "events found, beside what happened in the lab";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException {
        Path directory = Files.createTempDirectory("pathlore-bench-");
        try {
            return run(quick, directory, out);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static Results run(boolean quick, Path directory, PrintStream out) throws IOException {
        Results results = new Results();
        measure("all reports arrive", "", trials(quick ? 1 : SEEDS, -1), directory, out, results);
        measure(
                "1 % of reports are lost",
                "loss1.", trials(quick ? 1 : LOSSY_SEEDS, ONE_PERCENT), directory, out, results);
        measure("5 % are", "loss5.", trials(quick ? 1 : LOSSY_SEEDS, 5 * ONE_PERCENT), directory, out, results);
        return results;
    }

    private static void measure(
            String title, String key, List<Trial> trials, Path directory, PrintStream out, Results results)
            throws IOException {
        Map<EventKind, Count> counts = new EnumMap<>(EventKind.class);
        int loud = 0;
        int number = 0;
        Trial.Culprits culprits = Trial.Culprits.NONE;
        out.printf("%n%s: %d runs%n", title, trials.size());
        for (Trial trial : trials) {
            System.err.printf("bench: %s: %d of %d: %s%n", title, ++number, trials.size(), trial);
            Trial.Outcome outcome = trial.run(directory);
            count(counts, outcome.score());
            culprits = culprits.and(outcome.culprits());
            boolean quiet = outcome.events().stream().allMatch(event -> event.kind() == EventKind.REPORT_LOSS);
            if (trial.scenario().equals(QUIET) && !quiet) {
                loud++;
                out.printf(
                        "  %s: %d events where nothing happened%n",
                        trial, outcome.events().size());
            }
            complain(out, trial, outcome.score());
        }
        table(out, counts, key, results);
        double named = share(culprits.named(), culprits.wanted());
        double equal = share(culprits.equal(), culprits.wanted());
        double filled = share(culprits.filledByNamed(), culprits.filled());
        out.printf(
                Locale.ROOT,
                "of the three flows that filled a queue most %.3f were named, %.3f with those that filled as much but for a packet; the three named filled %.3f of what those did%n",
                named,
                equal,
                filled);
        results.put(key + "culprits", named);
        results.put(key + "culprits.equal", equal);
        results.put(key + "culprits.filled", filled);
        results.put(key + "runs", trials.size());
        results.put(key + "quiet.loud", loud);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 1 : (double) part / whole;
    }

    private static List<Trial> trials(int seeds, int loss) {
        List<Trial> trials = new ArrayList<>();
        for (String scenario : ScenarioFiles.shipped()) {
            for (Mode mode : Mode.values()) {
                for (ReportVersion version : ReportVersion.values()) {
                    for (int seed = 1; seed <= seeds; seed++) {
                        Trial trial = new Trial(scenario, mode, version, seed, loss);
                        if (isPossible(trial)) {
                            trials.add(trial);
                        }
                    }
                }
            }
        }
        return trials;
    }

    /** Not every dialect has every mode and version. */
    private static boolean isPossible(Trial trial) {
        try {
            trial.prepared();
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void count(Map<EventKind, Count> counts, Score score) {
        for (Score.KindScore kind : score.kinds()) {
            Count count = counts.computeIfAbsent(kind.kind(), each -> new Count());
            count.right += kind.truePositives();
            count.wrong += kind.falsePositives();
            count.missed += kind.falseNegatives();
        }
        for (Score.Pair pair : score.pairs()) {
            counts.computeIfAbsent(pair.fact().kind(), each -> new Count())
                    .delays
                    .add(pair.delayNanos());
        }
    }

    private static void complain(PrintStream out, Trial trial, Score score) {
        List<Observed> missed = score.missed();
        if (!missed.isEmpty() || !score.falseOnes().isEmpty()) {
            out.printf("  %s: missed %s, false %s%n", trial, kinds(missed), kinds(score.falseOnes()));
        }
    }

    private static Map<EventKind, Integer> kinds(List<Observed> all) {
        Map<EventKind, Integer> kinds = new EnumMap<>(EventKind.class);
        all.forEach(one -> kinds.merge(one.kind(), 1, Integer::sum));
        return kinds;
    }

    private static void table(PrintStream out, Map<EventKind, Count> counts, String key, Results results) {
        out.printf(
                "%n%-18s %7s %7s %7s   %9s %7s   %s%n",
                "kind", "found", "false", "missed", "precision", "recall", "delay: median, 95 %");
        counts.forEach((kind, count) -> {
            results.put(key + kind.label() + ".precision", count.precision());
            results.put(key + kind.label() + ".recall", count.recall());
            out.printf(
                    Locale.ROOT,
                    "%-18s %7d %7d %7d   %9.3f %7.3f   %.3f s, %.3f s%n",
                    kind.label(),
                    count.right,
                    count.wrong,
                    count.missed,
                    count.precision(),
                    count.recall(),
                    count.delaySeconds(0.5),
                    count.delaySeconds(0.95));
        });
    }
}
