package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.node.IntProcessor;
import io.pathlore.dataplane.node.Node;
import io.pathlore.dataplane.node.NodeConfig;
import io.pathlore.dataplane.topology.Topology;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes of a scenario: all alike, but for where they stand. */
public final class ScenarioNodes implements ScenarioRun.NodeFactory {
    @Override
    public IntProcessor node(Scenario scenario, Topology.Switch at) {
        Telemetry telemetry = scenario.telemetry();
        Set<Integer> edges = Arrays.stream(scenario.topology().edgeInterfaces(at.device()))
                .boxed()
                .collect(Collectors.toSet());
        return new Node(NodeConfig.of(
                        edges, telemetry.watchlist(), telemetry.reporting().format(at.nodeId()))
                .withCodepoints(telemetry.codepoints(), telemetry.june2016())
                .withRules(telemetry.flowRules(), telemetry.queueRules(), telemetry.dropIntervalNanos()));
    }
}
