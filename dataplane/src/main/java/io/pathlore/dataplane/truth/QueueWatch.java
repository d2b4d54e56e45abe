package io.pathlore.dataplane.truth;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One output queue: what stands in it, and whose it is. Hot path: fed with every packet. */
final class QueueWatch {
    final long node;
    final int interfaceId;
    final int queueId;
    final long thresholdBytes;
    final long resetBytes;

    private int[] flows = new int[64];
    private int[] lengths = new int[64];
    private int head;
    private int count;
    long bytes;

    Episode.@Nullable Congestion episode;
    boolean open;

    QueueWatch(long node, int interfaceId, int queueId, long thresholdBytes, long resetBytes) {
        this.node = node;
        this.interfaceId = interfaceId;
        this.queueId = queueId;
        this.thresholdBytes = thresholdBytes;
        this.resetBytes = resetBytes;
    }

    void push(int flow, int length) {
        if (count == flows.length) {
            grow();
        }
        int at = head + count++ & flows.length - 1;
        flows[at] = flow;
        lengths[at] = length;
        bytes += length;
    }

    void pop() {
        if (count == 0) {
            throw new IllegalStateException("queue " + queueId + " of node " + node + " is empty");
        }
        bytes -= lengths[head];
        head = head + 1 & flows.length - 1;
        count--;
    }

    /** What stands in the queue, into the tally. */
    void count(Tally tally) {
        for (int i = 0; i < count; i++) {
            int at = head + i & flows.length - 1;
            tally.add(flows[at], lengths[at]);
        }
    }

    private void grow() {
        int[] oldFlows = flows;
        int[] oldLengths = lengths;
        flows = Arrays.copyOf(oldFlows, 2 * count);
        lengths = Arrays.copyOf(oldLengths, 2 * count);
        for (int i = 0; i < count; i++) {
            int at = head + i & count - 1;
            flows[i] = oldFlows[at];
            lengths[i] = oldLengths[at];
        }
        head = 0;
    }
}
