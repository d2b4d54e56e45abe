package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.plan.Network;
import io.pathlore.cli.config.ConfigLoader;
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
                """);
        return new InventoryNetwork(
                new ConfigLoader(directory, directory.resolve("etc"), Map.of()).loadService(null, List.of(sets)),
                node -> node == 2 ? "edge" : null);
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
    void theRestIsPassedOn() throws Exception {
        assertThat(network().enforcer(2)).isEqualTo("edge");
        assertThat(network().enforcer(3)).isNull();
        assertThat(network().isOneReporterEnough()).isFalse();
        assertThat(network("defend.profile=transparent-security").isOneReporterEnough())
                .isTrue();
    }
}
