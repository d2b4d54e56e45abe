package io.pathlore.analysis.ddos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LooksTest {
    private static final int MOST = 200;
    private static final int FAR = 50;

    @Test
    void whoHasHadItsLooksStandsForOthersFromThenOn() {
        Looks looks = new Looks(16);
        int here = looks.enter(7);
        int there = looks.enter(8);
        long standing = 0;
        for (int i = 0; i < FAR + 3_400; i++) {
            int of = looks.standing(here);
            standing += of;
            if (of > 0) {
                looks.take(here);
            }
        }
        assertThat(standing).isEqualTo(FAR + 3_400);
        assertThat(looks.standing(there)).isEqualTo(1);
        looks.settle();
        assertThat(looks.standing(here)).isEqualTo(1);
    }

    @Test
    void moreIsLookedAtWhereItMayMatter() {
        Looks looks = new Looks(16);
        int here = looks.enter(7);
        int there = looks.enter(8);
        looks.settle();
        looks.near(here);
        for (int i = 0; i < MOST; i++) {
            assertThat(looks.standing(here)).isEqualTo(1);
            looks.take(here);
            looks.take(there);
        }
        assertThat(looks.standing(here)).isZero();
        assertThat(looks.standing(there)).isZero();
        looks.settle();
        for (int i = 0; i <= FAR; i++) {
            looks.take(here);
        }
        assertThat(looks.standing(here)).as("it is no longer near").isZero();
    }

    @Test
    void knowsTheNetworksInWhichSomebodyIsSuspected() {
        Looks looks = new Looks(100);
        int[] places = new int[100];
        for (int i = 0; i < 100; i++) {
            places[i] = looks.enter(i + 1);
        }
        assertThat(looks.enter(5)).isEqualTo(places[4]);
        for (int i = 0; i < 100; i += 2) {
            looks.leave(places[i]);
        }
        for (int i = 0; i < 100; i++) {
            boolean known = i % 2 == 1 || i == 4; // that one has been entered twice
            assertThat(looks.find(i + 1)).as("%d", i).isEqualTo(known ? places[i] : Looks.NOBODY);
        }
        assertThat(looks.enter(1_000)).isNotEqualTo(Looks.NOBODY);
    }
}
