package io.pathlore.cli.service;

import io.pathlore.analysis.sequence.SequenceTable;
import io.pathlore.cli.config.Service;
import io.pathlore.engine.EngineOptions;
import java.util.function.Consumer;

/**
 * How the memory of the configuration is shared out, once, at the start: whatever arrives later, no table and no queue grows.
 *
 * @param streams that each worker numbers
 * @param exporters that each worker remembers
 * @param nodes whose address is learned
 * @param journalBytes that wait for the disk, for each worker
 * @param rowBytes that wait for the tables
 * @param total of everything
 */
public record MemoryPlan(
        int workers,
        int shards,
        int streams,
        int exporters,
        int nodes,
        int journalBytes,
        int rowBytes,
        EngineOptions engine,
        long total) {
    private static final int EXPORTERS = 4_096;
    /** Its figures, the place in the index, and what the decoder remembers of it. */
    private static final int BYTES_PER_EXPORTER = 1_024;

    private static final int NODES = 65_536;
    private static final int BYTES_PER_NODE = 4 * 22;
    /** 64 datagrams of the largest size, and rows of the most reports. */
    private static final long BYTES_PER_WORKER = 64L * 66_000 + (4 << 20);

    private static final int MAX_JOURNAL_BYTES = 64 << 20;
    private static final int MIN_JOURNAL_BYTES = 1 << 20;
    private static final int MAX_ROW_BYTES = 64 << 20;
    private static final int MIN_ROW_BYTES = 4 << 20;
    private static final int MAX_QUEUE_BYTES = 16 << 20;
    private static final int MIN_QUEUE_BYTES = 256 << 10;
    private static final int MIN_FLOWS = 1_000;
    private static final long SLACK_NANOS = 250_000_000;

    /** @param warnings told what had to be made smaller than was asked for */
    static MemoryPlan of(Service service, int processors, Consumer<String> warnings) {
        boolean spare = processors > 2;
        int workers = service.listen().workers() != Service.AUTO
                ? service.listen().workers()
                : spare ? Math.clamp(processors / 4, 1, 4) : 1;
        int shards = !service.analysis().enabled()
                ? 0
                : service.analysis().shards() != Service.AUTO
                        ? service.analysis().shards()
                        : spare || workers > 1 ? Math.clamp(processors / 2 - workers, 1, 16) : 0;
        return of(
                service,
                workers,
                shards,
                service.analysis().enabled() ? service.analysis().flows() : MIN_FLOWS,
                service.journal().enabled(),
                service.store().enabled(),
                warnings);
    }

    /** For one thread that does everything, and keeps nothing. */
    static MemoryPlan ofOneThread(Service service, Consumer<String> warnings) {
        return of(service, 1, 0, service.analysis().flows(), false, false, warnings)
                .withSlack();
    }

    /** For one thread that does everything, and keeps all of it. */
    static MemoryPlan ofRecording(Service service, Consumer<String> warnings) {
        return of(service, 1, 0, service.analysis().flows(), true, true, warnings)
                .withSlack();
    }

    /** A journal has what several threads received block by block, in order only as far as they took turns. */
    private MemoryPlan withSlack() {
        return new MemoryPlan(
                workers,
                shards,
                streams,
                exporters,
                nodes,
                journalBytes,
                rowBytes,
                engine.withSlack(SLACK_NANOS),
                total + EngineOptions.SLACK_BYTES);
    }

    private static MemoryPlan of(
            Service service,
            int workers,
            int shards,
            int wanted,
            boolean journalled,
            boolean stored,
            Consumer<String> warnings) {
        long budget = service.memoryBytes();

        long fixed =
                workers * (BYTES_PER_WORKER + (long) EXPORTERS * BYTES_PER_EXPORTER) + (long) NODES * BYTES_PER_NODE;
        int journal = journalled ? powerOfTwo(budget / 16 / workers, MIN_JOURNAL_BYTES, MAX_JOURNAL_BYTES) : 0;
        int rows = stored ? Math.clamp(budget / 16, MIN_ROW_BYTES, MAX_ROW_BYTES) : 0;
        int queue = shards == 0
                ? 1
                : powerOfTwo(budget / 16 / ((long) workers * (shards + 1)), MIN_QUEUE_BYTES, MAX_QUEUE_BYTES);
        int streams = SequenceTable.DEFAULT_CAPACITY;
        while (streams > 1_000 && workers * SequenceTable.bytes(streams) > budget / 8) {
            streams /= 2;
        }
        long used = fixed
                + rows
                + (journalled ? KafkaOut.bytes(service) : 0)
                + (long) workers * (journal + SequenceTable.bytes(streams))
                + (long) workers * (shards == 0 ? 0 : shards + 1) * queue;
        long fitting = Math.max(MIN_FLOWS, (budget - used) / EngineOptions.bytesPerFlow());
        int flows = (int) Math.min(wanted, fitting);
        if (flows < wanted) {
            warnings.accept("analysis.flows: " + wanted + " do not fit into memory: " + (budget >> 20) + "MiB; " + flows
                    + " are kept, and who is not among them is evicted");
        }
        EngineOptions engine = new EngineOptions(workers, workers > 1 ? Math.max(1, shards) : shards, flows, queue);
        return new MemoryPlan(
                workers,
                shards,
                streams,
                EXPORTERS,
                NODES,
                journal,
                rows,
                engine,
                used + (long) flows * EngineOptions.bytesPerFlow());
    }

    private static int powerOfTwo(long wanted, int least, int most) {
        return Math.clamp(Long.highestOneBit(Math.max(1, wanted)), least, most);
    }
}
