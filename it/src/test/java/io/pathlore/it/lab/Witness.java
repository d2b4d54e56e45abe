package io.pathlore.it.lab;

import io.pathlore.dataplane.inband.Codepoints;
import io.pathlore.dataplane.lab.Frame;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LossCause;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.testkit.reference.PacketStart;
import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A run of a scenario, and everything a collector got from it, read by the reference decoder. Beside that only what no report
 * says but the rules need: which flows a link carried when it failed, and the numbers of lost datagrams.
 */
final class Witness implements LabListener {
    final Scenario scenario;
    final List<Seen> reports = new ArrayList<>();
    /** By source address: when datagrams came from there. */
    final Map<Integer, List<Long>> arrivals = new HashMap<>();
    /** By time and link ({@code from} of the fact): ids of flows on it. */
    final Map<String, Set<String>> flowsOnLink = new HashMap<>();
    /** By node: number of the datagram lost at that time. */
    final Map<Long, Map<Long, Long>> lost = new HashMap<>();

    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Datagram(long timeNanos, int address, byte[] payload) {}

    private final ReferenceDecoder decoder;
    private final List<Datagram> datagrams = new ArrayList<>();
    private final Map<Integer, Long> nodeOfAddress = new HashMap<>();
    private final Map<Integer, String> liveFlows = new LinkedHashMap<>();
    private byte[] lastSent = {};
    private final ScenarioRun run;
    private final List<Fact> facts;

    Witness(Scenario scenario, long seed) {
        this.scenario = scenario;
        decoder = new ReferenceDecoder(options(scenario.telemetry().codepoints()));
        for (Topology.Switch each : scenario.topology().switches()) {
            if (each.speaksInt()) {
                nodeOfAddress.put(each.address(), each.nodeId());
            }
        }
        run = Shipped.begin(scenario, seed, this, this::delivered);
        run.runUntil(Long.MAX_VALUE);
        facts = run.facts();
        // Most facts are shown by what comes when they have begun; that a way is new also by what came before.
        boolean ways =
                facts.stream().anyMatch(fact -> fact instanceof Fact.PathChange || fact instanceof Fact.LinkDown);
        long from = ways
                ? Long.MIN_VALUE
                : facts.stream()
                        .mapToLong(fact -> fact.span().startNanos())
                        .min()
                        .orElse(0);
        datagrams.stream().filter(datagram -> datagram.timeNanos >= from).forEach(this::read);
        datagrams.clear();
    }

    private static ReferenceOptions options(Codepoints marks) {
        return ReferenceOptions.lenientDefaults()
                .withIntUdpPorts(Set.of(marks.udpPort()))
                .withDscp(List.of(new ReferenceOptions.DscpMark(marks.dscp(), 0x3F)))
                .withProbeMarker(marks.probeMarker())
                .withGeneveClasses(Set.of(marks.geneveClass(), marks.oldGeneveClass()))
                .withGpe(Set.of(marks.gpe()), Set.of(marks.oldGpe()))
                .withGreEtherType(marks.greEtherType())
                .withBeforeTcpOptions(marks.beforeTcpOptions());
    }

    List<Fact> facts() {
        return facts;
    }

    long endNanos() {
        return Shipped.EPOCH + scenario.durationNanos();
    }

    private void delivered(
            long timeNanos, int address, int port, ReportDestination to, ByteBuffer payload, int from, int end) {
        arrivals.computeIfAbsent(address, key -> new ArrayList<>()).add(timeNanos);
        datagrams.add(new Datagram(timeNanos, address, bytes(payload, from, end)));
    }

    private void read(Datagram datagram) {
        Long own = nodeOfAddress.get(datagram.address);
        List<Map<String, Object>> objects = decoder.decode(datagram.payload);
        List<@Nullable PacketFields> fields = PacketFields.of(datagram.payload);
        for (int i = 0; i < objects.size(); i++) {
            Map<String, Object> object = objects.get(i);
            if (object.containsKey("error")) {
                throw new AssertionError("a report nobody can read: " + object);
            }
            reports.add(Seen.of(datagram.timeNanos, own, object, i < fields.size() ? fields.get(i) : null));
        }
    }

    private static byte[] bytes(ByteBuffer buffer, int from, int end) {
        byte[] bytes = new byte[end - from];
        buffer.get(from, bytes);
        return bytes;
    }

    @Override
    public void onFlowStarted(long nowNanos, Frame frame) {
        Map<String, Object> packet = decoder.decodePacket(frame.packet().toByteArray(), PacketStart.ETHERNET);
        if (packet.get("flow") instanceof Map<?, ?> flow) {
            Map<String, Object> tuple = new HashMap<>();
            flow.forEach((key, value) -> tuple.put(String.valueOf(key), value));
            liveFlows.put(frame.flow(), Ids.flow(tuple));
        }
    }

    @Override
    public void onFlowEnded(long nowNanos, int flow) {
        liveFlows.remove(flow);
    }

    @Override
    public void onLinkDown(long nowNanos, int link) {
        Topology.Link down = scenario.topology().links().get(link);
        carried(nowNanos, down.a(), down.b());
        carried(nowNanos, down.b(), down.a());
    }

    private void carried(long nowNanos, Topology.End from, Topology.End to) {
        Set<String> flows = new HashSet<>();
        liveFlows.forEach((flow, id) -> {
            int[] way = run.lab().route(flow);
            for (int i = 1; i < way.length; i++) {
                if (way[i - 1] == from.device() && way[i] == to.device()) {
                    flows.add(id);
                }
            }
        });
        if (from.device() < scenario.topology().switches().size()) {
            flowsOnLink.put(place(Shipped.EPOCH + nowNanos, node(from.device()), from.interfaceId()), flows);
        }
    }

    static String place(long timeNanos, long node, int interfaceId) {
        return timeNanos + "@" + node + "/" + interfaceId;
    }

    private long node(int device) {
        return scenario.topology().switches().get(device).nodeId();
    }

    @Override
    public void onReport(
            long nowNanos,
            int device,
            long number,
            ReportDestination destination,
            int sourcePort,
            ByteBuffer payload,
            int from,
            int end) {
        lastSent = bytes(payload, from, end);
    }

    @Override
    public void onReportLost(long nowNanos, int device, long number, LossCause cause) {
        if (cause == LossCause.CHANCE
                && decoder.decode(lastSent).getFirst().get("report") instanceof Map<?, ?> report
                && report.get("sequence") instanceof Long sequence) {
            lost.computeIfAbsent(node(device), key -> new HashMap<>()).putIfAbsent(Shipped.EPOCH + nowNanos, sequence);
        }
    }
}
