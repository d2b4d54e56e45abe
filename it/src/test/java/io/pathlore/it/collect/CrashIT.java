package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.journal.PlainJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} at any moment, again and again over the same data: what was acknowledged is there, nothing is there that was not
 * sent, and nothing is there twice.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(1_800)
class CrashIT {
    private static final int PER_SECOND = 5_000;
    private static final int MOST_DATAGRAMS = 1_500;
    private static final int PAYLOAD = 800;
    private static final Duration READY = Duration.ofSeconds(5);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    /** By position: what was found there when it was first found. */
    private final Map<Long, String> known = new HashMap<>();

    @Test
    void whatWasAcknowledgedIsThereAfterTwentyKills() throws IOException {
        kill(20);
    }

    @Test
    @Tag("slow")
    void whatWasAcknowledgedIsThereAfterTwoHundredKills() throws IOException {
        kill(200);
    }

    private void kill(int times) throws IOException {
        Random random = new Random(20_26);
        // Segments of the smallest size, so that some kills meet one being closed and the next begun.
        Setup setup = Setup.in(temp).small().set("journal.sync=20ms", "journal.segment=1MiB");
        long acknowledged = 0;
        for (int run = 1; run <= times; run++) {
            int datagrams = 1 + random.nextInt(MOST_DATAGRAMS);
            try (RunningCollector collector = setup.start();
                    Load load = new Load("127.0.0.2", collector.port(), run, PER_SECOND, PAYLOAD)) {
                assertThat(collector.untilReady()).isLessThan(READY);
                assertThat(collector.errors()).doesNotContain("damage");
                load.awaitSent(datagrams);
                Reading before = collector.api().ledger();
                collector.kill();
                int sent = load.stop();
                acknowledged += before.get("journalled");
                compare(run, PlainJournal.read(collector.journal()), before.get("journalled"), load, sent);
            }
        }
        assertThat(acknowledged).as("of all runs").isGreaterThan(100L * times);
    }

    private void compare(int run, PlainJournal journal, long acknowledged, Load load, int sent) {
        assertThat(journal.remarks()).isEmpty();
        Set<Long> positions = new HashSet<>();
        int recovered = 0;
        int number = 0;
        for (PlainJournal.Datagram each : journal.datagrams()) {
            if (!positions.add(each.position())) {
                throw new AssertionError("position " + each.position() + " is there twice");
            }
            String before = known.putIfAbsent(each.position(), each.bytes());
            if (before != null) {
                if (!before.equals(each.bytes())) {
                    throw new AssertionError("position " + each.position() + " was given twice");
                }
                continue;
            }
            // Of this run, in the order it was sent, so none of it twice and none invented.
            recovered++;
            number = next(load, number, sent, each.bytes());
        }
        assertThat(recovered).as("run %s", run).isGreaterThanOrEqualTo((int) acknowledged);
        assertThat(positions.containsAll(known.keySet()))
                .as("all of earlier runs is there")
                .isTrue();
    }

    /** Some may be missing: the kernel drops what there is no room for. */
    private static int next(Load load, int after, int sent, String bytes) {
        for (int number = after + 1; number <= sent; number++) {
            if (Hex.text(load.bytes(number)).equals(bytes)) {
                return number;
            }
        }
        throw new AssertionError("nobody sent, or only before, " + bytes);
    }
}
