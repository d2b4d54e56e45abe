package io.pathlore.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.topology.Topology;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Once warm, a source allocates for new flows at most, never for a packet. */
class AllocationTest {
    private static final long SECOND = 1_000_000_000L;

    /** Allocates nothing itself: one packet, which arrives at once, and a small sorted array of timers. */
    private static final class BareStage implements Stage {
        private final Topology topology = FakeStage.topologyOfTwoEach();
        private final Packet packet = new Packet(9_100);
        private final Timer[] waiting = new Timer[64];
        private int count;
        private long now;
        private long sent;

        /** Until so many packets were sent, or nothing is left to do. */
        void run(long packets) {
            long goal = sent + packets;
            while (count > 0 && sent < goal) {
                Timer next = waiting[--count];
                now = next.atNanos;
                next.run(now);
            }
        }

        @Override
        public Topology topology() {
            return topology;
        }

        @Override
        public long nowNanos() {
            return now;
        }

        @Override
        public void start(Timer timer, long atNanos) {
            timer.atNanos = atNanos;
            int at = count++;
            while (at > 0 && waiting[at - 1].atNanos <= atNanos) {
                waiting[at] = waiting[at - 1];
                at--;
            }
            waiting[at] = timer;
        }

        @Override
        public Packet packet() {
            packet.clear();
            return packet;
        }

        @Override
        public void send(int fromHost, int toHost, int flow, Packet packet) {
            sent++;
        }

        @Override
        public int flow(Receiver receiver) {
            return 1;
        }

        @Override
        public void end(int flow) {}
    }

    private static long allocatedBytes() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static void assertAllocatesNothing(String kind, String... keysAndTexts) {
        TrafficKind found = TrafficKinds.find(kind);
        assertThat(found).isNotNull();
        TrafficParameters parameters = new TrafficParameters();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            parameters.set(keysAndTexts[i], keysAndTexts[i + 1]);
        }
        BareStage stage = new BareStage();
        found.create(parameters, stage.topology()).begin(stage, 1, 0, 10_000 * SECOND);
        stage.run(20_000);
        long before = allocatedBytes();
        stage.run(20_000);
        // Less than a word per packet is what the JIT and the measurement leave behind.
        assertThat(allocatedBytes() - before).as(kind).isLessThan(20_000 * 4);
        assertThat(stage.sent).as(kind).isGreaterThanOrEqualTo(40_000);
    }

    @Test
    void floodsWithoutAllocating() {
        assertAllocatesNothing("udp-flood", "from", "camera", "to", "0", "spoofed", "50");
        assertAllocatesNothing("syn-flood", "from", "camera", "to", "0", "ip", "6");
        assertAllocatesNothing("icmp-flood", "from", "camera", "to", "0");
        assertAllocatesNothing("fragment-flood", "from", "camera", "to", "0");
        assertAllocatesNothing("carpet-bombing", "from", "camera", "to", "0");
        assertAllocatesNothing("reflection", "from", "camera", "to", "0");
    }

    @Test
    void streamsWithoutAllocating() {
        assertAllocatesNothing("video", "to", "0");
        assertAllocatesNothing("ping", "from", "camera", "to", "0", "period", "1ms");
        assertAllocatesNothing("microburst", "to", "0", "period", "10ms");
    }
}
