package io.pathlore.it.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.EventJson;
import io.pathlore.bench.accuracy.LabRun;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.it.lab.Shipped;
import io.pathlore.wire.decode.ReportVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private LabRun run(Scenario scenario) throws IOException {
        return LabRun.of(scenario, SEED, directory);
    }

    @ParameterizedTest
    @MethodSource("trials")
    void findsWhatHappenedAndNothingElse(Trial trial) throws IOException {
        LabRun found = run(trial.scenario());
        Score score = found.score();
        assertThat(score.falseOnes()).isEmpty();
        assertThat(score.missed()).isEmpty();
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
            Score score = run(scenario.withOptions(scenario.options().withManagement(lossy)))
                    .score();
            right += score.pairs().size();
            wrong += score.falseOnes().size();
            missed += score.missed().size();
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
