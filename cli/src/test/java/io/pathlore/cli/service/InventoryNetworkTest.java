package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.plan.Network;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InventoryNetworkTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Network network(String... sets) throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), """
                data: data
                inventory:
                  - node: 2
                    addresses: [10.0.0.2]
                    interfaces: { 1: { name: up, speed: 10G }, 7: { name: home, speed: 100Mbps }, 8: { name: bare } }
                  - node: 3
                defend:
                  enforcers:
                    - { name: controller, kind: transparent-security, url: "http://127.0.0.1:9", nodes: [2] }
                    - { name: router, kind: flowspec, peer: 127.0.0.1, local-as: 65001, router-id: 10.0.0.9, nodes: [2] }
                """);
        return new InventoryNetwork(
                new ConfigLoader(directory, directory.resolve("etc"), Map.of()).loadService(null, List.of(sets)));
    }

    @Test
    void onlyWhoseAddressesAreGivenIsBound() throws Exception {
        assertThat(network().isBound(2)).isTrue();
        assertThat(network().isBound(3)).isFalse();
        assertThat(network().isBound(4)).isFalse();
        assertThat(network("listen.binding=off").isBound(2)).isFalse();
    }

    @Test
    void noDeviceSendsMoreThanItsInterfaceOrTheFastestCarries() throws Exception {
        assertThat(network().bitsPerSecond(2, 7)).isEqualTo(100_000_000);
        assertThat(network().bitsPerSecond(2, -1)).isEqualTo(10_000_000_000L);
        assertThat(network().bitsPerSecond(2, 8)).isEqualTo(Network.UNKNOWN);
        assertThat(network().bitsPerSecond(3, -1)).isEqualTo(Network.UNKNOWN);
        assertThat(network().bitsPerSecond(9, 1)).isEqualTo(Network.UNKNOWN);
    }

    @Test
    void enforcersAreAskedInTheirOrderForWhatTheyCanSay() throws Exception {
        assertThat(network().enforcers(2)).containsExactly("controller", "router");
        assertThat(network().enforcers(3)).isEmpty();
        Prefix victim = Prefix.address(false, 0, 0xC633_6401L);
        Rule device = Rule.drop(new RuleMatch(0x0200_0000_0001L, null, victim, RuleMatch.ANY, 53));
        Rule route = Rule.drop(new RuleMatch(RuleMatch.ANY, victim, new Prefix(false, 0, 0xC633_6400L, 24), 17, 53));
        assertThat(network().canSay("controller", device)).isTrue();
        assertThat(network().canSay("controller", route)).isFalse();
        assertThat(network().canSay("router", device)).isFalse();
        assertThat(network().canSay("router", route)).isTrue();
        assertThat(network().canSay("nobody", route)).isFalse();
    }

    @Test
    void theRestIsPassedOn() throws Exception {
        assertThat(network().isOneReporterEnough()).isFalse();
        assertThat(network("defend.profile=transparent-security").isOneReporterEnough())
                .isTrue();
    }
}
