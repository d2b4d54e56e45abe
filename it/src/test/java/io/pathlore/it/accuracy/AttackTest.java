package io.pathlore.it.accuracy;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.bench.attacks.AttackTrial;
import io.pathlore.bench.attacks.HarmlessTrial;
import io.pathlore.model.AttackVector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The short form of {@code ./bench attacks}: each vector four times, all networks, numbers of devices and samplings among them. */
class AttackTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int HARMLESS_SECONDS = 20;

    @TempDir
    Path directory;

    static List<AttackTrial> trials() {
        List<AttackTrial> all = AttackTrial.all(1);
        List<AttackTrial> some = new ArrayList<>();
        for (int i = 0; i < all.size(); i += 4) { // one family and sampling of each pair, in turn
            some.add(all.get(i + i / 4 % 2));
            some.add(all.get(i + 2 + (i / 4 + 1) % 2));
        }
        return some;
    }

    @ParameterizedTest
    @MethodSource("trials")
    void findsTheAttackAndNamesItsDevicesAndNobodyElse(AttackTrial trial) throws IOException {
        AttackTrial.Outcome outcome = trial.run(directory);
        assertThat(outcome.score().missed()).isEmpty();
        assertThat(outcome.score().falseOnes()).isEmpty();
        assertThat(outcome.score().pairs()).hasSize(1);
        assertThat(outcome.right()).isEqualTo(outcome.devices());
        // Reports of homes do not name who sends ICMP: it cannot carry telemetry there.
        boolean unnamed = trial.vector() == AttackVector.ICMP_FLOOD && trial.where() == AttackTrial.Where.HOMES;
        assertThat(outcome.right()).isEqualTo(unnamed ? 0 : outcome.part());
        if (trial.vector() != AttackVector.SCAN) {
            assertThat(outcome.delayNanos()).isLessThanOrEqualTo(SECOND);
        }
    }

    @ParameterizedTest
    @EnumSource(HarmlessTrial.Kind.class)
    void muchTrafficIsNoAttack(HarmlessTrial.Kind kind) throws IOException {
        HarmlessTrial.Outcome outcome = new HarmlessTrial(kind, HARMLESS_SECONDS, 1).run(directory);
        assertThat(outcome.reports())
                .isGreaterThan(100); // a scan of ten packets a second, one in ten of which is reported
        assertThat(outcome.attacks()).isEmpty();
        assertThat(outcome.rules()).isZero();
    }
}
