package io.pathlore.it.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.EventJson;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.Recording;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.truth.Observed;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.dataplane.truth.Span;
import io.pathlore.it.lab.Shipped;
import io.pathlore.wire.decode.ReportVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The short form of {@code ./bench accuracy}: every shipped scenario in every mode, the versions in turn, one seed. */
class AccuracyTest {
    private static final int SEED = 1;
    private static final int FIVE_PERCENT = 50_000_000;

    /** A scenario as it runs. */
    record Trial(String name, Mode mode, ReportVersion version) {
        Scenario scenario() {
            Scenario scenario = Shipped.load(name, mode, version);
            scenario.telemetry().reporting().format(1); // throws where a dialect does not have the version
            return scenario;
        }

        boolean isPossible() {
            try {
                scenario();
                return true;
            } catch (IllegalArgumentException e) {
                return false;
            }
        }
    }

    private record Found(Score score, List<Event> events) {}

    @TempDir
    Path directory;

    static List<Trial> trials() {
        ReportVersion[] versions = ReportVersion.values();
        List<Trial> trials = new ArrayList<>();
        int turn = 0;
        for (String name : Shipped.names()) {
            for (Mode mode : Mode.values()) {
                turn++;
                for (int i = 0; i < versions.length; i++) {
                    Trial trial = new Trial(name, mode, versions[(turn + i) % versions.length]);
                    if (trial.isPossible()) {
                        trials.add(trial);
                        break;
                    }
                }
            }
        }
        return trials;
    }

    private Found run(Scenario scenario) throws IOException {
        Path inventory = Files.writeString(directory.resolve("inventory.yaml"), LabInventory.of(scenario, own -> own));
        Service service =
                new ConfigLoader(directory, directory, Map.of()).loadService(inventory, List.of("data=" + directory));
        Notes unread = new Notes(new PrintWriter(Writer.nullWriter()), () -> Shipped.EPOCH);
        List<Event> events = new ArrayList<>();
        Recording recording = new Recording(service, unread, events::add);
        ScenarioRun run = Shipped.begin(
                scenario,
                SEED,
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
        run.runUntil(Long.MAX_VALUE);
        recording.datagrams().end();
        List<Observed> truth = run.facts().stream().map(Observed::of).toList();
        List<Observed> found = events.stream().map(AccuracyTest::observed).toList();
        return new Found(Score.of(truth, found, service.analysis().silentAfter().toNanos()), events);
    }

    private static Observed observed(Event event) {
        return new Observed(
                event.kind(),
                event.id().toString(),
                event.identity(),
                new Span(event.startNanos(), event.endNanos(), Span.ABSENT),
                event.detectedAtNanos());
    }

    @ParameterizedTest
    @MethodSource("trials")
    void findsWhatHappenedAndNothingElse(Trial trial) throws IOException {
        Found found = run(trial.scenario());
        assertThat(found.score().falseOnes()).isEmpty();
        assertThat(found.score().missed()).isEmpty();
        if (trial.name.equals("quiet")) {
            assertThat(found.events()).isEmpty();
        }
    }

    @Test
    void isRightNearlyAlwaysWhereOneReportInTwentyIsLost() throws IOException {
        int right = 0;
        int wrong = 0;
        int missed = 0;
        List<Trial> trials = trials();
        for (int i = 0; i < trials.size(); i += 4) { // modes in turn
            Scenario scenario = trials.get(i).scenario();
            LabOptions.Management usual = scenario.options().management();
            LabOptions.Management lossy = new LabOptions.Management(
                    usual.delayNanos(),
                    usual.jitterNanos(),
                    FIVE_PERCENT,
                    usual.duplicatePerBillion(),
                    usual.reorderPerBillion(),
                    usual.reorderNanos());
            Found found = run(scenario.withOptions(scenario.options().withManagement(lossy)));
            right += found.score().pairs().size();
            wrong += found.score().falseOnes().size();
            missed += found.score().missed().size();
        }
        assertThat(right).isGreaterThan(20);
        assertThat((double) right / (right + wrong)).isGreaterThanOrEqualTo(0.97);
        assertThat((double) right / (right + missed)).isGreaterThanOrEqualTo(0.9);
    }

    @Test
    void tellsTheSameBytesTwice() throws IOException {
        Trial trial = new Trial("link-failure", Mode.XD, ReportVersion.V2_0);
        assertThat(lines(trial)).isNotEmpty().isEqualTo(lines(trial));
    }

    private String lines(Trial trial) throws IOException {
        EventJson json = new EventJson(EventJson.ReasonNames.NONE);
        StringBuilder lines = new StringBuilder();
        run(trial.scenario()).events().forEach(event -> lines.append(json.line(event)));
        return lines.toString();
    }
}
