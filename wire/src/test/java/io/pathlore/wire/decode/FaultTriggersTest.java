package io.pathlore.wire.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.vectors.Triggers;
import io.pathlore.testkit.vectors.Triggers.Trigger;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.net.PacketWalker;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every documented bad input gives its documented name first. */
class FaultTriggersTest {
    static List<Trigger> triggers() {
        return Triggers.all();
    }

    @ParameterizedTest
    @MethodSource("triggers")
    void givesItsName(Trigger trigger) {
        DecodeOptions options = trigger.strict() ? DecodedJson.strict() : DecodedJson.lenient();
        byte[] bytes = trigger.bytes();
        List<Map<String, Object>> objects = switch (trigger.start()) {
            case REPORT -> DecodedJson.reports(bytes, options);
            case IPV4 -> List.of(DecodedJson.packet(bytes, PacketWalker.Start.IPV4, options));
            case IPV6 -> List.of(DecodedJson.packet(bytes, PacketWalker.Start.IPV6, options));
            case GENEVE -> List.of(DecodedJson.packet(bytes, PacketWalker.Start.GENEVE, options));
            case VXLAN_GPE -> List.of(DecodedJson.packet(bytes, PacketWalker.Start.VXLAN_GPE, options));
            case IOAM_INCREMENTAL_TRACE, IOAM_E2E, IPV6_OPTION ->
                List.of(DecodedJson.packet(trigger.start().frame(bytes), PacketWalker.Start.ETHERNET, options));
        };
        assertThat(DecodedJson.names(objects)).first().isEqualTo(trigger.error());
    }
}
