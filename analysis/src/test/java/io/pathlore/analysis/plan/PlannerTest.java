package io.pathlore.analysis.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.event.AttackSource;
import io.pathlore.analysis.event.AttackSource.Witness;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details.Attack;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.Names;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final long MAC = 0x0200_0000_0001L;
    private static final Prefix VICTIM = Prefix.address(false, 0, 0xC633_6401L);
    private static final Prefix SENDER = Prefix.address(false, 0, 0x0A00_0001L);

    /** Ten megabits at each interface; node 2 is served. */
    private static final class Cabled implements Network {
        Set<Long> bound = Set.of(1L, 2L);
        Set<Long> served = Set.of(2L);
        long speed = 10_000_000;
        boolean one;
        List<String> enforcers = List.of("edge");

        @Override
        public boolean isBound(long node) {
            return bound.contains(node);
        }

        @Override
        public long bitsPerSecond(long node, long interfaceId) {
            return speed;
        }

        @Override
        public List<String> enforcers(long node) {
            return served.contains(node) ? enforcers : List.of();
        }

        /** As the controller of Transparent Security, and as routers that take flow specifications. */
        @Override
        public boolean canSay(String enforcer, Rule rule) {
            RuleMatch match = rule.match();
            return switch (enforcer) {
                case "controller" ->
                    match.device() != RuleMatch.ANY
                            && match.protocol() == RuleMatch.ANY
                            && match.destination() != null
                            && match.destination().isAddress();
                case "router" -> match.device() == RuleMatch.ANY;
                default -> true;
            };
        }

        @Override
        public boolean isOneReporterEnough() {
            return one;
        }
    }

    private final Cabled network = new Cabled();
    private final Planner planner = new Planner(network, new RuleValidator(List.of()));

    private static AttackSource device(long mac, int share) {
        return new AttackSource(mac, 2, 7, null, share, 9_000, Witness.GATEWAY);
    }

    private static AttackSource place(@Nullable Prefix address) {
        return new AttackSource(AttackSource.ABSENT, 2, 7, address, 10_000, 0, Witness.PLACE);
    }

    private static Attack attack(AttackVector vector, int protocol, AttackSource... sources) {
        return new Attack(
                vector,
                VICTIM,
                80,
                protocol,
                List.of(sources),
                sources.length,
                1_000,
                true,
                500_000,
                3,
                10,
                List.of(1L),
                List.of(1L, 2L),
                9_000,
                5);
    }

    private static Attack with(Attack of, long bytes, int windows, List<Long> reporters, List<Long> hops) {
        return new Attack(
                of.vector(),
                of.victim(),
                of.port(),
                of.protocol(),
                of.sources(),
                of.devices(),
                of.perSecond(),
                true,
                bytes,
                of.flowsPerSecond(),
                windows,
                reporters,
                hops,
                of.confidence(),
                5);
    }

    private static Attack on(Attack of, Prefix victim) {
        return new Attack(
                AttackVector.CARPET_BOMBING,
                victim,
                of.port(),
                of.protocol(),
                of.sources(),
                of.devices(),
                of.perSecond(),
                true,
                of.bytesPerSecond(),
                of.flowsPerSecond(),
                of.windows(),
                of.reporters(),
                of.hops(),
                of.confidence(),
                5);
    }

    private static Event open(Attack attack) {
        return new Event(1, Event.OPEN, 2, attack);
    }

    private Proposal only(Attack attack) {
        Plan plan = planner.plan(open(attack));
        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.proposals()).hasSize(1);
        return plan.proposals().getFirst();
    }

    @Test
    void stopsEachDeviceAtTheNodeNearestToIt() {
        Attack attack = attack(AttackVector.UDP_FLOOD, 17, device(MAC, 7_000), device(MAC + 1, 3_000));
        Plan plan = planner.plan(open(attack));
        assertThat(plan.proposals())
                .extracting(Proposal::rule)
                .containsExactly(
                        Rule.drop(new RuleMatch(MAC, null, VICTIM, 17, 80)),
                        Rule.drop(new RuleMatch(MAC + 1, null, VICTIM, 17, 80)));
        Proposal first = plan.proposals().getFirst();
        assertThat(first.node()).isEqualTo(2);
        assertThat(first.enforcer()).isEqualTo("edge");
        assertThat(first.perSecond()).isEqualTo(700);
        assertThat(first.mayActAlone()).isTrue();
        assertThat(first.attack()).isEqualTo(open(attack).id());
        assertThat(first.reason())
                .isEqualTo("udp-flood of 198.51.100.1 port 80: 02:00:00:00:00:01 sends 70 % of it, 700 packets/s,"
                        + " 90 % with forged addresses; stopped at node 2");
    }

    @Test
    void asksForItsBlastRadiusInTheWordsOfFilters() throws Exception {
        String question =
                only(attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000))).blastRadius();
        assertThat(question)
                .isEqualTo("device = 02:00:00:00:00:01 and dst = 198.51.100.1 and proto = 17 and dport = 80");
        assertThat(Filter.parse(question, Names.NONE).fields()).hasSize(4);
    }

    @Test
    void withoutADeviceItsAddressIsStopped() {
        Proposal proposal = only(attack(AttackVector.SYN_FLOOD, 6, place(SENDER)));
        assertThat(proposal.rule()).isEqualTo(Rule.drop(new RuleMatch(-1, SENDER, VICTIM, 6, 80)));
        assertThat(proposal.mayActAlone()).isTrue();
    }

    /** The first enforcer that can tell these packets from others is asked, in words it has. */
    @Test
    void saysItInTheWordsOfWhoCanDoIt() {
        AttackSource camera = new AttackSource(MAC, 2, 7, SENDER, 10_000, 0, Witness.GATEWAY);
        Attack flood = attack(AttackVector.UDP_FLOOD, 17, camera);
        network.enforcers = List.of("controller", "router");
        Proposal byDevice = only(flood);
        assertThat(byDevice.enforcer()).isEqualTo("controller");
        assertThat(byDevice.rule()).isEqualTo(Rule.drop(new RuleMatch(MAC, null, VICTIM, RuleMatch.ANY, 80)));

        Attack carpet = on(flood, new Prefix(false, 0, 0xC633_6400L, 24));
        Proposal byAddress = only(carpet);
        assertThat(byAddress.enforcer()).as("a controller knows no prefixes").isEqualTo("router");
        assertThat(byAddress.rule())
                .isEqualTo(Rule.drop(new RuleMatch(RuleMatch.ANY, SENDER, carpet.victim(), 17, 80)));
        assertThat(byAddress.blastRadius()).contains("src = 10.0.0.1");
        assertThat(byAddress.mayActAlone()).isTrue();

        network.enforcers = List.of("controller");
        assertThat(only(carpet).rule().match().device())
                .as("nobody can: the controller is to say why")
                .isEqualTo(MAC);
    }

    /** Who forges addresses cannot be stopped by one, and nobody else is to be hit instead. */
    @Test
    void aDeviceOfManyAddressesIsNotStoppedByAddress() {
        network.enforcers = List.of("router");
        assertThat(only(attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000)))
                        .rule()
                        .match()
                        .device())
                .isEqualTo(MAC);
    }

    @Test
    void whereNeitherIsKnownSomeOfItPassesAndSomebodyIsAsked() {
        Proposal proposal = only(attack(AttackVector.SYN_FLOOD, 6, place(null)));
        assertThat(proposal.rule().bytesPerSecond()).isEqualTo(50_000);
        assertThat(proposal.objections()).singleElement().asString().contains("others would be hit");
    }

    @Test
    void saysWhyThereIsNoRule() {
        network.served = Set.of();
        assertThat(planner.plan(open(attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000))))
                        .refusals())
                .singleElement()
                .asString()
                .contains("no enforcer serves node 2");
        network.served = Set.of(2L);
        Planner careful = new Planner(
                network, new RuleValidator(List.of(new NeverBlock(VICTIM, NeverBlock.Direction.DESTINATION))));
        Plan plan = careful.plan(open(attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000))));
        assertThat(plan.refusals())
                .containsExactly("02:00:00:00:00:01: never-block: it would stop packets to 198.51.100.1");
        assertThat(plan.proposals())
                .as("for the ledger, which refuses it and writes down why")
                .singleElement()
                .satisfies(one -> assertThat(one.mayActAlone()).isFalse())
                .extracting(Proposal::refusal)
                .isEqualTo("never-block: it would stop packets to 198.51.100.1");
        assertThat(planner.plan(open(attack(AttackVector.UDP_FLOOD, 17))).refusals())
                .hasSize(1);
    }

    @Test
    void ofWhatIsOverNothingIsPlanned() {
        Event over = new Event(1, 9, 2, attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000)));
        assertThat(planner.plan(over)).isEqualTo(new Plan(List.of(), List.of()));
    }

    @Test
    void actsAloneOnlyOnGoodEvidence() {
        Attack good = attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000));
        assertThat(only(good).objections()).isEmpty();
        assertThat(only(with(good, 500_000, 2, List.of(1L), List.of(1L, 2L))).objections())
                .singleElement()
                .asString()
                .contains("2 windows");
        assertThat(only(with(good, 500_000, 9, List.of(1L, 5L), List.of(1L, 2L)))
                        .objections())
                .singleElement()
                .asString()
                .contains("node 5")
                .contains("not bound");
        Attack lonely = with(good, 500_000, 9, List.of(2L), List.of(2L));
        assertThat(only(lonely).objections()).containsExactly("only one node tells of it");
        network.one = true;
        assertThat(only(lonely).objections()).isEmpty();
        assertThat(only(with(good, 500_000, 9, List.of(), List.of(2L))).objections())
                .containsExactly("nobody knows which node reports it");
        assertThat(only(attack(AttackVector.SCAN, 6, device(MAC, 10_000))).mayActAlone())
                .isFalse();
    }

    /** One exporter that claims ten million packets a second from a home. */
    @Test
    void believesNoRateThatNoLinkCanCarry() {
        Attack claimed = with(
                attack(AttackVector.UDP_FLOOD, 17, device(MAC, 10_000)),
                640_000_000,
                100,
                List.of(1L),
                List.of(1L, 2L));
        assertThat(only(claimed).objections())
                .containsExactly(
                        "5,120,000,000 bit/s are said to come in by node 2 interface 7, which can carry 10,000,000");
        network.speed = Network.UNKNOWN;
        assertThat(only(claimed).objections()).singleElement().asString().contains("speed");
    }
}
