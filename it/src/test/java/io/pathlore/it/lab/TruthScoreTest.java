package io.pathlore.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.ReportSink;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.Observed;
import io.pathlore.dataplane.truth.Score;
import io.pathlore.testkit.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who says exactly what happened is right in every way, through the file and back. */
class TruthScoreTest {
    private static final long SILENT_AFTER = 30 * Shipped.SECOND;

    static List<String> scenarios() {
        return Shipped.names();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void theTruthScoresFullMarks(String name) {
        Scenario scenario = Shipped.load(name);
        ScenarioRun run = Shipped.begin(scenario, 1, LabListener.NOBODY, ReportSink.NOWHERE);
        run.runUntil(Long.MAX_VALUE);
        List<Fact> facts = run.facts();
        List<Observed> truth = Shipped.truth(scenario, 1, facts)
                .lines()
                .map(line -> Observed.of(Json.object(line)))
                .flatMap(Optional::stream)
                .toList();
        assertThat(truth).isEqualTo(facts.stream().map(Observed::of).toList());

        Score score = Score.of(truth, truth, SILENT_AFTER);
        int visible =
                (int) facts.stream().filter(fact -> fact.span().isVisible()).count();
        assertThat(score.precision()).isEqualTo(1);
        assertThat(score.recall()).isEqualTo(1);
        assertThat(score.pairs()).hasSize(visible).allMatch(pair -> pair.fact().equals(pair.detection()));
        assertThat(score.missed()).isEmpty();
        assertThat(score.falseOnes()).isEmpty();
        assertThat(score.invisible()).hasSize(facts.size() - visible);
        assertThat(score.unjudged()).isEqualTo(score.invisible());
    }
}
