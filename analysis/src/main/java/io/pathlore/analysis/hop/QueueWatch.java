package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Culprit;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Episodes of queues. A node says itself when one of its queues is congested [TR 2.0 §2.2]; from the least occupancy it said that
 * of, other reports of its queues are judged too. Where it never does, and nobody says how much its queues hold, many times of what
 * they usually hold is too much.
 */
final class QueueWatch {
    private static final int QUEUES = 16_384;

    /** Episodes at a time of one node: no node has so many queues. */
    static final int QUEUES_A_NODE = 4_096;

    /** Episodes at a time of which flows are counted, and how many flows. */
    private static final int COUNTED = 1_024;

    private static final int FLOWS = 512;

    /** Episodes at a time whose packets are kept. */
    private static final int RECORDED = 64;

    private static final int MOST_NODES = 65_536;

    /** Nodes at a time of which it is learned what is usual: who sends may invent them. */
    private static final int LEARNERS = 1_024;

    /** Episodes of one queue that are closer are one. */
    private static final long APART_NANOS = 100_000_000L;

    /** Where nobody says that it is over: no report is a sign too. */
    private static final long OVER_NANOS = 500_000_000L;

    private static final int MAX_CULPRITS = 10;
    private static final int MAX_VICTIMS = 100;
    private static final int CULPRIT_SHARE = 500;
    private static final int WHOLE = 10_000;
    private static final long NEVER = Long.MIN_VALUE;
    private static final Comparator<Queue> ORDER = Comparator.<Queue>comparingLong(one -> one.port.node)
            .thenComparingLong(one -> one.port.egress)
            .thenComparingLong(one -> one.id);

    /** Of the queues of a node, in the unit of their occupancy; 0 where it is not known. */
    @FunctionalInterface
    interface Capacities {
        long of(long node);
    }

    /** What a node sets the bit for; until it first does, half of its queues' capacity, where that is known, or else what is learned. */
    static final class Node {
        /** Packets that found something in a queue, and time, after which something is usual. */
        private static final int ENOUGH = 256;

        private static final long LEARNING_NANOS = 10_000_000_000L;

        /** One report in so many may lie above what is usual; so many times as much is too much. */
        private static final int SELDOM = 100;

        private static final int MANY_TIMES = 16;
        private static final int LARGEST_POWER = 32;

        long bytes;
        boolean said;
        final boolean isKnown;
        boolean learns;

        /** Episodes of its queues that are not over. */
        int open;

        /** Of its interfaces that are watched. */
        int ports;

        // How often its queues held how much, in powers of two.
        private int @Nullable [] usual;
        private int counted;
        private long since;

        Node(long capacity) {
            isKnown = capacity != 0;
            bytes = isKnown ? Math.max(1, capacity / 2) : Long.MAX_VALUE;
        }

        /** The unit is not known, and most queues are empty most of the time: neither teaches anything. */
        void learn(long occupancy, long now) {
            int[] often = usual;
            if (often == null) {
                often = new int[Long.SIZE + 1];
                usual = often;
                since = now;
            }
            often[Long.SIZE - Long.numberOfLeadingZeros(occupancy)]++;
            counted++;
            if (counted < ENOUGH || now - since < LEARNING_NANOS) {
                return;
            }
            int above = counted / SELDOM;
            int power = Long.SIZE;
            while (often[power] <= above) {
                above -= often[power--];
            }
            bytes = power > LARGEST_POWER ? Long.MAX_VALUE : (long) MANY_TIMES << power;
            Arrays.fill(often, 0);
            counted = 0;
            since = now;
        }
    }

    private static final class Queue {
        final Port port;
        final long id;
        long congestedFirst = NEVER;
        long congestedLast = NEVER;
        long calmLast = NEVER;
        long peak;
        long told = NEVER;

        @Nullable
        FlowTally octets;

        @Nullable
        BurstRecorder recorder;

        Queue(Port port, long id) {
            this.port = port;
            this.id = id;
        }
    }

    private final LongMap<Queue> queues = new LongMap<>(QUEUES);
    private final LongMap<Node> nodes;
    private final List<Queue> open = new ArrayList<>();
    private final transient Capacities capacities;
    private int learners;
    private final transient EventSink events;

    QueueWatch(int nodes, Capacities capacities, EventSink events) {
        this.nodes = new LongMap<>(Math.min(MOST_NODES, nodes));
        this.capacities = capacities;
        this.events = events;
    }

    Node node(long id) {
        return nodes.get(ReportRow.mix(id), () -> new Node(capacities.of(id)), gone -> learners -= gone.learns ? 1 : 0);
    }

    /** Hot path. */
    void on(Port port, ReportRow row, int hop, boolean reporter) {
        long id = row.queue(hop);
        if (id == ReportRow.ABSENT) {
            return;
        }
        long occupancy = row.occupancy(hop);
        boolean said = reporter && row.congested();
        Node node = port.ofNode;
        if (said && occupancy != ReportRow.ABSENT) {
            node.bytes = Math.min(node.said ? node.bytes : Long.MAX_VALUE, Math.max(1, occupancy));
            node.said = true;
        }
        long limit = node.bytes;
        boolean congested = said || occupancy != ReportRow.ABSENT && occupancy >= limit;
        if (!congested && !node.said && !node.isKnown && occupancy > 0 && mayLearn(node)) {
            node.learn(occupancy, row.receivedNanos());
        }
        if (!congested && node.open == 0) {
            return; // which of its queues is calm matters to those that are not
        }
        long key = ReportRow.mix(Port.key(port.node, port.egress) ^ id);
        Queue queue = queues.get(key);
        if (queue == null) {
            if (!congested || node.open == QUEUES_A_NODE) {
                return;
            }
            queue = queues.get(key, () -> new Queue(port, id), this::close);
        }
        if (congested) {
            congested(queue, row, hop, reporter, occupancy);
        } else if (occupancy != ReportRow.ABSENT && occupancy < limit / 2) {
            queue.calmLast = Math.max(queue.calmLast, row.receivedNanos());
        }
    }

    private boolean mayLearn(Node node) {
        if (!node.learns && learners < LEARNERS) {
            node.learns = true;
            learners++;
        }
        return node.learns;
    }

    private void congested(Queue queue, ReportRow row, int hop, boolean reporter, long occupancy) {
        long now = row.receivedNanos();
        if (queue.congestedFirst != NEVER && isOver(queue, now)) {
            close(queue);
        }
        if (queue.congestedFirst == NEVER) {
            queue.congestedFirst = now;
            queue.congestedLast = now;
            queue.peak = ReportRow.ABSENT;
            queue.told = NEVER;
            queue.octets = open.size() < COUNTED ? new FlowTally(FLOWS) : null;
            queue.recorder = open.size() < RECORDED ? new BurstRecorder() : null;
            open.add(queue);
            queue.port.ofNode.open++;
        }
        queue.congestedFirst = Math.min(queue.congestedFirst, now);
        queue.congestedLast = Math.max(queue.congestedLast, now);
        queue.peak = Math.max(queue.peak, occupancy);
        if (queue.octets != null) {
            queue.octets.add(row, Math.max(1, row.ipLength()));
        }
        if (queue.recorder != null) {
            queue.recorder.add(row, hop, reporter && row.dropped());
        }
    }

    private static boolean isOver(Queue queue, long now) {
        long since = now - queue.congestedLast;
        return since >= APART_NANOS && (queue.calmLast > queue.congestedLast || since >= OVER_NANOS);
    }

    void onTick(long now) {
        open.sort(ORDER);
        for (Queue queue : List.copyOf(open)) {
            if (queue.told == NEVER) {
                events.on(event(queue, Event.OPEN, now));
            }
            if (isOver(queue, now)) {
                close(queue, now);
            }
        }
    }

    private void close(Queue queue) {
        if (queue.congestedFirst != NEVER) {
            close(queue, queue.congestedLast);
        }
    }

    private void close(Queue queue, long now) {
        Event over = event(queue, queue.congestedLast, now);
        events.on(over);
        Burst burst = queue.recorder == null ? null : queue.recorder.burst(over);
        if (burst != null) {
            events.on(burst);
        }
        queue.congestedFirst = NEVER;
        queue.octets = null;
        queue.recorder = null;
        open.remove(queue);
        queue.port.ofNode.open--;
    }

    /** It was detected when it was first told of. */
    private static Event event(Queue queue, long end, long now) {
        queue.told = queue.told == NEVER ? now : queue.told;
        List<Culprit> culprits = new ArrayList<>();
        List<FlowKey> victims = new ArrayList<>();
        BurstRecorder recorder = queue.recorder;
        FlowTally octets = queue.octets;
        if (octets != null) {
            for (FlowTally.Entry one : octets.largest(MAX_CULPRITS + MAX_VICTIMS)) {
                int share = (int) (one.amount * WHOLE / octets.total());
                if (share >= CULPRIT_SHARE && culprits.size() < MAX_CULPRITS) {
                    culprits.add(new Culprit(one.flow, share));
                } else if (victims.size() < MAX_VICTIMS) {
                    victims.add(one.flow);
                }
            }
        }
        return new Event(
                queue.congestedFirst,
                end,
                queue.told,
                new Details.Congestion(
                        queue.port.node,
                        queue.port.egress,
                        queue.id,
                        queue.peak,
                        culprits,
                        victims,
                        recorder == null ? 0 : recorder.packets()));
    }

    void end(long now) {
        onTick(now);
        for (Queue queue : List.copyOf(open)) {
            // Nobody knows whether it would have gone on.
            events.on(event(queue, Event.OPEN, now));
        }
    }
}
