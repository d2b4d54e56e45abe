package io.pathlore.cli.config;

import io.pathlore.cli.config.Setting.Section;
import io.pathlore.dataplane.lab.LabOptions;
import io.pathlore.dataplane.lab.LabOptions.Management;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.TrafficEntry;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.traffic.Parameter;
import io.pathlore.dataplane.traffic.TrafficKind;
import io.pathlore.dataplane.traffic.TrafficKinds;
import io.pathlore.dataplane.traffic.TrafficParameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The text of a scenario file to the scenario; docs/reference/scenario.md has every key. */
final class ScenarioReader {
    private static final long DEFAULT_DURATION = 30_000_000_000L;

    private ScenarioReader() {}

    /** The line that {@code lab list} shows. */
    static String description(String text, String source) {
        Part file = Part.of(YamlFile.parse(text, source));
        return file.text("description", "");
    }

    /**
     * Reads a scenario.
     *
     * @throws ConfigException with file, line and what is wrong
     */
    static Scenario read(String name, String text, String source) {
        Section section = YamlFile.parse(text, source);
        Part file = Part.of(section)
                .allow(
                        "description",
                        "duration",
                        "topology",
                        "network",
                        "clocks",
                        "management",
                        "telemetry",
                        "traffic",
                        "faults");
        long duration = file.nanos("duration", DEFAULT_DURATION);
        if (duration < 1) {
            throw file.error("duration", "must be more than 0");
        }
        Topology topology = TopologyReader.read(file.part("topology"));
        FaultReader faults = new FaultReader(topology);
        file.parts("faults").forEach(faults::read);
        return new Scenario(
                name,
                file.text("description", "").strip(),
                duration,
                topology,
                options(file),
                TelemetryReader.read(file.part("telemetry"), topology),
                traffic(file, topology),
                faults.faults(),
                faults.forgings());
    }

    private static LabOptions options(Part file) {
        LabOptions usual = LabOptions.DEFAULT;
        Part network = file.part("network").allow("queue", "classes", "pipeline", "convergence", "link-loss");
        Part clocks = file.part("clocks").allow("offset", "drift");
        return network.wrap(() -> new LabOptions(
                0,
                network.integer("classes", usual.classes(), 1, 8),
                network.bytes("queue", usual.queueBytes()),
                network.nanos("pipeline", usual.pipelineNanos()),
                network.nanos("convergence", usual.convergenceNanos()),
                clocks.nanos("offset", 0),
                clocks.share("drift", 0),
                network.share("link-loss", 0),
                management(file.part("management"))));
    }

    private static Management management(Part part) {
        Management usual = Management.DEFAULT;
        part.allow("delay", "jitter", "loss", "duplicates", "reordered", "reordered-by");
        return new Management(
                part.nanos("delay", usual.delayNanos()),
                part.nanos("jitter", usual.jitterNanos()),
                part.share("loss", 0),
                part.share("duplicates", 0),
                part.share("reordered", 0),
                part.nanos("reordered-by", usual.reorderNanos()));
    }

    private static List<TrafficEntry> traffic(Part file, Topology topology) {
        List<TrafficEntry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Part part : file.parts("traffic")) {
            entries.add(entry(part, topology, names));
        }
        return entries;
    }

    private static TrafficEntry entry(Part part, Topology topology, Set<String> names) {
        List<String> kinds = TrafficKinds.all().stream().map(TrafficKind::name).toList();
        if (!part.has("kind")) {
            throw part.error("traffic needs 'kind': " + String.join(", ", kinds));
        }
        TrafficKind kind = TrafficKinds.find(part.word("kind", "", kinds));
        if (kind == null) {
            throw new IllegalStateException(part.text("kind"));
        }
        List<String> allowed = new ArrayList<>(List.of("kind", "name"));
        Map<Parameter, String> defaults = kind.defaults();
        defaults.keySet().forEach(parameter -> allowed.add(parameter.key()));
        part.allow(allowed);
        TrafficParameters parameters = new TrafficParameters();
        for (Parameter parameter : defaults.keySet()) {
            if (part.has(parameter.key())) {
                String text = String.join(",", part.texts(parameter.key()));
                said(part, () -> parameters.set(parameter, text));
            }
        }
        String name = part.text("name", kind.name());
        if (!names.add(name)) {
            throw part.has("name")
                    ? part.error("name", "'" + name + "' is the name of other traffic too")
                    : part.error("there is other " + name + " traffic: one of them needs a 'name'");
        }
        TrafficEntry entry = new TrafficEntry(name, kind, parameters);
        said(part, () -> entry.source(topology));
        return entry;
    }

    /** Traffic puts the parameter it complains of in front of its message. */
    private static void said(Part part, Part.Making<?> making) {
        try {
            making.make();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            int colon = message.indexOf(": ");
            throw colon < 0
                    ? part.error(message)
                    : part.error(message.substring(0, colon), message.substring(colon + 2));
        }
    }
}
