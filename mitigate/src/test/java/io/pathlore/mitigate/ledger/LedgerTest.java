package io.pathlore.mitigate.ledger;

import static io.pathlore.mitigate.ledger.Bench.ANN;
import static io.pathlore.mitigate.ledger.Bench.ATTACK;
import static io.pathlore.mitigate.ledger.Bench.BOB;
import static io.pathlore.mitigate.ledger.Bench.SECOND;
import static io.pathlore.mitigate.ledger.Bench.proposal;
import static io.pathlore.mitigate.ledger.Bench.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.model.EventId;
import io.pathlore.model.JsonLine;
import io.pathlore.model.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Bench bench = new Bench();

    private Mitigation blocked(int number) {
        bench.ledger.propose(proposal(number));
        bench.work();
        return bench.of(rule(number));
    }

    private static Bench proposing() {
        return new Bench(new CrashFiles(new SplittableRandom(1)), Mode.PROPOSE);
    }

    // States.

    @Test
    void whatIsOverStaysOver() {
        for (State state : State.values()) {
            assertThat(state.isOver())
                    .isEqualTo(Set.of(State.WITHDRAWN, State.REFUSED, State.EXPIRED)
                            .contains(state));
            assertThat(state.mayBecome(state)).isFalse();
        }
        assertThat(State.PROPOSED.mayBecome(State.SENT))
                .as("nothing is sent that nobody approved")
                .isFalse();
        assertThat(State.APPROVED.mayBecome(State.PROVEN)).isFalse();
        assertThat(State.SENT.mayBecome(State.WITHDRAWN))
                .as("what was sent is taken back first")
                .isFalse();
    }

    @Test
    void goesTheWholeWay() {
        bench.ledger.propose(proposal(1));
        assertThat(bench.only().state()).isEqualTo(State.APPROVED);
        assertThat(bench.only().sent()).isFalse();
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.SENT);
        assertThat(bench.only().proven())
                .as("the controller says yes to everything")
                .isFalse();
        bench.report(rule(1), 5_000);
        bench.report(rule(1), 15_000);
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
        assertThat(bench.only().packetsPerSecond()).isEqualTo(1_000);
        bench.report(rule(1), 15_000);
        bench.report(rule(1), 15_000);
        assertThat(bench.only().state()).isEqualTo(State.WITHDRAWN);
        assertThat(bench.only().ended()).isEqualTo("the attack is over");
        assertThat(bench.access.inForce).isEmpty();
        assertThat(bench.acts)
                .containsExactly(
                        "pathlore proposed",
                        "auto approved",
                        "pathlore sent",
                        "pathlore proven",
                        "pathlore decaying",
                        "pathlore withdrawn");
    }

    @Test
    void tellsWhatWasStoppedBetweenTwoReports() {
        blocked(1);
        bench.report(rule(1), 5_000);
        bench.report(rule(1), 15_000);
        bench.report(rule(1), 15_000);
        assertThat(bench.stopped).containsExactly("5000 in 10 s", "10000 in 10 s");
        bench.restart();
        bench.work();
        bench.report(rule(1), 25_000);
        assertThat(bench.stopped).as("nobody knows since when that is").hasSize(2);
        bench.report(rule(1), 27_000);
        assertThat(bench.stopped).hasSize(3).last().isEqualTo("2000 in 10 s");
    }

    @Test
    void observesAndInstallsNothing() {
        Bench observing = new Bench(new CrashFiles(new SplittableRandom(1)), Mode.OBSERVE);
        observing.ledger.propose(proposal(1));
        observing.pass(5);
        Mitigation seen = observing.only();
        assertThat(seen.state()).isEqualTo(State.OBSERVED);
        assertThat(observing.ledger.approve(seen.id(), seen.revision(), ANN)).isInstanceOf(Answer.Refused.class);
        assertThat(observing.access.installs).isZero();
    }

    @Test
    void waitsForAnOperator() {
        Bench proposing = proposing();
        proposing.ledger.propose(proposal(1));
        proposing.pass(5);
        assertThat(proposing.only().state()).isEqualTo(State.PROPOSED);
        assertThat(proposing.orders).isEmpty();
        assertThat(proposing.ledger.approve(
                        proposing.only().id(), proposing.only().revision(), ANN))
                .isInstanceOf(Answer.Done.class);
        proposing.work();
        assertThat(proposing.only().state()).isEqualTo(State.SENT);
        assertThat(proposing.only().owner()).isEqualTo("ann");
    }

    @Test
    void leavesToAPersonWhatTheEvidenceDoesNotSufficeFor() {
        bench.ledger.propose(new Proposal(ATTACK, rule(1), "access", 3, "a flood", 9, false));
        bench.pass(3);
        assertThat(bench.only().state()).isEqualTo(State.PROPOSED);
        bench.ledger.propose(proposal(1));
        assertThat(bench.only().state()).isEqualTo(State.APPROVED);
    }

    @Test
    void doesNotDoAgainByItselfWhatAnOperatorUndid() {
        Mitigation first = blocked(1);
        bench.ledger.withdraw(first.id(), first.revision(), ANN);
        bench.work();
        for (int i = 0; i < 3; i++) {
            bench.ledger.propose(proposal(1));
            bench.pass(10);
        }
        assertThat(bench.of(rule(1)).state()).isEqualTo(State.PROPOSED);
        assertThat(bench.access.inForce).isEmpty();
        bench.restart();
        bench.ledger.propose(proposal(1));
        bench.work();
        assertThat(bench.of(rule(1)).state()).as("also after a restart").isEqualTo(State.PROPOSED);
        Mitigation again = bench.of(rule(1));
        bench.ledger.approve(again.id(), again.revision(), ANN);
        bench.work();
        assertThat(bench.of(rule(1)).state()).isEqualTo(State.SENT);
        Mitigation kept = bench.of(rule(1));
        bench.ledger.withdraw(kept.id(), kept.revision(), ANN);
        bench.work();
        bench.ledger.propose(new Proposal(new EventId(7), rule(1), "access", 3, "another flood", 9, true));
        assertThat(bench.of(rule(1)).state()).as("another attack").isEqualTo(State.APPROVED);
    }

    @Test
    void hasOneEntryForOneKey() {
        for (int i = 0; i < 5; i++) {
            bench.ledger.propose(proposal(1));
            bench.work();
        }
        assertThat(bench.ledger.shown()).hasSize(1);
        assertThat(bench.access.installs).isEqualTo(1);
    }

    @Test
    void refusesWhatTheJudgeRefusesAndSaysWhy() {
        bench.judge = (rule, _) -> rule.equals(rule(1)) ? "192.168.1.10 is never blocked" : null;
        bench.restart();
        bench.ledger.propose(proposal(1));
        bench.ledger.propose(proposal(1));
        bench.pass(10);
        assertThat(bench.only().state()).isEqualTo(State.REFUSED);
        assertThat(bench.only().trouble()).isEqualTo("192.168.1.10 is never blocked");
        assertThat(bench.acts).containsOnlyOnce("pathlore refused");
        assertThat(bench.access.installs).isZero();
        bench.ledger.propose(proposal(2, "nowhere", 1));
        assertThat(bench.of(rule(2)).trouble()).isEqualTo("there is no enforcer nowhere");
    }

    @Test
    void asksTheJudgeAgainWhenAnOperatorApproves() {
        Bench proposing = proposing();
        boolean[] changed = {false};
        proposing.judge = (_, _) -> changed[0] ? "not any more" : null;
        proposing.restart();
        proposing.ledger.propose(proposal(1));
        changed[0] = true;
        Mitigation seen = proposing.only();
        assertThat(proposing.ledger.approve(seen.id(), seen.revision(), ANN))
                .isEqualTo(new Answer.Refused("not any more"));
        assertThat(proposing.only().state()).isEqualTo(State.REFUSED);
    }

    // Caps (M-11).

    @Test
    void keepsToFiveNewOnesInAMinuteAndTakesTheWorstFirst() {
        Bench proposing = proposing();
        for (int i = 0; i < 20; i++) {
            proposing.ledger.propose(proposal(i, "access", 100 + i));
        }
        proposing.restart(Mode.AUTO, Limits.DEFAULT);
        proposing.work();
        assertThat(proposing.access.inForce)
                .containsExactlyInAnyOrder(rule(19), rule(18), rule(17), rule(16), rule(15));
        assertThat(proposing.alerts).containsExactly("CAP mitigations wait: no more than 5 new rules in a minute");
        proposing.pass(59);
        assertThat(proposing.access.inForce).hasSize(5);
        proposing.pass(2);
        assertThat(proposing.access.inForce).hasSize(10).contains(rule(14));
        assertThat(proposing.alerts).hasSize(1);
    }

    /** A thousand victims at once: five rules in the first minute, those that stop most, and one call for a person. */
    @Test
    void aThousandVictimsCallAPersonOnce() {
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, 1_000).boxed().toList());
        Collections.shuffle(numbers, new Random(1));
        Bench proposing = proposing();
        numbers.forEach(number -> proposing.ledger.propose(proposal(number, "access", number)));
        proposing.restart(Mode.AUTO, Limits.DEFAULT);
        List<Rule> order = new ArrayList<>();
        for (int minute = 1; minute <= 4; minute++) {
            proposing.pass(60);
            proposing.access.inForce.stream()
                    .filter(rule -> !order.contains(rule))
                    .sorted(Comparator.comparingLong(
                            (Rule rule) -> -rule.match().device()))
                    .forEach(order::add);
        }
        assertThat(order)
                .as("16 for one enforcer, the worst first")
                .isEqualTo(IntStream.range(0, 16).mapToObj(i -> rule(999 - i)).toList());
        assertThat(proposing.alerts).as("a person is called once").hasSize(1);
        assertThat(proposing.ledger.shown())
                .filteredOn(one -> one.state() == State.PROPOSED)
                .hasSize(984)
                .allMatch(one -> one.trouble().startsWith("no more than"));
    }

    @Test
    void keepsToItsCapsForEveryEnforcerAndInAll() {
        bench.networks.put("core", new Bench.Network("core"));
        bench.restart(Mode.AUTO, new Limits(5, 3, 1000, Duration.ofMinutes(5)));
        for (int i = 0; i < 100; i++) {
            bench.ledger.propose(proposal(i, "access", i));
            bench.ledger.propose(proposal(i, "core", i));
            bench.work();
        }
        assertThat(bench.access.inForce).hasSize(3);
        assertThat(((Bench.Network) bench.networks.getOrDefault("core", bench.access)).inForce)
                .hasSize(2);
        assertThat(bench.alerts).hasSize(1);
        Mitigation waiting = bench.ledger.shown().stream()
                .filter(mitigation -> mitigation.state() == State.PROPOSED)
                .findFirst()
                .orElseThrow();
        assertThat(bench.ledger.approve(waiting.id(), waiting.revision(), ANN))
                .as("nor does an operator get past them")
                .isEqualTo(new Answer.Refused("no more than 5 rules"));
    }

    @Test
    void listsNoMoreThanItCanHoldAndKeepsTheWorst() {
        Bench proposing = proposing();
        for (int i = 0; i < Ledger.CAPACITY + 50; i++) {
            proposing.ledger.propose(proposal(i, "access", i));
        }
        List<Mitigation> live = proposing.ledger.shown().stream()
                .filter(mitigation -> !mitigation.state().isOver())
                .toList();
        assertThat(live)
                .hasSize(Ledger.CAPACITY)
                .noneMatch(mitigation -> mitigation.rule().equals(rule(0)));
        assertThat(proposing.ledger.turnedAway()).isEqualTo(50);
        proposing.ledger.propose(proposal(100_000, "access", 0));
        assertThat(proposing.ledger.turnedAway()).isEqualTo(51);
    }

    // Expiry (M-09).

    @Test
    void everyRuleExpires() {
        blocked(1);
        assertThat(bench.only().expiresNanos()).isEqualTo(bench.epoch + 300 * SECOND);
        bench.pass(299);
        assertThat(bench.access.inForce).hasSize(1);
        bench.pass(1);
        assertThat(bench.access.inForce).isEmpty();
        assertThat(bench.only().state()).isEqualTo(State.EXPIRED);
    }

    /** It is on its way out, however long the enforcer takes to say so. */
    @Test
    void whatIsTakenBackHasNoTimeLeft() {
        blocked(1);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        assertThat(bench.only().state()).isEqualTo(State.DECAYING);
        assertThat(bench.only().expiresNanos()).isEqualTo(JsonLine.NO_TIME);
        for (int i = 0; i < 5; i++) {
            bench.fail(false);
            bench.advance(60 * SECOND);
            bench.ledger.tick();
        }
        assertThat(bench.only().state()).isEqualTo(State.FAILED);
        assertThat(bench.only().toJson()).doesNotContain("expiresAt");
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.WITHDRAWN);
        assertThat(bench.only().toJson()).doesNotContain("expiresAt");
    }

    @Test
    void evidenceRenewsButNotBeyondADay() {
        blocked(1);
        long day = Duration.ofHours(24).toSeconds();
        for (long second = 0; second < day - 100; second += 100) {
            bench.pass(100);
            bench.ledger.evidence(ATTACK);
            assertThat(bench.access.inForce).hasSize(1);
        }
        bench.pass(99);
        assertThat(bench.access.inForce).hasSize(1);
        bench.pass(1);
        assertThat(bench.access.inForce).isEmpty();
    }

    @Test
    void aProposalNobodyTakesExpires() {
        Bench proposing = proposing();
        proposing.ledger.propose(proposal(1));
        proposing.pass(300);
        assertThat(proposing.only().state()).isEqualTo(State.EXPIRED);
        assertThat(proposing.access.installs).isZero();
    }

    /** The wall clock jumps by a day, both ways; only the other one counts. */
    @Test
    void expiryDoesNotFollowTheWallClock() {
        blocked(1);
        bench.epoch += 86_400 * SECOND;
        bench.pass(150);
        bench.epoch -= 2 * 86_400 * SECOND;
        bench.pass(149);
        assertThat(bench.access.inForce).hasSize(1);
        bench.pass(1);
        assertThat(bench.access.inForce).isEmpty();
    }

    @Test
    void whatWasLeftIsLeftAfterARestart() {
        blocked(1);
        bench.pass(100);
        bench.restart();
        bench.work();
        bench.pass(199);
        assertThat(bench.access.inForce).hasSize(1);
        bench.pass(1);
        assertThat(bench.access.inForce).isEmpty();
    }

    /** Nobody ran for ten minutes; the wall clock says so, or says that it was yesterday: it never grows. */
    @Test
    void aLongSleepNeverLengthensALife() {
        blocked(1);
        bench.epoch += 600 * SECOND;
        bench.nanos = 5 * SECOND;
        bench.restart();
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.EXPIRED);
        blocked(2);
        bench.epoch -= 86_400 * SECOND;
        bench.restart();
        bench.work();
        bench.pass(299);
        assertThat(bench.access.inForce).hasSize(1);
        bench.pass(1);
        assertThat(bench.access.inForce).isEmpty();
    }

    @Test
    void foreverCannotBeExpressed() {
        for (Duration expiry :
                List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofHours(25), Duration.ofDays(9999))) {
            assertThatThrownBy(() -> new Limits(64, 16, 5, expiry)).hasMessage("an expiry is 1 s to 24 h");
        }
    }

    // Trouble with enforcers (M-03).

    @Test
    void triesAgainWithLongerAndLongerWaits() {
        bench.ledger.propose(proposal(1));
        int orders = 0;
        for (int second = 0; second <= 180; second++) {
            orders += bench.orders.size();
            bench.fail(false);
            bench.advance(SECOND);
            bench.ledger.evidence(ATTACK);
        }
        assertThat(orders).isBetween(8, 9);
        assertThat(bench.only().state()).isEqualTo(State.FAILED);
        assertThat(bench.only().wanted()).isTrue();
        assertThat(bench.only().trouble()).isEqualTo("controller refuses the connection");
        assertThat(bench.alerts).hasSize(1);
        bench.pass(60);
        assertThat(bench.only().state()).isEqualTo(State.SENT);
        assertThat(bench.access.inForce).hasSize(1);
    }

    @Test
    void aHalfAppliedRuleIsProvenByItsDropsAndTakenBackInTheEnd() {
        bench.ledger.propose(proposal(1));
        bench.fail(true);
        assertThat(bench.only().sent()).isFalse();
        bench.ledger.dropReport(Bench.NODE, Bench.key(rule(1)), 10, true);
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        bench.work();
        assertThat(bench.access.inForce).isEmpty();
    }

    @Test
    void takesBackWhatItDoesNotKnowToBeThere() {
        bench.ledger.propose(proposal(1));
        bench.fail(true);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        assertThat(bench.only().state()).isEqualTo(State.DECAYING);
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.WITHDRAWN);
        assertThat(bench.access.inForce).isEmpty();
    }

    /** The answer to an install comes when nobody wants it any more. */
    @Test
    void aLateYesIsNotTakenForAWithdrawal() {
        bench.ledger.propose(proposal(1));
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        assertThat(bench.orders).as("one order at a time").hasSize(1);
        Orders.Order install = bench.orders.removeFirst();
        bench.perform(install);
        bench.ledger.done(install.number(), install.id(), null);
        assertThat(bench.only().state()).isEqualTo(State.DECAYING);
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.WITHDRAWN);
        assertThat(bench.access.inForce).isEmpty();
        bench.ledger.done(install.number(), install.id(), null);
        assertThat(bench.only().state()).as("a second answer is no answer").isEqualTo(State.WITHDRAWN);
    }

    @Test
    void goesOnTakingBackUntilItIsGone() {
        blocked(1);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        for (int i = 0; i < 2_000; i++) {
            bench.fail(false);
            bench.advance(SECOND);
            bench.ledger.tick();
        }
        assertThat(bench.only().state()).isEqualTo(State.FAILED);
        assertThat(bench.only().wanted()).isFalse();
        bench.restart();
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.WITHDRAWN);
        assertThat(bench.access.inForce).isEmpty();
    }

    @Test
    void asksAControllerThatForgotAgain() {
        blocked(1);
        bench.report(rule(1), 1_000);
        bench.access.inForce.clear();
        bench.pass(31);
        assertThat(bench.only().proven()).isFalse();
        bench.pass(1);
        assertThat(bench.access.inForce).containsExactly(rule(1));
        bench.report(rule(1), 50);
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
        assertThat(bench.access.installs).isEqualTo(2);
    }

    @Test
    void sendsAgainWhatAnEnforcerDoesNotList() {
        blocked(1);
        bench.ledger.listed("access", Set.of(rule(1)));
        assertThat(bench.orders).isEmpty();
        bench.ledger.listed("access", Set.of());
        assertThat(bench.only().state()).isEqualTo(State.APPROVED);
        bench.work();
        assertThat(bench.only().state()).isEqualTo(State.SENT);
    }

    // Restarts (M-04).

    @Test
    void decidedAndNotYetAppliedIsAppliedOnceByTheNextProcess() {
        bench.ledger.propose(proposal(1));
        assertThat(bench.orders).hasSize(1);
        bench.restart();
        bench.work();
        assertThat(bench.access.inForce).containsExactly(rule(1));
        assertThat(bench.access.installs).isEqualTo(1);
        assertThat(bench.ledger.shown()).hasSize(1);
    }

    @Test
    void appliedAndNotYetHeardOfIsAppliedAgainAndIsStillOne() {
        bench.ledger.propose(proposal(1));
        bench.fail(true);
        bench.restart();
        bench.work();
        assertThat(bench.access.inForce).containsExactly(rule(1));
        assertThat(bench.only().state()).isEqualTo(State.SENT);
    }

    @Test
    void aRuleThatIsNotAllowedAnyMoreGoesWithTheNextStart() {
        blocked(1);
        bench.judge = (_, _) -> "never blocked";
        bench.restart();
        bench.work();
        assertThat(bench.access.inForce).isEmpty();
        assertThat(bench.only().ended()).isEqualTo("it is not allowed any more");
    }

    /** Its enforcer is gone from the configuration: nobody can be told, so somebody is. */
    @Test
    void doesNotForgetARuleOfAnEnforcerThatIsGone() {
        blocked(1);
        bench.networks.clear();
        bench.restart();
        bench.pass(400);
        assertThat(bench.only().state()).isEqualTo(State.DECAYING);
        assertThat(bench.alerts).contains("FAILED the enforcer access is not configured any more");
        bench.networks.put("access", bench.access);
        bench.restart();
        bench.work();
        assertThat(bench.access.inForce).isEmpty();
    }

    // Proof and the end of an attack (M-06, M-10).

    @Test
    void believesNoUnboundExporter() {
        blocked(1);
        bench.report(rule(1), 1_000);
        Mitigation before = bench.only();
        for (int i = 0; i < 100; i++) {
            bench.ledger.dropReport(Bench.NODE, Bench.key(rule(1)), 1_000, false);
            bench.pass(1);
        }
        assertThat(bench.access.inForce).containsExactly(rule(1));
        assertThat(bench.only().wanted()).isTrue();
        assertThat(before.proven()).isTrue();
        assertThat(bench.only().proven()).as("nor do they prove anything").isFalse();
        assertThat(bench.ledger.disbelieved()).isEqualTo(100);
        bench.ledger.dropReport(Bench.NODE, 77, 1, false);
        assertThat(bench.ledger.orphans()).isEmpty();
    }

    /** Whoever has taken over another switch can speak for that one only. */
    @Test
    void believesNoOtherNodeThanTheOneTheRuleIsFor() {
        blocked(1);
        for (int i = 0; i < 10; i++) {
            bench.ledger.dropReport(Bench.NODE + 1, Bench.key(rule(1)), 1_000, true);
            bench.pass(10);
        }
        assertThat(bench.only().wanted()).isTrue();
        assertThat(bench.only().proven()).isFalse();
        assertThat(bench.ledger.disbelieved()).isEqualTo(10);
        assertThat(bench.ledger.orphans()).isEmpty();
        bench.report(rule(1), 1_000);
        assertThat(bench.only().proven()).isTrue();
    }

    @Test
    void whereNobodyKnowsTheNodeEveryBoundOneIsBelieved() {
        bench.ledger.propose(new Proposal(ATTACK, rule(1), "access", -1, "a flood", 1, true));
        bench.work();
        bench.ledger.dropReport(7, Bench.key(rule(1)), 1_000, true);
        assertThat(bench.only().proven()).isTrue();
    }

    @Test
    void aReportToldThreeTimesAtOnceIsOneReport() {
        blocked(1);
        bench.report(rule(1), 1_000);
        for (int i = 0; i < 10; i++) {
            bench.ledger.dropReport(Bench.NODE, Bench.key(rule(1)), 1_000, true);
        }
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
    }

    @Test
    void aFreshReportOfTheAttackKeepsTheRule() {
        blocked(1);
        bench.report(rule(1), 1_000);
        bench.report(rule(1), 1_000);
        bench.ledger.evidence(ATTACK);
        bench.report(rule(1), 1_000);
        bench.report(rule(1), 1_000);
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
        bench.ledger.evidence(new EventId(1));
        bench.report(rule(1), 1_000);
        assertThat(bench.only().state()).as("another attack is another matter").isEqualTo(State.WITHDRAWN);
    }

    /** A controller that reports what was dropped since its last report, of an attack of constant rate. */
    @Test
    void equalDeltasAreALiveAttack() {
        bench.networks.put("access", new Bench.Network("access") {
            @Override
            public boolean countsDeltas() {
                return true;
            }
        });
        bench.restart();
        blocked(1);
        for (int i = 0; i < 60; i++) {
            bench.report(rule(1), 5_000);
        }
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
        assertThat(bench.only().packetsPerSecond()).isEqualTo(500);
        bench.report(rule(1), 0);
        bench.report(rule(1), 0);
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
        bench.report(rule(1), 0);
        assertThat(bench.only().state()).isEqualTo(State.WITHDRAWN);
    }

    /** Nobody said so, but a total that falls again and again is none. */
    @Test
    void noticesThatCountsAreDeltas() {
        blocked(1);
        for (int i = 0; i < 4; i++) {
            bench.report(rule(1), 5_000);
            bench.report(rule(1), 4_000);
        }
        for (int i = 0; i < 10; i++) {
            bench.report(rule(1), 5_000);
        }
        assertThat(bench.only().state()).isEqualTo(State.PROVEN);
    }

    @Test
    void countersOfThirtyTwoBitsWrap() {
        blocked(1);
        bench.report(rule(1), 0xFFFF_FF00L);
        bench.report(rule(1), 0x100);
        assertThat(bench.only().packetsPerSecond()).isEqualTo(51);
    }

    @Test
    void aFlappingAttackIsHeldDownLongerEachTime() {
        long[] lives = new long[4];
        for (int i = 0; i < lives.length; i++) {
            blocked(1);
            long begin = bench.nanos;
            long count = 0;
            while (!bench.access.inForce.isEmpty()) {
                bench.report(rule(1), ++count > 1 ? 7 : 0);
            }
            lives[i] = (bench.nanos - begin) / SECOND;
        }
        assertThat(lives[0]).isEqualTo(40);
        assertThat(lives[1]).isEqualTo(60);
        assertThat(lives[2]).isEqualTo(120);
        assertThat(lives[3]).isEqualTo(240);
        bench.pass(601);
        blocked(1);
        assertThat(bench.of(rule(1)).expiresNanos()).isEqualTo(bench.epoch + 300 * SECOND);
    }

    // Orphans.

    @Test
    void showsRulesThatAreNotItsOwnAndOffersToRemoveThem() {
        bench.ledger.dropReport(Bench.NODE, 0xBEEF, 10, true);
        bench.ledger.dropReport(Bench.NODE, 0xBEEF, 20, true);
        assertThat(bench.ledger.orphans()).containsExactly(new Orphan(Bench.NODE, 0xBEEF, 20, 2, bench.epoch));
        assertThat(bench.alerts).hasSize(1).first().asString().contains("000000000000beef");
        assertThat(bench.ledger.removeOrphan(0xDEAD, "access", ANN)).isInstanceOf(Answer.Unknown.class);
        assertThat(bench.ledger.removeOrphan(0xBEEF, "access", ANN)).isInstanceOf(Answer.Asked.class);
        assertThat(bench.keysWithdrawn).containsExactly(0xBEEFL);
        for (long key = 0; key < 1_000; key++) {
            bench.ledger.dropReport(Bench.NODE, key, 1, true);
        }
        assertThat(bench.ledger.orphans()).hasSize(Ledger.ORPHANS);
    }

    @Test
    void aRuleThatDropsOnAfterItsEndIsAnOrphan() {
        blocked(1);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        bench.work();
        bench.ledger.dropReport(Bench.NODE, Bench.key(rule(1)), 10, true);
        assertThat(bench.ledger.orphans()).as("a report that was underway").isEmpty();
        bench.pass(31);
        bench.ledger.dropReport(Bench.NODE, Bench.key(rule(1)), 20, true);
        assertThat(bench.ledger.orphans()).hasSize(1);
    }

    // Two operators (M-13).

    @Test
    void oneOfTwoOperatorsWins() {
        Bench proposing = proposing();
        proposing.ledger.propose(proposal(1));
        Mitigation seen = proposing.only();
        assertThat(proposing.ledger.approve(seen.id(), seen.revision(), ANN)).isInstanceOf(Answer.Done.class);
        Answer second = proposing.ledger.withdraw(seen.id(), seen.revision(), BOB);
        assertThat(second).isInstanceOf(Answer.Stale.class);
        assertThat(((Answer.Stale) second).mitigation().owner()).isEqualTo("ann");
        proposing.work();
        assertThat(proposing.access.inForce).hasSize(1);
        assertThat(proposing.ledger.approve("0123456789abcdef", 1, BOB)).isInstanceOf(Answer.Unknown.class);
        Mitigation now = proposing.only();
        assertThat(proposing.ledger.approve(now.id(), now.revision(), BOB))
                .isEqualTo(new Answer.Refused("it is sent already"));
    }

    /** What only counts is not a change one has to have seen. */
    @Test
    void ratesDoNotMakeAPageStale() {
        blocked(1);
        bench.report(rule(1), 1_000);
        long revision = bench.only().revision();
        bench.report(rule(1), 2_000);
        bench.ledger.evidence(ATTACK);
        assertThat(bench.only().revision()).isEqualTo(revision);
    }

    @Test
    void whatAnOperatorSaysIsHeardByWhoeverAsksLater() {
        Bench proposing = proposing();
        proposing.ledger.propose(proposal(1));
        proposing.ledger.propose(proposal(2));
        Mitigation wanted = proposing.of(rule(1));
        proposing.ledger.approve(wanted.id(), wanted.revision(), new Operator("ann", "asked the customer"));
        proposing.work();
        Mitigation held = proposing.of(rule(1));
        proposing.ledger.withdraw(held.id(), held.revision(), new Operator("bob", "unplugged"));
        Mitigation unwanted = proposing.of(rule(2));
        proposing.ledger.withdraw(unwanted.id(), unwanted.revision(), new Operator("ann", "it is ours"));
        proposing.ledger.withdrawAll(new Operator("bob", "to be sure"));
        proposing.ledger.resume(new Operator("bob", "sure"));
        assertThat(proposing.acts)
                .contains(
                        "ann approved: asked the customer",
                        "bob decaying: unplugged",
                        "ann withdrawn: it is ours",
                        "bob withdraw-all: to be sure",
                        "bob resume: sure");
    }

    @Test
    void whoAsksAgainForAWithdrawalIsWrittenDownToo() {
        blocked(1);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), ANN);
        bench.fail(false);
        bench.ledger.withdraw(bench.only().id(), bench.only().revision(), new Operator("bob", "the link is back"));
        assertThat(bench.acts).endsWith("ann decaying", "bob withdraw: the link is back");
        assertThat(bench.orders).as("at once").hasSize(1);
    }

    // The kill switch (M-14).

    @Test
    void theKillSwitchWithdrawsEverythingAndStays() {
        blocked(1);
        blocked(2);
        bench.ledger.withdrawAll(ANN);
        assertThat(bench.ledger.mode()).isEqualTo(Mode.OBSERVE);
        bench.work();
        assertThat(bench.access.inForce).isEmpty();
        bench.ledger.propose(proposal(3));
        bench.pass(5);
        assertThat(bench.of(rule(3)).state()).isEqualTo(State.OBSERVED);
        bench.restart();
        assertThat(bench.ledger.mode()).as("after a restart, too").isEqualTo(Mode.OBSERVE);
        bench.ledger.resume(ANN);
        assertThat(bench.ledger.mode()).isEqualTo(Mode.AUTO);
        bench.ledger.propose(proposal(3));
        bench.work();
        assertThat(bench.access.inForce).containsExactly(rule(3));
    }

    @Test
    void whatTheKillSwitchCannotWithdrawIsListedAsFailedWithinThirtySeconds() {
        blocked(1);
        blocked(2);
        bench.ledger.withdrawAll(ANN);
        Orders.Order slow = bench.orders.removeFirst();
        for (int second = 0; second < 29; second++) {
            bench.fail(false);
            bench.advance(SECOND);
            bench.ledger.tick();
        }
        assertThat(bench.ledger.shown()).allMatch(mitigation -> mitigation.state() == State.FAILED);
        assertThat(bench.of(slow.rule()).trouble()).isEqualTo("no answer in time");
        bench.ledger.done(slow.number(), slow.id(), "no answer within 10 s");
        bench.pass(60);
        assertThat(bench.access.inForce).as("and is tried on").isEmpty();
        assertThat(bench.ledger.shown()).allMatch(mitigation -> mitigation.state() == State.WITHDRAWN);
    }

    @Test
    void theKillSwitchWorksWithAFullDiskAndIsNotForgotten() {
        blocked(1);
        bench.files.room(0);
        bench.ledger.withdrawAll(ANN);
        bench.work();
        assertThat(bench.access.inForce).isEmpty();
        bench.files.room(0);
        bench.restart();
        bench.work();
        assertThat(bench.access.inForce).as("not even by the next process").isEmpty();
        assertThat(bench.ledger.mode()).isEqualTo(Mode.OBSERVE);
    }

    @Test
    void aFullDiskStopsNewRulesAndNothingElse() {
        blocked(1);
        bench.files.room(0);
        bench.ledger.propose(proposal(2));
        bench.pass(3);
        assertThat(bench.of(rule(2)).state()).isEqualTo(State.PROPOSED);
        assertThat(bench.access.inForce).containsExactly(rule(1));
        assertThat(bench.alerts).hasSize(1).first().asString().startsWith("DISK ");
        bench.ledger.withdraw(bench.of(rule(1)).id(), bench.of(rule(1)).revision(), ANN);
        bench.work();
        assertThat(bench.access.inForce).isEmpty();
        bench.files.room(1 << 20);
        bench.pass(1);
        assertThat(bench.access.inForce).containsExactly(rule(2));
        bench.restart();
        assertThat(bench.of(rule(1)).state()).isEqualTo(State.WITHDRAWN);
    }

    @Test
    void theFileDoesNotGrowForever() {
        for (int i = 0; i < 6_000; i++) {
            bench.ledger.propose(proposal(i, "access", 1));
            bench.advance(400 * SECOND);
            bench.ledger.tick();
            bench.work();
        }
        assertThat(bench.files.content(LedgerFile.NAME).length).isLessThan(3 << 20);
        assertThat(bench.ledger.shown().size()).isBetween(Ledger.HISTORY, Ledger.HISTORY + 2);
    }

    @Test
    void tellsItselfAsTheApiDoes() {
        blocked(1);
        bench.ledger.blastRadius(bench.only().id(), 125);
        assertThat(bench.only().toJson())
                .startsWith("{\"id\":\"")
                .contains(
                        "\"attack\":\"00000000000a77ac\",\"state\":\"sent\",\"match\":{\"device\":\"02:00:00:00:00:01\",\"destination\":\"192.168.1.10\",\"destinationPort\":53},\"action\":\"drop\",\"enforcer\":\"access\",\"node\":3,\"reason\":\"a flood\",\"owner\":\"auto\"")
                .endsWith("\"wanted\":true,\"sent\":true,\"proven\":false,\"blastRadius\":0.0125,\"revision\":3}\n");
    }
}
