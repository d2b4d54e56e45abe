package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.dataplane.topology.LeafSpine;
import io.pathlore.dataplane.topology.Topology;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationTest {
    /** Less than an octet per packet: what is left is the test's own. */
    @Test
    void aWarmLabAllocatesNothingPerPacketOrReport() {
        Topology topology = LeafSpine.of(4, 2, 4).build();
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            acts.add(Chatter.flow(i % 16, (i * 3 + 5) % 16, 10_000 + i, Integer.MAX_VALUE, i * 997L, 100_000 + i, 400));
        }
        Lab lab = new Lab(
                topology,
                LabOptions.DEFAULT,
                1,
                1_000_000_000,
                device -> topology.isHost(device) ? null : new Postcards(),
                acts,
                LabListener.NOBODY,
                ReportSink.NOWHERE);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        lab.runUntil(300_000_000);
        long packets = lab.counts().packetsSent();
        long allocated = thread.getCurrentThreadAllocatedBytes();
        lab.runUntil(500_000_000);
        allocated = thread.getCurrentThreadAllocatedBytes() - allocated;
        packets = lab.counts().packetsSent() - packets;
        assertThat(packets).isGreaterThan(100_000);
        assertThat(allocated).isLessThan(packets);
    }
}
