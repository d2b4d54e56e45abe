package io.pathlore.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.analysis.ddos.Limits;
import io.pathlore.analysis.ddos.Rules;
import io.pathlore.analysis.plan.NeverBlock;
import io.pathlore.cli.config.Service.Defending;
import io.pathlore.mitigate.ledger.Mode;
import io.pathlore.model.AttackVector;
import io.pathlore.model.Prefix;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefenceReaderTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Defending read(String yaml) throws Exception {
        Files.writeString(directory.resolve("pathlore.yaml"), yaml);
        return new ConfigLoader(directory, directory.resolve("etc"), Map.of("HOME", "/home/op"))
                .loadService(null, List.of())
                .defend();
    }

    private void assertRejects(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml)).isInstanceOf(ConfigException.class).hasMessage(message);
    }

    @Test
    void byDefaultItObserves() throws Exception {
        Defending usual = read("");
        assertThat(usual.mode()).isEqualTo(Mode.OBSERVE);
        assertThat(usual.isOneSinkEnough()).isFalse();
        assertThat(usual.rules()).isEqualTo(Rules.usual(0));
        assertThat(usual.neverBlock()).isEmpty();
        assertThat(usual.limits()).isEqualTo(io.pathlore.mitigate.ledger.Limits.DEFAULT);
    }

    @Test
    void aPrefixHasItsOwnLimitsAndTheOthersOfTheDefault() throws Exception {
        Rules rules = read("""
                defend:
                  thresholds:
                    default: { udp-flood: 2000 }
                    203.0.113.0/24: { syn-flood: 5000, bytes: 100MB, flows: 10000 }
                    2001:db8:5::/48: { scan: 64 }
                    hold: 30s
                    clear: 40
                    factor: 5
                    sources: 2
                    nodes: 2
                """).rules();
        assertThat(rules.usual().of(AttackVector.UDP_FLOOD)).isEqualTo(2_000);
        assertThat(rules.usual().of(AttackVector.SYN_FLOOD)).isEqualTo(Limits.USUAL.of(AttackVector.SYN_FLOOD));
        assertThat(rules.prefixes())
                .extracting(one -> one.prefix().toString())
                .containsExactly("2001:db8:5::/48", "203.0.113.0/24");
        Limits own = rules.prefixes().getLast().limits();
        assertThat(own.of(AttackVector.SYN_FLOOD)).isEqualTo(5_000);
        assertThat(own.of(AttackVector.UDP_FLOOD)).isEqualTo(2_000);
        assertThat(own.bytesPerSecond()).isEqualTo(100_000_000);
        assertThat(own.flowsPerSecond()).isEqualTo(10_000);
        assertThat(rules.holdNanos()).isEqualTo(30_000_000_000L);
        assertThat(rules.clearPercent()).isEqualTo(40);
        assertThat(rules.factor()).isEqualTo(5);
        assertThat(rules.sources()).isEqualTo(2);
        assertThat(rules.reporters()).isEqualTo(2);
        assertThat(rules.perDevice()).isZero();
    }

    @Test
    void transparentSecurityCountsByDevice() throws Exception {
        assertThat(read("defend: { profile: transparent-security }").rules().perDevice())
                .isEqualTo(100);
        Defending ten = read("defend: { profile: transparent-security, thresholds: { device: 10 } }");
        assertThat(ten.rules().perDevice()).isEqualTo(10);
        assertThat(ten.isOneSinkEnough()).isTrue();
    }

    @Test
    void neverBlockHasADirection() throws Exception {
        assertThat(read("defend: { never-block: [192.0.2.1, source 10.255.0.0/16, 'destination 2001:db8::53'] }")
                        .neverBlock())
                .containsExactly(
                        new NeverBlock(Prefix.address(false, 0, 0xC000_0201L), NeverBlock.Direction.BOTH),
                        new NeverBlock(new Prefix(false, 0, 0x0AFF_0000L, 16), NeverBlock.Direction.SOURCE),
                        new NeverBlock(
                                Prefix.address(true, 0x2001_0DB8_0000_0000L, 0x53), NeverBlock.Direction.DESTINATION));
    }

    @Test
    void saysWhatDoesNotFit() {
        assertRejects(
                "defend:\n  mode: aggressive",
                "pathlore.yaml:2: defend.mode: 'aggressive' is not one of observe, propose, auto");
        assertRejects(
                "defend:\n  thresholds:\n    default: { upd-flood: 5 }",
                "pathlore.yaml:3: defend.thresholds.default.upd-flood: there is no such limit; did you mean 'udp-flood'?");
        assertRejects(
                "defend:\n  thresholds:\n    leaf-1: { udp-flood: 5 }",
                "pathlore.yaml:3: defend.thresholds.leaf-1: neither a prefix like 203.0.113.0/24 nor one of clear, default,"
                        + " device, factor, hold, nodes, sources");
        assertRejects(
                "defend:\n  thresholds:\n    10.0.0.0/8: 5",
                "pathlore.yaml:3: defend.thresholds.10.0.0.0/8: expected limits, like { udp-flood: 5000 }");
        assertRejects(
                "defend:\n  never-block: [router]",
                "pathlore.yaml:2: defend.never-block: 'router' is not an address or prefix, or one behind 'source' or"
                        + " 'destination'");
        assertRejects("defend:\n  expiry: 48h", "pathlore.yaml:2: defend.expiry: '48h' is not between 1s and 24h");
        assertRejects("defend:\n  expiry: 10ms", "pathlore.yaml:2: defend.expiry: '10ms' is not between 1s and 24h");
        for (String cap : List.of("rules", "rules-per-enforcer", "rules-per-minute")) {
            assertThatThrownBy(() -> read("defend:\n  " + cap + ": 0"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("pathlore.yaml:2: defend." + cap + ":");
        }
    }
}
