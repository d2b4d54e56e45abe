package io.pathlore.engine;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.flow.FlowSink;
import io.pathlore.analysis.flow.FlowState;
import io.pathlore.model.FlowKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Hosts the analysis in one process. Reports are spread by flow, after decoding, because one datagram may hold many flows and
 * one exporter may send everything from one port. Queues are bounded, and what does not fit is shed and counted: nobody who reads
 * from the network ever waits here.
 */
public final class Engine implements AutoCloseable {
    private final EngineOptions options;
    private final List<EngineIntake> intakes = new ArrayList<>();
    private final Shard[] shards;
    private final ReportRing[][] rings;
    private final ReportRing[] toDesk;
    private final @Nullable DeskThread desk;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param operators that see the reports of all flows. Where there are shards, they have a thread of their own beside them
     * @param flowSinks gives each table of flows somebody to tell of their minutes
     * @param tallies gives each thread, workers first, a tally of its own; a worker that analyses itself has one for both
     */
    public Engine(
            EngineOptions options, List<Operator> operators, Supplier<FlowSink> flowSinks, Supplier<Tally> tallies) {
        this.options = options;
        List<Tally> ofWorkers = new ArrayList<>();
        StreamClock[] clocks = new StreamClock[options.workers()];
        for (int worker = 0; worker < options.workers(); worker++) {
            ofWorkers.add(tallies.get());
            clocks[worker] = new StreamClock();
        }
        rings = new ReportRing[options.workers()][options.shards()];
        for (ReportRing[] ofWorker : rings) {
            Arrays.setAll(ofWorker, shard -> new ReportRing(options.queueBytes()));
        }
        int count = Math.max(1, options.shards());
        int flows = (options.flows() + count - 1) / count;
        shards = new Shard[count];
        for (int shard = 0; shard < count; shard++) {
            ReportRing[] to = new ReportRing[options.shards() == 0 ? 0 : options.workers()];
            for (int worker = 0; worker < to.length; worker++) {
                to[worker] = rings[worker][shard];
            }
            Tally tally = options.shards() == 0 ? ofWorkers.getFirst() : tallies.get();
            Desk own = options.shards() == 0 ? new Desk(operators) : null;
            shards[shard] =
                    new Shard(new FlowTable(flows, flowSinks.get()), own, options.slackNanos(), to, clocks, tally);
        }
        boolean apart = options.shards() > 0 && !operators.isEmpty();
        toDesk = new ReportRing[apart ? options.workers() : 0];
        Arrays.setAll(toDesk, worker -> new ReportRing(options.queueBytes()));
        desk = apart ? new DeskThread(new Desk(operators), toDesk, clocks) : null;
        for (int worker = 0; worker < options.workers(); worker++) {
            intakes.add(new EngineIntake(
                    shards, rings[worker], apart ? toDesk[worker] : null, clocks[worker], ofWorkers.get(worker)));
        }
    }

    /** For that worker's thread alone. */
    public Intake intake(int worker) {
        return intakes.get(worker);
    }

    /** Starts the threads of the shards, where they have any. */
    public void start() {
        for (int shard = 0; shard < options.shards(); shard++) {
            threads.add(Thread.ofPlatform().name("pathlore-engine-" + shard).start(shards[shard]));
        }
        if (desk != null) {
            threads.add(Thread.ofPlatform().name("pathlore-engine-desk").start(desk));
        }
    }

    /** Deals with all that was handed in and ends the threads; the workers have ended before. */
    @Override
    public void close() {
        for (Shard shard : shards) {
            shard.stop();
        }
        if (desk != null) {
            desk.stop();
        }
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        threads.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports that were handed in and are not yet counted as analysed. */
    public long waiting() {
        long waiting = 0;
        for (ReportRing[] ofWorker : rings) {
            for (ReportRing ring : ofWorker) {
                waiting += ring.waiting();
            }
        }
        return waiting;
    }

    /** Reports that were handed in and that the operators, where they are apart, have not seen. */
    public long unseen() {
        long unseen = 0;
        for (ReportRing ring : toDesk) {
            unseen += ring.waiting();
        }
        return unseen;
    }

    public int shards() {
        return options.shards();
    }

    public long flows() {
        return sum(FlowTable::size);
    }

    private long sum(ToLongFunction<FlowTable> figure) {
        long sum = 0;
        for (Shard shard : shards) {
            sum += figure.applyAsLong(shard.flows());
        }
        return sum;
    }

    /** Reports that the operators did not see, because they are too slow; the flows were counted all the same. */
    public long skipped() {
        return intakes.stream().mapToLong(EngineIntake::skipped).sum();
    }

    public long flowCapacity() {
        return sum(FlowTable::capacity);
    }

    /** Flows that were forgotten to make room. */
    public long flowsEvicted() {
        return sum(FlowTable::evicted);
    }

    /** Minutes of flows that were forgotten before they were told. */
    public long flowMinutesUntold() {
        return sum(FlowTable::untold);
    }

    /** Eighths of the flows that are not analysed now, where it is most. */
    public int shedLevel() {
        return intakes.stream().mapToInt(EngineIntake::level).max().orElse(0);
    }

    /** Why a shard ended without being told to, or null. */
    public @Nullable Throwable failure() {
        for (Shard shard : shards) {
            Throwable failure = shard.failure();
            if (failure != null) {
                return failure;
            }
        }
        return desk == null ? null : desk.failure();
    }

    /** All flows there are; the state is borrowed. Only where nothing is handed in any more. */
    public void scanFlows(BiConsumer<FlowKey, FlowState> to) {
        for (Shard shard : shards) {
            shard.flows().scan(to::accept);
        }
    }
}
