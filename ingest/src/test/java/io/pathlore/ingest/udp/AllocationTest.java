package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AllocationTest {
    private static final int TURNS = 4_000;
    private static final int MOST_BLOCKS = 50;

    @Test
    void aWarmLoopAllocatesNothing() throws IOException {
        assumeTrue(LinuxCalls.instance() != null, "Java's own sockets allocate");
        List<byte[]> datagrams = List.of(
                GoldenVectors.bytes("R7"),
                GoldenVectors.bytes("R4"),
                GoldenVectors.bytes("R1"),
                new byte[] {(byte) 0xF0, 1, 2},
                new byte[0]);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (var rig = new Rig(Rig.Settings.plain().atRate(1_000_000).keepingNothing())) {
            // The system calls allocate until they are compiled: one block without is the proof.
            long allocated = Long.MAX_VALUE;
            for (int block = 0; allocated > TURNS && block < MOST_BLOCKS; block++) {
                allocated = 0;
                for (int turn = 0; turn < TURNS; turn++) {
                    for (byte[] datagram : datagrams) {
                        rig.send(datagram);
                    }
                    long before = threads.getCurrentThreadAllocatedBytes();
                    rig.loop.turn(0);
                    allocated += threads.getCurrentThreadAllocatedBytes() - before;
                }
            }
            Ledger.Snapshot now = rig.readAll();
            assertThat(now.read(Term.REPORTS_DECODED)).isGreaterThan(2 * TURNS);
            // A tick on the way may allocate; datagrams do not.
            assertThat(allocated).isLessThan(TURNS);
        }
    }
}
