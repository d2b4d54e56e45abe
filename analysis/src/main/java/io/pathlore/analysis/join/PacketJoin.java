package io.pathlore.analysis.join;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.Operator;
import io.pathlore.model.ReportRow;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what different nodes say of one packet, each in a report of its own: what lies between two nodes, and how long the packet
 * took in all, none of them can say alone. Reports of one packet are told by what does not change on the way; they may be apart
 * for a while. Where nodes choose packets each for itself, few are told of twice: those are enough for links, and ways are
 * put together by flow.
 */
public final class PacketJoin implements Operator {
    /** What one packet that is waited for takes. */
    public static final int BYTES_PER_PACKET = 1_280;

    /** Is told of packets that more than one node told of. */
    @FunctionalInterface
    public interface Joined {
        /** A row as a stack would have made it, borrowed; {@link ReportRow#hiddenAfter} tells who said nothing of it. */
        void on(ReportRow packet);
    }

    private final transient long windowNanos;
    private final int capacity;
    private final transient Joined joined;
    private final LongMap<PacketStory> open;
    private final ArrayDeque<PacketStory> waiting = new ArrayDeque<>();
    private final ArrayDeque<PacketStory> free = new ArrayDeque<>();
    private long early;

    /**
     * For postcards.
     *
     * @param windowNanos how long reports of one packet may be apart
     * @param packets that are waited for at once; where there are more, the oldest is told before its time
     */
    public PacketJoin(long windowNanos, int packets, Joined joined) {
        this.windowNanos = windowNanos;
        this.joined = joined;
        capacity = packets;
        open = new LongMap<>(packets);
    }

    /** Packets that were told of before their time, to make room. */
    public long early() {
        return early;
    }

    @Override
    public void on(ReportRow row) {
        boolean postcard = row.hops() == 1 && (row.way() & (ReportRow.STACK | ReportRow.REPLICA)) == 0;
        if (!postcard
                || row.unbound()
                || !row.hasFlow()
                || row.packetPrint() == 0
                || row.dropCount() != ReportRow.ABSENT) {
            return;
        }
        if (row.ttl() < 0 || row.hopNode(0) == ReportRow.ABSENT) {
            return;
        }
        long key = ReportRow.mix(row.packetPrint() ^ row.flowHash());
        PacketStory story = open.get(key);
        if (story == null) {
            begin(key, row);
        } else {
            story.add(row);
        }
    }

    private void begin(long key, ReportRow row) {
        if (waiting.size() == capacity) {
            early++;
            tell(waiting.removeFirst());
        }
        @Nullable PacketStory unused = free.pollLast();
        PacketStory story = unused == null ? new PacketStory() : unused;
        story.begin(key, row);
        waiting.addLast(story);
        open.add(key, story);
    }

    private void tell(PacketStory story) {
        open.remove(story.key);
        if (story.hops() > 1 && story.isInOrder()) {
            joined.on(story.packet());
        }
        free.addLast(story);
    }

    @Override
    public long wakeAtNanos() {
        PacketStory next = waiting.peekFirst();
        return next == null ? NEVER : next.firstNanos + windowNanos;
    }

    @Override
    public void onWake(long nowNanos) {
        for (PacketStory next = waiting.peekFirst();
                next != null && next.firstNanos + windowNanos <= nowNanos;
                next = waiting.peekFirst()) {
            tell(waiting.removeFirst());
        }
    }

    @Override
    public void end() {
        while (!waiting.isEmpty()) {
            tell(waiting.removeFirst());
        }
    }
}
