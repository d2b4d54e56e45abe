package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.topology.LeafSpine;
import io.pathlore.dataplane.topology.Topology;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/** How fast the lab is by itself: a leaf-spine network full of small flows, without and with nodes that report. */
final class LabSpeed {
    /** Of the processor, not of the wall: others may be at work too. */
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    private LabSpeed() {}

    public static void main(String[] args) {
        for (int round = 0; round < 5; round++) {
            run(false);
            run(true);
        }
    }

    private static void run(boolean reports) {
        Topology topology = LeafSpine.of(8, 4, 8).build();
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < 512; i++) {
            acts.add(Chatter.flow(i % 64, (i * 7 + 9) % 64, 10_000 + i, Integer.MAX_VALUE, i * 997L, 250_000 + i, 400));
        }
        Lab lab = new Lab(
                topology,
                LabOptions.DEFAULT,
                1,
                1_000_000_000,
                device -> reports && !topology.isHost(device) ? new Postcards() : null,
                acts,
                LabListener.NOBODY,
                ReportSink.NOWHERE);
        long start = THREAD.getCurrentThreadCpuTime();
        lab.run();
        long nanos = THREAD.getCurrentThreadCpuTime() - start;
        Lab.Counts counts = lab.counts();
        System.out.printf(
                "%s: %d packets, %d events, %d ns per event, %d ns per packet, %d reports%n",
                reports ? "reports" : "plain",
                counts.packetsSent(),
                counts.events(),
                nanos / counts.events(),
                nanos / counts.packetsSent(),
                counts.reports());
    }
}
