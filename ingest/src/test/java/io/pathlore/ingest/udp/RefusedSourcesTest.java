package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedSourcesTest {
    private final RefusedSources refused = new RefusedSources(AllowList.of(List.of("private")), 2, 1);

    @Test
    void namesEachOnceWithTheLineToAdd() {
        refused.refuse(false, 0, 0xCB007107L);
        refused.refuse(false, 0, 0xCB007107L);
        refused.refuse(true, 0x2001_0DB8_0000_0000L, 1);
        assertThat(refused.sources())
                .extracting(RefusedSources.Source::hint)
                .containsExactly(
                        "datagrams from 203.0.113.7 are refused; to accept them: listen.allow: [private, 203.0.113.7]",
                        "datagrams from 2001:db8::1 are refused; to accept them: listen.allow: [private, 2001:db8::1]");
        assertThat(refused.sources().getFirst().datagrams()).isEqualTo(2);
    }

    @Test
    void countsThoseThereIsNoRoomFor() {
        for (int i = 0; i < 1_000; i++) {
            refused.refuse(false, 0, i);
        }
        assertThat(refused.sources()).hasSize(2);
        assertThat(refused.fromOthers()).isEqualTo(998);
    }
}
