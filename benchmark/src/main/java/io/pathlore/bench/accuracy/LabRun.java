package io.pathlore.bench.accuracy;

import io.pathlore.analysis.event.Event;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.Recording;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.Observed;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.dataplane.truth.Span;
import io.pathlore.model.EventKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A virtual network whose reports go straight to the analysis, with what happened in it and what was found. */
public record LabRun(List<Fact> facts, List<Event> events, Service service, long reports) {
    /** 2026-01-01, where the command starts too. */
    private static final long EPOCH = 1_767_225_600_000_000_000L;

    private static final long STEP_NANOS = 1_000_000_000L;

    /** {@code yaml} is a scenario. */
    public static LabRun of(String yaml, long seed, Path directory) throws IOException {
        Files.writeString(directory.resolve("scenario.yaml"), yaml);
        return of(ScenarioFiles.load("scenario.yaml", directory), seed, directory);
    }

    /** With a collector that has the defaults. */
    public static LabRun of(Scenario scenario, long seed, Path directory) throws IOException {
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
        return new LabRun(run.facts(), events, service, recording.reports());
    }

    /** How right what was found is. */
    public Score score() {
        return score(_ -> true);
    }

    /** As if there were events of these kinds only. */
    public Score score(Predicate<EventKind> kinds) {
        List<Observed> truth = facts.stream()
                .map(Observed::of)
                .filter(one -> kinds.test(one.kind()))
                .toList();
        List<Observed> found = events.stream()
                .filter(event -> kinds.test(event.kind()))
                .map(LabRun::observed)
                .toList();
        return Score.of(truth, found, service.analysis().silentAfter().toNanos());
    }

    private static Observed observed(Event event) {
        return new Observed(
                event.kind(),
                event.id().toString(),
                event.identity(),
                new Span(event.startNanos(), event.endNanos(), Span.ABSENT),
                event.detectedAtNanos());
    }
}
