package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.truth.InventoryWriter;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.model.Profile;
import io.pathlore.wire.net.AddressText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/** What the collector must be told of a scenario's network. */
public final class LabInventory {
    private LabInventory() {}

    /** A configuration file; {@code exporterAddress} says from where a node with that management address sends. */
    public static String of(Scenario scenario, IntUnaryOperator exporterAddress) {
        return of(List.of(scenario), exporterAddress);
    }

    /** Of networks that stand beside each other and mark INT alike. */
    public static String of(List<Scenario> scenarios, IntUnaryOperator exporterAddress) {
        List<InventoryWriter.Node> nodes = new ArrayList<>();
        scenarios.forEach(scenario -> nodes.addAll(nodes(scenario, exporterAddress)));
        String names = scenarios.stream().map(Scenario::name).collect(Collectors.joining(" and "));
        return InventoryWriter.write(
                "The network of the scenario " + names + ".", ScenarioRun.decodeOptions(scenarios.getFirst()), nodes);
    }

    private static List<InventoryWriter.Node> nodes(Scenario scenario, IntUnaryOperator exporterAddress) {
        Telemetry telemetry = scenario.telemetry();
        boolean dialect = telemetry.reporting().transparentSecurity();
        Topology topology = scenario.topology();
        List<InventoryWriter.Node> nodes = new ArrayList<>();
        for (Topology.Switch each : topology.switches()) {
            if (each.speaksInt()) {
                int address = exporterAddress.applyAsInt(each.address());
                nodes.add(new InventoryWriter.Node(
                        each.nodeId(),
                        each.name(),
                        List.of(AddressText.ip(false, 0, Integer.toUnsignedLong(address))),
                        (dialect ? Profile.TRANSPARENT_SECURITY : Profile.AUTO).label(),
                        "auto",
                        sampling(telemetry),
                        "ns",
                        scenario.options().clockOffsetNanos() == 0
                                && scenario.options().clockDriftPerBillion() == 0,
                        scenario.options().queueBytes(),
                        interfaces(topology, each)));
            }
        }
        return nodes;
    }

    /** The same for all packets of all entries, or unknown. */
    private static long sampling(Telemetry telemetry) {
        if (!telemetry.flowRules().everyPacket()) {
            return 0;
        }
        long[] rates = telemetry.watchlist().stream()
                .filter(WatchEntry::flows)
                .mapToLong(entry -> entry.sampling().oneIn())
                .distinct()
                .toArray();
        return rates.length == 1 ? rates[0] : 0;
    }

    private static List<InventoryWriter.Interface> interfaces(Topology topology, Topology.Switch of) {
        List<InventoryWriter.Interface> interfaces = new ArrayList<>();
        for (int i = 1; i <= topology.interfaces(of.device()); i++) {
            long rate = 0;
            for (Topology.Link link : topology.links()) {
                boolean here = link.a().device() == of.device() && link.a().interfaceId() == i
                        || link.b().device() == of.device() && link.b().interfaceId() == i;
                rate = here ? link.bitsPerSecond() : rate;
            }
            interfaces.add(new InventoryWriter.Interface(i, "eth" + i, rate));
        }
        return interfaces;
    }
}
