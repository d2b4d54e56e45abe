package io.pathlore.analysis.rollup;

import io.pathlore.model.LatencyHistogram;
import io.pathlore.model.ReportRow;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A queue of a node in a second, or in a minute. What is unknown is {@link ReportRow#ABSENT}. Borrowed by those who are told of it. */
public final class HopWindow {
    private static final int SOURCES = 4;

    private HopPlace place;

    /** The second or minute it is. */
    private long number;

    private long reports;
    private long drops;
    private long latencyMin;
    private long latencyMax;
    private long occupancyMax;
    private long utilizationMax;
    private long arrived;
    private long missing;
    private final LatencyHistogram latencies = new LatencyHistogram();
    private Completeness.@Nullable Source source;

    /** Further ones: mostly there is none. */
    private final Completeness.@Nullable Source[] sources = new Completeness.Source[SOURCES - 1];

    HopWindow(HopPlace place) {
        this.place = place;
    }

    long number() {
        return number;
    }

    /** Has seen nothing; it may have been another's before. */
    void open(HopPlace of, long window) {
        place = of;
        number = window;
        reports = 0;
        drops = 0;
        latencyMin = Long.MAX_VALUE;
        latencyMax = ReportRow.ABSENT;
        occupancyMax = ReportRow.ABSENT;
        utilizationMax = ReportRow.ABSENT;
        arrived = 0;
        missing = 0;
        latencies.clear();
        source = null;
        Arrays.fill(sources, null);
    }

    /**
     * Hot path.
     *
     * @param dropped the packet got no further than here
     * @return whether this exporter has not told of it before, in this window
     */
    boolean add(ReportRow row, int hop, boolean dropped, Completeness.Source teller) {
        reports++;
        if (dropped) {
            drops++;
        } else {
            long latency = row.latency(hop);
            if (latency >= 0 && latency < ReportRow.IMPLAUSIBLE_NANOS) {
                addLatency(latency);
            }
        }
        occupancyMax = Math.max(occupancyMax, row.occupancy(hop));
        utilizationMax = Math.max(utilizationMax, row.utilization(hop));
        return tells(teller);
    }

    /** So many reports at once, and what the greatest of them said. */
    void add(long ofReports, long ofDrops, long occupancy, long utilization) {
        reports += ofReports;
        drops += ofDrops;
        occupancyMax = Math.max(occupancyMax, occupancy);
        utilizationMax = Math.max(utilizationMax, utilization);
    }

    void addLatency(long latency) {
        latencies.record(latency);
        latencyMin = Math.min(latencyMin, latency);
        latencyMax = Math.max(latencyMax, latency);
    }

    /** What is counted in {@code buckets} places from {@code at} on, unsigned: those of the histogram from {@code bucket} on. */
    void addLatencies(short[] counts, int at, int buckets, int bucket, long least, long most) {
        for (int i = 0; i < buckets; i++) {
            if (counts[at + i] != 0) {
                latencies.add(bucket + i, Short.toUnsignedInt(counts[at + i]));
            }
        }
        latencyMin = Math.min(latencyMin, least);
        latencyMax = Math.max(latencyMax, most);
    }

    /** Whether this exporter has not told of it before, in this window. */
    @SuppressWarnings("ReferenceEquality") // there is one of each
    boolean tells(Completeness.Source teller) {
        return source != teller && remember(teller);
    }

    @SuppressWarnings("ReferenceEquality") // there is one of each
    private boolean remember(Completeness.Source teller) {
        if (source == null) {
            source = teller;
            return true;
        }
        for (int i = 0; i < sources.length; i++) {
            if (sources[i] == teller) {
                return false;
            }
            if (sources[i] == null) {
                sources[i] = teller;
                return true;
            }
        }
        return false;
    }

    /** The second is over: what is known by now of the numbers of those who told of it. */
    void settle() {
        settle(source);
        for (Completeness.Source further : sources) {
            settle(further);
        }
    }

    private void settle(Completeness.@Nullable Source teller) {
        if (teller != null) {
            arrived += teller.arrived(number);
            missing += teller.missing(number);
        }
    }

    void add(HopWindow second) {
        reports += second.reports;
        drops += second.drops;
        latencyMin = Math.min(latencyMin, second.latencyMin);
        latencyMax = Math.max(latencyMax, second.latencyMax);
        occupancyMax = Math.max(occupancyMax, second.occupancyMax);
        utilizationMax = Math.max(utilizationMax, second.utilizationMax);
        arrived += second.arrived;
        missing += second.missing;
        latencies.add(second.latencies);
    }

    public long node() {
        return place.node;
    }

    public long interfaceId() {
        return place.egress;
    }

    public long queue() {
        return place.queue;
    }

    public long reports() {
        return reports;
    }

    /** Reports of packets it dropped; {@link ReportRow#ABSENT} where its node has never told of any. */
    public long drops() {
        return drops > 0 || place.ofNode.dropsTold ? drops : ReportRow.ABSENT;
    }

    public long latencyMin() {
        return latencies.total() == 0 ? ReportRow.ABSENT : latencyMin;
    }

    public long latencyMax() {
        return latencyMax;
    }

    public LatencyHistogram latencies() {
        return latencies;
    }

    public long occupancyMax() {
        return occupancyMax;
    }

    public long utilizationMax() {
        return utilizationMax;
    }

    /** Not a number where nothing is numbered. */
    public double completeness() {
        return Completeness.share(arrived, missing);
    }
}
