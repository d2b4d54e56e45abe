package io.pathlore.testkit.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.vectors.Start;
import io.pathlore.testkit.vectors.Triggers;
import io.pathlore.testkit.vectors.Triggers.Trigger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TriggersTest {
    static Stream<Trigger> triggers() {
        return Triggers.all().stream();
    }

    @ParameterizedTest
    @MethodSource("triggers")
    void raisesTheNamedErrorFirst(Trigger trigger) {
        ReferenceOptions options = Codepoints.of(trigger.vector(), trigger.strict());
        List<String> faults = trigger.start() == Start.REPORT
                ? new ReferenceDecoder(options).faults(trigger.bytes())
                : Decoded.packet(options, trigger.start(), trigger.bytes()).faults();
        assertThat(faults).as(trigger.toString()).startsWith(trigger.error());
    }
}
