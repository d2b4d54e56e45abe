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
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One run of the virtual network whose reports go straight to the analysis, as {@code lab run}, {@code analyse} and {@code lab
 * score} do one after the other.
 *
 * @param lossPerBillion of reports on their way, or -1 for what the scenario says
 */
record Trial(String scenario, Mode mode, ReportVersion version, long seed, int lossPerBillion) {
    private static final int TOP = 3;

    /** What was found, and how right it is. Culprits are the three that filled a queue most. */
    record Outcome(Score score, List<Event> events, long reports, int culprits, int culpritsFound) {}

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
        int asked = 0;
        int named = 0;
        for (Score.Pair pair : score.pairs()) {
            Event event = eventsById.get(pair.detection().id());
            if (factsById.get(pair.fact().id()) instanceof Fact.Congestion fact
                    && event != null
                    && event.details() instanceof Event.Details.Congestion told) {
                // Where several filled it equally, any of them is right.
                int third = fact.culprits().stream()
                        .limit(TOP)
                        .mapToInt(Fact.Culprit::share)
                        .min()
                        .orElse(0);
                Set<FlowKey> most = fact.culprits().stream()
                        .filter(one -> one.share() >= third)
                        .map(Fact.Culprit::flow)
                        .collect(Collectors.toSet());
                int wanted = Math.min(TOP, fact.culprits().size());
                asked += wanted;
                named += (int) Math.min(
                        wanted,
                        told.culprits().stream()
                                .limit(TOP)
                                .filter(one -> most.contains(one.flow()))
                                .count());
            }
        }
        return new Outcome(score, run.events(), run.reports(), asked, named);
    }

    @Override
    public String toString() {
        String loss = lossPerBillion < 0 ? "" : String.format(Locale.ROOT, " loss %.0f%%", lossPerBillion / 1e7);
        return "%s %s %s seed %d%s"
                .formatted(scenario, mode.name().toLowerCase(Locale.ROOT), version.label(), seed, loss);
    }
}
