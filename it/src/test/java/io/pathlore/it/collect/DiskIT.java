package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.journal.PlainJournal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fails: every datagram is still counted and analysed, and kept again once that can be done. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class DiskIT {
    private static final String DISK_BYTES = "8m";
    private static final int PAYLOAD = 800;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    /** Linux lets anybody have a small disk of his own, where nobody has forbidden it. */
    private static void assumeADiskOfOnesOwn() throws Exception {
        boolean can;
        try {
            can = new ProcessBuilder("unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/tmp")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            can = false;
        }
        assumeTrue(can, "no user namespaces here: nobody has seen the collector on a full disk");
    }

    @Test
    void fullAndFreedAndFullAgain() throws Exception {
        assumeADiskOfOnesOwn();
        Path disk = Files.createDirectories(temp.resolve("data"));
        String mount = "mount -t tmpfs -o size=%s none '%s' && exec \"$@\"".formatted(DISK_BYTES, disk);
        Setup setup = Setup.in(temp)
                .small()
                .set("journal.segment=1MiB", "journal.sync=10ms")
                .under("unshare", "-Urm", "sh", "-c", mount, "sh");
        try (RunningCollector collector = setup.start();
                Sender sender = Sender.from("127.0.0.2")) {
            // The disk as its owner sees it.
            Path inside = Path.of("/proc/" + collector.pid() + "/root" + disk);
            int sent = 0;
            long kept = 0;
            for (int outage = 1; outage <= 2; outage++) {
                sent = send(collector, sender, sent, 100);
                Reading good = collector.atRest(sent);
                assertThat(good.get("journalled") - kept).isEqualTo(100);
                assertThat(collector.api().get("/readyz").status()).isEqualTo(200);
                long dropped = good.sum("journalDropped");

                fill(inside.resolve("filler"));
                sent = send(collector, sender, sent, 2_000);
                Reading full = collector.atRest(sent);
                assertThat(full.get("journalDropped.full")).isGreaterThan(dropped);
                assertThat(full.get("journalDropped.slow") + full.get("journalDropped.error"))
                        .isZero();
                assertThat(full.get("analysed")).isEqualTo(sent);
                assertThat(collector.api().get("/readyz").body())
                        .contains("journal")
                        .contains("\"ok\":false");
                assertThat(collector.api().get("/healthz").status()).isEqualTo(200);

                Files.delete(inside.resolve("filler"));
                sent = sendUntilReady(collector, sender, sent);
                kept = collector.atRest(sent).get("journalled");
            }
            sent = send(collector, sender, sent, 100);
            assertThat(collector.atRest(sent).get("journalled") - kept).isEqualTo(100);
            PlainJournal journal = PlainJournal.read(inside.resolve("journal"));
            assertThat(journal.remarks()).isEmpty();
            assertThat(journal.datagrams()).hasSize((int) kept + 100);

            JavaProcess.Ended ended = collector.stop();
            assertThat(ended.status()).as(ended.err()).isZero();
            assertThat(ended.err()).contains("No space left").doesNotContain("Exception");
            assertThat(ended.err().lines().filter(line -> line.contains("No space left")))
                    .hasSizeLessThan(5);
        }
    }

    @Test
    void aSegmentThatSomebodyRemovesIsMissedAndTheNextIsWritten() throws IOException {
        try (RunningCollector collector =
                        Setup.in(temp).small().set("journal.sync=10ms").start();
                Sender sender = Sender.from("127.0.0.2")) {
            int sent = send(collector, sender, 0, 100);
            assertThat(collector.atRest(sent).get("journalled")).isEqualTo(100);
            try (Stream<Path> files = Files.list(collector.journal())) {
                for (Path file : files.filter(each -> each.toString().endsWith(".journal"))
                        .toList()) {
                    Files.delete(file);
                }
            }
            sent = send(collector, sender, sent, 1); // it is noticed when something is to be acknowledged
            assertThat(collector.atRest(sent).get("journalDropped.error")).isEqualTo(1);
            assertThat(collector.api().get("/readyz").status()).isEqualTo(503);
            assertThat(collector.errors()).contains("was removed while it was written");
            sent = sendUntilReady(collector, sender, sent);
            long kept = collector.atRest(sent).get("journalled");
            sent = send(collector, sender, sent, 100);
            assertThat(collector.atRest(sent).get("journalled") - kept).isEqualTo(100);
            assertThat(collector.stop().status()).isZero();

            PlainJournal journal = PlainJournal.read(collector.journal());
            assertThat(journal.remarks()).isEmpty();
            assertThat(journal.datagrams()).hasSize((int) kept); // but for the first hundred, which somebody removed
        }
    }

    private static int sendUntilReady(RunningCollector collector, Sender sender, int before) throws IOException {
        int sent = before;
        while (collector.api().get("/readyz").status() != 200) {
            sent = send(collector, sender, sent, 1);
            collector.atRest(sent);
        }
        return sent;
    }

    private static int send(RunningCollector collector, Sender sender, int before, int count) throws IOException {
        int window = collector.api().metrics().window();
        for (int number = before + 1; number <= before + count; number++) {
            sender.send(collector.port(), ReportBytes.v20(1, number, 1, number, 1, 1, PAYLOAD));
            if (number % window == 0) {
                collector.untilRead(number);
            }
        }
        return before + count;
    }

    private static void fill(Path filler) throws IOException {
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(new byte[4_096]);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }
}
