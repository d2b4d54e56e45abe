package io.pathlore.cli.filter;

import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Subject;
import io.pathlore.model.Fault;
import io.pathlore.model.FlowKey;
import io.pathlore.model.ReportRow;
import io.pathlore.wire.decode.ReportVersion;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.AddressText;
import io.pathlore.wire.net.FlowView;
import io.pathlore.wire.net.PacketView;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A report, a data packet, or a report that was rejected, as filters see it. Hot path: filled again for each one; the ids of flow
 * and device are made only when they are asked for.
 */
public final class ReportSubject implements Subject {
    /** What it can be asked for. */
    public static final Set<Field> FIELDS =
            Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(Field.KIND, Field.SEVERITY)));

    private static final long UNAVAILABLE = -1;

    private final TravelPath path = new TravelPath();
    private boolean pathIsFilled;
    private @Nullable ReportView report;
    private @Nullable PacketView packet;
    private @Nullable Fault fault;
    private boolean addressed;
    private long exporterHigh;
    private long exporterLow;

    /** Who sent the datagram; {@code known} is false for bytes that nobody did. */
    public void exporter(boolean known, boolean v6, long high, long low) {
        addressed = known;
        exporterHigh = v6 ? high : 0;
        exporterLow = v6 ? low : ReportRow.mapped(low);
    }

    public ReportSubject report(ReportView view) {
        report = view;
        packet = view.packet();
        fault = null;
        pathIsFilled = false;
        return this;
    }

    public ReportSubject packet(PacketView view) {
        report = null;
        packet = view;
        fault = null;
        pathIsFilled = false;
        return this;
    }

    public ReportSubject rejected(Fault why) {
        report = null;
        packet = null;
        fault = why;
        pathIsFilled = false;
        return this;
    }

    private int hops() {
        ReportView from = report;
        PacketView stack = packet;
        if (stack == null) {
            return 0;
        }
        if (!pathIsFilled) {
            if (from == null) {
                path.ofPacket(stack);
            } else {
                path.of(from);
            }
            pathIsFilled = true;
        }
        return path.size();
    }

    private @Nullable FlowView flow() {
        return packet != null && packet.flow().known() ? packet.flow() : null;
    }

    @Override
    public int count(Field field) {
        return switch (field) {
            case PATH, HOP_NODE, HOP_INTERFACE, HOP_QUEUE, HOP_LATENCY, HOP_OCCUPANCY -> hops();
            case KIND, SEVERITY -> 0;
            case NODE,
                    EXPORTER,
                    VERSION,
                    DIALECT,
                    SRC,
                    DST,
                    IP,
                    SPORT,
                    DPORT,
                    PORT,
                    PROTO,
                    VNI,
                    FLOW,
                    LATENCY,
                    DROPPED,
                    CONGESTED,
                    TRACKED,
                    DROP_REASON,
                    DEVICE,
                    ERROR -> 1;
        };
    }

    @Override
    public long number(Field field, int index) {
        return switch (field) {
            case PATH, HOP_NODE -> path.node(index);
            case HOP_INTERFACE -> path.egressInterface(index);
            case HOP_QUEUE -> path.queueId(index);
            case HOP_LATENCY -> path.latency(index);
            case HOP_OCCUPANCY -> path.occupancy(index);
            case LATENCY -> hops() == 0 ? ABSENT : path.latency();
            case SPORT, DPORT, PROTO, VNI -> ofFlow(field);
            case NODE, VERSION, DROPPED, CONGESTED, TRACKED, DROP_REASON -> ofReport(field);
            case EXPORTER, DIALECT, SRC, DST, IP, PORT, FLOW, DEVICE, KIND, SEVERITY, ERROR -> ABSENT;
        };
    }

    private long ofFlow(Field field) {
        FlowView flow = flow();
        if (flow == null) {
            return ABSENT;
        }
        return switch (field) {
            case SPORT -> flow.sourcePort();
            case DPORT -> flow.destinationPort();
            case PROTO -> flow.protocol();
            default -> flow.vni();
        };
    }

    private long ofReport(Field field) {
        ReportView from = report;
        if (from == null) {
            return ABSENT;
        }
        return switch (field) {
            case NODE -> from.nodeId();
            case VERSION -> tenths(from.version());
            case DROP_REASON -> from.hasMetadata() ? from.metadata().dropReason() : ABSENT;
            case DROPPED -> flag(from, from.dropped());
            case CONGESTED -> flag(from, from.congested());
            default -> flag(from, from.tracked());
        };
    }

    private static long tenths(ReportVersion version) {
        return switch (version) {
            case V0_5 -> 5;
            case V1_0 -> 10;
            case V2_0 -> 20;
        };
    }

    private static long flag(ReportView report, boolean set) {
        return !report.flagsKnown() ? ABSENT : set ? 1 : 0;
    }

    @Override
    public @Nullable String text(Field field, int index) {
        return switch (field) {
            case DIALECT -> report == null ? null : report.dialect().label();
            case ERROR -> fault == null ? null : fault.name();
            case FLOW -> flowId();
            case DEVICE -> device();
            default -> null;
        };
    }

    private @Nullable String flowId() {
        FlowView flow = flow();
        if (flow == null) {
            return null;
        }
        FlowKey key = new FlowKey(
                flow.v6(),
                flow.sourceHigh(),
                flow.sourceLow(),
                flow.destinationHigh(),
                flow.destinationLow(),
                flow.protocol(),
                flow.sourcePort(),
                flow.destinationPort(),
                flow.icmpType(),
                flow.icmpCode(),
                flow.vni());
        return key.id().toString();
    }

    private @Nullable String device() {
        PacketView of = packet;
        if (of == null) {
            return null;
        }
        for (int i = 0; i < of.ints(); i++) {
            int at = of.intHeader(i).sourceDeviceOffset();
            if (at >= 0 && of.buffer().getLong(at) != UNAVAILABLE) {
                return AddressText.mac(of.buffer().getLong(at));
            }
        }
        boolean known =
                hops() > 0 && path.node(0) != TravelPath.ABSENT && path.firstIngressInterface() != TravelPath.ABSENT;
        return known ? path.node(0) + "/" + path.firstIngressInterface() : null;
    }

    @Override
    public boolean hasAddress(Field field) {
        return field == Field.EXPORTER ? addressed : flow() != null;
    }

    @Override
    public long addressHigh(Field field) {
        FlowView flow = flow();
        if (field == Field.EXPORTER || flow == null) {
            return exporterHigh;
        }
        return field == Field.SRC ? flow.sourceHigh() : flow.destinationHigh();
    }

    @Override
    public long addressLow(Field field) {
        FlowView flow = flow();
        if (field == Field.EXPORTER || flow == null) {
            return exporterLow;
        }
        long low = field == Field.SRC ? flow.sourceLow() : flow.destinationLow();
        return flow.v6() ? low : ReportRow.mapped(low);
    }
}
