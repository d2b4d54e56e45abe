package io.pathlore.dataplane.scenario;

import io.pathlore.dataplane.inband.EntropyPort;
import io.pathlore.dataplane.inband.IntEditor;
import io.pathlore.dataplane.lab.Frame;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.lab.LossCause;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.TruthRecorder;
import io.pathlore.dataplane.watch.QueueRules;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the truth what happens in the lab, in its words: node ids, flows by their packets, the time of the world. */
final class TruthListener implements LabListener {
    private static final int NOBODY = -1;
    private static final int NOTHING = -1;

    private final Topology topology;
    private final TruthRecorder truth;
    private final WorldTime world;
    private final long usualPipelineNanos;
    private final int classes;
    private final SequenceReader sequences;
    private final IntEditor packets;
    private @Nullable Lab lab;

    /** By lab flow: its number in the truth. */
    private int[] flows = new int[1024];

    private int[] destinations = new int[1024];
    private boolean[] live = new boolean[1024];
    private int lastFlow;
    /** By lab flow: where it went when it last reached its host. */
    private final Map<Integer, long[]> ways = new HashMap<>();

    private final Map<Integer, Integer> loops = new HashMap<>();

    /** By device, then interface and class. */
    private final int[][] queues;

    private final long[][] queued;
    private final int[][] slow;
    private final int[] silences;
    private final Map<Integer, Integer> forgeries = new HashMap<>();
    private final Map<Integer, Forging> forgings = new HashMap<>();

    private long lastNumber;
    private long lastSequence;

    TruthListener(Scenario scenario, WorldTime world, TruthRecorder truth) {
        topology = scenario.topology();
        this.truth = truth;
        this.world = world;
        usualPipelineNanos = scenario.options().pipelineNanos();
        classes = scenario.options().classes();
        sequences = new SequenceReader(scenario.telemetry().reporting().version());
        packets = new IntEditor(
                scenario.telemetry().codepoints(),
                scenario.telemetry().june2016(),
                scenario.telemetry().reporting().transparentSecurity(),
                EntropyPort.FLOW_HASH);
        int switches = topology.switches().size();
        queues = new int[switches][];
        queued = new long[switches][];
        slow = new int[switches][];
        silences = new int[switches];
        Arrays.fill(silences, NOTHING);
        scenario.forgings().forEach(forging -> forgings.put(forging.sourceAddress(), forging));
        QueueRules rules = scenario.telemetry().queueRules();
        // Without a threshold of their own, nodes cannot say when a queue is congested; half full then is.
        long threshold = rules.thresholdBytes() > 0
                ? rules.thresholdBytes()
                : Math.max(2, scenario.options().queueBytes() / 2);
        long reset = rules.thresholdBytes() > 0 ? Math.min(rules.resetBytes(), threshold - 1) : threshold / 2;
        for (Topology.Switch each : topology.switches()) {
            if (each.speaksInt()) {
                truth.exporter(each.nodeId(), Integer.toUnsignedLong(each.address()));
                prepare(each, threshold, reset);
            }
        }
    }

    private void prepare(Topology.Switch each, long threshold, long reset) {
        int interfaces = topology.interfaces(each.device());
        int[] ofDevice = new int[(interfaces + 1) * classes];
        for (int i = 1; i <= interfaces; i++) {
            for (int queue = 0; queue < classes; queue++) {
                ofDevice[i * classes + queue] = truth.queue(each.nodeId(), i, queue, threshold, reset);
            }
        }
        queues[each.device()] = ofDevice;
        queued[each.device()] = new long[ofDevice.length];
        slow[each.device()] = new int[interfaces + 1];
        Arrays.fill(slow[each.device()], NOTHING);
    }

    /** Whose flows these are; the lab needs its listener first. */
    void attach(Lab lab) {
        this.lab = lab;
    }

    private long time(long nowNanos) {
        return world.at(nowNanos);
    }

    /** The node id, or {@link #NOBODY} where the device does not speak INT. */
    private long node(int device) {
        if (device < 0 || device >= topology.switches().size()) {
            return NOBODY;
        }
        Topology.Switch at = topology.switches().get(device);
        return at.speaksInt() ? at.nodeId() : NOBODY;
    }

    private int flowOf(Frame frame) {
        return truth.flow(packets.parse(frame.packet()).flow());
    }

    @Override
    public void onFlowStarted(long nowNanos, Frame frame) {
        int flow = frame.flow();
        if (flow >= flows.length) {
            int room = Math.max(2 * flows.length, flow + 1);
            flows = Arrays.copyOf(flows, room);
            destinations = Arrays.copyOf(destinations, room);
            live = Arrays.copyOf(live, room);
        }
        flows[flow] = flowOf(frame);
        destinations[flow] = frame.toHost();
        live[flow] = true;
        lastFlow = Math.max(lastFlow, flow);
    }

    @Override
    public void onFlowEnded(long nowNanos, int flow) {
        if (flow < live.length) {
            live[flow] = false;
            ways.remove(flow);
            Integer loop = loops.remove(flow);
            if (loop != null) {
                truth.end(time(nowNanos), loop);
            }
        }
    }

    private int truthFlow(int flow) {
        return flow > 0 && flow <= lastFlow ? flows[flow] : TruthRecorder.NO_FLOW;
    }

    @Override
    public void onDropped(
            long nowNanos, int device, int ingressInterface, int egressInterface, int queue, int reason, Frame frame) {
        long node = node(device);
        if (node != NOBODY) {
            truth.dropped(time(nowNanos), node, reason, flowOf(frame));
        }
    }

    @Override
    public void onQueue(
            long nowNanos, int device, int egressInterface, int queue, long bytes, boolean entered, Frame frame) {
        if (node(device) == NOBODY) {
            return;
        }
        int at = egressInterface * classes + queue;
        long before = queued[device][at];
        queued[device][at] = bytes;
        if (entered) {
            truth.enqueued(time(nowNanos), queues[device][at], truthFlow(frame.flow()), (int) (bytes - before));
        } else {
            truth.dequeued(time(nowNanos), queues[device][at]);
        }
    }

    @Override
    public void onRoute(long nowNanos, int flow, int[] before, int[] after) {
        if (flow > lastFlow || !live[flow]) {
            return;
        }
        Integer loop = loops.remove(flow);
        if (loop != null) {
            truth.end(time(nowNanos), loop);
        }
        if (before.length > 0 && arrives(flow, before)) {
            ways.put(flow, nodes(before));
        }
        if (isLoop(after)) {
            loops.put(flow, truth.loop(time(nowNanos), truthFlow(flow), nodes(after)));
        } else if (arrives(flow, after)) {
            long[] way = nodes(after);
            long[] last = ways.put(flow, way);
            if (last != null) {
                truth.rerouted(time(nowNanos), truthFlow(flow), last, way);
            }
        }
    }

    private static boolean isLoop(int[] way) {
        for (int i = 0; i < way.length - 1; i++) {
            if (way[i] == way[way.length - 1]) {
                return true;
            }
        }
        return false;
    }

    private boolean arrives(int flow, int[] way) {
        int host = topology.hosts().get(destinations[flow]).device();
        return way.length > 0 && !isLoop(way) && topology.link(way[way.length - 1], host) >= 0;
    }

    private long[] nodes(int[] devices) {
        return Arrays.stream(devices)
                .mapToLong(this::node)
                .filter(node -> node != NOBODY)
                .toArray();
    }

    @Override
    public void onLinkDown(long nowNanos, int link) {
        Topology.Link down = topology.links().get(link);
        direction(nowNanos, down.a(), down.b(), true);
        direction(nowNanos, down.b(), down.a(), true);
    }

    @Override
    public void onLinkUp(long nowNanos, int link) {
        Topology.Link up = topology.links().get(link);
        direction(nowNanos, up.a(), up.b(), false);
        direction(nowNanos, up.b(), up.a(), false);
    }

    private void direction(long nowNanos, Topology.End from, Topology.End to, boolean down) {
        if (node(from.device()) == NOBODY || node(to.device()) == NOBODY) {
            return;
        }
        Fact.LinkEnd start = new Fact.LinkEnd(node(from.device()), from.interfaceId());
        Fact.LinkEnd end = new Fact.LinkEnd(node(to.device()), to.interfaceId());
        if (down) {
            truth.linkDown(time(nowNanos), start, end, flowsOver(from.device(), to.device()));
        } else {
            truth.linkUp(time(nowNanos), start, end);
        }
    }

    private int[] flowsOver(int from, int to) {
        Lab running = lab;
        if (running == null) {
            return new int[0];
        }
        int[] found = new int[16];
        int count = 0;
        for (int flow = 1; flow <= lastFlow; flow++) {
            if (live[flow] && flows[flow] != TruthRecorder.NO_FLOW && passes(running.route(flow), from, to)) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                }
                found[count++] = flows[flow];
            }
        }
        return Arrays.copyOf(found, count);
    }

    private static boolean passes(int[] way, int from, int to) {
        for (int i = 1; i < way.length; i++) {
            if (way[i - 1] == from && way[i] == to) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onPipelineDelay(long nowNanos, int device, int egressInterface, long delayNanos) {
        long node = node(device);
        if (node == NOBODY) {
            return;
        }
        int[] ofDevice = slow[device];
        if (ofDevice[egressInterface] != NOTHING) {
            truth.end(time(nowNanos), ofDevice[egressInterface]);
            ofDevice[egressInterface] = NOTHING;
        }
        if (delayNanos > usualPipelineNanos) {
            ofDevice[egressInterface] =
                    truth.slower(time(nowNanos), node, egressInterface, Fact.ABSENT, usualPipelineNanos, delayNanos);
        }
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
        lastNumber = number;
        lastSequence = sequences.read(payload, from, end);
    }

    @Override
    public void onReportLost(long nowNanos, int device, long number, LossCause cause) {
        // What a silent or restarting exporter did not say is part of its silence.
        if (cause == LossCause.CHANCE && number == lastNumber && lastSequence >= 0) {
            truth.reportLost(time(nowNanos), node(device), sequences.hwId(), lastSequence);
        }
    }

    @Override
    public void onNodeRestarted(long nowNanos, int device) {
        if (node(device) != NOBODY) {
            truth.restarted(time(nowNanos), node(device), 0);
        }
    }

    @Override
    public void onExporterSilent(long nowNanos, int device) {
        if (node(device) != NOBODY) {
            silences[device] = truth.silent(time(nowNanos), node(device), 0);
        }
    }

    @Override
    public void onExporterSpeaks(long nowNanos, int device) {
        if (node(device) != NOBODY && silences[device] != NOTHING) {
            truth.end(time(nowNanos), silences[device]);
            silences[device] = NOTHING;
        }
    }

    @Override
    public void onForgedReport(
            long nowNanos,
            int sourceAddress,
            long number,
            ReportDestination destination,
            ByteBuffer payload,
            int from,
            int end) {
        Forging forging = forgings.get(sourceAddress);
        if (forging != null && !forgeries.containsKey(sourceAddress)) {
            long[] addresses = {Integer.toUnsignedLong(sourceAddress)};
            forgeries.put(sourceAddress, truth.forged(time(nowNanos), node(forging.device()), addresses));
        }
    }

    /** Forgers stop without a word. */
    void end(long durationNanos) {
        forgeries.forEach((address, handle) -> {
            Forging forging = forgings.get(address);
            if (forging != null && forging.durationNanos() < durationNanos - forging.startNanos()) {
                truth.end(time(forging.startNanos() + forging.durationNanos()), handle);
            }
        });
        forgeries.clear();
    }
}
