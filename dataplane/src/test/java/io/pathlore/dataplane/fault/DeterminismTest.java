package io.pathlore.dataplane.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.fault.Fault.AclDrop;
import io.pathlore.dataplane.fault.Fault.LinkDown;
import io.pathlore.dataplane.fault.Fault.LinkLoss;
import io.pathlore.dataplane.fault.Fault.NodeRestart;
import io.pathlore.dataplane.fault.Fault.QueueBuildup;
import io.pathlore.dataplane.fault.Fault.RoutingLoop;
import io.pathlore.dataplane.fault.Fault.SlowHop;
import io.pathlore.dataplane.lab.Act;
import io.pathlore.dataplane.lab.BlockRule;
import io.pathlore.dataplane.lab.Chatter;
import io.pathlore.dataplane.lab.Journal;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.lab.LabOptions.Management;
import io.pathlore.dataplane.lab.Postcards;
import io.pathlore.dataplane.topology.FatTree;
import io.pathlore.dataplane.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeterminismTest {
    private static final long MILLI = 1_000_000;

    private static String run(long seed, boolean inSteps) {
        Topology topology = FatTree.of(4).build();
        Journal journal = new Journal();
        SplittableRandom random = new SplittableRandom(seed);
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            acts.add(Chatter.flow(
                    random.nextInt(8),
                    8 + random.nextInt(8),
                    10_000 + i,
                    50,
                    random.nextLong(20 * MILLI),
                    random.nextLong(MILLI),
                    60 + random.nextInt(1_400)));
        }
        // Whatever the dice say: one flow that meets the loop and the slow interface.
        acts.add(Chatter.flow(0, 12, 9_000, 1_000, 0, 50_000, 1_400));
        int last = topology.hosts().get(12).device();
        int edge = topology.peer(last, 1).device();
        acts.add(new FaultSchedule(List.of(
                new LinkDown(10 * MILLI, 20 * MILLI, topology.link(0, 8)),
                new LinkLoss(0, 50 * MILLI, topology.link(2, 10), 50_000_000),
                new SlowHop(5 * MILLI, 10 * MILLI, 9, 0, 300_000),
                new QueueBuildup(5 * MILLI, 20 * MILLI, edge, topology.interfaceTowards(edge, last), 1_000_000),
                new RoutingLoop(2 * MILLI, 2 * MILLI, 0, 8, 12),
                new NodeRestart(20 * MILLI, MILLI, 17),
                new AclDrop(25 * MILLI, 5 * MILLI, 3, new BlockRule(null, null, null, 17, null)))));
        LabOptions options = LabOptions.DEFAULT
                .withConvergence(3 * MILLI)
                .withQueueBytes(20_000)
                .withClocks(MILLI, 50_000)
                .withManagement(new Management(200_000, 50_000, 10_000_000, 10_000_000, 10_000_000, MILLI));
        Lab lab = new Lab(
                topology,
                options,
                seed,
                100 * MILLI,
                device -> topology.isHost(device) ? null : new Postcards(),
                acts,
                journal,
                journal);
        if (inSteps) {
            long now = 0;
            while (lab.runUntil(now)) {
                now += 777_777;
            }
        } else {
            lab.run();
        }
        Lab.Counts counts = lab.counts();
        assertThat(counts.packetsDelivered() + counts.packetsDropped() + counts.packetsLost())
                .isEqualTo(counts.packetsSent())
                .isEqualTo(4_000);
        assertThat(journal.of("route")).isNotEmpty();
        assertThat(journal.of("dropped").stream().map(line -> line.split(" ", -1)[5]))
                .contains("26", "71", "80");
        assertThat(journal.of("lost")).isNotEmpty();
        return digest(String.join("\n", journal.lines()) + counts);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void twoRunsTellTheSame() {
        assertThat(run(3, false)).isEqualTo(run(3, false));
        assertThat(run(4, false)).isNotEqualTo(run(3, false));
    }

    @Test
    void stepsDoNotMatter() {
        assertThat(run(5, true)).isEqualTo(run(5, false));
    }

    /** On every machine; a change that means to change what happens changes this. */
    @Test
    void tellsTheSameAsEver() {
        assertThat(run(1, false)).isEqualTo("52675f6624607a07");
    }
}
