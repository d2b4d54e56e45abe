package io.pathlore.cli.service;

import io.pathlore.analysis.Operator;
import io.pathlore.analysis.event.EventSink;
import io.pathlore.analysis.health.StreamWatch;
import io.pathlore.analysis.hop.NodeWatch;
import io.pathlore.analysis.path.FlowPaths;
import io.pathlore.cli.config.Service;
import java.util.List;
import java.util.Set;

/** Who looks for what in the reports, as the configuration has it. */
final class Analysts {
    private static final long SETTLE_NANOS = 5_000_000_000L;
    private static final long JOIN_NANOS = 200_000_000L;
    private static final int STREAMS = 64_000;

    /** Of the heap, for ways of flows; and what one takes. Flows beyond are counted, and not followed. */
    private static final int HEAP_SHARE = 16;

    private static final int FLOW_BYTES = 1_024;

    /** TTL zero of IP and of MPLS, in the numbers fabrics in the field send. */
    private static final Set<Integer> TTL_REASONS = Set.of(26, 131);

    private Analysts() {}

    static StreamWatch health(Service service, EventSink events) {
        long silent = service.analysis().silentAfter().toNanos();
        return new StreamWatch(new StreamWatch.Rules(silent, SETTLE_NANOS, STREAMS), events);
    }

    /** For the one thread that sees all reports. */
    static List<Operator> operators(Service service, EventSink events) {
        NodeWatch nodes = new NodeWatch(events);
        long room = Runtime.getRuntime().maxMemory() / HEAP_SHARE / FLOW_BYTES;
        int flows = (int) Math.min(room, service.analysis().flows());
        FlowPaths paths = new FlowPaths(
                new FlowPaths.Rules(JOIN_NANOS, flows),
                (node, reason) -> TTL_REASONS.contains(reason),
                nodes.moves(),
                events);
        return List.of(nodes, paths);
    }
}
