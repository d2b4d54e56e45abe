package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.fault.Fault;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.topology.Topology;
import java.util.List;

/**
 * What happens in a run of the lab. Values only: the same scenario may be run any number of times.
 *
 * @param description one line
 * @param forgings faults that need to know how reports are written, and so are made when that is settled
 */
public record Scenario(
        String name,
        String description,
        long durationNanos,
        Topology topology,
        LabOptions options,
        Telemetry telemetry,
        List<TrafficEntry> traffic,
        List<Fault> faults,
        List<Forging> forgings) {
    public Scenario {
        traffic = List.copyOf(traffic);
        faults = List.copyOf(faults);
        forgings = List.copyOf(forgings);
    }

    public Scenario withDuration(long durationNanos) {
        return new Scenario(name, description, durationNanos, topology, options, telemetry, traffic, faults, forgings);
    }

    public Scenario withOptions(LabOptions options) {
        return new Scenario(name, description, durationNanos, topology, options, telemetry, traffic, faults, forgings);
    }

    public Scenario withTelemetry(Telemetry telemetry) {
        return new Scenario(name, description, durationNanos, topology, options, telemetry, traffic, faults, forgings);
    }

    /** Rates and numbers of flows, in thousandths of what they are. */
    public Scenario scaled(long thousandths) {
        List<TrafficEntry> scaled =
                traffic.stream().map(entry -> entry.scaled(thousandths)).toList();
        return new Scenario(name, description, durationNanos, topology, options, telemetry, scaled, faults, forgings);
    }
}
