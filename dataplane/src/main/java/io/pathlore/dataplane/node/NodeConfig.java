package io.pathlore.dataplane.node;

import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.inband.EntropyPort;
import io.pathlore.dataplane.inband.NodeAbility;
import io.pathlore.dataplane.report.ReportFormat;
import io.pathlore.dataplane.watch.FlowRules;
import io.pathlore.dataplane.watch.QueueRules;
import io.pathlore.dataplane.watch.WatchEntry;
import java.util.List;
import java.util.Set;

/**
 * What a node is told.
 *
 * @param edgeInterfaces where the INT domain ends: what comes in there may be watched, what leaves there carries no INT
 * @param june2016 the domain speaks INT of June 2016, which no bit tells from later versions
 * @param entropyPort source port of UDP headers the node adds
 * @param slowPath INT work is done beside the fast path: packets pass unchanged, a follow-up packet carries the metadata (June
 *     2016 and 0.5; with later versions the node adds nothing)
 * @param flowCapacity flows and drops remembered by event detection
 * @param dropIntervalNanos drops of one flow for one reason are reported once in so long
 * @param firstSequence number of the first report after power-up; switches differ
 */
public record NodeConfig(
        Set<Integer> edgeInterfaces,
        List<WatchEntry> watchlist,
        Codepoints codepoints,
        boolean june2016,
        EntropyPort entropyPort,
        NodeAbility ability,
        boolean slowPath,
        FlowRules flowRules,
        QueueRules queueRules,
        int flowCapacity,
        long dropIntervalNanos,
        ReportFormat report,
        long firstSequence) {
    private static final int DEFAULT_FLOW_CAPACITY = 1 << 14;
    private static final long DEFAULT_DROP_INTERVAL_NANOS = 100_000_000;

    public NodeConfig {
        edgeInterfaces = Set.copyOf(edgeInterfaces);
        watchlist = List.copyOf(watchlist);
    }

    /** Reports every packet taken, watches no queue. */
    public static NodeConfig of(Set<Integer> edgeInterfaces, List<WatchEntry> watchlist, ReportFormat report) {
        return new NodeConfig(
                edgeInterfaces,
                watchlist,
                Codepoints.DEFAULT,
                false,
                EntropyPort.FLOW_HASH,
                NodeAbility.DEFAULT,
                false,
                FlowRules.EVERY_PACKET,
                QueueRules.NONE,
                DEFAULT_FLOW_CAPACITY,
                DEFAULT_DROP_INTERVAL_NANOS,
                report,
                0);
    }

    public NodeConfig withCodepoints(Codepoints codepoints, boolean june2016) {
        return new NodeConfig(
                edgeInterfaces,
                watchlist,
                codepoints,
                june2016,
                entropyPort,
                ability,
                slowPath,
                flowRules,
                queueRules,
                flowCapacity,
                dropIntervalNanos,
                report,
                firstSequence);
    }

    public NodeConfig withAbility(NodeAbility ability, boolean slowPath) {
        return new NodeConfig(
                edgeInterfaces,
                watchlist,
                codepoints,
                june2016,
                entropyPort,
                ability,
                slowPath,
                flowRules,
                queueRules,
                flowCapacity,
                dropIntervalNanos,
                report,
                firstSequence);
    }

    public NodeConfig withRules(FlowRules flowRules, QueueRules queueRules, long dropIntervalNanos) {
        return new NodeConfig(
                edgeInterfaces,
                watchlist,
                codepoints,
                june2016,
                entropyPort,
                ability,
                slowPath,
                flowRules,
                queueRules,
                flowCapacity,
                dropIntervalNanos,
                report,
                firstSequence);
    }

    public NodeConfig withEntropyPort(EntropyPort entropyPort) {
        return new NodeConfig(
                edgeInterfaces,
                watchlist,
                codepoints,
                june2016,
                entropyPort,
                ability,
                slowPath,
                flowRules,
                queueRules,
                flowCapacity,
                dropIntervalNanos,
                report,
                firstSequence);
    }

    public NodeConfig withFirstSequence(long firstSequence) {
        return new NodeConfig(
                edgeInterfaces,
                watchlist,
                codepoints,
                june2016,
                entropyPort,
                ability,
                slowPath,
                flowRules,
                queueRules,
                flowCapacity,
                dropIntervalNanos,
                report,
                firstSequence);
    }
}
