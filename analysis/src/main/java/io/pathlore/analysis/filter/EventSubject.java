package io.pathlore.analysis.filter;

import io.pathlore.analysis.event.Event;
import io.pathlore.analysis.event.Event.Details;
import io.pathlore.model.FlowKey;
import io.pathlore.model.Prefix;
import io.pathlore.model.ReportRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event as filters see it. Each flow of it can be asked for by its id; addresses and ports are there where it is only one. */
public final class EventSubject implements Subject {
    /** What it can be asked for. */
    public static final Set<Field> FIELDS = Collections.unmodifiableSet(EnumSet.of(
            Field.KIND,
            Field.SEVERITY,
            Field.NODE,
            Field.EXPORTER,
            Field.SRC,
            Field.DST,
            Field.SPORT,
            Field.DPORT,
            Field.PROTO,
            Field.VNI,
            Field.FLOW,
            Field.PATH,
            Field.HOP_NODE,
            Field.HOP_INTERFACE,
            Field.HOP_QUEUE,
            Field.HOP_LATENCY,
            Field.HOP_OCCUPANCY,
            Field.DROP_REASON));

    private final Event event;
    private final Map<Field, List<Long>> numbers = new EnumMap<>(Field.class);
    private final List<FlowKey> flows = new ArrayList<>();
    private Value.@Nullable Addresses exporter;
    private @Nullable Prefix victim;

    public EventSubject(Event event) {
        this.event = event;
        set(Field.SEVERITY, event.kind().severity().ordinal());
        switch (event.details()) {
            case Details.PathChange change -> way(change.flow(), change.after());
            case Details.Loop loop -> way(loop.flow(), loop.path());
            case Details.Congestion congestion -> {
                queue(congestion.node(), congestion.interfaceId(), congestion.queue());
                set(Field.HOP_OCCUPANCY, congestion.peakOccupancy());
                congestion.culprits().forEach(culprit -> flows.add(culprit.flow()));
                flows.addAll(congestion.victims());
            }
            case Details.Latency latency -> {
                queue(latency.node(), latency.interfaceId(), latency.queue());
                set(Field.HOP_LATENCY, latency.observedNanos());
            }
            case Details.Drops drops -> {
                node(drops.node());
                set(Field.DROP_REASON, drops.reason());
                flows.addAll(drops.flows());
            }
            case Details.LinkDown down -> link(down.from(), down.to());
            case Details.LinkUp up -> link(up.from(), up.to());
            case Details.ReportLoss loss -> reporter(loss.reporter());
            case Details.ExporterRestart restart -> reporter(restart.reporter());
            case Details.ExporterSilent silent -> reporter(silent.reporter());
            case Details.SpoofSuspected spoof -> node(spoof.node());
            case Details.Attack attack -> {
                numbers.put(Field.HOP_NODE, attack.hops());
                numbers.put(Field.NODE, attack.reporters());
                set(Field.PROTO, attack.protocol());
                if (attack.port() != Event.ABSENT) {
                    set(Field.DPORT, attack.port());
                }
                victim = attack.victim();
            }
        }
        if (flows.size() == 1) {
            FlowKey flow = flows.getFirst();
            set(Field.SPORT, flow.sourcePort());
            set(Field.DPORT, flow.destinationPort());
            set(Field.PROTO, flow.protocol());
            set(Field.VNI, flow.vni());
        }
    }

    private void set(Field field, long value) {
        numbers.put(field, List.of(value));
    }

    private void node(long node) {
        set(Field.NODE, node);
        set(Field.HOP_NODE, node);
    }

    private void queue(long node, long interfaceId, long queue) {
        node(node);
        set(Field.HOP_INTERFACE, interfaceId);
        set(Field.HOP_QUEUE, queue);
    }

    private void way(FlowKey flow, List<Long> path) {
        flows.add(flow);
        numbers.put(Field.PATH, path);
        numbers.put(Field.HOP_NODE, path);
    }

    private void link(Event.LinkEnd from, Event.LinkEnd to) {
        numbers.put(Field.HOP_NODE, List.of(from.node(), to.node()));
        set(Field.HOP_INTERFACE, from.interfaceId());
    }

    private void reporter(Event.Reporter reporter) {
        node(reporter.node());
        String address = reporter.address();
        exporter = address == null ? null : AddressReader.read(address);
    }

    @Override
    public int count(Field field) {
        return switch (field) {
            case KIND -> 1;
            case FLOW -> flows.size();
            default -> numbers.getOrDefault(field, List.of()).size();
        };
    }

    @Override
    public long number(Field field, int index) {
        return numbers.getOrDefault(field, List.of()).get(index);
    }

    @Override
    public @Nullable String text(Field field, int index) {
        return switch (field) {
            case KIND -> event.kind().label();
            case FLOW -> flows.get(index).id().toString();
            default -> null;
        };
    }

    @Override
    public boolean hasAddress(Field field) {
        return switch (field) {
            case EXPORTER -> exporter != null;
            case DST -> victim != null || flows.size() == 1;
            default -> flows.size() == 1;
        };
    }

    @Override
    public long addressHigh(Field field) {
        if (exporter != null && field == Field.EXPORTER) {
            return exporter.fromHigh();
        }
        if (victim != null) {
            return victim.high();
        }
        FlowKey flow = flows.getFirst();
        return field == Field.SRC ? flow.sourceHigh() : flow.destinationHigh();
    }

    @Override
    public long addressLow(Field field) {
        if (exporter != null && field == Field.EXPORTER) {
            return exporter.fromLow();
        }
        if (victim != null) {
            return victim.v6() ? victim.low() : ReportRow.mapped(victim.low());
        }
        FlowKey flow = flows.getFirst();
        long low = field == Field.SRC ? flow.sourceLow() : flow.destinationLow();
        return flow.v6() ? low : ReportRow.mapped(low);
    }
}
