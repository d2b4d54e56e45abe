package io.pathlore.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.wire.net.Layer;
import java.util.List;
import org.junit.jupiter.api.Test;

class TcpFlowsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int S = PacketWriter.SYN;
    private static final int A = PacketWriter.ACK;
    private static final int P = PacketWriter.PSH;
    private static final int F = PacketWriter.FIN;
    private static final int R = PacketWriter.RST;

    private static TcpFlows one(long request, long response, int exchanges) {
        TcpPlan plan = new TcpPlan(
                FlowSizes.always(request),
                FlowSizes.always(response),
                exchanges,
                1_000_000,
                100_000_000,
                new PacketSizes(1_400),
                443,
                2,
                0);
        return new TcpFlows(Conditions.DEFAULT, List.of(0), List.of(1), 0, 0, 1, plan);
    }

    private static List<Integer> flags(FakeStage stage) {
        return stage.sent.stream()
                .map(sent -> new Captured(sent.bytes()).check().tcpFlags())
                .toList();
    }

    @Test
    void opensAsksAnswersAndCloses() {
        FakeStage stage = FakeStage.run(one(100, 3_000, 1), 1, SECOND);
        // 3000 octets in segments of 1360: the second is acknowledged while the third is under way.
        assertThat(flags(stage)).containsExactly(S, S | A, A, A | P, A, A, A, A | P, A, F | A, F | A, A);
        assertThat(stage.openFlows).isEmpty();
    }

    /** Sequence numbers of each side go on where they stopped, and acknowledge what was heard. */
    @Test
    void countsItsSequenceNumbers() {
        FakeStage stage = FakeStage.run(one(2_000, 5_000, 3), 1, SECOND);
        int[] next = new int[2];
        boolean[] begun = new boolean[2];
        int[] octets = new int[2];
        for (FakeStage.Sent sent : stage.sent) {
            Captured captured = new Captured(sent.bytes());
            int tcp = captured.offset(Layer.TCP);
            int side = sent.from();
            int sequence = captured.buffer.getInt(tcp + 4);
            int flags = captured.tcpFlags();
            int payload = sent.bytes().length - tcp - (captured.buffer.get(tcp + 12) >>> 4 & 0xF) * 4;
            if (begun[side]) {
                assertThat(sequence).isEqualTo(next[side]);
            }
            begun[side] = true;
            octets[side] += payload;
            next[side] = sequence + payload + ((flags & (S | F)) != 0 ? 1 : 0);
            if ((flags & A) != 0) {
                assertThat(next[1 - side] - captured.buffer.getInt(tcp + 8)).isGreaterThanOrEqualTo(0);
            }
        }
        assertThat(octets).containsExactly(3 * 2_000, 3 * 5_000);
        assertThat(stage.openFlows).isEmpty();
    }

    @Test
    void pacesDataAtItsRate() {
        FakeStage stage = FakeStage.run(one(13_600, 0, 1), 1, SECOND);
        List<Long> times = stage.sent.stream()
                .filter(sent -> sent.from() == 0 && sent.bytes().length == 1_414)
                .map(FakeStage.Sent::atNanos)
                .toList();
        assertThat(times).hasSize(10);
        for (int i = 1; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isEqualTo(1_414 * 80); // 8 bits at 10 ns
        }
    }

    @Test
    void repeatsWhatWasLostAndGoesOn() {
        for (int lost = 0; lost < 11; lost++) {
            FakeStage stage = new FakeStage(FakeStage.topologyOfTwoEach());
            int number = lost;
            stage.drops = sent -> stage.sent.size() - 1 == number;
            one(100, 3_000, 1).begin(stage, 1, 0, 20 * SECOND);
            stage.runAll();
            assertThat(stage.openFlows).as("lost " + lost).isEmpty();
            assertThat(flags(stage)).as("lost " + lost).doesNotContain(R | A);
        }
    }

    @Test
    void givesUpWhereNobodyAnswers() {
        FakeStage stage = new FakeStage(FakeStage.topologyOfTwoEach());
        stage.drops = sent -> true;
        one(100, 100, 1).begin(stage, 1, 0, SECOND);
        stage.runAll();
        assertThat(flags(stage)).containsExactly(S, S, S, S, R | A);
        assertThat(stage.openFlows).isEmpty();
    }

    @Test
    void closesWhatIsOpenAtTheEnd() {
        FakeStage stage = FakeStage.run(one(100, 1L << 50, 1), 1, SECOND / 10);
        assertThat(stage.openFlows).isEmpty();
        assertThat(stage.sent.getLast().atNanos()).isLessThan(SECOND / 10 + 1_000_000);
        assertThat(flags(stage)).contains(F | A);
    }

    @Test
    void arrivesAsAPoissonProcess() {
        TcpFlows flows = new TcpFlows(
                Conditions.DEFAULT,
                List.of(0, 1, 2),
                List.of(3, 4, 5),
                100_000,
                0,
                0,
                one(100, 100, 1).plan());
        FakeStage stage = FakeStage.run(flows, 1, 20 * SECOND);
        long opened = flags(stage).stream().filter(flag -> flag == S).count();
        assertThat(opened).isBetween(1_900L, 2_100L);
    }

    @Test
    void risesOverItsRamp() {
        TcpFlows flows = new TcpFlows(
                Conditions.DEFAULT,
                List.of(0),
                List.of(1),
                100_000,
                20 * SECOND,
                0,
                one(100, 100, 1).plan());
        FakeStage stage = FakeStage.run(flows, 1, 20 * SECOND);
        long[] halves = new long[2];
        for (FakeStage.Sent sent : stage.sent) {
            if (sent.bytes()[47] == S) {
                halves[(int) (sent.atNanos() / (10 * SECOND))]++;
            }
        }
        assertThat(halves[0]).isBetween(210L, 290L); // a quarter of 1000
        assertThat(halves[1]).isBetween(690L, 810L);
    }

    /** What the network does to one connection changes no other. */
    @Test
    void drawsConnectionsWhateverBecomesOfOthers() {
        TcpPlan plan = one(100, 100, 1).plan();
        TcpFlows flows = new TcpFlows(Conditions.DEFAULT, List.of(0, 1), List.of(2, 3), 50_000, 0, 0, plan);
        FakeStage calm = FakeStage.run(flows, 9, SECOND);
        FakeStage lossy = new FakeStage(FakeStage.topologyOfTwoEach());
        lossy.drops = sent -> lossy.sent.size() % 3 == 0;
        flows.begin(lossy, 9, 0, SECOND);
        lossy.runAll();
        assertThat(syns(lossy)).containsAll(syns(calm));
    }

    private static List<String> syns(FakeStage stage) {
        return stage.sent.stream()
                .filter(sent -> sent.bytes()[47] == S)
                .map(sent -> sent.atNanos() + java.util.Arrays.toString(sent.bytes()))
                .toList();
    }
}
