package io.pathlore.flink;

import io.pathlore.cli.scale.Outbox;
import io.pathlore.cli.scale.Outlet;
import io.pathlore.cli.scale.Part;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Hosts the parts of one stage that fell to this machine. They work in its memory; at a checkpoint what they remember goes into keyed state,
 * in chunks of which only those are written that are not as they were. What they tell is handed on before time is, and before a checkpoint's
 * barrier.
 */
final class StageOperator extends AbstractStreamOperator<Tuple3<Integer, String, String>>
        implements OneInputStreamOperator<Tuple2<Integer, byte[]>, Tuple3<Integer, String, String>> {
    private static final long serialVersionUID = 1;
    private static final int CHUNK = 256 << 10;
    private static final long MILLI = 1_000_000;

    /** Where blocks for later stages leave. */
    private static final Map<Stage, OutputTag<Tuple2<Integer, byte[]>>> BLOCKS = new EnumMap<>(Map.of(
            Stage.FLOWS, new OutputTag<>("flows", Told.BLOCK),
            Stage.ATTACKS, new OutputTag<>("attacks", Told.BLOCK),
            Stage.HOPS, new OutputTag<>("hops", Told.BLOCK),
            Stage.VERDICTS, new OutputTag<>("verdicts", Told.BLOCK)));

    static OutputTag<Tuple2<Integer, byte[]>> tag(Stage to) {
        return Objects.requireNonNull(BLOCKS.get(to), () -> "nobody comes before " + to);
    }

    private final Plan plan;
    private final Stage stage;
    private final int[] keys;

    @SuppressWarnings("NullAway.Init") // until there is state
    private transient Outbox outbox;

    @SuppressWarnings("NullAway.Init")
    private transient Map<Integer, Part> parts;

    @SuppressWarnings("NullAway.Init")
    private transient Map<Integer, byte[][]> written;

    @SuppressWarnings("NullAway.Init")
    private transient MapState<Integer, byte[]> remembered;

    StageOperator(Plan plan, Stage stage) {
        this.plan = plan;
        this.stage = stage;
        keys = PartKeys.of(plan.count(stage));
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        remembered = context.getKeyedStateStore()
                .getMapState(new MapStateDescriptor<>(
                        "remembered", Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        Parts all = plan.open();
        outbox = new Outbox(all, new Handing());
        parts = new TreeMap<>();
        written = new TreeMap<>();
        TaskInfo task = getRuntimeContext().getTaskInfo();
        KeyGroupRange range = KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                task.getMaxNumberOfParallelSubtasks(),
                task.getNumberOfParallelSubtasks(),
                task.getIndexOfThisSubtask());
        for (int part = range.getStartKeyGroup(); part <= range.getEndKeyGroup(); part++) {
            Part made = all.make(stage, part, outbox);
            setCurrentKey(keys[part]);
            byte[] state = read();
            if (state.length > 0) {
                made.restore(state);
            }
            parts.put(part, made);
        }
    }

    private byte[] read() throws Exception {
        ByteArrayOutputStream state = new ByteArrayOutputStream();
        for (int i = 0; remembered.contains(i); i++) {
            state.write(remembered.get(i));
        }
        return state.toByteArray();
    }

    @Override
    public void open() throws Exception {
        super.open();
        MetricGroup metrics = getMetricGroup().addGroup("pathlore");
        gauge(metrics, "flows", Part.Figures::flows);
        gauge(metrics, "flowsEvicted", Part.Figures::evicted);
        gauge(metrics, "waitingBytes", Part.Figures::waitingBytes);
        gauge(metrics, "reportsEarly", Part.Figures::early);
        gauge(metrics, "datagramsAgain", Part.Figures::again);
        gauge(metrics, "datagramsUnreadable", Part.Figures::unreadable);
    }

    /** Asked by other threads: what is a little old does no harm. */
    private void gauge(MetricGroup metrics, String name, ToLongFunction<Part.Figures> figure) {
        metrics.gauge(name, (Gauge<Long>) () -> parts.values().stream()
                .mapToLong(part -> figure.applyAsLong(part.figures()))
                .sum());
    }

    @Override
    public void processElement(StreamRecord<Tuple2<Integer, byte[]>> element) {
        Tuple2<Integer, byte[]> block = element.getValue();
        Part part = parts.get(block.f0);
        if (part == null) {
            throw new IllegalStateException("a block for part " + block.f0 + ", which is elsewhere");
        }
        part.on(block.f1);
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        if (mark.getTimestamp() != Watermark.MAX_WATERMARK.getTimestamp()) { // the end is no time
            long until = (mark.getTimestamp() + 1) * MILLI - 1;
            parts.values().forEach(part -> part.onTime(until));
            outbox.flush();
        }
        super.processWatermark(mark);
    }

    @Override
    public void finish() throws Exception {
        parts.values().forEach(Part::end);
        outbox.flush();
        super.finish();
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
        parts.values().forEach(Part::flush);
        outbox.flush();
        super.prepareSnapshotPreBarrier(checkpoint);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        for (Map.Entry<Integer, Part> part : parts.entrySet()) {
            setCurrentKey(keys[part.getKey()]);
            write(part.getKey(), part.getValue().state());
        }
        super.snapshotState(context);
    }

    private void write(int part, byte[] state) throws Exception {
        int chunks = Math.ceilDiv(state.length, CHUNK);
        byte[][] before = written.getOrDefault(part, new byte[0][]);
        byte[][] now = new byte[chunks][];
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (int i = 0; i < chunks; i++) {
            int end = Math.min(state.length, (i + 1) * CHUNK);
            digest.update(state, i * CHUNK, end - i * CHUNK);
            now[i] = digest.digest();
            if (i >= before.length || !Arrays.equals(before[i], now[i])) {
                remembered.put(i, Arrays.copyOfRange(state, i * CHUNK, end));
            }
        }
        for (int i = chunks; remembered.contains(i); i++) {
            remembered.remove(i);
        }
        written.put(part, now);
    }

    /** To the other operators. */
    private final class Handing implements Outlet {
        @Override
        public void block(Stage to, int part, byte[] block) {
            output.collect(tag(to), new StreamRecord<>(Tuple2.of(part, block)));
        }

        @Override
        public void event(String id, String json) {
            output.collect(new StreamRecord<>(Tuple3.of(Told.EVENT, id, json)));
        }

        @Override
        public void row(String key, String json) {
            output.collect(new StreamRecord<>(Tuple3.of(Told.ROW, key, json)));
        }

        @Override
        public void complete(int source, long untilNanos) {
            output.collect(
                    new StreamRecord<>(Tuple3.of(Told.COMPLETE, Integer.toString(source), Long.toString(untilNanos))));
        }
    }
}
