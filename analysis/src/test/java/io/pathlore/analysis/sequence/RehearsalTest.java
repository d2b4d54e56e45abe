package io.pathlore.analysis.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    /** What was never rehearsed is what would surprise the compiler. */
    @Test
    void everyOutcomeIsRehearsed() {
        SequenceTable table = Rehearsal.play();
        Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (table.count(outcome) > 100) {
                seen.add(outcome);
            }
        }
        assertThat(seen).containsExactlyInAnyOrder(Outcome.values());
        assertThat(table.totals().lost()).isPositive();
        assertThat(table.evicted()).isPositive();
    }
}
