package io.pathlore.flink;

import io.pathlore.cli.service.RollupJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * All rows come by here, on their way to the topic; when all who tell rows have said that they are complete up to a time, each partition is
 * told so behind them. One for the whole job: behind it the order is that of one writer.
 */
final class RollupOperator extends AbstractStreamOperator<Tuple3<Integer, String, String>>
        implements OneInputStreamOperator<Tuple3<Integer, String, String>, Tuple3<Integer, String, String>> {
    private static final long serialVersionUID = 1;

    /** Who publishes, for those who read: the job, also a job that begins anew. */
    private static final long PUBLISHER = 0x7061_7468_6C6F_7265L;

    private final int partitions;
    private final int sources;

    @SuppressWarnings("NullAway.Init") // until there is state
    private transient ListState<Long> remembered;

    @SuppressWarnings("NullAway.Init")
    private transient long[] complete;

    private transient long told;

    RollupOperator(int partitions, int sources) {
        this.partitions = partitions;
        this.sources = sources;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        remembered = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("complete", Types.LONG));
        complete = new long[sources];
        Arrays.fill(complete, Long.MIN_VALUE);
        told = Long.MIN_VALUE;
        List<Long> before = new ArrayList<>();
        remembered.get().forEach(before::add);
        if (before.size() == sources + 1) {
            told = before.get(0);
            for (int i = 0; i < sources; i++) {
                complete[i] = before.get(i + 1);
            }
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        List<Long> now = new ArrayList<>(List.of(told));
        for (long each : complete) {
            now.add(each);
        }
        remembered.update(now);
        super.snapshotState(context);
    }

    @Override
    public void processElement(StreamRecord<Tuple3<Integer, String, String>> element) {
        Tuple3<Integer, String, String> result = element.getValue();
        if (result.f0 != Told.COMPLETE) {
            output.collect(element);
            return;
        }
        int source = Integer.parseInt(result.f1);
        complete[source] = Math.max(complete[source], Long.parseLong(result.f2));
        long all = Arrays.stream(complete).min().orElse(Long.MIN_VALUE);
        if (all > told) {
            told = all;
            String json = RollupJson.json(new RollupJson.Complete(PUBLISHER, all));
            for (int partition = 0; partition < partitions; partition++) {
                output.collect(new StreamRecord<>(Tuple3.of(partition, RollupJson.COMPLETE, json)));
            }
        }
    }
}
