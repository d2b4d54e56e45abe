package io.pathlore.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Flows beyond number in a table that has room for a hundredth of them: those that send most stay, and those that left are counted. */
class HeavyHittersTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final int TOP = 100;

    @Test
    void amongAMillionFlows() {
        knowsThoseThatSendMost(1_000_000);
    }

    @Test
    @Tag("slow")
    void amongTenMillionFlows() {
        knowsThoseThatSendMost(10_000_000);
    }

    /** In a minute: every flow once, in between as many packets of a thousand flows, the n-th of which sends a share of 1/n. */
    private static void knowsThoseThatSendMost(int flows) {
        FlowTable table = new FlowTable(flows / 100, FlowSink.NONE);
        SplittableRandom random = new SplittableRandom(10);
        double[] until = new double[1_000];
        double sum = 0;
        for (int i = 0; i < until.length; i++) {
            sum += 1.0 / (i + 1);
            until[i] = sum;
        }
        long[] sent = new long[until.length];
        ByteBuffer bytes = ByteBuffer.allocate(ReportRow.LENGTH);
        ReportRow row = new ReportRow();
        for (int i = 0; i < flows; i++) {
            long now = MINUTE * i / flows;
            Rows.write(bytes, 0, until.length + i, 0, now);
            table.on(row.wrap(bytes, 0));
            int heavy = Arrays.binarySearch(until, random.nextDouble(sum));
            heavy = heavy < 0 ? -heavy - 1 : heavy;
            sent[heavy]++;
            Rows.write(bytes, 0, heavy, 0, now);
            table.on(row.wrap(bytes, 0));
        }
        long least = Arrays.stream(sent)
                .map(count -> -count)
                .sorted()
                .map(count -> -count)
                .toArray()[TOP - 1];
        Set<FlowKey> most = new HashSet<>();
        for (int i = 0; i < sent.length; i++) {
            Rows.write(bytes, 0, i, 0, 0);
            if (sent[i] >= least) {
                most.add(row.wrap(bytes, 0).flow());
            }
        }
        List<Map.Entry<FlowKey, Long>> all = new ArrayList<>();
        table.scan((flow, state) -> all.add(Map.entry(flow, state.reports())));
        all.sort(Map.Entry.<FlowKey, Long>comparingByValue().reversed());
        long found = all.stream()
                .limit(TOP)
                .filter(one -> most.contains(one.getKey()))
                .count();
        assertThat(found).isGreaterThanOrEqualTo(99);
        assertThat(all.getFirst().getValue()).isEqualTo(sent[0]);
        assertThat(table.size()).isLessThanOrEqualTo(table.capacity());
        assertThat(table.evicted() + table.size()).isGreaterThanOrEqualTo(flows);
    }
}
