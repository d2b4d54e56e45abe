package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent, lost, doubled and delayed: the collector and an outsider come to the same numbers. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
@Tag("alone")
class AccountingIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    private void check(Setup setup, String plan, int size, int rate, boolean journal) throws IOException {
        try (RunningCollector collector = setup.start()) {
            List<String> arguments = new ArrayList<>(List.of(
                    "port=" + collector.port(),
                    "http=" + setup.httpPort(),
                    "pid=" + collector.pid(),
                    "err=" + collector.process().err(),
                    "plan=" + plan,
                    "size=" + size,
                    "rate=" + rate,
                    "seed=20261116"));
            if (journal) {
                arguments.add("journal=" + collector.journal());
            }
            JavaProcess.Ended checked = JavaProcess.start(
                            temp, List.of(), List.of("-XX:+UseSerialGC"), Checker.class.getName(), arguments)
                    .await();
            assertThat(checked.status()).as(checked.out() + checked.err()).isZero();
            assertThat(collector.process().await().status()).isZero();
        }
    }

    @Test
    void anOutsiderComesToTheSameNumbers() throws IOException {
        check(Setup.in(temp).fast(), "mixed", 2_000, 0, true);
    }

    /** The kernel spreads datagrams over the sockets of the workers, but never those of one exporter. */
    @Test
    void twoWorkersAndTwoShardsComeToTheSameNumbers() throws IOException {
        check(Setup.in(temp).fast().set("listen.workers=2", "analysis.shards=2"), "ports", 1_500, 0, true);
    }

    /** 64 parts of each of 1,000 nodes, all in turn; every other stream loses its third datagram. */
    @Test
    @Tag("slow")
    void sixtyFourThousandStreamsAreKeptApart() throws IOException {
        int nodes = 1_000;
        int parts = 64;
        int streams = nodes * parts;
        int numbers = 5;
        try (RunningCollector collector = Setup.in(temp).fast().start();
                Sender sender = Sender.from("127.0.0.2")) {
            int window = collector.api().metrics().window();
            int sent = 0;
            for (int number = 1; number <= numbers; number++) {
                for (int stream = 0; stream < streams; stream++) {
                    if (number == 3 && stream % 2 == 0) {
                        continue;
                    }
                    int first = stream * 31; // no two streams count alike
                    sender.send(
                            collector.port(),
                            ReportBytes.v20(stream % parts, first + number, stream / parts, stream + number));
                    if (++sent % window == 0) {
                        collector.untilRead(sent);
                    }
                }
            }
            Reading metrics = collector.api().metrics();
            assertThat(metrics.get("streams")).isEqualTo(streams);
            assertThat(metrics.get("streamsEvicted")).isZero();
            assertThat(collector.atRest(sent).get("duplicates")).isZero();
            Reading last = RunningCollector.lastLedger(collector.stop().err());
            assertThat(last.get("sequenceLost")).isEqualTo(streams / 2);
        }
    }

    @Test
    @Tag("slow")
    void aMinuteOfTwentyThousandASecondIsAccountedFor() throws IOException {
        check(Setup.in(temp).fast(), "load", 300_000, 20_000, false);
    }
}
