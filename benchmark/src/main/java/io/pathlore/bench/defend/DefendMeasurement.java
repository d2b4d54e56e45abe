package io.pathlore.bench.defend;

import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.model.AttackVector;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The closed loop on the wall clock: a network in one process, a collector in another, reports by UDP and orders by HTTP between them. */
public final class DefendMeasurement implements Measurement {
    private static final double DETECTED_SECONDS = 1;
    private static final double WITHDRAWN_SECONDS = 35;
    private static final int MANY = 20;

    /** As docs/reference/configuration.md has them: rules-per-minute, rules-per-enforcer. */
    private static final int USUAL_PER_MINUTE = 5;

    private static final int USUAL_PER_ENFORCER = 16;
    private static final List<AttackVector> VECTORS = List.of(
            AttackVector.UDP_FLOOD, AttackVector.SYN_FLOOD, AttackVector.REFLECTION, AttackVector.CARPET_BOMBING);

    @Override
    public String name() {
        return "defend";
    }

    @Override
    public String about() {
        return "how fast an attack is found, stopped, and its devices let go, in a network that runs";
    }

    private static List<DefendTrial> trials(boolean quick) {
        List<DefendTrial> trials = new ArrayList<>();
        for (AttackVector vector : VECTORS) {
            for (int devices : new int[] {1, MANY}) {
                for (boolean v6 : new boolean[] {false, true}) {
                    trials.add(new DefendTrial(vector, v6, devices, 1));
                }
            }
        }
        // One of each vector, both families and numbers among them.
        return quick ? List.of(trials.get(0), trials.get(3), trials.get(5), trials.get(8), trials.get(14)) : trials;
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        out.printf(
                Locale.ROOT,
                "The collector is told: %s.%n"
                        + "By default it makes %d new rules in a minute and %d at one enforcer, so that of %d devices %d would be stopped at once, and %d in %d minutes.%n"
                        + "Carpets go to a router (gobgpd, FlowSpec; %s), which tells nobody what it drops: their rules are not proven, and expire.%n%n"
                        + "seconds since the threshold was crossed; withdrawn and lifted: since the attack ended. Of the last device.%n%n"
                        + "%-32s %5s %9s %7s %8s %7s %10s %7s   %s%n",
                String.join(", ", DefendTrial.settings(false)),
                USUAL_PER_MINUTE,
                USUAL_PER_ENFORCER,
                MANY,
                USUAL_PER_MINUTE,
                USUAL_PER_ENFORCER,
                (USUAL_PER_ENFORCER - 1) / USUAL_PER_MINUTE,
                DefendTrial.settings(true).getLast(),
                "attack",
                "rules",
                "detected",
                "sent",
                "blocked",
                "proven",
                "withdrawn",
                "lifted",
                "");
        double detected = 0;
        double blocked = 0;
        double withdrawn = 0;
        int missed = 0;
        int left = 0;
        int acted = 0;
        int others = 0;
        List<DefendTrial> trials = trials(quick);
        for (DefendTrial trial : trials) {
            System.err.printf("bench: %s%n", trial);
            DefendTrial.Outcome one = measure(trial);
            out.printf(
                    Locale.ROOT,
                    "%-32s %5d %9s %7s %8s %7s %10s %7s   %s%s%n",
                    trial,
                    one.rules(),
                    seconds(one.detected()),
                    seconds(one.sent()),
                    seconds(one.blocked()),
                    seconds(one.proven()),
                    seconds(one.withdrawn()),
                    seconds(one.lifted()),
                    one.remark(),
                    one.others() == 0 ? "" : " (" + one.others() + " told of besides)");
            out.flush();
            missed += Double.isNaN(one.detected()) ? 1 : 0;
            detected = Math.max(detected, Double.isNaN(one.detected()) ? 0 : one.detected());
            others += one.others();
            left += (int) one.left();
            if (one.acted()) {
                acted++;
                blocked = Math.max(blocked, one.blocked());
                withdrawn =
                        Double.isNaN(one.withdrawn()) ? Double.POSITIVE_INFINITY : Math.max(withdrawn, one.withdrawn());
            }
        }
        out.printf(
                Locale.ROOT,
                "%ndetected %.2f s after the threshold at most, goal %.0f s: %s; withdrawn %.1f s after the end at most, goal %.0f s: %s%n",
                detected,
                DETECTED_SECONDS,
                missed == 0 && detected <= DETECTED_SECONDS ? "met" : "MISSED",
                withdrawn,
                WITHDRAWN_SECONDS,
                left == 0 && withdrawn <= WITHDRAWN_SECONDS ? "met" : "MISSED");
        Results results = new Results();
        results.put("attacks", trials.size());
        results.put("missed", missed);
        results.put("stopped", acted);
        results.put("others", others);
        results.put("left", left);
        results.put("detected.seconds", detected);
        results.put("blocked.seconds", blocked);
        results.put("withdrawn.seconds", Double.isInfinite(withdrawn) ? -1 : withdrawn);
        return results;
    }

    private static String seconds(double seconds) {
        return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.2f", seconds);
    }

    private static DefendTrial.Outcome measure(DefendTrial trial) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("pathlore-bench-");
        try {
            return trial.run(directory);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
