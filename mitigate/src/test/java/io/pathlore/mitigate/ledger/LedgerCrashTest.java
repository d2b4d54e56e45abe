package io.pathlore.mitigate.ledger;

import static io.pathlore.mitigate.ledger.Bench.ANN;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.mitigate.ledger.CrashFiles.PowerFailure;
import io.pathlore.model.Rule;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Lives of a ledger that each end in a crash, in any operation on its files, of the process or of the machine. The network lives on. Whatever
 * happened: no rule is in force that the next process does not know of, what was refused is not there, and in the end the network has what is
 * wanted, once, and nothing else.
 */
class LedgerCrashTest {
    private static final int RULES = 8;

    @Test
    void neverForgetsARuleAndNeverHasTwo() {
        forAll(3_000, RandomGenerator::nextLong, seed -> new Lives(seed).run());
    }

    private static final class Lives {
        private final RandomGenerator random;
        private final CrashFiles files;
        private final Bench bench;
        private final Set<Rule> withdrawn = new HashSet<>();

        Lives(long seed) {
            random = new SplittableRandom(seed);
            files = new CrashFiles(random);
            bench = new Bench(files, Mode.AUTO);
            bench.limits = new Limits(6, 6, 1000, Limits.DEFAULT.expiry());
        }

        void run() {
            for (int life = 2 + random.nextInt(4); life > 0; life--) {
                try {
                    files.crashAfter(1 + random.nextInt(60));
                    bench.restart();
                    check();
                    for (int i = random.nextInt(60); i > 0; i--) {
                        step();
                    }
                } catch (PowerFailure crash) {
                    // The next life goes on.
                }
                if (random.nextBoolean()) {
                    files.kill();
                } else {
                    files.loseUnsafe();
                }
            }
            bench.restart();
            check();
            bench.work();
            bench.pass(70);
            Set<Rule> wanted = new HashSet<>();
            for (Mitigation mitigation : bench.ledger.shown()) {
                if (mitigation.wanted()) {
                    assertThat(wanted.add(mitigation.rule()))
                            .as("one for each key")
                            .isTrue();
                    assertThat(mitigation.sent()).isTrue();
                }
            }
            assertThat(bench.access.inForce).isEqualTo(wanted);
        }

        /** Right after a start. */
        private void check() {
            Set<Rule> known = new HashSet<>();
            for (Mitigation mitigation : bench.ledger.shown()) {
                if (!mitigation.state().isOver()) {
                    known.add(mitigation.rule());
                    assertThat(withdrawn).as("what was acknowledged as gone").doesNotContain(mitigation.rule());
                }
            }
            assertThat(known).containsAll(bench.access.inForce);
        }

        private void step() {
            int number = random.nextInt(RULES);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (!withdrawn.contains(Bench.rule(number))) {
                        bench.ledger.propose(Bench.proposal(number));
                    }
                }
                case 3 -> withdraw(Bench.rule(number));
                case 4 -> bench.fail(random.nextBoolean());
                case 5 -> bench.pass(1 + random.nextInt(5));
                case 6 -> bench.ledger.dropReport(Bench.NODE, Bench.key(Bench.rule(number)), random.nextInt(100), true);
                default -> bench.work();
            }
        }

        /** Once gone for good, it is not proposed again, so that it can be told whether it came back. */
        private void withdraw(Rule rule) {
            for (Mitigation mitigation : bench.ledger.shown()) {
                if (mitigation.rule().equals(rule) && !mitigation.state().isOver()) {
                    Answer answer = bench.ledger.withdraw(mitigation.id(), mitigation.revision(), ANN);
                    bench.work();
                    if (answer instanceof Answer.Done && bench.of(rule).state() == State.WITHDRAWN) {
                        withdrawn.add(rule);
                    }
                }
            }
        }
    }

    /** A damaged place in the middle costs the record it hits, not those behind it. */
    @Test
    void readsOnBehindDamage() {
        CrashFiles files = new CrashFiles(new SplittableRandom(1));
        Bench bench = new Bench(files, Mode.AUTO);
        for (int i = 0; i < 3; i++) {
            bench.ledger.propose(Bench.proposal(i));
            bench.work();
        }
        bench.restart();
        byte[] bytes = files.content(LedgerFile.NAME);
        bytes[40] ^= 1;
        files.put(LedgerFile.NAME, bytes);
        bench.restart();
        assertThat(bench.ledger.shown()).extracting(Mitigation::rule).contains(Bench.rule(1), Bench.rule(2));
    }
}
