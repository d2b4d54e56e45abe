package io.pathlore.dataplane.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.NodeOutput;
import io.pathlore.dataplane.node.Passage;
import io.pathlore.dataplane.node.Verdict;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.LeafSpine;
import io.pathlore.dataplane.topology.Line;
import io.pathlore.dataplane.topology.LinkSpec;
import io.pathlore.dataplane.topology.Ring;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.Stage.Receiver;
import io.pathlore.dataplane.traffic.Stage.Timer;
import io.pathlore.wire.net.InternetChecksum;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NetworkTest {
    private static final long SECOND = 1_000_000_000;
    private final Journal journal = new Journal();

    private Lab lab(Topology topology, LabOptions options, Act... acts) {
        return lab(topology, options, device -> null, List.of(acts));
    }

    private Lab lab(
            Topology topology, LabOptions options, IntFunction<@Nullable IntProcessor> processors, List<Act> acts) {
        return new Lab(topology, options, 1, SECOND, processors, acts, journal, journal);
    }

    private static Act at(long nanos, Act act) {
        return lab -> lab.start(
                new Timer() {
                    @Override
                    protected void fire(long nowNanos) {
                        act.begin(lab);
                    }
                },
                nanos);
    }

    /** Conservation: nothing appears or vanishes uncounted. */
    private static void assertAllAccountedFor(Lab lab) {
        Lab.Counts counts = lab.counts();
        assertThat(counts.packetsDelivered()
                        + counts.packetsDropped()
                        + counts.packetsLost()
                        + counts.packetsDiscarded())
                .isEqualTo(counts.packetsSent() + counts.packetsMade());
    }

    /**
     * 1000 octets and 24 of the wire: 8192 ns at 1 Gb/s, 820 at 10 Gb/s (819.2). Host link 1 µs, trunks 5 µs, pipelines 800 ns.
     */
    @Test
    void packetsArriveToTheNanosecond() {
        Lab lab = lab(Line.of(3).build(), LabOptions.DEFAULT, Chatter.flow(0, 1, 5000, 3, 0, 0, 1000));
        lab.run();
        long first = (8192 + 1000) + (800 + 820 + 5000) + (800 + 820 + 5000) + (800 + 8192 + 1000);
        assertThat(first).isEqualTo(32424);
        assertThat(journal.of("delivered"))
                .containsExactly(first + " 1 1 0,1,2", first + 8192 + " 1 2 0,1,2", first + 2 * 8192 + " 1 3 0,1,2");
        // Two wait at the host, nobody anywhere else.
        assertThat(journal.of("queue"))
                .containsExactly(
                        "0 3 1 0 1000 in 2", "0 3 1 0 2000 in 3", "8192 3 1 0 1000 out 2", "16384 3 1 0 0 out 3");
        assertAllAccountedFor(lab);
    }

    @Test
    void aShortFrameIsPaddedOnTheWire() {
        Lab lab = lab(
                new Line(1, 1, LinkSpec.megabits(100, 0, 1500), LinkSpec.megabits(100, 0, 1500)).build(),
                LabOptions.DEFAULT.withPipeline(0),
                Chatter.flow(0, 1, 5000, 1, 0, 0, 42));
        lab.run();
        assertThat(journal.of("delivered")).containsExactly(2 * 84 * 80 + " 1 1 0");
    }

    @Test
    void aNodeSeesLatencyOccupancyAndUtilization() {
        Postcards node = new Postcards();
        // Two hosts at 1 Gb/s each into one trunk of 1 Gb/s.
        Topology topology = new Line(2, 2, LinkSpec.megabits(1000, 0, 1500), LinkSpec.megabits(1000, 0, 9000)).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT.withPipeline(100).withClocks(1_000_000, 0),
                device -> device == 0 ? node : null,
                List.of(Chatter.flow(0, 2, 5000, 200, 0, 8192, 1000), Chatter.flow(1, 3, 5001, 200, 0, 8192, 1000)));
        lab.run();
        // Before the last packet 199 of the other host and 200 of its own came, and 200 have left but the one on the
        // wire.
        assertThat(node.lastOccupancy).isEqualTo(199_000);
        assertThat(node.lastHopLatency).isEqualTo(100 + 200 * 8192);
        assertThat(node.lastUtilization).isBetween(9_900L, 10_000L);
        assertAllAccountedFor(lab);
    }

    @Test
    void aFullQueueDropsAtItsTail() {
        Postcards node = new Postcards();
        Topology topology = new Line(2, 1, LinkSpec.megabits(1000, 0, 1500), LinkSpec.megabits(100, 0, 9000)).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT.withQueueBytes(10_000).withPipeline(0),
                device -> device == 0 ? node : null,
                List.of(Chatter.flow(0, 1, 5000, 20, 0, 8192, 1000)));
        lab.run();
        // In 20 times 8192 ns the trunk takes one packet at once, one more at 10 times that, and ten wait. Of the 19
        // others the
        // one that comes just when the trunk is free finds a place too.
        assertThat(journal.of("dropped")).hasSize(8).allMatch(line -> line.matches("\\d+ 0 2 1 0 71 \\d+"));
        assertThat(journal.of("delivered")).hasSize(12);
        assertThat(node.lastReason).isEqualTo(DropReason.TRAFFIC_MANAGER);
        assertThat(node.lastOccupancy).isEqualTo(0 + 9_000);
        assertAllAccountedFor(lab);
    }

    @Test
    void theHigherClassGoesFirst() {
        Topology topology = new Line(1, 1, LinkSpec.megabits(1000, 0, 1500), LinkSpec.megabits(1000, 0, 9000)).build();
        Lab lab = lab(topology, LabOptions.DEFAULT.withClasses(2).withPipeline(0), l -> {
            for (int i = 0; i < 4; i++) {
                int flow = l.flow(Receiver.NOBODY);
                Packet packet = l.packet();
                Chatter.write(packet, l.topology(), 0, 1, 5000 + i, 1000, 64);
                // DSCP 46 for the last two.
                packet.buffer().put(packet.start() + 15, (byte) (i < 2 ? 0 : 46 << 2));
                l.send(0, 1, flow, packet);
            }
        });
        lab.run();
        assertThat(journal.of("delivered").stream().map(line -> line.split(" ", -1)[2]))
                .containsExactly("1", "3", "4", "2");
    }

    @Test
    void equalWaysAreAllUsedAndEachFlowKeepsItsOwn() {
        Topology topology = LeafSpine.of(2, 4, 1).build();
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            acts.add(Chatter.flow(0, 1, 10_000 + i, 5, i * 1000L, 5_000_000, 100));
        }
        Postcards leaf = new Postcards();
        Map<Integer, TreeSet<Integer>> spinesOfFlow = new HashMap<>();
        int[] packetsOfSpine = new int[6];
        Lab lab = new Lab(
                topology,
                LabOptions.DEFAULT,
                1,
                SECOND,
                device -> device == 0 ? leaf : null,
                acts,
                new LabListener() {
                    @Override
                    public void onDelivered(long nowNanos, int host, Frame frame) {
                        assertThat(frame.hops()).isEqualTo(3);
                        packetsOfSpine[frame.hopDevice(1)]++;
                        spinesOfFlow
                                .computeIfAbsent(frame.flow(), f -> new TreeSet<>())
                                .add(frame.hopDevice(1));
                    }
                },
                ReportSink.NOWHERE);
        lab.run();
        assertThat(spinesOfFlow.values()).hasSize(400).allMatch(spines -> spines.size() == 1);
        for (int spine = 2; spine < 6; spine++) {
            assertThat(packetsOfSpine[spine]).isBetween(350, 650);
        }
        assertThat(leaf.lastAlternatives).isEqualTo(3);
        assertAllAccountedFor(lab);
    }

    @Test
    void packetsVanishInADeadLinkUntilRoutesHaveConverged() {
        Topology topology = Ring.of(4).build();
        int link = topology.link(0, 1);
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT.withConvergence(50_000_000),
                Chatter.flow(0, 2, 5000, 100, 0, 2_000_000, 200),
                at(50_500_000, l -> l.setLink(link, false)),
                at(120_500_000, l -> l.setLink(link, true)));
        lab.run();
        assertThat(journal.of("down")).containsExactly("50500000 " + link);
        assertThat(journal.of("up")).containsExactly("120500000 " + link);
        assertThat(journal.of("route"))
                .containsExactly("100500000 1 [0, 1] [0, 3, 2, 1]", "170500000 1 [0, 3, 2, 1] [0, 1]");
        // Sent at 52, 54, … 100 ms.
        assertThat(journal.of("lost")).hasSize(25).allMatch(line -> line.contains(" 0 1 LINK_DOWN "));
        List<String> delivered = journal.of("delivered");
        assertThat(delivered.stream().filter(line -> line.endsWith(" 0,1"))).hasSize(26 + 14);
        assertThat(delivered.stream().filter(line -> line.endsWith(" 0,3,2,1"))).hasSize(35);
        assertAllAccountedFor(lab);
    }

    @Test
    void whatIsOnALinkThatGoesDownIsLost() {
        Topology topology =
                new Line(2, 1, LinkSpec.megabits(1000, 0, 1500), LinkSpec.megabits(1000, 10_000_000, 1500)).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT,
                Chatter.flow(0, 1, 5000, 1, 0, 0, 200),
                at(5_000_000, l -> l.setLink(0, false)),
                at(6_000_000, l -> l.setLink(0, true)));
        lab.run();
        assertThat(journal.of("lost")).hasSize(1);
        assertAllAccountedFor(lab);
    }

    @Test
    void aHostThatIsCutOffHasNoRoute() {
        Topology topology = Line.of(2).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT.withConvergence(1_000),
                at(0, l -> l.setLink(topology.link(1, 3), false)),
                Chatter.flow(0, 1, 5000, 3, 1_000_000, 1000, 200));
        lab.run();
        assertThat(journal.of("dropped")).hasSize(3).allMatch(line -> line.matches("\\d+ 1 1 0 0 29 \\d+"));
    }

    @Test
    void aLoopEndsWithTheHopLimit() {
        Topology topology = Ring.of(4).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT,
                Chatter.flow(0, 2, 5000, 2, 0, 100_000_000, 200, 9, Receiver.NOBODY),
                at(
                        50_000_000,
                        l -> l.override(2, new int[] {0, 1}, new int[] {
                            topology.interfaceTowards(0, 1), topology.interfaceTowards(1, 0)
                        })),
                at(500_000_000, l -> l.override(2, new int[] {0, 1}, new int[] {0, 0})));
        lab.run();
        assertThat(journal.of("delivered")).hasSize(1);
        // The ninth switch finds nothing left: 0 1 0 1 0 1 0 1 0.
        assertThat(journal.of("dropped")).hasSize(1).allMatch(line -> line.matches("\\d+ 0 1 0 0 26 2"));
        assertThat(journal.of("route")).containsExactly("50000000 1 [0, 1] [0, 1, 0]", "500000000 1 [0, 1, 0] [0, 1]");
    }

    @Test
    void packetsLongerThanALinkCarriesAreDropped() {
        Topology topology = Line.of(3).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT,
                Chatter.flow(0, 1, 5000, 1, 0, 0, 1014),
                Chatter.flow(0, 1, 5001, 1, 0, 0, 1015),
                l -> l.setMtu(topology.link(1, 2), 1000));
        lab.run();
        assertThat(journal.of("delivered")).hasSize(1).allMatch(line -> line.endsWith(" 1 1 0,1,2"));
        assertThat(journal.of("dropped")).hasSize(1).allMatch(line -> line.matches("\\d+ 1 1 2 0 0 2"));
    }

    /** As a sink does: what is too long when it arrives need not be when it leaves. */
    @Test
    void aNodeMayMakeAPacketFit() {
        IntProcessor sink = new IntProcessor() {
            @Override
            public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
                packet.remove(packet.start() + 42 + 100, 100);
                return Verdict.FORWARD;
            }

            @Override
            public boolean fits(Packet packet, Passage passage) {
                return packet.length() - 14 - 100 <= passage.mtu;
            }

            @Override
            public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {}

            @Override
            public void tick(long nowNanos, NodeOutput out) {}
        };
        Topology topology = Line.of(2).build();
        Lab lab = lab(
                topology,
                LabOptions.DEFAULT,
                device -> device == 1 ? sink : null,
                List.of(
                        Chatter.flow(0, 1, 5000, 1, 0, 0, 1114),
                        Chatter.flow(0, 1, 5000, 1, 0, 0, 1115),
                        l -> l.setMtu(topology.link(1, 3), 1000)));
        lab.run();
        assertThat(journal.of("delivered")).hasSize(1);
        assertThat(journal.of("dropped")).hasSize(1).allMatch(line -> line.matches("\\d+ 1 1 2 0 0 2"));
    }

    @Test
    void everyHopTakesOneFromTheTtlAndMendsTheChecksum() {
        List<byte[]> got = new ArrayList<>();
        Lab lab = lab(
                Line.of(5).build(),
                LabOptions.DEFAULT,
                Chatter.flow(0, 1, 5000, 1, 0, 0, 60, 64, (packet, now) -> got.add(packet.toByteArray())));
        lab.run();
        assertThat(got).hasSize(1);
        ByteBuffer packet = ByteBuffer.wrap(got.getFirst());
        assertThat(packet.get(14 + 8)).isEqualTo((byte) 59);
        assertThat(InternetChecksum.finish(InternetChecksum.add(0, packet, 14, 34)))
                .isZero();
    }

    @Test
    void agingKeepsEveryChecksumRight() {
        Packet packet = new Packet(64);
        for (int id = 0; id < 0x1_0000; id++) {
            packet.clear();
            Chatter.write(packet, Line.of(1).build(), 0, 1, 1, 42, 1 + id % 255);
            int ip = packet.start() + 14;
            packet.buffer().putShort(ip + 4, (short) id).putShort(ip + 10, (short) 0);
            packet.buffer().putShort(ip + 10, (short)
                    InternetChecksum.finish(InternetChecksum.add(0, packet.buffer(), ip, ip + 20)));
            assertThat(Frame.age(packet)).isEqualTo(id % 255 > 0);
            assertThat(InternetChecksum.finish(InternetChecksum.add(0, packet.buffer(), ip, ip + 20)))
                    .isZero();
        }
    }

    @Test
    void aSlowHopDelaysWithoutAQueue() {
        Postcards node = new Postcards();
        Lab lab = lab(
                Line.of(3).build(),
                LabOptions.DEFAULT.withQueueBytes(3_000),
                device -> device == 1 ? node : null,
                List.of(
                        Chatter.flow(0, 1, 5000, 1000, 0, 20_000, 1000),
                        at(1_000_000, l -> l.addPipelineDelay(1, 2, 500_000)),
                        at(5_000_000, l -> l.addPipelineDelay(1, 2, -500_000))));
        lab.runUntil(4_000_000);
        assertThat(node.lastHopLatency).isEqualTo(500_800);
        assertThat(node.lastOccupancy).isZero();
        lab.run();
        assertThat(node.lastHopLatency).isEqualTo(800);
        assertThat(journal.of("dropped")).isEmpty();
        List<Long> numbers = journal.of("delivered").stream()
                .map(line -> Long.valueOf(line.split(" ", -1)[2]))
                .toList();
        assertThat(numbers).hasSize(1000).isSorted();
        assertThat(journal.of("pipeline")).containsExactly("1000000 1 2 500800", "5000000 1 2 800");
    }

    @Test
    void whatANodeMakesFollowsThePacketItWasMadeOf() {
        IntProcessor maker = new IntProcessor() {
            @Override
            public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
                out.onPacket(packet, passage.egressInterface);
                return passage.ingressInterface == 0 ? Verdict.FORWARD : Verdict.DISCARD;
            }

            @Override
            public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {}

            @Override
            public void tick(long nowNanos, NodeOutput out) {}
        };
        // At the sending host: the packet and a copy. At the switch: a copy of each, and the originals are taken out.
        Lab lab = lab(
                Line.of(1).build(),
                LabOptions.DEFAULT,
                device -> device == 0 || device == 1 ? maker : null,
                List.of(Chatter.flow(0, 1, 5000, 1, 0, 0, 200)));
        lab.run();
        assertThat(journal.of("delivered")).hasSize(2);
        assertThat(journal.of("discarded")).hasSize(2);
        assertThat(lab.counts().packetsMade()).isEqualTo(3);
        assertAllAccountedFor(lab);
    }

    /** As a node with a slow path does: the packet has long left when it has something to say of it. */
    @Test
    void whatANodeMakesLaterGoesToItsAddress() {
        IntProcessor slow = new IntProcessor() {
            private final Packet kept = new Packet(1600);
            private long next = NEVER;

            @Override
            public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
                kept.copyFrom(packet);
                next = passage.nowNanos + 5_000_000;
                return Verdict.FORWARD;
            }

            @Override
            public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {}

            @Override
            public void tick(long nowNanos, NodeOutput out) {
                out.onPacket(kept, 1);
                kept.buffer().putInt(kept.start() + 30, 0x0102_0304);
                out.onPacket(kept, 1);
                next = NEVER;
            }

            @Override
            public long nextTickNanos() {
                return next;
            }
        };
        Lab lab = lab(
                Line.of(3).build(),
                LabOptions.DEFAULT,
                device -> device == 0 ? slow : null,
                List.of(Chatter.flow(0, 1, 5000, 1, 0, 0, 200)));
        lab.run();
        assertThat(journal.of("delivered")).hasSize(2);
        assertThat(journal.of("delivered").getLast()).endsWith(" 1 0 0,1,2");
        // Nobody has the other's address.
        assertThat(journal.of("discarded")).hasSize(1);
        assertAllAccountedFor(lab);
    }

    @Test
    void aNodeIsCalledWhenItWantsToBe() {
        List<Long> ticks = new ArrayList<>();
        IntProcessor node = new IntProcessor() {
            private long next = NEVER;

            @Override
            public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
                // First far away, then earlier.
                next = next == NEVER ? 900_000 : Math.min(next, passage.nowNanos + 100_000);
                return Verdict.FORWARD;
            }

            @Override
            public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {}

            @Override
            public void tick(long nowNanos, NodeOutput out) {
                ticks.add(nowNanos);
                next = nowNanos < 900_000 ? 900_000 : NEVER;
            }

            @Override
            public long nextTickNanos() {
                return next;
            }
        };
        Lab lab = lab(
                new Line(1, 1, LinkSpec.megabits(1000, 0, 1500), LinkSpec.megabits(1000, 0, 1500)).build(),
                LabOptions.DEFAULT.withPipeline(0),
                device -> device == 0 ? node : null,
                List.of(Chatter.flow(0, 1, 5000, 2, 0, 50_000, 976)));
        lab.run();
        assertThat(ticks).containsExactly(158_000L, 900_000L);
    }

    @Test
    void lossIsByChanceAndTheSameEveryTime() {
        Topology topology = Line.of(2).build();
        List<List<String>> runs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Journal each = new Journal();
            Lab lab = new Lab(
                    topology,
                    LabOptions.DEFAULT.withLinkLoss(100_000_000),
                    5,
                    SECOND,
                    device -> null,
                    List.of(Chatter.flow(0, 1, 5000, 10_000, 0, 10_000, 100)),
                    each,
                    each);
            lab.run();
            assertAllAccountedFor(lab);
            runs.add(each.of("lost"));
        }
        assertThat(runs.get(0)).isEqualTo(runs.get(1));
        assertThat(runs.get(0)).hasSizeBetween(900, 1_100).allMatch(line -> line.contains(" 0 1 CHANCE "));
    }
}
