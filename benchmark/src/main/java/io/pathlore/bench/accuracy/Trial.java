package io.pathlore.bench.accuracy;

import io.pathlore.analysis.event.Event;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.Recording;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.Observed;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.dataplane.truth.Span;
import io.pathlore.model.FlowKey;
import io.pathlore.wire.decode.ReportVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One run of the virtual network whose reports go straight to the analysis, as {@code lab run}, {@code analyse} and {@code lab
 * score} do one after the other.
 *
 * @param lossPerBillion of reports on their way, or -1 for what the scenario says
 */
record Trial(String scenario, Mode mode, ReportVersion version, long seed, int lossPerBillion) {
    /** 2026-01-01, where the command starts too. */
    private static final long EPOCH = 1_767_225_600_000_000_000L;

    private static final int TOP = 3;
    private static final long STEP_NANOS = 1_000_000_000L;

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
        Scenario scenario = prepared();
        Path inventory = Files.writeString(directory.resolve("inventory.yaml"), LabInventory.of(scenario, own -> own));
        Service service =
                new ConfigLoader(directory, directory, Map.of()).loadService(inventory, List.of("data=" + directory));
        List<Event> events = new ArrayList<>();
        Recording recording =
                new Recording(service, new Notes(new PrintWriter(Writer.nullWriter()), () -> EPOCH), events::add);
        ScenarioRun run = new ScenarioRun(
                scenario,
                seed,
                WorldTime.from(EPOCH),
                new ScenarioNodes(),
                LabListener.NOBODY,
                (time, address, port, destination, payload, from, end) -> recording
                        .datagrams()
                        .add(
                                time,
                                destination.v6(),
                                0,
                                Integer.toUnsignedLong(address),
                                port,
                                destination.addressHigh(),
                                destination.addressLow(),
                                destination.port(),
                                payload,
                                from,
                                end));
        for (long until = STEP_NANOS; run.runUntil(until); until += STEP_NANOS) {}
        recording.datagrams().end();
        List<Fact> facts = run.facts();
        List<Observed> truth = facts.stream().map(Observed::of).toList();
        List<Observed> found = events.stream().map(Trial::observed).toList();
        Score score = Score.of(truth, found, service.analysis().silentAfter().toNanos());
        Map<String, Fact> factsById = new HashMap<>();
        facts.forEach(fact -> factsById.put(fact.id().toString(), fact));
        Map<String, Event> eventsById = new HashMap<>();
        events.forEach(event -> eventsById.put(event.id().toString(), event));
        int asked = 0;
        int named = 0;
        for (Score.Pair pair : score.pairs()) {
            Event event = eventsById.get(pair.detection().id());
            if (factsById.get(pair.fact().id()) instanceof Fact.Congestion fact
                    && event != null
                    && event.details() instanceof Event.Details.Congestion told) {
                List<FlowKey> most = told.culprits().stream()
                        .limit(TOP)
                        .map(Event.Culprit::flow)
                        .toList();
                List<FlowKey> wanted = fact.culprits().stream()
                        .limit(TOP)
                        .map(Fact.Culprit::flow)
                        .toList();
                asked += wanted.size();
                named += (int) wanted.stream().filter(most::contains).count();
            }
        }
        return new Outcome(score, events, recording.reports(), asked, named);
    }

    private static Observed observed(Event event) {
        return new Observed(
                event.kind(),
                event.id().toString(),
                event.identity(),
                new Span(event.startNanos(), event.endNanos(), Span.ABSENT),
                event.detectedAtNanos());
    }

    @Override
    public String toString() {
        String loss = lossPerBillion < 0 ? "" : String.format(Locale.ROOT, " loss %.0f%%", lossPerBillion / 1e7);
        return "%s %s %s seed %d%s"
                .formatted(scenario, mode.name().toLowerCase(Locale.ROOT), version.label(), seed, loss);
    }
}
