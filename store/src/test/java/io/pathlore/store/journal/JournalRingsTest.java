package io.pathlore.store.journal;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pathlore.store.journal.CrashFiles.PowerFailure;
import io.pathlore.testkit.journal.PlainJournal;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several threads that receive, one that writes. */
@Timeout(120)
class JournalRingsTest {
    private static final Duration SYNC = Duration.ofMillis(200);
    private static final long SECOND = 1_000_000_000;
    private static final long START = 1_800_000_000 * SECOND;
    private static final JournalOptions SMALL = new JournalOptions(64 << 10, Duration.ofHours(1), Duration.ZERO, 0);
    /** A record of 1 KiB. */
    private static final int PAYLOAD = 1024 - 8 - 68;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final RandomGenerator random = new SplittableRandom(11);
    private final List<JournalDamage> damage = new ArrayList<>();

    private Journal open(JournalFiles files, JournalOptions options) throws IOException {
        return Journal.open(files, options, random::nextLong, START, trouble -> {
            throw new AssertionError(trouble);
        });
    }

    /** The ring stands in the exporter's port, the number in the original length. */
    private static boolean offer(JournalRing ring, int ringNumber, int number, long timeNanos) {
        ByteBuffer datagram = ByteBuffer.allocate(PAYLOAD).putInt(0, ringNumber).putInt(4, number);
        boolean taken = ring.offer(0, number, timeNanos, false, 0, 1, ringNumber, 0, 2, 8555, datagram, 0, PAYLOAD);
        ring.publish();
        return taken;
    }

    private static String payload(int ringNumber, int number) {
        return String.format("%08x%08x", ringNumber, number) + "00".repeat(PAYLOAD - 8);
    }

    @Test
    void keepsWhatEveryThreadOfferedInItsOrderAndBalancesItsBooksAllTheTime() throws Exception {
        int rings = 3;
        int each = 15_000;
        Journal journal = open(DiskFiles.make(directory), new JournalOptions(8 << 20, SYNC, Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, rings, 1, Duration.ofMillis(5), () -> START);
        Thread writing = Thread.ofPlatform().start(writer);
        AtomicLong offers = new AtomicLong();
        List<Thread> receiving = new ArrayList<>();
        for (int r = 0; r < rings; r++) {
            int ring = r;
            receiving.add(Thread.ofPlatform().start(() -> {
                for (int number = 0; number < each; offers.incrementAndGet()) {
                    if (offer(writer.ring(ring), ring, number, START)) {
                        number++;
                    } else {
                        Thread.onSpinWait();
                    }
                }
            }));
        }
        JournalBooks before = writer.books();
        do {
            long made = offers.get();
            JournalBooks books = writer.books();
            assertThat(books.waiting()).isNotNegative();
            assertThat(books.journalled()).isBetween(before.journalled(), books.taken());
            assertThat(books.taken()).isGreaterThanOrEqualTo(before.taken());
            // Every offer that returned is in one place.
            assertThat(books.taken() + books.slow()).isGreaterThanOrEqualTo(made);
            before = books;
        } while (before.taken() < (long) rings * each);
        for (Thread thread : receiving) {
            thread.join();
        }
        writer.stop();
        writing.join();
        writer.close();

        JournalBooks books = writer.books();
        assertThat(books.journalled()).isEqualTo((long) rings * each);
        assertThat(books.waiting()).isZero();
        assertThat(books.taken() + books.slow()).isEqualTo(offers.get());
        assertThat(writer.dropped(JournalDrop.SLOW)).isEqualTo(offers.get() - (long) rings * each);
        assertThat(writer.failure()).isNull();
        int[] next = new int[rings];
        long position = 0;
        for (Datagram datagram : Traffic.readAll(DiskFiles.of(directory), damage)) {
            assertThat(datagram.position()).isEqualTo(position++);
            int ring = datagram.exporterPort();
            assertThat(datagram.bytes()).isEqualTo(payload(ring, next[ring]));
            assertThat(datagram.originalLength()).isEqualTo(next[ring]++);
        }
        assertThat(next).containsOnly(each);
        assertThat(damage).isEmpty();
    }

    /** 4 MiB, which is more than is used while nothing waits; what is written goes several times through all of it. */
    @Test
    void losesNothingWhetherItStartsOverOrGoesOn() throws IOException {
        CrashFiles files = new CrashFiles(random);
        Journal journal = open(files, new JournalOptions(64 << 20, SYNC, Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, 1, 4 << 20, SYNC, () -> 0);
        int offered = 0;
        for (int round = 0; round < 60; round++) {
            int some = random.nextInt(1_500);
            for (int i = 0; i < some; i++) {
                assertThat(offer(writer.ring(0), 0, offered, START)).isTrue();
                offered++;
            }
            if (random.nextInt(3) > 0) {
                writer.step(0, 0);
            } else if (some > 700) {
                writer.ring(0).drain(journal, 64 << 10, 0, 0); // and the rest still waits
                writer.step(0, 0);
            }
        }
        writer.finish(0, 0);

        List<Datagram> written = Traffic.readAll(files, damage);
        assertThat(written).hasSize(offered);
        for (int i = 0; i < offered; i++) {
            assertThat(written.get(i).originalLength()).isEqualTo(i);
        }
        assertThat(damage).isEmpty();
    }

    @Test
    void servesARingWithLittleBeforeTheRestOfOneWithMuch() throws IOException {
        CrashFiles files = new CrashFiles(random);
        Journal journal = open(files, new JournalOptions(64 << 20, SYNC, Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, 3, 8 << 20, SYNC, () -> 0);
        for (int i = 0; i < 6 << 10; i++) {
            assertThat(offer(writer.ring(0), 0, i, START)).isTrue();
        }
        assertThat(offer(writer.ring(2), 2, 0, START)).isTrue();
        assertThat(offer(writer.ring(1), 1, 0, START)).isTrue();

        assertThat(writer.step(0, 0)).isFalse();

        List<Datagram> written = Traffic.readAll(files, damage);
        assertThat(written).hasSize((6 << 10) + 2);
        assertThat(written.subList(0, 2 << 10))
                .extracting(Datagram::exporterPort)
                .contains(1, 2);
    }

    @Test
    void takesARingThatNeverPausesForNoLongerThanARound() throws IOException {
        CrashFiles files = new CrashFiles(random);
        Journal journal = open(files, new JournalOptions(64 << 20, SYNC, Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, 2, 1, SYNC, () -> 0);
        int[] offered = new int[2];
        assertThat(writer.step(0, START)).isFalse();
        for (int round = 0; round < 50; round++) {
            while (offer(writer.ring(0), 0, offered[0], START)) {
                offered[0]++;
            }
            assertThat(offer(writer.ring(1), 1, offered[1], START)).isTrue();
            offered[1]++;
            boolean ignored = writer.step((round + 1) * SECOND, START);
            assertThat(writer.waiting()).isZero();
            assertThat(writer.books().journalled()).isEqualTo(offered[0] + offered[1]);
        }
    }

    @Test
    void balancesItsBooksWhateverTheDiskDoes() {
        forAll(150, RandomGenerator::nextLong, seed -> {
            RandomGenerator dice = new SplittableRandom(seed);
            CrashFiles disk = new CrashFiles(dice);
            JournalOptions options =
                    new JournalOptions(4096 + dice.nextInt(9000), Duration.ofSeconds(1), Duration.ZERO, 0);
            Journal journal = Journal.open(disk, options, dice::nextLong, 0, trouble -> {});
            int rings = 1 + dice.nextInt(4);
            JournalWriter writer = new JournalWriter(journal, rings, 1, SYNC, () -> 0);
            long taken = 0;
            long refused = 0;
            int[] offered = new int[rings];
            long now = 0;
            for (int i = 0; i < 40; i++) {
                if (dice.nextInt(8) == 0) {
                    disk.refuse(dice.nextBoolean() ? 0 : dice.nextDouble() / 2);
                    disk.room(dice.nextBoolean() ? 1 << 30 : dice.nextInt(6_000));
                }
                for (int n = dice.nextInt(dice.nextInt(10) == 0 ? 600 : 10); n > 0; n--) {
                    int ring = dice.nextInt(rings);
                    if (offer(writer.ring(ring), ring, offered[ring], START + now)) {
                        offered[ring]++;
                        taken++;
                    } else {
                        refused++;
                    }
                }
                balances(writer.books(), taken, refused);
                now += dice.nextLong(SECOND / 5);
                boolean ignored = writer.step(now, START + now);
                balances(writer.books(), taken, refused);
            }
            disk.refuse(0);
            disk.room(1 << 30);
            writer.finish(now, START + now);
            balances(writer.books(), taken, refused);
            assertThat(writer.waiting()).isZero();
            List<Datagram> read = Traffic.readAll(disk, new ArrayList<>());
            assertThat(read).hasSize((int) writer.journalled());
            inOrder(read);
            writer.close();
        });
    }

    private static void balances(JournalBooks books, long taken, long refused) {
        assertThat(books.taken()).isEqualTo(taken);
        assertThat(books.slow()).isEqualTo(refused);
        assertThat(books.journalled() + books.full() + books.error() + books.waiting())
                .isEqualTo(taken);
        assertThat(books.waiting()).isNotNegative();
        assertThat(books.dropped(JournalDrop.FULL) + books.dropped(JournalDrop.SLOW) + books.dropped(JournalDrop.ERROR))
                .isEqualTo(books.full() + refused + books.error());
    }

    /** Positions rise, and so do the numbers of each ring. */
    private static void inOrder(List<Datagram> read) {
        long position = -1;
        Map<Integer, Long> last = new HashMap<>();
        for (Datagram datagram : read) {
            assertThat(datagram.position()).isGreaterThan(position);
            position = datagram.position();
            int ring = datagram.exporterPort();
            assertThat(datagram.originalLength()).isGreaterThan(last.getOrDefault(ring, -1L));
            assertThat(datagram.bytes()).isEqualTo(payload(ring, (int) datagram.originalLength()));
            last.put(ring, datagram.originalLength());
        }
    }

    /** As in {@link JournalCrashTest}, with more rings: what was acknowledged is there, at its position. */
    @Test
    void keepsWhatItAcknowledgedOverACrash() {
        forAll(100, RandomGenerator::nextLong, seed -> {
            RandomGenerator dice = new SplittableRandom(seed);
            CrashFiles disk = new CrashFiles(dice);
            JournalOptions options = new JournalOptions(4096 + dice.nextInt(9000), SYNC, Duration.ZERO, 0);
            TreeMap<Long, Datagram> acknowledged = new TreeMap<>();
            int[] offered = new int[3];
            for (int life = 0; life < 3; life++) {
                disk.crashAfter(1 + dice.nextInt(100));
                try {
                    Journal journal = Journal.open(disk, options, dice::nextLong, START, trouble -> {});
                    JournalWriter writer = new JournalWriter(journal, 3, 1, SYNC, () -> 0);
                    for (int round = 1; round < 30; round++) {
                        for (int n = dice.nextInt(6); n > 0; n--) {
                            int ring = dice.nextInt(3);
                            assertThat(offer(writer.ring(ring), ring, offered[ring]++, START))
                                    .isTrue();
                        }
                        boolean ignored = writer.step(round * SECOND / 7, START);
                        long last = writer.counts().acknowledgedPosition();
                        for (Datagram datagram : Traffic.readAll(disk, new ArrayList<>())) {
                            if (datagram.position() <= last) {
                                acknowledged.put(datagram.position(), datagram);
                            }
                        }
                        assertThat(acknowledged.tailMap(journal.firstPosition()))
                                .hasSize((int) writer.journalled());
                    }
                } catch (PowerFailure crash) {
                    // The next life goes on.
                }
                if (dice.nextBoolean()) {
                    disk.kill();
                } else {
                    disk.loseUnsafe();
                }
                List<Datagram> recovered = Traffic.readAll(disk, new ArrayList<>());
                inOrder(recovered);
                assertThat(recovered).containsAll(acknowledged.values());
                assertThat(PlainJournal.read(disk.contents()).datagrams()).isEqualTo(recovered);
            }
        });
    }

    /** One ring waits while another is written, so times jump back and forth by seconds. */
    @Test
    void findsTimesThatAreNotInOrder() throws IOException {
        Journal journal = open(DiskFiles.make(directory), new JournalOptions(400 << 10, SYNC, Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, 3, 1 << 20, Duration.ofHours(1), () -> 0);
        int[] offered = new int[3];
        long time = START;
        for (int i = 0; i < 3_000; i++) {
            time += random.nextLong(SECOND / 50);
            int ring = random.nextInt(3);
            assertThat(offer(writer.ring(ring), ring, offered[ring]++, time - random.nextLong(1_000_000)))
                    .isTrue();
            if (random.nextInt(200) == 0) {
                boolean ignored = writer.step(i, START);
            }
        }
        writer.finish(0, START);
        List<Datagram> all = Traffic.readAll(DiskFiles.of(directory), damage);
        assertThat(all).hasSize(3_000);
        long back = 0;
        for (int i = 1; i < all.size(); i++) {
            back = Math.max(back, all.get(i - 1).timeNanos() - all.get(i).timeNanos());
        }
        assertThat(back).as("furthest step back").isGreaterThan(SECOND);

        windows(all); // while the last segment is written
        writer.close();
        windows(all); // with all indexes
        try (Stream<Path> files = Files.list(directory)) {
            for (Path index :
                    files.filter(file -> file.toString().endsWith(".index")).toList()) {
                Files.delete(index);
            }
        }
        windows(all); // with none
        assertThat(damage).isEmpty();
    }

    private void windows(List<Datagram> all) throws IOException {
        for (int i = 0; i < 60; i++) {
            // At a record's own time, and a nanosecond beside it: since is included, until is not.
            long since = all.get(random.nextInt(all.size())).timeNanos() + random.nextInt(3) - 1;
            long until = random.nextInt(4) == 0
                    ? Long.MAX_VALUE
                    : all.get(random.nextInt(all.size())).timeNanos() + random.nextInt(3) - 1;
            try (JournalReader reader = new JournalReader(DiskFiles.of(directory), damage::add).between(since, until)) {
                assertThat(Traffic.rest(reader))
                        .isEqualTo(all.stream()
                                .filter(d -> d.timeNanos() >= since && d.timeNanos() < until)
                                .toList());
            }
        }
    }

    @Test
    void aThreadThatFailsIsNoticedAndItsBooksStillBalance() throws Exception {
        CrashFiles files = new CrashFiles(random);
        Journal journal = open(files, SMALL);
        AtomicBoolean broken = new AtomicBoolean();
        JournalWriter writer = new JournalWriter(journal, 2, 1, Duration.ofMillis(1), () -> {
            if (broken.get()) {
                throw new IllegalStateException("boom");
            }
            return START;
        });
        Thread writing = Thread.ofPlatform().start(writer);
        offerUntil(writer, 0, () -> writer.journalled() > 20);
        assertThat(writer.failure()).isNull();

        broken.set(true);
        offerUntil(writer, 1, () -> writer.failure() != null);
        assertThat(writer.failure()).hasMessage("boom");
        long journalled = writer.journalled();

        // Whoever receives is not held up, and loses nothing unseen.
        long errors = writer.dropped(JournalDrop.ERROR);
        offerUntil(writer, 0, () -> writer.dropped(JournalDrop.ERROR) > errors + 1_000);
        writer.stop();
        writing.join();
        writer.close();
        JournalBooks books = writer.books();
        assertThat(books.waiting()).isZero();
        assertThat(books.journalled()).isEqualTo(journalled);
        assertThat(books.taken()).isEqualTo(journalled + books.error());

        Journal again = open(files, SMALL); // the lock is free
        assertThat(Traffic.readAll(files, damage).size()).isGreaterThanOrEqualTo((int) journalled);
        again.close();
    }

    private static void offerUntil(JournalWriter writer, int ring, BooleanSupplier done) {
        for (int number = 0; !done.getAsBoolean(); number++) {
            boolean ignored = offer(writer.ring(ring), ring, number, START);
        }
    }

    @Test
    void failingWhileItFinishesIsNoticedToo() throws Exception {
        CrashFiles files = new CrashFiles(random);
        JournalWriter writer = new JournalWriter(open(files, SMALL), 1, 1, Duration.ofHours(1), () -> START);
        assertThat(offer(writer.ring(0), 0, 0, START)).isTrue();
        writer.stop();
        files.crashAfter(1);
        writer.run();
        assertThat(writer.failure()).isInstanceOf(PowerFailure.class);
        assertThat(writer.books()).isEqualTo(new JournalBooks(1, 0, 0, 0, 1));
        writer.close();
    }

    /** What is not used because it started over is not taken from what may wait. */
    @Test
    void hasRoomForAsMuchAfterItStartedOver() throws IOException {
        CrashFiles files = new CrashFiles(random);
        Journal journal = open(files, new JournalOptions(64 << 20, SYNC, Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, 1, 4 << 20, SYNC, () -> 0);
        int records = 4 << 10;
        int offered = 0;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 1 << 10; i++) { // all that is used while nothing waits: the next starts over
                assertThat(offer(writer.ring(0), 0, offered++, START)).isTrue();
                assertThat(writer.ring(0).waitingBytes()).isEqualTo(1 << 10);
                writer.ring(0).drain(journal, 64 << 10, 0, 0);
            }
            int waiting = 0;
            while (offer(writer.ring(0), 0, offered + waiting, START)) {
                waiting++;
            }
            assertThat(waiting).isEqualTo(records);
            assertThat(writer.ring(0).waitingBytes()).isEqualTo(4 << 20);
            writer.finish(0, 0);
            offered += records;
            assertThat(writer.ring(0).waitingBytes()).isZero();
        }
        List<Datagram> written = Traffic.readAll(files, damage);
        assertThat(written).hasSize(offered);
        for (int i = 0; i < offered; i++) {
            assertThat(written.get(i).originalLength()).isEqualTo(i);
        }
        assertThat(damage).isEmpty();
    }

    @Test
    void refusesToHaveNoRing() throws IOException {
        Journal journal = open(new CrashFiles(random), SMALL);
        assertThatThrownBy(() -> new JournalWriter(journal, 0, 1, SYNC, () -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("0 rings; at least 1");
    }

    @Test
    void nothingIsWrittenBeforeTheReceiverSaysSo() throws IOException {
        Journal journal = open(DiskFiles.make(directory), JournalOptions.DEFAULT);
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, Duration.ofMillis(1), () -> START);
        ByteBuffer datagram = ByteBuffer.allocate(PAYLOAD);
        assertThat(writer.ring(0).offer(0, 1, START, false, 0, 1, 2, 0, 3, 8555, datagram, 0, PAYLOAD))
                .isTrue();
        boolean ignored = writer.step(0, START);
        writer.finish(10_000_000, START);
        assertThat(writer.journalled()).isZero();
        assertThat(writer.waiting()).isEqualTo(1);
        writer.ring(0).publish();
        writer.finish(20_000_000, START);
        assertThat(writer.journalled()).isEqualTo(1);
        assertThat(writer.waiting()).isZero();
        writer.close();
    }
}
