package io.pathlore.analysis.join;

import io.pathlore.model.ReportRow;
import java.nio.ByteBuffer;

/** What several nodes said of one packet, in the order in which it met them. Used again for other packets. */
final class PacketStory {
    /** More are left out: no network of postcards is so deep. */
    private static final int MOST = 16;

    private final ByteBuffer bytes = ByteBuffer.allocate(ReportRow.LENGTH + MOST * ReportRow.HOP_LENGTH);
    private final ReportRow row = new ReportRow();
    private final int[] ttls = new int[MOST];
    private int hops;
    long key;
    long firstNanos;

    void begin(long key, ReportRow card) {
        this.key = key;
        firstNanos = card.receivedNanos();
        bytes.put(0, card.buffer(), card.offset(), ReportRow.LENGTH + ReportRow.HOP_LENGTH);
        ttls[0] = card.ttl();
        hops = 1;
    }

    /** The further on, the lower the TTL. A node that speaks again of the packet adds what it had not said. */
    void add(ReportRow card) {
        int ttl = card.ttl();
        int at = hops;
        while (at > 0 && ttls[at - 1] < ttl) {
            at--;
        }
        for (int i = at - 1; i >= 0 && ttls[i] == ttl; i--) {
            if (ReportRow.hopNode(bytes, 0, i) == card.hopNode(0)) {
                fill(i, card);
                return;
            }
        }
        if (hops == MOST) {
            return;
        }
        for (int i = hops; i > at; i--) {
            ttls[i] = ttls[i - 1];
            bytes.put(place(i), bytes, place(i - 1), ReportRow.HOP_LENGTH);
        }
        ttls[at] = ttl;
        bytes.put(place(at), card.buffer(), card.offset() + ReportRow.LENGTH, ReportRow.HOP_LENGTH);
        hops++;
    }

    private void fill(int hop, ReportRow card) {
        ReportRow.fill(
                bytes,
                0,
                hop,
                card.ingress(0),
                card.egress(0),
                card.latency(0),
                card.queue(0),
                card.occupancy(0),
                card.ingressTime(0),
                card.egressTime(0),
                card.utilization(0),
                card.timeBits(0));
    }

    private static int place(int hop) {
        return ReportRow.LENGTH + hop * ReportRow.HOP_LENGTH;
    }

    int hops() {
        return hops;
    }

    /** Nodes that the packet met between this hop and the next, and that said nothing of it. */
    private int hiddenAfter(int hop) {
        return ttls[hop] - ttls[hop + 1] - 1;
    }

    /** Whether it met no node twice, and no two with one TTL: otherwise nobody can tell the order. */
    boolean isInOrder() {
        for (int i = 1; i < hops; i++) {
            if (ttls[i] == ttls[i - 1]) {
                return false;
            }
            for (int j = 0; j < i; j++) {
                if (ReportRow.hopNode(bytes, 0, i) == ReportRow.hopNode(bytes, 0, j)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** As a stack would have told it. The time is that of the first report. */
    ReportRow packet() {
        row.wrap(bytes, 0);
        int way = ReportRow.STACK | ReportRow.JOINED;
        for (int i = 0; i < hops - 1; i++) {
            way |= hiddenAfter(i) == 0 ? 0 : ReportRow.GAPS;
        }
        for (int i = 0; i < hops; i++) {
            ReportRow.hopLimit(bytes, 0, i, Math.min(254, ttls[i] - ttls[hops - 1])); // what counts is how they differ
        }
        ReportRow.packet(bytes, 0, row.packetPrint(), ttls[hops - 1], row.ipLength(), row.device());
        ReportRow.way(bytes, 0, row.hwId(), way, hops);
        ReportRow.numbers(bytes, 0, 0, 0);
        return row;
    }
}
