package io.pathlore.mitigate.ledger;

import static io.pathlore.mitigate.ledger.Bench.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.mitigate.enforcer.Rules;
import io.pathlore.mitigate.enforcer.TransparentSecurity;
import io.pathlore.model.EventId;
import io.pathlore.model.Rule;
import io.pathlore.testkit.controller.ScriptedController;
import io.pathlore.testkit.controller.ScriptedController.Manner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The whole of it against a controller with bad days: threads, disk and sockets are real. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT) // each with its own controller, for which it mostly waits
class MitigationsTest {
    private static final EventId ATTACK = new EventId(1);

    private final ScriptedController controller = new ScriptedController();
    private final MovedClock clock = new MovedClock();

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @AfterEach
    void close() {
        controller.close();
    }

    private TransparentSecurity enforcer() {
        return new TransparentSecurity("access", controller.uri(), false, Duration.ofMillis(500));
    }

    private Mitigations open(Mode mode) throws IOException {
        return new Mitigations(directory, Quiet.parts(mode, clock, enforcer()));
    }

    private static Proposal proposal(int device) {
        return new Proposal(ATTACK, rule(device), "access", 1, "a flood", 1000, true);
    }

    private static Rule rule(int device) {
        return Rules.device(0x100 + device, 5792);
    }

    private static List<Mitigation> await(Mitigations mitigations, Predicate<List<Mitigation>> wanted) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (true) {
            List<Mitigation> now = mitigations.view().mitigations();
            if (wanted.test(now)) {
                return now;
            }
            assertThat(System.nanoTime()).as("in time; last: " + now).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static Predicate<List<Mitigation>> all(int count, State state) {
        return list -> list.size() == count && list.stream().allMatch(one -> one.state() == state);
    }

    @Test
    void everyBadDayEndsInOneRule() throws IOException {
        for (Manner manner : Manner.values()) {
            controller.restart();
            controller.next(manner, manner);
            try (Mitigations mitigations =
                    new Mitigations(directory.resolve(manner.name()), Quiet.parts(Mode.AUTO, clock, enforcer()))) {
                mitigations.propose(proposal(1));
                await(mitigations, list -> !list.isEmpty() && list.getFirst().sent());
                Mitigation one = mitigations.view().mitigations().getFirst();
                assertThat(one.wanted()).isTrue();
                assertThat(one.proven()).as("whatever it says").isFalse();
                if (manner == Manner.ONLY_SAYS_SO) {
                    int calls = controller.calls().size();
                    clock.move(Duration.ofSeconds(31));
                    await(mitigations, _ -> controller.calls().size() > calls);
                    clock.move(Duration.ofSeconds(31));
                    await(mitigations, _ -> !controller.keys().isEmpty());
                }
                assertThat(controller.keys()).as(manner.name()).containsExactly("995ea670045472dd");
                long key = HexFormat.fromHexDigitsToLong("995ea670045472dd");
                mitigations.dropReport(1, key, 10, true);
                await(mitigations, all(1, State.PROVEN));
                controller.next(manner == Manner.ONLY_SAYS_SO ? Manner.ERROR : manner);
                Mitigation proven = mitigations.view().mitigations().getFirst();
                mitigations.withdraw(proven.id(), proven.revision(), ANN);
                await(mitigations, all(1, State.WITHDRAWN));
                assertThat(controller.keys()).as(manner.name()).isEmpty();
            }
        }
    }

    @Test
    void theNextProcessGoesOnWhereThisOneStopped() throws IOException {
        controller.manner(Manner.DOWN);
        try (Mitigations mitigations = open(Mode.AUTO)) {
            mitigations.propose(proposal(1));
            await(
                    mitigations,
                    list -> !list.isEmpty() && !list.getFirst().trouble().isEmpty());
            assertThat(controller.keys()).isEmpty();
        }
        controller.manner(Manner.FINE);
        try (Mitigations mitigations = open(Mode.AUTO)) {
            await(mitigations, all(1, State.SENT));
            assertThat(controller.keys()).hasSize(1);
            assertThatThrownBy(() -> open(Mode.AUTO)).hasMessageContaining("another collector has them");
            clock.move(Duration.ofMinutes(5));
            await(mitigations, all(1, State.EXPIRED));
            assertThat(controller.keys()).isEmpty();
        }
    }

    @Test
    void theKillSwitchIsDoneWithinThirtySecondsOfASlowController() throws IOException {
        try (Mitigations mitigations = open(Mode.AUTO)) {
            for (int i = 0; i < 5; i++) {
                mitigations.propose(proposal(i));
            }
            await(mitigations, all(5, State.SENT));
            controller.manner(Manner.SLOW);
            long begin = System.nanoTime();
            assertThat(mitigations.withdrawAll(ANN)).hasSize(5);
            assertThat(mitigations.view().mode()).isEqualTo(Mode.OBSERVE);
            await(
                    mitigations,
                    list -> list.stream()
                            .allMatch(one -> one.state() == State.FAILED || one.state() == State.WITHDRAWN));
            assertThat(System.nanoTime() - begin).isLessThan(30_000_000_000L);
            controller.manner(Manner.FINE);
            clock.move(Duration.ofMinutes(1));
            await(mitigations, all(5, State.WITHDRAWN));
            assertThat(controller.keys()).isEmpty();
        }
    }

    @Test
    void oneOfManyOperatorsWins() throws Exception {
        try (Mitigations mitigations = open(Mode.PROPOSE)) {
            mitigations.propose(proposal(1));
            Mitigation seen = await(
                            mitigations,
                            list -> list.size() == 1 && list.getFirst().blastRadius() == 125)
                    .getFirst();
            List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
            List<Thread> operators = IntStream.range(0, 16)
                    .mapToObj(i -> Thread.ofVirtual()
                            .start(() -> answers.add(
                                    i % 2 == 0
                                            ? mitigations.approve(
                                                    seen.id(), seen.revision(), Operator.named("operator-" + i))
                                            : mitigations.withdraw(
                                                    seen.id(), seen.revision(), Operator.named("operator-" + i)))))
                    .toList();
            for (Thread operator : operators) {
                operator.join();
            }
            assertThat(answers).hasSize(16);
            assertThat(answers.stream().filter(answer -> answer instanceof Answer.Done))
                    .hasSize(1);
            assertThat(answers.stream().filter(answer -> answer instanceof Answer.Stale))
                    .hasSize(15);
        }
    }
}
