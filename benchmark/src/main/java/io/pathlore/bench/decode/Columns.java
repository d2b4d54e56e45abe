package io.pathlore.bench.decode;

import io.pathlore.wire.inband.HopView;

/**
 * A batch of decoded reports by columns: one row per report and, apart from them, one per hop, the first hop of a packet
 * first. What is not there is all ones. The same columns as in {@code decode.c}.
 *
 * <p>Columns of one width share an array, so that one bounds check and one address serve them all: column {@code c} of row
 * {@code r} is element {@code c + r}.
 */
final class Columns {
    static final int ROWS = 1024;
    static final int HOPS = 8 * ROWS;

    /** Columns a power of two apart share few cache sets and evict each other; 64 octets more set them apart. */
    private static final int PAD = 16;

    private static final int STRIDE = ROWS + PAD;
    private static final int HOP_STRIDE = HOPS + PAD;

    private static final int SEQUENCE = 0;
    private static final int NODE = STRIDE;
    private static final int FLAGS = 2 * STRIDE;
    private static final int INTERFACES = 3 * STRIDE;
    private static final int LATENCY = 4 * STRIDE;
    private static final int QUEUE = 5 * STRIDE;
    private static final int SOURCE = 6 * STRIDE;
    private static final int DESTINATION = 7 * STRIDE;
    private static final int PORTS = 8 * STRIDE;
    private static final int PROTOCOL = 9 * STRIDE;
    /** Where the hops of a row end. */
    private static final int HOP_END = 10 * STRIDE;

    private static final int HOP_NODE = 0;
    private static final int HOP_INTERFACES = HOP_STRIDE;
    private static final int HOP_LATENCY = 2 * HOP_STRIDE;
    private static final int HOP_QUEUE = 3 * HOP_STRIDE;

    private static final int HOP_INGRESS = 0;
    private static final int HOP_EGRESS = HOP_STRIDE;

    private final int[] words = new int[11 * STRIDE];
    private final long[] timestamps = new long[STRIDE];
    private final int[] hopWords = new int[4 * HOP_STRIDE];
    private final long[] hopTimestamps = new long[2 * HOP_STRIDE];

    private int row;
    private int hop;

    /** Rows filled so far. */
    int rows() {
        return row;
    }

    void clear() {
        row = 0;
        hop = 0;
    }

    /** Begins the next row; what was begun before and not ended is overwritten. */
    void begin(int hwIdAndSequence, int nodeId, int flags) {
        words[SEQUENCE + row] = hwIdAndSequence;
        words[NODE + row] = nodeId;
        words[FLAGS + row] = flags;
    }

    /** What the reporting node says of itself. */
    void own(HopView own) {
        long egress = own.egressTimestamp();
        own(
                own.interfacesWord(),
                own.hopLatencyWord(),
                own.queueWord(),
                egress == HopView.ABSENT ? own.ingressTimestamp() : egress);
    }

    void nothingOwn() {
        own((int) HopView.ABSENT, (int) HopView.ABSENT, (int) HopView.ABSENT, HopView.ABSENT);
    }

    private void own(int interfaces, int latency, int queue, long timestamp) {
        words[INTERFACES + row] = interfaces;
        words[LATENCY + row] = latency;
        words[QUEUE + row] = queue;
        timestamps[row] = timestamp;
    }

    /** False when there is no room. */
    boolean hop(HopView of) {
        int at = hop;
        if (at >= HOPS) {
            return false;
        }
        hopWords[HOP_NODE + at] = of.nodeIdWord();
        hopWords[HOP_INTERFACES + at] = of.interfacesWord();
        hopWords[HOP_LATENCY + at] = of.hopLatencyWord();
        hopWords[HOP_QUEUE + at] = of.queueWord();
        hopTimestamps[HOP_INGRESS + at] = of.ingressTimestamp();
        hopTimestamps[HOP_EGRESS + at] = of.egressTimestamp();
        hop = at + 1;
        return true;
    }

    void end(int source, int destination, int ports, int protocol) {
        words[SOURCE + row] = source;
        words[DESTINATION + row] = destination;
        words[PORTS + row] = ports;
        words[PROTOCOL + row] = protocol;
        words[HOP_END + row] = hop;
        row++;
    }

    /** Every value at its place: a row or a hop out of order gives another sum. */
    long checksum(long before) {
        long sum = before;
        int at = 0;
        for (int i = 0; i < row; i++) {
            for (int column = SEQUENCE; column < HOP_END; column += STRIDE) {
                sum = sum * 31 + Integer.toUnsignedLong(words[column + i]);
            }
            sum = sum * 31 + timestamps[i];
            for (; at < words[HOP_END + i]; at++) {
                for (int column = HOP_NODE; column <= HOP_QUEUE; column += HOP_STRIDE) {
                    sum = sum * 31 + Integer.toUnsignedLong(hopWords[column + at]);
                }
                sum = sum * 31 + hopTimestamps[HOP_INGRESS + at];
                sum = sum * 31 + hopTimestamps[HOP_EGRESS + at];
            }
        }
        return sum;
    }
}
