package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.TrafficKind;
import io.pathlore.dataplane.traffic.TrafficParameters;
import io.pathlore.dataplane.traffic.TrafficSource;

/** One source of traffic. Its name makes its seed, so that others beside it change nothing of what it sends. */
public record TrafficEntry(String name, TrafficKind kind, TrafficParameters parameters) {
    /**
     * What sends.
     *
     * @throws IllegalArgumentException whose message starts with the parameter that is wrong
     */
    public TrafficSource source(Topology topology) {
        return kind.create(parameters, topology);
    }

    TrafficEntry scaled(long thousandths) {
        return new TrafficEntry(name, kind, parameters.scaled(thousandths));
    }
}
