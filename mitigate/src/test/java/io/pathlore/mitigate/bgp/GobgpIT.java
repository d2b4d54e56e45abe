package io.pathlore.mitigate.bgp;

import static io.pathlore.mitigate.enforcer.Rules.flow;
import static io.pathlore.mitigate.enforcer.Rules.v4;
import static io.pathlore.mitigate.enforcer.Rules.v6;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.mitigate.enforcer.FlowSpec;
import io.pathlore.mitigate.ledger.Limits;
import io.pathlore.mitigate.ledger.Mitigations;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.mitigate.ledger.MovedClock;
import io.pathlore.mitigate.ledger.Proposal;
import io.pathlore.mitigate.ledger.Quiet;
import io.pathlore.model.EventId;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Routes as somebody else's router takes them. */
@Timeout(180)
class GobgpIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @BeforeAll
    static void gobgpIsInstalled() throws Exception {
        Gobgp.mustBeThere();
    }

    private static FlowSpec enforcer(Gobgp router) {
        FlowSpec enforcer = new FlowSpec("edge", new Peering(router.address(), 65_001, 65_002, 0x0a000001, 9));
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!enforcer.speaker().isEstablished()) {
            assertThat(System.nanoTime()).as(enforcer.speaker().trouble()).isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
        return enforcer;
    }

    @Test
    void aRouterTakesAndLosesRoutesOfBothFamilies() throws Exception {
        Rule drop4 = flow(v4(198, 51, 100, 7, 32), v4(192, 0, 2, 0, 24), 17, 53, 0);
        Rule limit4 = flow(null, v4(203, 0, 113, 9, 32), 6, 8080, 9600);
        Rule drop6 = flow(null, v6(0x20010db800000000L, 1, 128), 17, 443, 0);
        Rule limit6 = flow(v6(0x20010db800050000L, 0, 48), null, RuleMatch.ANY, RuleMatch.ANY, 125_000);
        try (Gobgp router = new Gobgp(directory)) {
            try (FlowSpec enforcer = enforcer(router)) {
                for (Rule rule : List.of(drop4, limit4, drop6, limit6, drop4)) {
                    enforcer.install(rule);
                }
                List<String> v4 = router.await("ipv4", routes -> routes.size() == 2);
                assertThat(v4)
                        .anySatisfy(route -> assertThat(route)
                                .contains(
                                        "[destination: 192.0.2.0/24][source: 198.51.100.7/32][protocol: ==udp][destination-port: ==53]")
                                .contains("65001")
                                .contains("discard"));
                assertThat(v4)
                        .anySatisfy(route -> assertThat(route)
                                .contains("[destination: 203.0.113.9/32][protocol: ==tcp][destination-port: ==8080]")
                                .contains("rate: 9600"));
                List<String> v6 = router.await("ipv6", routes -> routes.size() == 2);
                assertThat(v6)
                        .anySatisfy(route -> assertThat(route)
                                .contains("[destination: 2001:db8::1/128/0][protocol: ==udp][destination-port: ==443]")
                                .contains("discard"));
                assertThat(v6)
                        .anySatisfy(route -> assertThat(route)
                                .contains("[source: 2001:db8:5::/48/0]")
                                .contains("rate: 125000"));

                enforcer.withdraw(drop4);
                enforcer.withdraw(drop4);
                enforcer.withdraw(limit6);
                assertThat(router.await("ipv4", routes -> routes.size() == 1).getFirst())
                        .contains("203.0.113.9");
                assertThat(router.await("ipv6", routes -> routes.size() == 1).getFirst())
                        .contains("2001:db8::1");
                assertThat(enforcer.list()).containsExactlyInAnyOrder(limit4, drop6);
            }
            router.await("ipv4", List::isEmpty);
            router.await("ipv6", List::isEmpty);
        }
    }

    @Test
    void aRouteGoesWhenItsMitigationExpires() throws Exception {
        MovedClock clock = new MovedClock();
        Rule rule = flow(null, v4(192, 0, 2, 5, 32), 17, 53, 0);
        try (Gobgp router = new Gobgp(directory);
                Mitigations mitigations =
                        new Mitigations(directory.resolve("ledger"), Quiet.parts(Mode.AUTO, clock, enforcer(router)))) {
            assertThat(mitigations.propose(new Proposal(new EventId(1), rule, "edge", 1, "a flood", 1000, true)))
                    .isTrue();
            router.await("ipv4", routes -> routes.size() == 1);
            clock.move(Limits.DEFAULT.expiry());
            router.await("ipv4", List::isEmpty);
        }
    }

    @Test
    void theNetworkForgetsWhatAKilledProcessAnnounced() throws Exception {
        try (Gobgp router = new Gobgp(directory)) {
            Process ours = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Announcer.class.getName(),
                            Integer.toString(router.address().getPort()))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("announcer.log").toFile())
                    .start();
            try {
                router.await(
                        "ipv4",
                        routes -> routes.size() == 1 && routes.getFirst().contains("203.0.113.0/24"));
            } finally {
                ours.destroyForcibly().waitFor();
            }
            router.await("ipv4", List::isEmpty);
        }
    }
}
