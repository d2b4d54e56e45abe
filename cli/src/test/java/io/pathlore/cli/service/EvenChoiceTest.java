package io.pathlore.cli.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EvenChoiceTest {
    private static EvenChoice choice(int rate) {
        return new EvenChoice(rate, new SplittableRandom(11));
    }

    /** One second in which so many come in each tenth; what was shown, by the tenth in which it was. */
    private static List<List<String>> second(EvenChoice choice, int perTick) {
        List<List<String>> shown = new ArrayList<>();
        for (int tick = 0; tick < EvenChoice.TICKS_PER_SECOND; tick++) {
            for (int i = 0; i < perTick; i++) {
                String name = tick + "." + i;
                choice.offer(() -> name);
            }
            shown.add(choice.tick());
        }
        assertThat(choice.secondIsOver()).isTrue();
        assertThat(choice.matching()).isEqualTo(10L * perTick);
        choice.nextSecond();
        return shown;
    }

    @Test
    void whatFitsIsShownAtOnceAndInOrder() {
        EvenChoice choice = choice(50);
        for (int round = 0; round < 3; round++) {
            assertThat(second(choice, 3))
                    .allSatisfy(tick -> assertThat(tick).hasSize(3))
                    .element(4)
                    .isEqualTo(List.of("4.0", "4.1", "4.2"));
        }
    }

    @Test
    void aBurstThatFitsIsShownWhole() {
        EvenChoice choice = choice(50);
        for (int i = 0; i < 50; i++) {
            String name = Integer.toString(i);
            choice.offer(() -> name);
        }
        assertThat(choice.tick()).hasSize(50);
        assertThat(choice.tick()).isEmpty();
    }

    @Test
    void ofACrowdNoMoreThanTheRateIsShownAndEveryPartOfTheSecondHasItsShare() {
        EvenChoice choice = choice(50);
        assertThat(second(choice, 1_000).stream().mapToInt(List::size).sum()).isEqualTo(50);
        for (int round = 0; round < 5; round++) {
            assertThat(second(choice, 1_000))
                    .allSatisfy(tick -> assertThat(tick).hasSize(5));
        }
    }

    @Test
    void ofACrowdTheLastHasTheSameChanceAsTheFirst() {
        EvenChoice choice = choice(50);
        second(choice, 1_000);
        int late = 0;
        int all = 0;
        for (int round = 0; round < 200; round++) {
            for (List<String> tick : second(choice, 1_000)) {
                for (String name : tick) {
                    all++;
                    late += Integer.parseInt(name.substring(name.indexOf('.') + 1)) >= 500 ? 1 : 0;
                }
            }
        }
        assertThat(all).isEqualTo(10_000);
        assertThat(late).isBetween(4_800, 5_200);
    }

    @Test
    void oneASecondMayBeOfAnyTimeOfTheSecond() {
        EvenChoice choice = choice(1);
        second(choice, 10);
        int[] ofTick = new int[10];
        for (int round = 0; round < 500; round++) {
            List<String> shown =
                    second(choice, 10).stream().flatMap(List::stream).toList();
            assertThat(shown).hasSize(1);
            ofTick[Integer.parseInt(shown.getFirst().substring(0, 1))]++;
        }
        for (int count : ofTick) {
            assertThat(count).isBetween(20, 90);
        }
    }

    @Test
    void longOnesAreNotHeldWithoutBound() {
        EvenChoice choice = choice(1_000);
        String large = "x".repeat(1 << 20);
        for (int i = 0; i < 1_000; i++) {
            choice.offer(() -> large);
        }
        assertThat(choice.tick()).hasSize(4);
    }
}
