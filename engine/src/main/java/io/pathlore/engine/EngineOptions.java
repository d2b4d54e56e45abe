package io.pathlore.engine;

/**
 * How large the engine is.
 *
 * @param workers threads that decode and hand in reports
 * @param shards threads that analyse; 0: the decoding thread does, of which there is then one
 * @param flows that are remembered, in all shards together
 * @param queueBytes of each queue from one worker to one shard, or to the operators
 * @param slackNanos how far reports may be out of the order of their receive times; without shards only, for those order them
 */
public record EngineOptions(int workers, int shards, int flows, int queueBytes, long slackNanos) {
    /** What may wait to be ordered, where there is slack. */
    public static final int SLACK_BYTES = Sorter.BYTES;

    /** For reports that come as they are received. */
    public EngineOptions(int workers, int shards, int flows, int queueBytes) {
        this(workers, shards, flows, queueBytes, 0);
    }

    public EngineOptions {
        if (workers < 1 || shards < 0 || flows < 1 || queueBytes < 1) {
            throw new IllegalArgumentException("workers=" + workers + " shards=" + shards + " flows=" + flows
                    + " queueBytes=" + queueBytes + ": too small");
        }
        if (shards == 0 && workers > 1) {
            throw new IllegalArgumentException(workers + " workers need at least one shard");
        }
        if (flows / Math.max(1, shards) > FlowTable.maxFlows()) {
            throw new IllegalArgumentException("analysis.flows is " + flows + ": one shard holds at most "
                    + FlowTable.maxFlows() + "; raise analysis.shards");
        }
    }

    /** The same for reports that are so far out of order. */
    public EngineOptions withSlack(long nanos) {
        return new EngineOptions(workers, shards, flows, queueBytes, nanos);
    }

    /** What it takes for each flow. */
    public static int bytesPerFlow() {
        return FlowTable.BYTES_PER_FLOW;
    }
}
