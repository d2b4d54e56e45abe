package io.pathlore.analysis.ddos;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EntryWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    private record Card(long nanos, int flow, long packet, long node, long ingress, int ttl) {}

    private final ByteBuffer bytes = ByteBuffer.allocate(ReportRow.MAX_LENGTH);
    private final ReportRow row = new ReportRow();

    private ReportRow row(Card card) {
        ReportRow.begin(bytes, 0, ReportRow.TRACKED, 20, card.nanos, 0, 0, card.node);
        ReportRow.flow(bytes, 0, false, false, 17, 0, card.flow, 0, 9, 1, 2, -1, 7);
        ReportRow.packet(bytes, 0, ReportRow.mix(card.packet), card.ttl, 100, ReportRow.ABSENT);
        ReportRow.marks(bytes, 0, 0, 0);
        ReportRow.hop(bytes, 0, 0, card.node, card.ingress, 8, -1, -1, -1, -1, -1, -1, 64);
        ReportRow.way(bytes, 0, 0, ReportRow.REPORTER, 1);
        return row.wrap(bytes, 0);
    }

    private List<Inner> told(Card... cards) {
        List<Inner> told = new ArrayList<>();
        EntryWatch watch = new EntryWatch(64, told::add);
        for (Card card : cards) {
            watch.on(row(card));
        }
        return told;
    }

    @Test
    void theNodeThatSawTheLowerTtlHasTheOtherBeforeIt() {
        Card first = new Card(1, 1, 5, 10, 3, 64);
        Card second = new Card(2, 1, 5, 20, 4, 63);
        assertThat(told(first, second))
                .extracting(Inner::place)
                .containsExactly(Places.place(20, 4))
                .isEqualTo(told(second, first).stream().map(Inner::place).toList());
        assertThat(told(first, second).getFirst().nanos()).isEqualTo(SECOND / 10);
    }

    @Test
    void whatIsKnownIsToldAgainAfterMinutesAndNoSooner() {
        List<Card> cards = new ArrayList<>();
        for (int second = 0; second < 3600; second++) {
            cards.add(new Card(second * SECOND, 1, second, 10, 3, 64));
            cards.add(new Card(second * SECOND + 1, 1, second, 20, 4, 63));
        }
        List<Inner> told = told(cards.toArray(Card[]::new));
        assertThat(told).hasSizeBetween(12, 13);
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i).nanos()).isLessThan(told.get(i - 1).untilNanos() - 9 * MINUTE);
            assertThat(told.get(i).untilNanos() - told.get(i - 1).untilNanos()).isEqualTo(5 * MINUTE);
        }
    }

    @Test
    void somebodyDoesNotSayWhereItCameIn() {
        assertThat(told(new Card(1, 1, 5, 10, ReportRow.ABSENT, 64)))
                .extracting(Inner::place)
                .containsExactly(Entries.SOME_UNSAID);
    }

    /** First of all those that told, for each place and time that it holds. */
    private static Set<Inner> first(List<Inner> told) {
        Map<List<Long>, Inner> first = new HashMap<>();
        for (Inner one : told) {
            first.merge(List.of(one.place(), one.untilNanos()), one, (a, b) -> a.nanos() <= b.nanos() ? a : b);
        }
        return new HashSet<>(first.values());
    }

    @Test
    void whoeverHasWhichFlowsLearnsTheSame() {
        Random random = new Random(3);
        List<Card> cards = new ArrayList<>();
        for (int packet = 0; packet < 20_000; packet++) {
            long nanos = packet * SECOND / 20;
            int flow = random.nextInt(200);
            List<Integer> nodes = new ArrayList<>(List.of(0, 1, 2));
            Collections.shuffle(nodes, random);
            for (int node : nodes) {
                if (random.nextInt(3) > 0) {
                    long name = flow % 40 + 50L * node;
                    cards.add(new Card(nanos + cards.size() % 7, flow, packet, name, flow % 3, 64 - node));
                }
            }
        }
        List<Inner> whole = new ArrayList<>();
        EntryWatch one = new EntryWatch(1 << 17, whole::add);
        cards.forEach(card -> one.on(row(card)));
        for (int parts : new int[] {2, 5, 32}) {
            List<Inner> shared = new ArrayList<>();
            List<EntryWatch> watches = new ArrayList<>();
            for (int part = 0; part < parts; part++) {
                watches.add(new EntryWatch(1 << 17, shared::add));
            }
            cards.forEach(card -> watches.get(card.flow % parts).on(row(card)));
            assertThat(first(shared))
                    .as("%d parts", parts)
                    .isEqualTo(first(whole))
                    .isNotEmpty();
        }
    }
}
