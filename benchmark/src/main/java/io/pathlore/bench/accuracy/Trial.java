package io.pathlore.bench.accuracy;

import io.pathlore.analysis.event.Event;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.model.FlowKey;
import io.pathlore.wire.decode.ReportVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One run of the virtual network whose reports go straight to the analysis, as {@code lab run}, {@code analyse} and {@code lab
 * score} do one after the other.
 *
 * @param lossPerBillion of reports on their way, or -1 for what the scenario says
 */
record Trial(String scenario, Mode mode, ReportVersion version, long seed, int lossPerBillion) {
    private static final int TOP = 3;

    /** What was found, and how right it is. */
    record Outcome(Score score, List<Event> events, long reports, Culprits culprits) {}

    /**
     * Of all episodes of queues, the three flows that filled each most.
     *
     * @param wanted how many they are
     * @param named how many of them are among the three that were named
     * @param equal how many of those named filled as much as the third, or a packet less
     * @param filled parts of the queues that they had
     * @param filledByNamed parts that those had who were named: flows of a burst may differ by a packet, which no report tells
     */
    record Culprits(int wanted, int named, int equal, long filled, long filledByNamed) {
        static final Culprits NONE = new Culprits(0, 0, 0, 0, 0);

        /** Octets by which flows may differ that are as good as equal: one that came as the queue began to be too long. */
        private static final long ONE_PACKET = 1_518;

        private static final int WHOLE = 10_000;

        Culprits and(Culprits more) {
            return new Culprits(
                    wanted + more.wanted,
                    named + more.named,
                    equal + more.equal,
                    filled + more.filled,
                    filledByNamed + more.filledByNamed);
        }

        private static Culprits of(Fact.Congestion queue, List<Event.Culprit> told) {
            List<Fact.Culprit> fact = queue.culprits();
            Map<FlowKey, Integer> shares =
                    fact.stream().collect(Collectors.toMap(Fact.Culprit::flow, Fact.Culprit::share));
            int wanted = Math.min(TOP, fact.size());
            // Where several filled it equally, any of them is right.
            int third = wanted == 0 ? 0 : fact.get(wanted - 1).share();
            int onePacket = (int) (ONE_PACKET * WHOLE / Math.max(1, queue.octets())) + 1;
            List<Integer> named = told.stream()
                    .limit(TOP)
                    .map(one -> shares.getOrDefault(one.flow(), 0))
                    .toList();
            return new Culprits(
                    wanted,
                    atLeast(third, named, wanted),
                    atLeast(third - onePacket, named, wanted),
                    fact.stream().limit(TOP).mapToLong(Fact.Culprit::share).sum(),
                    named.stream().mapToLong(Integer::longValue).sum());
        }
    }

    private static int atLeast(int third, List<Integer> named, int wanted) {
        long right = named.stream().filter(share -> share >= third && share > 0).count();
        return (int) Math.min(wanted, right);
    }

    /** The scenario as it runs; throws where it cannot be in this mode and version. */
    Scenario prepared() {
        Scenario scenario = ScenarioFiles.load(this.scenario, Path.of(""));
        scenario = scenario.withTelemetry(scenario.telemetry().withMode(mode));
        var reporting = scenario.telemetry().reporting().withVersion(version);
        reporting.format(1);
        scenario = scenario.withTelemetry(scenario.telemetry().withReporting(reporting));
        if (lossPerBillion >= 0) {
            LabOptions.Management usual = scenario.options().management();
            LabOptions.Management lossy = new LabOptions.Management(
                    usual.delayNanos(),
                    usual.jitterNanos(),
                    lossPerBillion,
                    usual.duplicatePerBillion(),
                    usual.reorderPerBillion(),
                    usual.reorderNanos());
            scenario = scenario.withOptions(scenario.options().withManagement(lossy));
        }
        return scenario;
    }

    Outcome run(Path directory) throws IOException {
        LabRun run = LabRun.of(prepared(), seed, directory);
        Score score = run.score();
        Map<String, Fact> factsById = new HashMap<>();
        run.facts().forEach(fact -> factsById.put(fact.id().toString(), fact));
        Map<String, Event> eventsById = new HashMap<>();
        run.events().forEach(event -> eventsById.put(event.id().toString(), event));
        Culprits culprits = Culprits.NONE;
        for (Score.Pair pair : score.pairs()) {
            Event event = eventsById.get(pair.detection().id());
            if (factsById.get(pair.fact().id()) instanceof Fact.Congestion fact
                    && event != null
                    && event.details() instanceof Event.Details.Congestion told) {
                culprits = culprits.and(Culprits.of(fact, told.culprits()));
            }
        }
        return new Outcome(score, run.events(), run.reports(), culprits);
    }

    @Override
    public String toString() {
        String loss = lossPerBillion < 0 ? "" : String.format(Locale.ROOT, " loss %.0f%%", lossPerBillion / 1e7);
        return "%s %s %s seed %d%s"
                .formatted(scenario, mode.name().toLowerCase(Locale.ROOT), version.label(), seed, loss);
    }
}
