package io.pathlore.store.journal;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A disk that is full, slow, or refuses: the books balance, nobody waits, and it ends by itself. */
class JournalFaultTest {
    private static final Duration SYNC = Duration.ofMillis(200);
    private static final long TICK = 100_000_000;
    private static final JournalOptions OPTIONS = new JournalOptions(16 << 10, Duration.ofHours(1), Duration.ZERO, 0);

    private final RandomGenerator random = new SplittableRandom(7);
    private final CrashFiles files = new CrashFiles(random);
    private final Traffic traffic = new Traffic(random, 300);
    private final List<IOException> troubles = new ArrayList<>();
    private long ticks;

    private Journal journal() throws IOException {
        return Journal.open(files, OPTIONS, random::nextLong, 0, troubles::add);
    }

    private void rounds(JournalWriter writer, Journal journal, int count) {
        for (int i = 0; i < count; i++) {
            for (int n = 0; n < 5; n++) {
                traffic.offer(writer, journal);
            }
            ticks += TICK;
            boolean ignored = writer.step(ticks, ticks);
        }
    }

    private long accounted(JournalWriter writer) {
        return writer.journalled() + writer.dropped(JournalDrop.FULL) + writer.dropped(JournalDrop.ERROR);
    }

    private List<Long> read() throws IOException {
        return Traffic.readAll(files, new ArrayList<>()).stream()
                .map(Datagram::position)
                .toList();
    }

    @Test
    void countsWhatAFullDiskLosesAndRecoversTwice() throws IOException {
        Journal journal = journal();
        JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
        rounds(writer, journal, 20);
        long lost = 0;
        for (int outage = 0; outage < 2; outage++) {
            assertThat(writer.dropped(JournalDrop.FULL)).isEqualTo(lost);
            files.room(2_000);
            rounds(writer, journal, 20);
            assertThat(writer.dropped(JournalDrop.FULL)).isBetween(lost + 50, lost + 100);
            lost = writer.dropped(JournalDrop.FULL);
            long before = writer.journalled();
            files.room(1 << 30);
            rounds(writer, journal, 20);
            assertThat(writer.journalled()).isGreaterThanOrEqualTo(before + 95);
        }
        writer.finish(ticks, ticks);
        assertThat(accounted(writer)).isEqualTo(traffic.accepted().size()).isEqualTo(500);
        assertThat(writer.dropped(JournalDrop.ERROR)).isZero();
        assertThat(troubles).isNotEmpty().allMatch(files::isFull);
        assertThat(read()).hasSize((int) writer.journalled());
        writer.close();
        assertThat(read()).hasSize((int) writer.journalled());
    }

    /** A file system may find out only when it is asked to keep what it took. */
    @Test
    void dropsWhatCouldNotBeSynced() throws IOException {
        Journal journal = journal();
        JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
        rounds(writer, journal, 4);
        long journalled = writer.journalled();
        assertThat(journalled).isPositive();
        files.refuse(1);
        rounds(writer, journal, 10);
        assertThat(writer.journalled()).isEqualTo(journalled);
        assertThat(writer.dropped(JournalDrop.ERROR)).isPositive();
        files.refuse(0);
        rounds(writer, journal, 10);
        assertThat(writer.journalled()).isGreaterThan(journalled + 30);
        writer.finish(ticks, ticks);
        assertThat(accounted(writer)).isEqualTo(traffic.accepted().size());
        assertThat(read()).hasSize((int) writer.journalled());
    }

    @Test
    void balancesItsBooksWhateverTheDiskDoes() {
        forAll(300, RandomGenerator::nextLong, seed -> {
            RandomGenerator dice = new SplittableRandom(seed);
            CrashFiles disk = new CrashFiles(dice);
            Traffic load = new Traffic(dice, 1_000);
            JournalOptions small =
                    new JournalOptions(4096 + dice.nextInt(9000), Duration.ofSeconds(1), Duration.ZERO, 0);
            Journal journal = Journal.open(disk, small, dice::nextLong, 0, trouble -> {});
            JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
            long now = 0;
            for (int i = 0; i < 60; i++) {
                if (dice.nextInt(8) == 0) {
                    disk.refuse(dice.nextBoolean() ? 0 : dice.nextDouble() / 2);
                    disk.room(dice.nextBoolean() ? 1 << 30 : dice.nextInt(6_000));
                }
                for (int n = dice.nextInt(8); n > 0; n--) {
                    load.offer(writer, journal);
                }
                now += dice.nextLong(2 * TICK);
                boolean ignored = writer.step(now, now);
            }
            disk.refuse(0);
            disk.room(1 << 30);
            writer.finish(now, now);
            assertThat(accounted(writer)).isEqualTo(load.accepted().size());
            List<Datagram> read = Traffic.readAll(disk, new ArrayList<>());
            assertThat(read).hasSize((int) writer.journalled());
            for (Datagram datagram : read) {
                assertThat(datagram).isEqualTo(load.accepted().get(datagram.position()));
            }
            writer.close();
        });
    }

    @Test
    void refusesAndCountsWhenTheWriterIsSlow() throws IOException {
        Journal journal = journal();
        JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
        Traffic heavy = new Traffic(random, 60_000);
        while (heavy.refused() < 10) {
            heavy.offer(writer, journal);
        }
        assertThat(writer.dropped(JournalDrop.SLOW)).isEqualTo(10);
        int taken = heavy.accepted().size();
        writer.finish(0, 0);
        assertThat(writer.journalled()).isEqualTo(taken);
        heavy.offer(writer, journal);
        assertThat(heavy.accepted()).hasSize(taken + 1);
        writer.finish(0, 0);
        assertThat(read()).hasSize(taken + 1);
    }

    @Test
    void beginsAnewWhenSomebodyRemovesTheSegmentInUse() throws IOException {
        Journal journal = journal();
        JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
        rounds(writer, journal, 2);
        files.remove("0000000000000000.journal");
        rounds(writer, journal, 20);
        assertThat(writer.dropped(JournalDrop.ERROR)).isPositive();
        assertThat(troubles)
                .hasSize(1)
                .first()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("was removed");
        writer.finish(ticks, ticks);
        assertThat(accounted(writer)).isEqualTo(traffic.accepted().size());
        assertThat(read()).isNotEmpty();
    }
}
