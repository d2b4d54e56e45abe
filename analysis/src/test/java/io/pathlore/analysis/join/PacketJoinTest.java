package io.pathlore.analysis.join;

import static io.pathlore.analysis.Rows.postcard;
import static io.pathlore.analysis.Rows.postcards;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.Host;
import io.pathlore.analysis.Rows;
import io.pathlore.analysis.Rows.Hop;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PacketJoinTest {
    private static final long START = 1_700_000_000_000_000_000L;
    private static final long WINDOW = 200_000_000L;
    private static final long ABSENT = ReportRow.ABSENT;

    private final List<String> told = new ArrayList<>();
    private final PacketJoin join = new PacketJoin(WINDOW, 100, this::tell);
    private final Host host = new Host(join);

    /** Nodes with what they say of themselves, and between them dots for those that say nothing. */
    private void tell(ReportRow packet) {
        StringBuilder text = new StringBuilder();
        for (int hop = 0; hop < packet.hops(); hop++) {
            text.append(packet.hopNode(hop));
            text.append(packet.latency(hop) == ABSENT ? "" : "(" + packet.latency(hop) + ")");
            if (hop < packet.hops() - 1) {
                text.append(' ').append(". ".repeat(packet.hiddenAfter(hop)));
            }
        }
        boolean gaps = (packet.way() & ReportRow.GAPS) != 0;
        told.add(text + (gaps ? " with gaps" : ""));
    }

    private static List<Rows> packet(long nanos, long print, long... nodes) {
        return postcards(nanos, 1, nodes).stream()
                .map(card -> card.withPrint(print))
                .toList();
    }

    private static Rows card(long nanos, long print, long node, int ttl, long latency) {
        return postcard(nanos, 1, node, ttl)
                .withPrint(print)
                .withHops(List.of(new Hop(node, 1, 2, latency, ABSENT, ABSENT)));
    }

    @Test
    void theOrderOfArrivalDoesNotMatter() {
        Random random = new Random(16);
        for (int round = 0; round < 50; round++) {
            told.clear();
            List<Rows> cards = new ArrayList<>(packet(START + round * WINDOW, 7 + round, 4, 9, 2, 5, 3));
            Collections.shuffle(cards, random);
            host.on(cards).until(START + (round + 1) * WINDOW);
            assertThat(told).containsExactly("4 9 2 5 3");
        }
    }

    @Test
    void whoSaysNothingIsMissedAtItsPlace() {
        List<Rows> cards = packet(START, 7, 1, 2, 3, 4, 5);
        host.on(cards.get(0), cards.get(1), cards.get(4)).end();
        assertThat(told).containsExactly("1 2 . . 5 with gaps");
    }

    @Test
    void packetsAndFlowsAreKeptApart() {
        Rows ofAnotherFlow = postcard(START, 2, 9, 62).withPrint(7);
        List<Rows> first = packet(START, 7, 1, 2);
        List<Rows> second = packet(START, 8, 1, 3);
        host.on(first.get(0), second.get(0), ofAnotherFlow, second.get(1), first.get(1))
                .end();
        assertThat(told).containsExactly("1 2", "1 3");
    }

    @Test
    void whatComesAfterTheWindowIsNotWaitedFor() {
        host.on(card(START, 7, 1, 63, 10), card(START + WINDOW - 1, 7, 2, 62, 20))
                .until(START + WINDOW);
        assertThat(told).containsExactly("1(10) 2(20)");
        host.on(card(START + WINDOW + 1, 7, 3, 61, 30)).end();
        assertThat(told).hasSize(1);
    }

    @Test
    void aNodeThatSpeaksTwiceAddsWhatItHadNotSaid() {
        host.on(card(START, 7, 1, 63, ABSENT), card(START, 7, 2, 62, 20), card(START, 7, 1, 63, 10))
                .end();
        assertThat(told).containsExactly("1(10) 2(20)");
    }

    @Test
    void aPacketThatRunsInCirclesHasNoOrder() {
        host.on(card(START, 7, 1, 63, 1), card(START, 7, 2, 62, 1), card(START, 7, 1, 61, 1))
                .end();
        assertThat(told).isEmpty();
    }

    @Test
    void whereThereIsNoRoomTheOldestIsToldBeforeItsTime() {
        for (int print = 1; print <= 101; print++) {
            host.on(packet(START, print, 1, 2));
        }
        assertThat(told).hasSize(1);
        assertThat(join.early()).isEqualTo(1);
        join.end();
        assertThat(told).hasSize(101);
    }

    @Test
    void stacksAndWhatHasNoPrintAreNotItsBusiness() {
        host.on(Rows.stack(START, 1, 1, 2, 3).withPrint(7))
                .on(postcards(START, 1, 1, 2, 3))
                .end();
        assertThat(told).isEmpty();
    }
}
