package io.pathlore.store.journal;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.store.journal.CrashFiles.PowerFailure;
import io.pathlore.store.journal.JournalDamage.Kind;
import io.pathlore.testkit.journal.PlainJournal;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Lives of a journal that each end in a crash, at any operation that changes something: of the process, or of the machine,
 * which then keeps any part of what was not synced. Whatever happened, the next life finds what was acknowledged, nothing that
 * was never offered, and all of it in order.
 */
class JournalCrashTest {
    private static final Duration SYNC = Duration.ofMillis(200);
    private static final long TICK = 37_000_000;

    @Test
    void keepsWhatItAcknowledgedAndInventsNothing() {
        forAll(2_000, RandomGenerator::nextLong, seed -> new Lives(seed).run());
    }

    private static final class Lives {
        private final RandomGenerator random;
        private final CrashFiles files;
        private final Traffic traffic;
        private final JournalOptions options;
        private final NavigableSet<Long> acknowledged = new TreeSet<>();
        private long ticks;
        private long lives;

        Lives(long seed) {
            random = new SplittableRandom(seed);
            files = new CrashFiles(random);
            traffic = new Traffic(random, 1 + random.nextInt(1_500));
            boolean bounded = random.nextInt(4) == 0;
            options = new JournalOptions(
                    4096 + random.nextInt(8192), Duration.ofSeconds(2), Duration.ZERO, bounded ? 20_000 : 0);
        }

        void run() throws IOException {
            int count = 2 + random.nextInt(4);
            for (int i = 0; i < count; i++) {
                files.crashAfter(1 + random.nextInt(random.nextBoolean() ? 20 : 150));
                try {
                    live();
                    // To close in order is one way to end, too.
                } catch (PowerFailure crash) {
                    // The next life goes on.
                }
                if (random.nextInt(3) == 0) {
                    files.kill();
                } else {
                    files.loseUnsafe();
                }
                check(read());
            }
            Journal last = open();
            List<Datagram> recovered = read();
            check(recovered);
            last.close();
            assertThat(positions(read())).isEqualTo(positions(recovered));
        }

        private static List<Long> positions(List<Datagram> datagrams) {
            return datagrams.stream().map(Datagram::position).toList();
        }

        private Journal open() throws IOException {
            return Journal.open(files, options, random::nextLong, now(), trouble -> {
                throw new AssertionError("nothing here refuses", trouble);
            });
        }

        private long now() {
            return 1_800_000_000_000_000_000L + ticks;
        }

        private void live() throws IOException {
            Journal journal = open();
            // What one life found, the next may not lose.
            for (Datagram datagram : read()) {
                acknowledged.add(datagram.position());
            }
            JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
            assertThat(writer.counts().acknowledgedPosition()).isEqualTo(-1);
            int rounds = random.nextInt(40);
            for (int i = 0; i < rounds; i++) {
                for (int n = random.nextInt(6); n > 0; n--) {
                    traffic.offer(writer, journal);
                }
                ticks += random.nextLong(TICK * 2);
                boolean ignored = writer.step(ticks, now());
                note(journal);
            }
            if (random.nextBoolean()) {
                writer.finish(ticks, now());
                note(journal);
                writer.close();
            }
        }

        private void note(Journal journal) {
            long first = journal.firstPosition();
            long last = journal.counts().acknowledgedPosition();
            if (last >= first) {
                acknowledged.addAll(
                        traffic.accepted().subMap(first, true, last, true).keySet());
                assertThat(journal.counts().journalled()).isEqualTo(last - first + 1);
            }
        }

        private List<Datagram> read() throws IOException {
            List<JournalDamage> damage = new ArrayList<>();
            List<Datagram> read = Traffic.readAll(files, damage);
            // A hole that the failure tore between records that were not acknowledged; never more than that.
            assertThat(damage).allMatch(found -> found.kind() == Kind.RECORD);
            List<Datagram> plain = PlainJournal.read(files.contents()).datagrams();
            assertThat(positions(plain)).isEqualTo(positions(read));
            assertThat(plain.equals(read)).isTrue();
            return read;
        }

        private void check(List<Datagram> recovered) {
            lives++;
            List<Long> order = positions(recovered);
            NavigableSet<Long> positions = new TreeSet<>(order);
            assertThat(order).as("order in life %s", lives).isEqualTo(List.copyOf(positions));
            for (Datagram datagram : recovered) {
                if (!datagram.equals(traffic.accepted().get(datagram.position()))) {
                    throw new AssertionError("nobody offered " + datagram);
                }
            }
            if (options.keepBytes() > 0 && !positions.isEmpty()) {
                // Whole segments may be gone, the oldest first.
                assertThat(positions.containsAll(acknowledged.tailSet(positions.first())))
                        .as("acknowledged is kept")
                        .isTrue();
            } else if (options.keepBytes() == 0) {
                assertThat(positions.containsAll(acknowledged))
                        .as("acknowledged is kept")
                        .isTrue();
            }
        }
    }

    /** The same number of operations every time, so every single one of them is hit once. */
    @Test
    void survivesACrashInEveryOperationOfALife() throws IOException {
        long operations = 1;
        for (long crash = 1; crash <= operations + 1; crash++) {
            for (int power = 0; power < 3; power++) {
                CrashFiles files = new CrashFiles(new SplittableRandom(crash * 31 + power));
                RandomGenerator dice = new SplittableRandom(5);
                Traffic traffic = new Traffic(dice, 900);
                TreeSet<Long> acknowledged = new TreeSet<>();
                files.crashAfter(crash);
                try {
                    for (int life = 0; life < 2; life++) {
                        fixedLife(files, dice, traffic, acknowledged);
                    }
                } catch (PowerFailure expected) {
                    // At one of the operations.
                }
                operations = Math.max(operations, files.operations());
                if (power == 0) {
                    files.kill();
                } else {
                    files.loseUnsafe();
                }
                Journal.open(files, fixedOptions(), dice::nextLong, 0, trouble -> {})
                        .close();
                List<Datagram> recovered = Traffic.readAll(files, new ArrayList<>());
                assertThat(traffic.accepted().values()).containsAll(recovered);
                assertThat(recovered.stream().map(Datagram::position).toList())
                        .isSorted()
                        .containsAll(acknowledged);
            }
        }
        assertThat(operations).isGreaterThan(80);
    }

    private static JournalOptions fixedOptions() {
        return new JournalOptions(4096, Duration.ofHours(1), Duration.ZERO, 0);
    }

    private static void fixedLife(
            CrashFiles files, RandomGenerator dice, Traffic traffic, NavigableSet<Long> acknowledged)
            throws IOException {
        Journal journal = Journal.open(files, fixedOptions(), dice::nextLong, 0, trouble -> {});
        JournalWriter writer = new JournalWriter(journal, 1, 1, SYNC, () -> 0);
        for (int i = 0; i < 20; i++) {
            traffic.offer(writer, journal);
            boolean ignored = writer.step(i * 100_000_000L, 0);
            acknowledged.addAll(traffic.accepted()
                    .subMap(
                            journal.firstPosition(),
                            journal.firstPosition() + journal.counts().journalled())
                    .keySet());
        }
        writer.finish(0, 0);
        acknowledged.addAll(traffic.accepted().keySet());
        writer.close();
    }
}
