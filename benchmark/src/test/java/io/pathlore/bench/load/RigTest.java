package io.pathlore.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.bench.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Everybody gets what is sent, and those that keep books find in them what was sent. */
@Timeout(120)
class RigTest {
    @TempDir
    private Path directory = Path.of("");

    @Test
    void everyReceiverGetsEveryDatagram() throws IOException, InterruptedException {
        assumeTrue(Machine.works(List.of("gcc", "--version")), "no gcc");
        assumeTrue(Machine.works(List.of("taskset", "-c", "0", "true")), "no taskset");
        assumeTrue(Machine.processors().size() >= 2, "one processor");
        try (var rig = new Rig(directory)) {
            for (Entry entry : Entry.values()) {
                try (Lane lane = rig.drain(entry, 100)) {
                    assertThat(lane.drain(3).nanos()).as(entry.title()).isPositive();
                    lane.check();
                }
            }
            Path log = rig.file("pauses");
            try (Lane lane = rig.live(Entry.ACCOUNT, 100, log)) {
                Lossless.Ran ran = lane.run(20_000, 0.5);
                assertThat(ran.sent()).isEqualTo(10_000);
                assertThat(ran.lost()).isZero();
                lane.check();
            }
            assertThat(log).exists();
        }
    }
}
