package io.pathlore.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.pathlore.store.journal.JournalDamage.Kind;
import io.pathlore.testkit.journal.PlainJournal;
import io.pathlore.testkit.journal.PlainJournal.Datagram;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real disk. */
class JournalTest {
    private static final Duration SYNC = Duration.ofMillis(200);
    private static final long SECOND = 1_000_000_000;
    private static final long START = 1_800_000_000 * SECOND;
    private static final JournalOptions SMALL = new JournalOptions(64 << 10, Duration.ofHours(1), Duration.ZERO, 0);

    @TempDir
    Path directory;

    private final RandomGenerator random = new SplittableRandom(3);
    private final Traffic traffic = new Traffic(random, 800);
    private final List<JournalDamage> damage = new ArrayList<>();
    private long ticks;

    private Journal open(JournalOptions options) throws IOException {
        return Journal.open(DiskFiles.make(directory), options, random::nextLong, START + ticks, trouble -> {
            throw new AssertionError(trouble);
        });
    }

    private void write(JournalWriter writer, Journal journal, int records) {
        for (int i = 0; i < records; i++) {
            traffic.offer(writer, journal);
            ticks += SECOND / 100;
            boolean ignored = writer.step(ticks, START + ticks);
        }
    }

    private Journal write(JournalOptions options, int records) throws IOException {
        Journal journal = open(options);
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, SYNC, () -> 0);
        write(writer, journal, records);
        writer.finish(ticks, START + ticks);
        return journal;
    }

    private List<Datagram> read() throws IOException {
        return Traffic.readAll(DiskFiles.of(directory), damage);
    }

    private List<String> names(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void readsWhatItWroteOverManySegments() throws IOException {
        Journal journal = write(SMALL, 1_000);
        assertThat(read()).isEqualTo(List.copyOf(traffic.accepted().values()));
        assertThat(journal.counts().segments())
                .isEqualTo(names(".journal").size())
                .isGreaterThan(5);
        assertThat(journal.counts().journalled()).isEqualTo(1_000);
        assertThat(journal.counts().acknowledgedPosition()).isEqualTo(999);
        journal.close();
        assertThat(names(".index")).hasSameSizeAs(names(".journal"));
        assertThat(read()).isEqualTo(List.copyOf(traffic.accepted().values()));
        assertThat(damage).isEmpty();
        for (String name : names(".journal")) {
            assertThat(Files.size(directory.resolve(name))).isLessThanOrEqualTo(64 << 10);
        }
    }

    @Test
    void aReaderWrittenFromThePageReadsTheSame() throws IOException {
        write(SMALL, 500).close();
        write(SMALL, 500).close();
        PlainJournal plain = PlainJournal.read(directory);
        assertThat(plain.datagrams()).isEqualTo(read());
        assertThat(plain.remarks()).isEmpty();
    }

    @Test
    void neverGivesAPositionTwice() throws IOException {
        Journal first = write(SMALL, 3);
        long edge = first.edgeId();
        assertThat(first.firstPosition()).isZero();
        first.close();
        Journal second = write(SMALL, 0);
        assertThat(second.firstPosition()).isEqualTo(1L << 40);
        second.close();
        // The second wrote nothing, and yet gave its positions out for all anybody knows.
        Journal third = write(SMALL, 3);
        assertThat(third.firstPosition()).isEqualTo(2L << 40);
        assertThat(third.edgeId()).isEqualTo(edge);
        third.close();
        assertThat(names(".journal")).containsExactly("0000000000000000.journal", "0000020000000000.journal");
        assertThat(read()).hasSize(6);
        assertThat(damage).isEmpty();
    }

    @Test
    void removesTheOldestSegmentsByBytes() throws IOException {
        Journal journal = write(new JournalOptions(64 << 10, Duration.ofHours(1), Duration.ZERO, 200 << 10), 2_000);
        journal.maintain(ticks, START + ticks);
        assertThat(journal.counts().bytes()).isBetween(100L << 10, 200L << 10);
        assertThat(journal.counts().removed()).isGreaterThan(5);
        List<Datagram> kept = read();
        assertThat(kept).isEqualTo(List.copyOf(traffic.accepted().values()).subList(2_000 - kept.size(), 2_000));
        journal.close();
        assertThat(damage).isEmpty();
    }

    /** Who reads behind a writer that removes is told how much went by. */
    @Test
    void countsWhatWasRemovedBeforeItWasRead() throws IOException {
        JournalOptions options = new JournalOptions(64 << 10, Duration.ofHours(1), Duration.ZERO, 200 << 10);
        Journal journal = write(options, 2_000);
        journal.maintain(ticks, START + ticks);
        int kept = read().size();
        journal.close();
        try (JournalReader reader = new JournalReader(DiskFiles.of(directory), damage::add)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.missed())
                    .as("who asks for all there is misses nothing")
                    .isZero();
            reader.restart().fromPosition(100);
            assertThat(reader.next()).isTrue();
            assertThat(reader.envelope().position()).isEqualTo(2_000 - kept);
            assertThat(reader.missed()).isEqualTo(2_000 - kept - 100);
            while (reader.next()) {
                assertThat(reader.missed()).isEqualTo(2_000 - kept - 100);
            }
            reader.restart().fromPosition(2_000 - kept);
            assertThat(reader.next()).isTrue();
            assertThat(reader.missed()).isZero();
        }
        assertThat(damage).isEmpty();
    }

    @Test
    void removesTheOldestSegmentsByAge() throws IOException {
        // 100 records a second: segments of 1 s, kept for 4 s.
        Journal journal = write(new JournalOptions(1 << 20, Duration.ofSeconds(1), Duration.ofSeconds(4), 0), 1_500);
        List<Datagram> kept = read();
        assertThat(kept.size()).isBetween(400, 800);
        assertThat(kept.getLast().position()).isEqualTo(1_499);
        // However old it gets, the one in use stays.
        journal.maintain(ticks, START + ticks + 100 * SECOND);
        journal.maintain(ticks, START + ticks + 1_000 * SECOND);
        assertThat(journal.counts().segments()).isLessThanOrEqualTo(1);
        journal.close();
        assertThat(damage).isEmpty();
    }

    @Test
    void findsATimeThroughTheIndexAndWithoutIt() throws IOException {
        write(new JournalOptions(400 << 10, Duration.ofHours(1), Duration.ZERO, 0), 3_000)
                .close();
        List<Datagram> all = List.copyOf(traffic.accepted().values());
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 50; i++) {
                long since = all.get(random.nextInt(all.size())).timeNanos() + random.nextInt(3) - 1;
                long until = since + random.nextLong(3 * SECOND);
                try (JournalReader reader =
                        new JournalReader(DiskFiles.of(directory), damage::add).between(since, until)) {
                    assertThat(Traffic.rest(reader))
                            .isEqualTo(all.stream()
                                    .filter(d -> d.timeNanos() >= since && d.timeNanos() < until)
                                    .toList());
                }
                long from = random.nextLong(-5, 3_005);
                try (JournalReader reader =
                        new JournalReader(DiskFiles.of(directory), damage::add).fromPosition(from)) {
                    assertThat(Traffic.rest(reader))
                            .isEqualTo(all.stream()
                                    .filter(d -> d.position() >= from)
                                    .toList());
                }
            }
            for (String index : names(".index")) {
                Files.delete(directory.resolve(index));
            }
        }
        assertThat(damage).isEmpty();
    }

    /** The segment is still open, so there is no index, and large enough that it is not read from its start. */
    @Test
    void findsATimeOrAPositionInTheSegmentThatIsBeingWritten() throws IOException {
        try (Journal journal = write(new JournalOptions(64 << 20, Duration.ofHours(1), Duration.ZERO, 0), 4_000);
                JournalReader reader = new JournalReader(DiskFiles.of(directory), damage::add)) {
            List<Datagram> all = List.copyOf(traffic.accepted().values());
            long size = Files.size(directory.resolve(names(".journal").getFirst()));
            for (int i = 0; i < 50; i++) {
                long since = all.get(random.nextInt(all.size())).timeNanos() + random.nextInt(3) - 1;
                long until = since + random.nextLong(SECOND / 10);
                long from = random.nextInt(2) == 0 ? 0 : random.nextLong(4_000);
                List<Datagram> expected = all.stream()
                        .filter(d -> d.timeNanos() >= since && d.timeNanos() < until && d.position() >= from)
                        .toList();
                reader.restart().between(since, until).fromPosition(from).assumingOrder(SECOND / 1_000);
                assertThat(Traffic.rest(reader)).isEqualTo(expected);
                assertThat(reader.octets()).isLessThan(size / 2);
                reader.restart().fromPosition(from);
                assertThat(Traffic.rest(reader))
                        .isEqualTo(
                                all.stream().filter(d -> d.position() >= from).toList());
            }
            assertThat(journal.edgeId()).isEqualTo(all.getFirst().edge());
        }
        assertThat(damage).isEmpty();
    }

    @Test
    void aReaderThatSkipsIsNearTheEndAndThenMissesNothing() throws IOException {
        try (Journal journal = open(new JournalOptions(1 << 20, Duration.ofHours(1), Duration.ZERO, 0));
                JournalReader reader = new JournalReader(DiskFiles.of(directory), damage::add)) {
            reader.skipToEnd(); // there is nothing yet
            JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, SYNC, () -> 0);
            write(writer, journal, 5_000);
            reader.skipToEnd();
            int left = Traffic.rest(reader).size();
            assertThat(left).isBetween(1, 1_000);
            write(writer, journal, 5_000);
            List<Datagram> all = List.copyOf(traffic.accepted().values());
            assertThat(Traffic.rest(reader)).isEqualTo(all.subList(5_000, 10_000));
            writer.finish(ticks, START + ticks);
        }
        assertThat(damage).isEmpty();
    }

    @Test
    void aReaderFollowsTheWriter() throws IOException {
        Journal journal = open(SMALL);
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, SYNC, () -> 0);
        List<Datagram> seen = new ArrayList<>();
        try (JournalReader reader = new JournalReader(DiskFiles.of(directory), damage::add)) {
            assertThat(reader.next()).isFalse();
            for (int i = 0; i < 60; i++) {
                write(writer, journal, random.nextInt(30));
                seen.addAll(Traffic.rest(reader));
                assertThat(seen).hasSameSizeAs(traffic.accepted().values());
            }
            writer.finish(ticks, START);
            writer.close();
            journal = write(SMALL, 10);
            journal.close();
            seen.addAll(Traffic.rest(reader));
        }
        assertThat(seen).isEqualTo(List.copyOf(traffic.accepted().values()));
        assertThat(damage).isEmpty();
    }

    /** The oldest segments go first, also that which is being read; nothing of this is damage. */
    @Test
    void aReaderThatTheWriterOvertakesGoesOnWithWhatIsKept() throws IOException {
        Journal journal = open(new JournalOptions(64 << 10, Duration.ofHours(1), Duration.ZERO, 200 << 10));
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, SYNC, () -> 0);
        write(writer, journal, 300);
        try (JournalReader reader = new JournalReader(DiskFiles.of(directory), damage::add)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.envelope().position()).isZero();
            write(writer, journal, 2_000);
            journal.maintain(ticks, START + ticks);
            List<Datagram> rest = Traffic.rest(reader);
            List<Datagram> all = List.copyOf(traffic.accepted().values());
            // The rest of the first segment, and then the last ones.
            assertThat(rest).isSubsetOf(all).hasSizeBetween(300, 1_000);
            assertThat(rest.getFirst()).isEqualTo(all.get(1));
            assertThat(rest.getLast()).isEqualTo(all.getLast());
        }
        assertThat(damage).isEmpty();
        writer.close();
    }

    @Test
    void cutsWhatACrashLeftHalfWritten() throws IOException {
        write(SMALL, 20).close();
        String last = names(".journal").getLast();
        Files.delete(directory.resolve(names(".index").getLast()));
        byte[] bytes = Files.readAllBytes(directory.resolve(last));
        Files.write(directory.resolve(last), java.util.Arrays.copyOf(bytes, bytes.length - 13));
        Files.write(directory.resolve("0000090000000000.journal.tmp"), new byte[10]);
        List<Datagram> torn = read();
        assertThat(torn).isEqualTo(List.copyOf(traffic.accepted().values()).subList(0, 19));
        Journal journal = open(SMALL);
        assertThat(journal.found()).extracting(JournalDamage::kind).containsExactly(Kind.TORN);
        journal.close();
        assertThat(read()).isEqualTo(torn);
        assertThat(names(".tmp")).isEmpty();
        assertThat(damage).isEmpty();
    }

    @Test
    void skipsDamagedOctetsInAnOldSegmentAndNamesThem() throws IOException {
        write(SMALL, 600).close();
        String second = names(".journal").get(1);
        byte[] bytes = Files.readAllBytes(directory.resolve(second));
        bytes[20_000] ^= 4;
        Files.write(directory.resolve(second), bytes);
        List<Datagram> read = read();
        assertThat(read).hasSize(599).isSubsetOf(traffic.accepted().values());
        assertThat(damage).hasSize(1);
        assertThat(damage.getFirst().kind()).isEqualTo(Kind.RECORD);
        assertThat(damage.getFirst().text()).startsWith(second + ": ").contains(" bytes at ");
        assertThat(PlainJournal.read(directory).datagrams()).isEqualTo(read);
    }

    @Test
    void setsASegmentWithoutAHeaderAsideAndReadsOnBehindIt() throws IOException {
        write(SMALL, 600).close();
        String second = names(".journal").get(1);
        byte[] bytes = Files.readAllBytes(directory.resolve(second));
        bytes[30] ^= 1;
        Files.write(directory.resolve(second), bytes);
        List<Datagram> behind = read();
        assertThat(behind).hasSizeBetween(300, 599);
        assertThat(damage).extracting(JournalDamage::kind).containsExactly(Kind.HEADER);
        damage.clear();
        Journal journal = open(SMALL);
        journal.close();
        assertThat(journal.found()).extracting(JournalDamage::kind).contains(Kind.HEADER);
        assertThat(journal.counts().damaged()).isPositive();
        assertThat(names(".bad")).containsExactly(second + ".header.bad");
        assertThat(read()).isEqualTo(behind);
        assertThat(damage).extracting(JournalDamage::kind).contains(Kind.QUARANTINED);
    }

    @Test
    void namesASegmentThatIsMissing() throws IOException {
        write(SMALL, 600).close();
        Files.delete(directory.resolve(names(".journal").get(1)));
        List<Datagram> read = read();
        assertThat(read.size()).isBetween(300, 599);
        assertThat(damage).hasSize(1);
        assertThat(damage.getFirst().kind()).isEqualTo(Kind.MISSING);
        assertThat(damage.getFirst().text()).contains("are missing before it");
        Journal journal = open(SMALL);
        assertThat(journal.found()).extracting(JournalDamage::kind).containsExactly(Kind.MISSING);
        journal.close();
        assertThat(PlainJournal.read(directory).remarks()).hasSize(1);
    }

    /** Whatever is done to the files: it opens, it reads, it ends, and what it reads was written. */
    @Test
    void neverFailsOnDamagedFiles() throws IOException {
        write(SMALL, 400).close();
        List<String> names = names("");
        byte[][] originals = new byte[names.size()][];
        for (int i = 0; i < originals.length; i++) {
            originals[i] = Files.readAllBytes(directory.resolve(names.get(i)));
        }
        for (int round = 0; round < 60; round++) {
            CrashFiles files = new CrashFiles(random);
            for (int i = 0; i < originals.length; i++) {
                files.put(names.get(i), originals[i]);
            }
            int victim = random.nextInt(originals.length);
            byte[] bytes = originals[victim].clone();
            int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
            int length = Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 8 : 5_000));
            switch (random.nextInt(4)) {
                case 0 -> files.put(names.get(victim), java.util.Arrays.copyOf(bytes, at));
                case 1 -> files.remove(names.get(victim));
                case 2 -> {
                    java.util.Arrays.fill(bytes, at, at + length, (byte) 0);
                    files.put(names.get(victim), bytes);
                }
                default -> {
                    for (int i = at; i < at + length; i++) {
                        bytes[i] = (byte) random.nextInt();
                    }
                    files.put(names.get(victim), bytes);
                }
            }
            assertThat(traffic.accepted().values()).containsAll(Traffic.readAll(files, damage));
            Journal.open(files, SMALL, random::nextLong, 0, trouble -> {}).close();
            List<Datagram> read = Traffic.readAll(files, damage);
            assertThat(traffic.accepted().values()).containsAll(read);
            assertThat(PlainJournal.read(files.contents()).datagrams()).isEqualTo(read);
        }
    }

    /** A datagram that holds a whole segment: when the record around it is damaged, its insides are no records. */
    @Test
    void isNotFooledByADatagramThatLooksLikeRecords() throws IOException {
        Journal journal = open(SMALL);
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, SYNC, () -> 0);
        write(writer, journal, 30);
        writer.finish(ticks, START);
        byte[] image = Files.readAllBytes(directory.resolve(names(".journal").getFirst()));
        // At a multiple of 8 in the file, with positions that would follow: all but the salt of a segment yet to come.
        ByteBuffer datagram = ByteBuffer.allocate(image.length + 4).put(4, image);
        writer.close();
        journal = open(SMALL);
        writer = new JournalWriter(journal, 1, 1 << 20, SYNC, () -> 0);
        write(writer, journal, 1);
        for (int at = 4 + 64; at < datagram.capacity(); at += 8 + (datagram.getInt(at) + 7) / 8 * 8) {
            datagram.putLong(at + 8 + 24, journal.firstPosition() + 100 + at);
        }
        traffic.skipPosition();
        assertThat(writer.ring(0).offer(0, 1, 1, false, 0, 1, 1, 0, 1, 1, datagram, 0, datagram.capacity()))
                .isTrue();
        writer.ring(0).publish();
        write(writer, journal, 1);
        writer.finish(ticks, START);
        writer.close();
        String name = names(".journal").getLast();
        byte[] bytes = Files.readAllBytes(directory.resolve(name));
        int second = 64 + (8 + ByteBuffer.wrap(bytes).getInt(64) + 7) / 8 * 8;
        bytes[second + 5] ^= 1;
        Files.write(directory.resolve(name), bytes);
        open(SMALL).close();
        assertThat(read()).isEqualTo(List.copyOf(traffic.accepted().values()));
        assertThat(damage).hasSize(1);
    }

    @Test
    void letsOnlyOneWriteInOneLine() throws IOException {
        Journal journal = open(SMALL);
        assertThatThrownBy(() -> open(SMALL))
                .isInstanceOf(JournalException.class)
                .hasMessage("journal " + directory + ": is written by another collector (process "
                        + ProcessHandle.current().pid()
                        + "); stop it, or give this one a data directory of its own");
        journal.close();
        open(SMALL).close();
    }

    @Test
    void leavesAJournalOfALaterFormatAlone() throws IOException {
        write(SMALL, 1).close();
        Path segment = directory.resolve(names(".journal").getFirst());
        byte[] bytes = Files.readAllBytes(segment);
        bytes[9] = 2;
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes, 0, 60);
        ByteBuffer.wrap(bytes).putInt(60, (int) crc.getValue());
        Files.write(segment, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        assertThatThrownBy(() -> open(SMALL))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("has format 2, this program knows format 1");
        assertThat(names(".bad")).isEmpty();
    }

    @Test
    void aThreadOfItsOwnWritesAllThatWasOffered() throws Exception {
        Journal journal = open(SMALL);
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 18, Duration.ofMillis(5), () -> START);
        Thread thread = Thread.ofPlatform().name("pathlore-journal").start(writer);
        while (traffic.accepted().size() < 20_000) {
            traffic.offer(writer, journal);
        }
        writer.stop();
        thread.join();
        writer.close();
        assertThat(writer.journalled()).isEqualTo(20_000);
        assertThat(writer.dropped(JournalDrop.SLOW)).isEqualTo(traffic.refused());
        assertThat(read()).isEqualTo(List.copyOf(traffic.accepted().values()));
        assertThat(damage).isEmpty();
    }

    @Test
    void allocatesNothingPerRecord() throws IOException {
        Journal journal = open(new JournalOptions(64 << 20, Duration.ofHours(1), Duration.ZERO, 0));
        JournalWriter writer = new JournalWriter(journal, 1, 1 << 20, Duration.ofHours(1), () -> 0);
        ByteBuffer datagram = ByteBuffer.allocateDirect(200);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        int records = 0;
        for (int round = 0; round < 60; round++) {
            if (round == 30) {
                allocated = thread.getCurrentThreadAllocatedBytes();
                records = 0;
            }
            for (int i = 0; i < 1_000; i++) {
                assertTaken(writer.ring(0).offer(0, 200, i, false, 0, 1, 2, 0, 3, 4, datagram, 0, 200));
                records++;
            }
            writer.ring(0).publish();
            boolean ignored = writer.step(round, round);
        }
        allocated = thread.getCurrentThreadAllocatedBytes() - allocated;
        assertThat(allocated).isLessThan(records);
        writer.finish(0, 0);
        writer.close();
    }

    private static void assertTaken(boolean taken) {
        if (!taken) {
            throw new AssertionError("refused");
        }
    }
}
