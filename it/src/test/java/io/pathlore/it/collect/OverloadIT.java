package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** More than can be read: what the kernel drops is known to the last datagram, by two ways of counting. */
@EnabledOnOs(OS.LINUX)
@Timeout(180)
class OverloadIT {
    private static final int PAUSES = 10;
    private static final int BURST = 300;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temp;

    @Test
    void whatTheKernelDropsWhileItSleepsIsCountedExactly() throws IOException {
        Setup setup = Setup.in(temp).small().set("listen.receive-buffer=16KiB");
        try (RunningCollector collector = setup.start();
                Sender sender = Sender.from("127.0.0.2")) {
            int sent = 0;
            long dropped = 0;
            for (int pause = 0; pause < PAUSES; pause++) {
                collector.pause();
                for (int i = 0; i < BURST; i++) {
                    sender.send(collector.port(), ReportBytes.v20(1, ++sent, 1, sent));
                }
                collector.resume();
                Reading now = collector.atRest(sent);
                assertThat(now.sum("kernelDropped")).isGreaterThan(dropped);
                dropped = now.sum("kernelDropped");
                // A single one is read, so that what was dropped before it is missed.
                sender.send(collector.port(), ReportBytes.v20(1, ++sent, 1, sent));
                assertThat(collector.atRest(sent).sum("kernelDropped")).isEqualTo(dropped);
            }
            Reading metrics = collector.api().metrics();
            assertThat(metrics.sum("kernelDropped")).isEqualTo(dropped);
            assertThat(metrics.get("datagramsRead")).isEqualTo(sent - dropped);

            JavaProcess.Ended ended = collector.stop();
            assertThat(ended.status()).as(ended.err()).isZero();
            Reading last = RunningCollector.lastLedger(ended.err());
            assertThat(last.accountedFor()).isEqualTo(sent);
            assertThat(last.get("sequenceLost")).isEqualTo(dropped).isEqualTo(last.sum("kernelDropped"));
            assertThat(ended.err()).doesNotContain("Exception").contains("the kernel dropped");
        }
    }

    /** Two that send as fast as they can, into a buffer of a few datagrams. */
    @Test
    void aFloodIsAccountedFor() throws IOException {
        Setup setup = Setup.in(temp).small().set("listen.receive-buffer=16KiB");
        try (RunningCollector collector = setup.start();
                Load one = new Load("127.0.0.2", collector.port(), 1, Integer.MAX_VALUE);
                Load two = new Load("127.0.0.3", collector.port(), 2, Integer.MAX_VALUE)) {
            one.awaitSent(50_000);
            two.awaitSent(50_000);
            assertThat(collector.api().ledger().violations()).isEmpty();
            long sent = one.stop() + (long) two.stop();
            Reading now = collector.atRest(sent);
            assertThat(now.sum("kernelDropped")).isPositive();
            assertThat(now.get("accepted")).isEqualTo(now.get("datagramsRead"));
            assertThat(now.get("journalled")).isEqualTo(now.get("accepted"));
            assertThat(collector.api().get("/readyz").status()).isEqualTo(200);
        }
    }
}
