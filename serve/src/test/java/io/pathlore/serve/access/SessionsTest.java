package io.pathlore.serve.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private static final long NOW = 1_800_000_000_000_000_000L;
    private static final byte[] ONE = TokenStore.print("one");
    private static final byte[] OTHER = TokenStore.print("other");

    private final Sessions sessions = new Sessions();

    @Test
    void oneLastsTwelveHoursAndNotAMomentLonger() {
        Sessions.Begun begun = sessions.begin(ONE, NOW, Token.NEVER);
        long end = NOW + Sessions.LIFE_NANOS;

        assertThat(begun.session().expiresNanos()).isEqualTo(end);
        assertThat(sessions.find(begun.cookie(), end - 1)).isEqualTo(begun.session());
        assertThat(sessions.find(begun.cookie(), end)).isNull();
    }

    @Test
    void itEndsWithItsToken() {
        Sessions.Begun begun = sessions.begin(ONE, NOW, NOW + 1_000);

        assertThat(sessions.find(begun.cookie(), NOW + 999)).isNotNull();
        assertThat(sessions.find(begun.cookie(), NOW + 1_000)).isNull();
    }

    @Test
    void whoLogsInAgainAndAgainEndsHisOwnFirstSessionsAlone() {
        Sessions.Begun neighbour = sessions.begin(OTHER, NOW, Token.NEVER);
        List<Sessions.Begun> own = new ArrayList<>();
        for (int i = 0; i <= Sessions.PER_TOKEN; i++) {
            own.add(sessions.begin(ONE, NOW + i, Token.NEVER));
        }

        assertThat(sessions.find(own.getFirst().cookie(), NOW + 100)).isNull();
        assertThat(own.subList(1, own.size()))
                .allSatisfy(each ->
                        assertThat(sessions.find(each.cookie(), NOW + 100)).isNotNull());
        assertThat(sessions.find(neighbour.cookie(), NOW + 100)).isNotNull();
    }

    @Test
    void whatTheServerKeepsIsNoCookie() {
        Sessions.Begun begun = sessions.begin(ONE, NOW, Token.NEVER);

        assertThat(sessions.find(begun.session().csrf(), NOW)).isNull();
        sessions.end(begun.session());
        assertThat(sessions.find(begun.cookie(), NOW)).isNull();
    }
}
