package io.pathlore.mitigate.enforcer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import io.pathlore.testkit.controller.ScriptedController;
import io.pathlore.testkit.controller.ScriptedController.Manner;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransparentSecurityTest {
    private static final Rule IPV4 = Rules.device(0x101, 5792);
    private static final Rule IPV6 =
            Rule.drop(new RuleMatch(0x101, null, Rules.v6(0, 0x0001_0001_001dL, 128), RuleMatch.ANY, 5792));

    private final ScriptedController controller = new ScriptedController();
    private final TransparentSecurity enforcer =
            new TransparentSecurity("access", controller.uri(), false, Duration.ofSeconds(2));

    @AfterEach
    void close() {
        enforcer.close();
        controller.close();
    }

    /** Both from the reference controller, which hashes {@code 00:00:00:00:01:01|5792|192.168.1.10|::} and its IPv6 sister. */
    @Test
    void namesAttacksAsTheReferenceDoes() {
        assertThat(HexFormat.of().toHexDigits(enforcer.dropKey(IPV4))).isEqualTo("995ea670045472dd");
        assertThat(HexFormat.of().toHexDigits(enforcer.dropKey(IPV6))).isEqualTo("eb3a3e2bad043bb0");
    }

    @Test
    void sendsExactlyWhatTheReferenceSends() throws Exception {
        enforcer.install(IPV4);
        enforcer.install(IPV6);
        enforcer.withdraw(IPV4);
        assertThat(controller.calls())
                .containsExactly(
                        "POST /aggAttack {\"event\":{\"src_mac\":\"00:00:00:00:01:01\",\"ip_ver\":4,\"dst_ip\":\"192.168.1.10\",\"dst_port\":5792,\"count\":100}}",
                        "POST /aggAttack {\"event\":{\"src_mac\":\"00:00:00:00:01:01\",\"ip_ver\":6,\"dst_ip\":\"::1:1:1d\",\"dst_port\":5792,\"count\":100}}",
                        "DELETE /aggAttack {\"event\":{\"dropKey\":\"995ea670045472dd\",\"dropCount\":0,\"count\":3}}",
                        "DELETE /aggAttack {\"event\":{\"src_mac\":\"00:00:00:00:01:01\",\"ip_ver\":4,\"dst_ip\":\"192.168.1.10\",\"dst_port\":5792,\"count\":100}}");
        assertThat(controller.keys()).containsExactly("eb3a3e2bad043bb0");
    }

    @Test
    void repeatsWithoutHarm() throws Exception {
        enforcer.install(IPV4);
        enforcer.install(IPV4);
        assertThat(controller.keys()).hasSize(1);
        enforcer.withdraw(IPV4);
        enforcer.withdraw(IPV4);
        assertThat(controller.keys()).isEmpty();
    }

    @Test
    void removesWhatOnlyItsKeyIsKnownOf() throws Exception {
        controller.put("00000000000000ff");
        enforcer.withdrawKey(0xff);
        assertThat(controller.keys()).isEmpty();
    }

    @Test
    void saysWhatWentWrongInOneLine() {
        controller.manner(Manner.ERROR);
        assertThatThrownBy(() -> enforcer.install(IPV4))
                .isInstanceOf(EnforcerException.class)
                .hasMessageMatching("127\\.0\\.0\\.1:\\d+ answered 500");
        // Not for one call only: a connection that ends before anything was sent is tried again by the client itself.
        for (Manner manner : List.of(Manner.DOWN, Manner.HALF_APPLIED)) {
            controller.manner(manner);
            assertThatThrownBy(() -> enforcer.install(IPV4))
                    .isInstanceOf(EnforcerException.class)
                    .hasMessageMatching("127\\.0\\.0\\.1:\\d+: \\V+");
        }
        URI gone = controller.uri();
        controller.close();
        // One that has no connection left over from before, which would be found dead first.
        try (TransparentSecurity other = new TransparentSecurity("access", gone, false, Duration.ofSeconds(5))) {
            assertThatThrownBy(() -> other.install(IPV4))
                    .hasMessageMatching("127\\.0\\.0\\.1:\\d+ refuses the connection");
        }
    }

    @Test
    void aControllerMayBeInsideButNotWhereCloudsTellSecrets() {
        URI metadata = URI.create("http://169.254.169.254");
        try (TransparentSecurity wrong = new TransparentSecurity("access", metadata, false, Duration.ofSeconds(5))) {
            assertThatThrownBy(() -> wrong.install(IPV4)).hasMessageContaining("which is never called");
        }
    }

    @Test
    void doesNotWaitForASlowController() {
        try (TransparentSecurity hasty =
                new TransparentSecurity("access", controller.uri(), false, Duration.ofMillis(150))) {
            controller.manner(Manner.SLOW);
            assertThatThrownBy(() -> hasty.install(IPV4)).hasMessageContaining("gave no answer within 150 ms");
        }
    }

    @Test
    void saysNothingThatIsWiderThanTheRule() {
        assertThat(enforcer.cannot(IPV4)).isNull();
        assertThat(enforcer.cannot(IPV6)).isNull();
        RuleMatch match = IPV4.match();
        assertThat(enforcer.cannot(new Rule(match, 1000))).contains("does not limit");
        assertThat(enforcer.cannot(Rule.drop(
                        new RuleMatch(match.device(), null, match.destination(), 17, match.destinationPort()))))
                .contains("wider");
        assertThat(enforcer.cannot(Rules.flow(null, match.destination(), RuleMatch.ANY, 53, 0)))
                .contains("needs a device");
        assertThat(enforcer.cannot(Rule.drop(new RuleMatch(0x101, null, Rules.v4(10, 0, 0, 0, 24), RuleMatch.ANY, 53))))
                .contains("one destination address");
        assertThat(enforcer.cannot(Rules.device(0x101, RuleMatch.ANY))).contains("destination port");
        assertThat(enforcer.cannot(Rules.device(0x101, 70_000))).contains("destination port");
        assertThat(enforcer.cannot(Rules.device(1L << 48, 53))).contains("device");
    }
}
