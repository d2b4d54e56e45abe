package io.pathlore.analysis.join;

import static io.pathlore.analysis.Rows.postcards;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.Rows;
import io.pathlore.analysis.Rows.Hop;
import io.pathlore.analysis.join.PacketAccount.Missing;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketAccountTest {
    private static final long START = 1_700_000_000_000_000_000L;
    private static final long ABSENT = ReportRow.ABSENT;

    private final PacketAccount account = new PacketAccount();

    private PacketAccount add(List<Rows> rows) {
        rows.forEach(row -> row.lendTo(account::add));
        return account;
    }

    private void otherPackets(int count, long... nodes) {
        for (int i = 0; i < count; i++) {
            postcards(START, 1, nodes).forEach(row -> row.lendTo(account::other));
        }
    }

    private List<Long> nodes() {
        return account.hops().stream().map(PacketAccount.Hop::node).toList();
    }

    @Test
    void cardsAreInTheOrderOfTheWayWheneverTheyCome() {
        Random random = new Random(5);
        for (int round = 0; round < 20; round++) {
            List<Rows> cards = new ArrayList<>(postcards(START, 1, 4, 9, 2, 5));
            Collections.shuffle(cards, random);
            PacketAccount one = new PacketAccount();
            cards.forEach(row -> row.lendTo(one::add));

            assertThat(one.hops().stream().map(PacketAccount.Hop::node)).containsExactly(4L, 9L, 2L, 5L);
            assertThat(one.missing()).isEmpty();
            assertThat(one.isWhole()).isTrue();
        }
    }

    @Test
    void whoSaysNothingIsNamedByWhatItSaysOfOthers() {
        otherPackets(3, 1, 2, 3, 4, 5);
        otherPackets(1, 1, 2, 8, 4, 5); // took another way
        List<Rows> cards = postcards(START, 1, 1, 2, 3, 4, 5);
        add(List.of(cards.get(0), cards.get(1), cards.get(4)));

        assertThat(nodes()).containsExactly(1L, 2L, 5L);
        assertThat(account.missing()).containsExactly(new Missing(1, 2, List.of(3L, 4L)));
        assertThat(account.isWhole()).isFalse();
    }

    @Test
    void theFirstAndTheLastAreMissedToo() {
        otherPackets(1, 1, 2, 3, 4);
        add(postcards(START, 1, 1, 2, 3, 4).subList(1, 3));

        assertThat(account.missing()).containsExactly(new Missing(-1, 1, List.of(1L)), new Missing(1, 1, List.of(4L)));
    }

    @Test
    void whoNeverSpeaksHasNoName() {
        List<Rows> cards = postcards(START, 1, 1, 2, 3);
        add(List.of(cards.get(0), cards.get(2)));

        assertThat(account.missing()).containsExactly(new Missing(0, 1, List.of()));
    }

    @Test
    void nobodyBehindADropIsMissed() {
        otherPackets(2, 1, 2, 3, 4);
        Rows dropped = Rows.drop(START, 1, 2, 26);
        add(List.of(
                Rows.postcard(START, 1, 1, 64),
                new Rows(
                        START,
                        1,
                        dropped.flags(),
                        dropped.way(),
                        2,
                        63,
                        0,
                        26,
                        ABSENT,
                        0,
                        0,
                        List.of(new Hop(2, 1, 2, ABSENT, ABSENT, ABSENT)))));

        assertThat(nodes()).containsExactly(1L, 2L);
        assertThat(account.hops().getLast().dropReason()).isEqualTo(26);
        assertThat(account.missing()).isEmpty();
    }

    @Test
    void aStackHasAnOrderOfItsOwn() {
        add(List.of(Rows.stack(START, 1, 7, 3, 9)));

        assertThat(nodes()).containsExactly(7L, 3L, 9L);
        assertThat(account.isWhole()).isTrue();
        assertThat(account.hops()).allMatch(hop -> hop.report() == 0);
    }

    @Test
    void aStackThatIsFullSaysThatSomeAreMissing() {
        Rows full = Rows.stack(START, 1, 7, 3, 9);
        add(List.of(full.withWay(full.way() | ReportRow.GAPS)));

        assertThat(account.missing()).containsExactly(new Missing(1, (int) ABSENT, List.of()));
        assertThat(account.isWhole()).isFalse();
    }

    @Test
    void aDropReportAddsTheNodeThatHasIt() {
        Rows stack = Rows.stack(START, 1, 7, 3).withWay(ReportRow.STACK | ReportRow.PARTIAL | ReportRow.REPORTER);
        add(List.of(stack, Rows.drop(START, 1, 9, 26)));

        assertThat(nodes()).containsExactly(7L, 3L, 9L);
        assertThat(account.hops().getLast().dropped()).isTrue();
        assertThat(account.hops().getLast().report()).isEqualTo(1);
        assertThat(account.isWhole()).isTrue();
    }

    @Test
    void aStackThatWasToldOnTheWayIsNotAllOfIt() {
        add(List.of(Rows.stack(START, 1, 7, 3).withWay(ReportRow.STACK | ReportRow.PARTIAL | ReportRow.REPORTER)));

        assertThat(nodes()).containsExactly(7L, 3L);
        assertThat(account.missing()).isEmpty();
        assertThat(account.isWhole()).isFalse();
    }

    @Test
    void oneCardAloneIsNoWay() {
        add(List.of(Rows.postcard(START, 1, 1, 63)));

        assertThat(nodes()).containsExactly(1L);
        assertThat(account.isWhole()).isFalse();
    }
}
