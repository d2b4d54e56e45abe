package io.pathlore.it;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.generate.OrdinaryPackets;
import io.pathlore.wire.DecodeOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A normal packet is never read as INT, whatever its DSCP, ports and payload, in reports that say it may hold some. */
class FalsePositivesTest {
    private final Production production = new Production(DecodeOptions.lenient());

    @Test
    void ordinaryPacketsHoldNoInt() {
        search(100_000);
    }

    @Tag("slow")
    @Test
    void aMillionOrdinaryPacketsHoldNoInt() {
        search(1_000_000);
    }

    private void search(int packets) {
        forAll(
                packets,
                OrdinaryPackets::report,
                datagram -> assertThat(production.decode(datagram))
                        .isNotEmpty()
                        .allSatisfy(report -> assertThat(report).doesNotContainKey("int")));
    }
}
