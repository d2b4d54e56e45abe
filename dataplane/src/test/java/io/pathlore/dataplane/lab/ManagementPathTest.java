package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.lab.LabOptions.Management;
import io.pathlore.dataplane.topology.Line;
import io.pathlore.dataplane.topology.Topology;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManagementPathTest {
    private static final int REPORTS = 10_000;
    private static final int TENTH = Dice.CERTAIN / 10;
    private final Topology topology = Line.of(1).build();

    private record Run(Journal journal, Lab.Counts counts, List<Integer> numbers) {}

    private Run run(Management management, long seed, Act... more) {
        Journal journal = new Journal();
        List<Integer> numbers = new ArrayList<>();
        List<Act> acts = new ArrayList<>(List.of(more));
        acts.add(Chatter.flow(0, 1, 5000, REPORTS, 0, 10_000, 100));
        Lab lab = new Lab(
                topology,
                LabOptions.DEFAULT.withManagement(management),
                seed,
                1_000_000_000,
                device -> device == 0 ? new Postcards() : null,
                acts,
                journal,
                (time, address, port, destination, payload, from, end) -> {
                    assertThat(time)
                            .isEqualTo(Long.parseLong(journal.lines().getLast().split(" ", -1)[0]));
                    assertThat(destination).isEqualTo(Postcards.COLLECTOR);
                    assertThat(end - from).isEqualTo(4);
                    numbers.add(payload.getInt(from));
                });
        lab.run();
        return new Run(journal, lab.counts(), numbers);
    }

    @Test
    void deliversInOrderAfterItsDelay() {
        Run run = run(new Management(1_000, 0, 0, 0, 0, 0), 1);
        assertThat(run.numbers).hasSize(REPORTS).isSorted();
        List<String> sent = run.journal.of("report");
        List<String> delivered = run.journal.of("report-delivered");
        for (int i = 0; i < REPORTS; i++) {
            assertThat(time(delivered.get(i))).isEqualTo(time(sent.get(i)) + 1_000);
        }
    }

    @Test
    void jitterAloneKeepsTheOrder() {
        assertThat(run(new Management(1_000, 100_000, 0, 0, 0, 0), 1).numbers)
                .hasSize(REPORTS)
                .isSorted();
    }

    @Test
    void losesDoublesAndReordersWhatItCounts() {
        Management bad = new Management(1_000, 500, TENTH, TENTH, TENTH, 50_000);
        Run run = run(bad, 1);
        Lab.Counts counts = run.counts;
        assertThat(counts.reports()).isEqualTo(REPORTS);
        assertThat(run.journal.of("report-lost")).hasSize((int) counts.reportsLost());
        assertThat(run.journal.of("report-twice")).hasSize((int) counts.reportsDuplicated());
        assertThat(counts.reportsLost()).isBetween(900L, 1_100L);
        assertThat(counts.reportsDuplicated()).isBetween(800L, 1_000L);
        assertThat(counts.reportsReordered()).isBetween(800L, 1_000L);
        assertThat(counts.reportsDelivered())
                .isEqualTo(REPORTS - counts.reportsLost() + counts.reportsDuplicated())
                .isEqualTo(run.numbers.size());
        assertThat(run.numbers.stream().distinct().count()).isEqualTo(REPORTS - counts.reportsLost());
        assertThat(run.numbers).isNotEqualTo(run.numbers.stream().sorted().toList());
        assertThat(run(bad, 1).journal.lines()).isEqualTo(run.journal.lines());
        assertThat(run(bad, 2).journal.lines()).isNotEqualTo(run.journal.lines());
    }

    @Test
    void moreLossLeavesTheFateOfTheOthersAlone() {
        Run usual = run(new Management(1_000, 0, 0, TENTH, TENTH, 50_000), 1);
        Run lossy = run(new Management(1_000, 0, TENTH, TENTH, TENTH, 50_000), 1);
        List<String> twice = new ArrayList<>(usual.journal.of("report-twice"));
        List<String> lost = lossy.journal.of("report-lost").stream()
                .map(line -> line.replace(" CHANCE", ""))
                .toList();
        twice.removeAll(lost);
        assertThat(lossy.journal.of("report-twice")).isEqualTo(twice);
    }

    @Test
    void carriesForgedReportsAmongTheOthers() {
        Management usual = new Management(1_000, 0, 0, 0, 0, 0);
        Run run = run(
                usual,
                1,
                lab -> lab.forge(
                        0x0A00_0001,
                        7,
                        Postcards.COLLECTOR,
                        ByteBuffer.allocate(8).putInt(2, -5),
                        2,
                        6));
        assertThat(run.numbers.getFirst()).isEqualTo(-5);
        assertThat(run.counts.reportsForged()).isEqualTo(1);
        assertThat(run.counts.reports()).isEqualTo(REPORTS);
        assertThat(run.journal.of("forged")).containsExactly("0 167772161 1 [-1, -1, -1, -5]");
        assertThat(run.journal.of("report-delivered").getFirst()).isEqualTo("1000 -1 1");
    }

    private static long time(String line) {
        return Long.parseLong(line.split(" ", -1)[0]);
    }
}
