package io.pathlore.cli.network;

import static io.pathlore.cli.network.StoredNetwork.END;
import static io.pathlore.cli.network.StoredNetwork.FLOW;
import static io.pathlore.cli.network.StoredNetwork.MINUTE;
import static io.pathlore.cli.network.StoredNetwork.OTHER;
import static io.pathlore.cli.network.StoredNetwork.START;
import static io.pathlore.cli.network.StoredNetwork.event;
import static io.pathlore.cli.network.StoredNetwork.flow;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Prefix;
import io.pathlore.model.Rule;
import io.pathlore.model.RuleMatch;
import io.pathlore.store.tables.Row;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Now is five minutes past six. */
class BlastShareTest {
    private static final long ABSENT = Row.ABSENT;

    /** What a device sends to port 80 of 10.0.2.2. */
    private static final Rule RULE =
            Rule.drop(new RuleMatch(0x0200_0000_0001L, null, Prefix.address(false, 0, 0x0A000202), RuleMatch.ANY, 80));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private static Row.Flow web(long time, long reports) {
        return flow(time, FLOW, reports, null, ABSENT, ABSENT, ABSENT);
    }

    private static Row.Flow others(long time, long reports) {
        return flow(time, OTHER, reports, null, ABSENT, ABSENT, ABSENT);
    }

    @Test
    void isTheMatchedPartOfTheHourBefore() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            web(START - 70 * MINUTE, 1_000), // too long ago
                            web(START - MINUTE, 10),
                            others(START - MINUTE, 60),
                            others(START + MINUTE, 30),
                            web(END - MINUTE, 1_000)) // too fresh: it may be the attack
                    .stored();
            assertThat(new BlastShare(network).of(RULE)).isEqualTo(1_000);
        }
    }

    @Test
    void minutesWithAnAttackSayNothingOfOtherTraffic() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.add(
                            web(START - 3 * MINUTE, 1),
                            others(START - 3 * MINUTE, 99),
                            web(START - 2 * MINUTE, 9_000), // an attack that is over
                            web(START + MINUTE, 9_000), // one that goes on
                            event("""
                                    {"kind":"attack","id":"a1","start":"2026-11-15T17:58:30Z","end":"2026-11-15T17:58:50Z"}
                                    """),
                            event("""
                                    {"kind":"attack","id":"a2","start":"2026-11-15T18:01:20Z"}
                                    """))
                    .stored();
            assertThat(new BlastShare(network).of(RULE)).isEqualTo(100);
        }
    }

    @Test
    void whereNothingIsStoredItIsNotKnown() throws Exception {
        try (StoredNetwork network = new StoredNetwork(directory)) {
            network.stored();
            assertThat(new BlastShare(network).of(RULE)).isEqualTo(-1);
        }
    }
}
