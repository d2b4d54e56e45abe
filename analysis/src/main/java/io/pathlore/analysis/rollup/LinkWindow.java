package io.pathlore.analysis.rollup;

import io.pathlore.analysis.Samples;
import io.pathlore.analysis.path.Link;
import io.pathlore.model.ReportRow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One direction of a link in a minute. Borrowed by those who are told of it. */
public final class LinkWindow {
    /**
     * Samples of the two directions that are compared lie no further apart. Clocks drift meanwhile, by up to 50 ns in a millisecond;
     * whether that makes a sum too long or too short depends on which of the two came first, so in the median it cancels.
     */
    private static final long TOGETHER_NANOS = 10_000_000L;

    /** No cable takes longer. What looks like it is a clock that stepped. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    public static final int UNKNOWN = -1;

    /** Queues of a port that are told from each other where packets of a second are counted. */
    private static final int QUEUES = 8;

    private static final int[] NONE = {};
    private static final int MEDIAN = 50;
    private static final int QUARTER = 25;
    private static final long NEVER = Long.MIN_VALUE;

    final Link link;
    private final long toNode;
    private final long toInterface;
    private final long fromNode;
    private final long fromInterface;
    long minute;
    private long reports;

    /** It had to leave; there may be another in its place. */
    boolean isGone;

    /** From leaving the one node to entering the other, each by its own clock. */
    private final Samples delays = new Samples();

    /** The other direction, once it is known. */
    @Nullable
    LinkWindow back;

    /** Hops between the two that say nothing, in the packet with the fewest; {@link #UNKNOWN} from stacks of INT, which do not show it. */
    private int hidden = UNKNOWN;

    /** Packets by queue, in a second. */
    private int[] ofQueues = NONE;

    private long countedSecond = NEVER;
    private long lastDelay;
    private long lastNanos = NEVER;

    /** There and back; the offset of the clocks cancels. */
    private final Samples roundTrips = new Samples();

    LinkWindow(Link link, long minute) {
        this.link = link;
        toNode = link.toNode();
        toInterface = link.toInterface();
        fromNode = link.fromNode();
        fromInterface = link.fromInterface();
        this.minute = minute;
    }

    void begin(long next) {
        minute = next;
        reports = 0;
        hidden = UNKNOWN;
        delays.clear();
        roundTrips.clear();
    }

    boolean is(long from, long out, long to, long in) {
        return toInterface == in && toNode == to && fromInterface == out && fromNode == from;
    }

    /** Of a packet that is added. */
    void hides(int hops) {
        hidden = hidden == UNKNOWN ? hops : Math.min(hidden, hops);
    }

    /** Hops between the two that do not speak INT, or {@link #UNKNOWN}. */
    public int hidden() {
        return hidden;
    }

    /** Packets that both ends told of. */
    void count(int packets) {
        reports += packets;
    }

    /** Packets of a queue that took it in a second, as far as somebody said here. */
    int counted(long queue, long second) {
        return second == countedSecond ? ofQueues[(int) queue & QUEUES - 1] : 0;
    }

    void counted(long queue, long second, int packets) {
        if (second < countedSecond) {
            return;
        }
        if (second > countedSecond) {
            countedSecond = second;
            ofQueues = ofQueues.length == 0 ? new int[QUEUES] : ofQueues;
            Arrays.fill(ofQueues, 0);
        }
        ofQueues[(int) queue & QUEUES - 1] = packets;
    }

    /** What both ends told of one of them. */
    void look(ReportRow row, int hop) {
        long left = row.egressTime(hop);
        long entered = row.ingressTime(hop + 1);
        int bits = Math.min(row.timeBits(hop), row.timeBits(hop + 1));
        if (left == ReportRow.ABSENT || entered == ReportRow.ABSENT || bits <= 0) {
            return;
        }
        long delay = wrapped(entered - left, bits);
        long now = row.receivedNanos();
        lastDelay = delay;
        lastNanos = now;
        delays.add(delay);
        LinkWindow other = back;
        if (other != null && other.lastNanos != NEVER && Math.abs(now - other.lastNanos) <= TOGETHER_NANOS) {
            long both = wrapped(delay + other.lastDelay, bits);
            if (Math.abs(both) < LONGEST_NANOS) {
                roundTrips.add(both);
                other.roundTrips.add(both);
            }
        }
    }

    private static long wrapped(long nanos, int bits) {
        return nanos << Long.SIZE - bits >> Long.SIZE - bits;
    }

    public Link link() {
        return link;
    }

    public long reports() {
        return reports;
    }

    /** Whether {@link #latency} says something without knowing the clocks. */
    public boolean isMeasuredBothWays() {
        return !roundTrips.isEmpty() && roundTrips.percentile(MEDIAN) >= 0;
    }

    /** Half the way there and back. */
    public long latency() {
        return roundTrips.percentile(MEDIAN) / 2;
    }

    /** Nobody can tell how the two ways differ; and half of what the samples differ. */
    public long latencyError() {
        return latency() + (roundTrips.percentile(MEDIAN + QUARTER) - roundTrips.percentile(QUARTER)) / 2;
    }

    public boolean hasDelays() {
        return !delays.isEmpty();
    }

    /** Median of the differences between the two clocks: what it takes, where they show the same time. */
    public long delay() {
        return delays.percentile(MEDIAN);
    }
}
