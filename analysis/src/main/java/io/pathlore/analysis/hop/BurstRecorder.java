package io.pathlore.analysis.hop;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.event.Burst;
import io.pathlore.analysis.event.Event;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the first packets of an episode for its replay. A stack tells of one packet once, and so does a postcard. */
final class BurstRecorder {
    static final int PACKETS = 2_048;
    private static final int FLOWS = 256;

    private final List<Burst.Packet> packets = new ArrayList<>();
    private final List<FlowKey> flows = new ArrayList<>();
    private final LongMap<Integer> places = new LongMap<>(FLOWS);

    /** The first time of the node: others are told relative to it, for its clock may wrap. */
    private long firstTime = ReportRow.ABSENT;

    private long firstNanos;
    private long seen;

    void add(ReportRow row, int hop, boolean dropped) {
        seen++;
        if (packets.size() == PACKETS) {
            return;
        }
        packets.add(new Burst.Packet(
                time(row, hop), flow(row), row.ipLength(), row.occupancy(hop), row.latency(hop), dropped));
    }

    private long time(ReportRow row, int hop) {
        long time = row.egressTime(hop) != ReportRow.ABSENT ? row.egressTime(hop) : row.ingressTime(hop);
        if (time == ReportRow.ABSENT) {
            return row.receivedNanos();
        }
        if (firstTime == ReportRow.ABSENT) {
            firstTime = time;
            firstNanos = row.receivedNanos();
        }
        int bits = row.timeBits(hop);
        long since = bits > 0 && bits < Long.SIZE
                ? time - firstTime << Long.SIZE - bits >> Long.SIZE - bits
                : time - firstTime;
        return firstNanos + since;
    }

    private int flow(ReportRow row) {
        if (!row.hasFlow()) {
            return (int) Burst.ABSENT;
        }
        Integer place = places.get(row.flowHash());
        if (place != null) {
            return place;
        }
        FlowKey key = row.flow();
        if (key == null || flows.size() == FLOWS) {
            return (int) Burst.ABSENT;
        }
        flows.add(key);
        return places.get(row.flowHash(), () -> flows.size() - 1, gone -> {});
    }

    int packets() {
        return packets.size();
    }

    @Nullable
    Burst burst(Event event) {
        if (packets.isEmpty()) {
            return null;
        }
        List<Burst.Packet> ordered = new ArrayList<>(packets);
        ordered.sort(Comparator.comparingLong(Burst.Packet::nanos));
        return new Burst(event, flows, ordered, seen);
    }
}
