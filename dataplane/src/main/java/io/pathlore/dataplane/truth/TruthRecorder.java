package io.pathlore.dataplane.truth;

import io.pathlore.dataplane.truth.Fact.AttackSource;
import io.pathlore.dataplane.truth.Fact.LinkEnd;
import io.pathlore.dataplane.truth.Fact.Prefix;
import io.pathlore.dataplane.truth.Fact.Victim;
import io.pathlore.model.Fault;
import io.pathlore.model.FlowKey;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.FlowView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what really happens in a network, and reads the reports that reach the collector for when each fact could first be
 * known. The rules are in docs/reference/events.md.
 *
 * <p>All times are epoch nanoseconds and never go back. Only nodes that speak INT are told of. Methods that begin something
 * lasting return a handle for {@link #end}.
 *
 * <p>Hot path: {@link #enqueued}, {@link #dequeued}, {@link #dropped} and {@link #onReport}.
 */
public final class TruthRecorder {
    /** In place of a flow nobody needs to name. */
    public static final int NO_FLOW = FlowTable.UNKNOWN;

    private static final long NEVER = Span.ABSENT;

    private final TruthOptions options;
    private final FlowTable flows = new FlowTable();
    private final List<Episode> episodes = new ArrayList<>();
    /** Episodes that wait for a report. */
    private int pending;

    private final LongIndex nodes = new LongIndex();
    private final List<List<Episode>> byNode = new ArrayList<>();
    /** By flow number. */
    private @Nullable FlowWatch[] byFlow = new FlowWatch[64];

    /** By flow number: the last change of its route. */
    private final Map<Integer, Episode.RouteChange> routes = new HashMap<>();

    /** Flows that reports have told of. */
    private final BitSet told = new BitSet();

    /** By flow number: what was told since its route last changed. */
    private final Map<Integer, ToldWay> toldSinceChange = new HashMap<>();

    /** By flow number: the way that reports last told of, where its route has changed since. */
    private final Map<Integer, long[]> believed = new HashMap<>();

    private final List<Episode.LinkDown> linksDown = new ArrayList<>();
    private final List<Episode.LinkUp> linksUp = new ArrayList<>();
    private final List<Episode> anywhere = new ArrayList<>();
    private final List<Episode.Spoof> spoofs = new ArrayList<>();

    private final List<QueueWatch> queues = new ArrayList<>();
    private final LongIndex dropKeys = new LongIndex();
    private final List<Episode.Drops> drops = new ArrayList<>();
    private final LongIndex streamKeys = new LongIndex();
    private final List<Episode.ReportLoss> losses = new ArrayList<>();

    private final LongIndex addresses = new LongIndex();
    private final List<ExporterWatch> exporters = new ArrayList<>();

    private final ReportDecoder decoder;
    private final Sink sink = new Sink();
    private final Sighting sighting = new Sighting();

    /** An episode in the list of a flow that may show it. */
    private static final class FlowWatch {
        final Episode episode;

        @Nullable
        FlowWatch next;

        FlowWatch(Episode episode, @Nullable FlowWatch next) {
            this.episode = episode;
            this.next = next;
        }
    }

    /** What reports told of a flow's way. */
    private static final class ToldWay {
        private boolean whole;
        private long[] nodes = new long[0];

        void add(Sighting report) {
            whole |= report.stack;
            for (int i = 0; i < report.hops && !whole; i++) {
                if (!Episode.contains(nodes, report.nodes[i])) {
                    nodes = Arrays.copyOf(nodes, nodes.length + 1);
                    nodes[nodes.length - 1] = report.nodes[i];
                }
            }
        }

        /** Postcards of nodes that are on both ways tell nothing of a difference. */
        boolean isOtherThan(long[] after) {
            return whole || Arrays.stream(nodes).anyMatch(node -> !Episode.contains(after, node));
        }
    }

    /** One address reports come from. */
    private static final class ExporterWatch {
        final Exporter exporter = new Exporter();
        /** The node that it may speak for, or absent. */
        long node = Sighting.ABSENT;

        long lastNanos = NEVER;

        Episode.@Nullable Silence silence;
    }

    public TruthRecorder(TruthOptions options) {
        this.options = options;
        decoder = new ReportDecoder(options.decode());
    }

    /** The address that speaks for a node. IPv4, in the lower 32 bits. Others that claim to be the node are forgers. */
    public void exporter(long node, long address) {
        exporterAt(address).node = node;
    }

    private ExporterWatch exporterAt(long address) {
        int at = addresses.add(address);
        if (at == exporters.size()) {
            exporters.add(new ExporterWatch());
        }
        return exporters.get(at);
    }

    /** A number for the flow, the same each time. */
    public int flow(FlowKey key) {
        return flows.add(key);
    }

    public int flow(FlowView view) {
        return view.known() ? flows.add(view) : NO_FLOW;
    }

    public FlowKey flowKey(int flow) {
        return flows.key(flow);
    }

    private void begin(Episode episode) {
        episodes.add(episode);
        pending++;
    }

    private void shown(Episode episode, long deliveredNanos) {
        if (!episode.pending) {
            return;
        }
        episode.visibleAtNanos = deliveredNanos;
        retire(episode);
        if (episode instanceof Episode.RouteChange change) {
            for (Episode.LinkDown down : linksDown) {
                if (down.pending && down.isShownBy(change)) {
                    shown(down, deliveredNanos);
                }
            }
        }
    }

    /** No report will be asked for it any more. Lists drop it when they come by. */
    private void retire(@Nullable Episode episode) {
        if (episode != null && episode.pending) {
            episode.pending = false;
            pending--;
        }
    }

    private void watchNode(long node, Episode episode) {
        int at = nodes.add(node);
        if (at == byNode.size()) {
            byNode.add(new ArrayList<>());
        }
        byNode.get(at).add(episode);
    }

    private void watchFlow(int flow, Episode episode) {
        if (flow >= byFlow.length) {
            byFlow = Arrays.copyOf(byFlow, Math.max(2 * byFlow.length, flow + 1));
        }
        byFlow[flow] = new FlowWatch(episode, byFlow[flow]);
    }

    private int handle() {
        return episodes.size() - 1;
    }

    /** What the handle stands for is over. */
    public void end(long nowNanos, int handle) {
        Episode episode = episodes.get(handle);
        episode.endNanos = nowNanos;
        if (episode instanceof Episode.Latency) {
            retire(episode); // reports from now on show what was before
        } else if (episode instanceof Episode.Silence) {
            for (ExporterWatch exporter : exporters) {
                if (exporter.silence == episode) {
                    exporter.silence = null;
                }
            }
        }
    }

    /**
     * An output queue.
     *
     * @param thresholdBytes it is congested from here on
     * @param resetBytes and no longer once it holds this or less
     * @return a number for {@link #enqueued} and {@link #dequeued}
     */
    public int queue(long node, int interfaceId, int queueId, long thresholdBytes, long resetBytes) {
        if (thresholdBytes < 1 || resetBytes >= thresholdBytes) {
            throw new IllegalArgumentException("congested from " + thresholdBytes + ", no longer at " + resetBytes);
        }
        queues.add(new QueueWatch(node, interfaceId, queueId, thresholdBytes, resetBytes));
        return queues.size() - 1;
    }

    /** A packet was put into the queue. */
    public void enqueued(long nowNanos, int queue, int flow, int bytes) {
        QueueWatch watch = queues.get(queue);
        watch.push(flow, bytes);
        if (watch.open || watch.bytes >= watch.thresholdBytes) {
            congested(nowNanos, watch, flow, bytes);
        }
    }

    private void congested(long nowNanos, QueueWatch watch, int flow, int bytes) {
        Episode.Congestion episode = watch.episode;
        if (watch.open && episode != null) {
            episode.bytes.add(flow, bytes);
        } else if (episode != null && nowNanos - episode.endNanos < options.congestionMergeNanos()) {
            episode.endNanos = Span.ABSENT;
            episode.bytes.add(flow, bytes);
        } else {
            retire(episode);
            episode = new Episode.Congestion(nowNanos, watch);
            watch.count(episode.bytes);
            watch.episode = episode;
            begin(episode);
            watchNode(watch.node, episode);
        }
        watch.open = true;
        episode.peak = Math.max(episode.peak, watch.bytes);
    }

    /** The packet that waited longest left the queue. */
    public void dequeued(long nowNanos, int queue) {
        QueueWatch watch = queues.get(queue);
        watch.pop();
        if (watch.open && watch.bytes <= watch.resetBytes) {
            watch.open = false;
            if (watch.episode != null) {
                watch.episode.endNanos = nowNanos;
            }
        }
    }

    /** A node dropped a packet. {@code flow} may be {@link #NO_FLOW}. */
    public void dropped(long nowNanos, long node, int reason, int flow) {
        int at = dropKeys.add(node << 8 | reason & 0xFF);
        Episode.@Nullable Drops series = at < drops.size() ? drops.get(at) : null;
        if (series == null || nowNanos - series.lastNanos >= options.mergeNanos()) {
            retire(series);
            series = new Episode.Drops(nowNanos, node, reason);
            keep(drops, at, series);
            begin(series);
            watchNode(node, series);
        }
        series.lastNanos = nowNanos;
        series.packets.add(flow, 1);
    }

    private static <T> void keep(List<T> list, int at, T value) {
        if (at == list.size()) {
            list.add(value);
        } else {
            list.set(at, value);
        }
    }

    /** A report datagram was lost on its way to the collector. */
    public void reportLost(long nowNanos, long node, int hwId, long sequence) {
        int at = streamKeys.add(node << 8 | hwId);
        Episode.@Nullable ReportLoss series = at < losses.size() ? losses.get(at) : null;
        if (series == null || nowNanos - series.lastNanos >= options.mergeNanos()) {
            retire(series);
            series = new Episode.ReportLoss(nowNanos, node, hwId, sequence);
            keep(losses, at, series);
            begin(series);
            watchNode(node, series);
        }
        series.lastNanos = nowNanos;
        series.lost++;
    }

    /** A flow takes another way. Nodes that do not speak INT are left out; where that leaves no difference, it is no change. */
    public void rerouted(long nowNanos, int flow, long[] before, long[] after) {
        if (Arrays.equals(before, after)) {
            return;
        }
        ToldWay way = toldSinceChange.remove(flow);
        if (way != null && way.isOtherThan(after)) {
            believed.put(flow, before.clone());
        }
        Episode.RouteChange change = new Episode.RouteChange(nowNanos, flow, before, after, believed.get(flow));
        // A route that comes back would show an older change to it again. One older change stays: reports may be on
        // their way.
        Episode.RouteChange last = routes.put(flow, change);
        if (last != null) {
            retire(last.previous);
            last.previous = null;
            change.previous = last;
        }
        begin(change);
        watchFlow(flow, change);
    }

    private @Nullable FlowWatch watches(int flow) {
        return flow >= 0 && flow < byFlow.length ? byFlow[flow] : null;
    }

    /** Packets of a flow run in circles. {@code path}: the nodes up to and with the first one that is met again. */
    public int loop(long nowNanos, int flow, long[] path) {
        for (FlowWatch watch = watches(flow); watch != null; watch = watch.next) {
            if (watch.episode instanceof Episode.Loop) {
                retire(watch.episode);
            }
        }
        Episode.Loop loop = new Episode.Loop(nowNanos, flow, path, options.ttlReason());
        begin(loop);
        watchFlow(flow, loop);
        return handle();
    }

    /** One direction of a link went down. {@code flowsOn}: those whose packets went over it. Ends with {@link #linkUp}. */
    public void linkDown(long nowNanos, LinkEnd from, LinkEnd to, int[] flowsOn) {
        for (Episode.LinkUp up : linksUp) {
            if (up.isLink(from, to)) {
                retire(up);
            }
        }
        linksUp.removeIf(up -> !up.pending);
        Episode.LinkDown down = new Episode.LinkDown(nowNanos, from, to);
        begin(down);
        linksDown.add(down);
        for (int flow : flowsOn) {
            if (told.get(flow)) {
                watchFlow(flow, down);
            }
        }
    }

    public void linkUp(long nowNanos, LinkEnd from, LinkEnd to) {
        boolean known = false;
        for (Episode.LinkDown down : linksDown) {
            if (down.isLink(from, to)) {
                known |= down.visibleAtNanos != Span.ABSENT;
                down.endNanos = nowNanos;
                retire(down);
            }
        }
        linksDown.removeIf(down -> down.isLink(from, to));
        Episode.LinkUp up = new Episode.LinkUp(nowNanos, from, to);
        begin(up);
        if (!known) {
            retire(up); // of a link that nobody knows was down
            return;
        }
        linksUp.add(up);
        watchNode(from.node(), up);
    }

    /** From now on packets take longer through a node. {@code queueId} may be {@link Fact#ABSENT}. */
    public int slower(long nowNanos, long node, int interfaceId, int queueId, long baselineNanos, long observedNanos) {
        Span span = new Span(nowNanos, Span.ABSENT, Span.ABSENT);
        Episode.Latency latency =
                new Episode.Latency(new Fact.Latency(span, node, interfaceId, queueId, baselineNanos, observedNanos));
        begin(latency);
        watchNode(node, latency);
        return handle();
    }

    /** An exporter began to count anew. */
    public void restarted(long nowNanos, long node, int hwId) {
        int at = nodes.find(node);
        if (at != LongIndex.UNKNOWN) {
            for (Episode older : byNode.get(at)) {
                if (older instanceof Episode.Restart restart && restart.hwId == hwId) {
                    retire(older);
                }
            }
        }
        Episode.Restart restart = new Episode.Restart(nowNanos, node, hwId);
        begin(restart);
        watchNode(node, restart);
    }

    /** An exporter sends no more. The silence begins with its last datagram, which may still be on its way. */
    public int silent(long nowNanos, long node, int hwId) {
        Episode.Silence silence = new Episode.Silence(nowNanos, node, hwId);
        silence.pending = false;
        episodes.add(silence);
        for (ExporterWatch exporter : exporters) {
            if (exporter.node == node) {
                exporter.silence = silence;
                if (exporter.lastNanos != NEVER) {
                    silence.startNanos =
                            silence.heard ? Math.max(silence.startNanos, exporter.lastNanos) : exporter.lastNanos;
                    silence.heard = true;
                }
            }
        }
        return handle();
    }

    /** Somebody sends reports in the name of a node from these addresses, none of them its own. */
    public int forged(long nowNanos, long node, long[] fromAddresses) {
        for (Episode.Spoof older : spoofs) {
            if (older.node == node) {
                retire(older);
            }
        }
        Episode.Spoof spoof = new Episode.Spoof(nowNanos, node, fromAddresses);
        begin(spoof);
        spoofs.add(spoof);
        return handle();
    }

    /**
     * An attack.
     *
     * @param from source addresses of its packets, real or not; empty: any
     */
    public int attack(
            long nowNanos,
            String vector,
            Victim victim,
            List<Prefix> from,
            List<AttackSource> sources,
            long packetsPerSecond) {
        for (Episode older : anywhere) {
            if (older instanceof Episode.Attack attack && attack.isSame(vector, victim)) {
                retire(older);
            }
        }
        Episode.Attack attack = new Episode.Attack(nowNanos, vector, victim, from, sources, packetsPerSecond);
        begin(attack);
        anywhere.add(attack);
        return handle();
    }

    /** A report datagram reached the collector. {@code exporterAddress}: its source, IPv4. */
    public void onReport(long deliveredNanos, long exporterAddress, ByteBuffer payload, int from, int end) {
        ExporterWatch exporter = exporterAt(exporterAddress);
        exporter.lastNanos = deliveredNanos;
        Episode.Silence silence = exporter.silence;
        if (silence != null) {
            silence.startNanos = deliveredNanos;
            silence.heard = true;
        }
        sink.deliveredNanos = deliveredNanos;
        sink.address = exporterAddress;
        sink.exporter = exporter;
        decoder.decode(payload, from, end, exporter.exporter, sink);
    }

    private final class Sink implements ReportSink {
        private long deliveredNanos;
        private long address;
        private ExporterWatch exporter = new ExporterWatch();

        @Override
        public void onReport(ReportView report) {
            long claimed = report.nodeId();
            long node = claimed == ReportView.ABSENT ? exporter.node : claimed;
            if (node != exporter.node) {
                forged(node);
                return;
            }
            FlowView flow = report.packet().flow();
            int number = flow.known() ? flows.find(flow) : NO_FLOW;
            sighting.read(report, deliveredNanos, address, node, number);
            if (pending > 0) {
                look();
            }
            if (number != NO_FLOW && !sighting.dropped && !sighting.replica) {
                told.set(number);
                toldSinceChange.computeIfAbsent(number, each -> new ToldWay()).add(sighting);
            }
        }

        /** Nothing that a forger says is a reason to believe anything else. */
        private void forged(long node) {
            for (int i = spoofs.size() - 1; i >= 0; i--) {
                Episode.Spoof spoof = spoofs.get(i);
                if (spoof.isShownBy(node, address)) {
                    shown(spoof, deliveredNanos);
                }
                if (!spoof.pending) {
                    spoofs.remove(i);
                }
            }
        }

        @Override
        public void onRejected(Fault fault, int offset) {
            // Bytes that cannot be read show nothing.
        }
    }

    private void look() {
        for (int hop = 0; hop < sighting.hops; hop++) {
            int node = nodes.find(sighting.nodes[hop]);
            if (node != LongIndex.UNKNOWN) {
                look(byNode.get(node), hop);
            }
        }
        look(anywhere, 0);
        if (sighting.flow != NO_FLOW) {
            lookByFlow(sighting.flow);
        }
    }

    private void look(List<Episode> list, int hop) {
        for (int i = list.size() - 1; i >= 0; i--) {
            Episode episode = list.get(i);
            if (episode.pending && episode.isShownBy(sighting, hop)) {
                shown(episode, sighting.deliveredNanos);
            }
            if (!episode.pending) {
                list.remove(i);
            }
        }
    }

    private void lookByFlow(int flow) {
        FlowWatch before = null;
        for (FlowWatch watch = watches(flow); watch != null; watch = watch.next) {
            Episode episode = watch.episode;
            if (episode.pending && episode.isShownBy(sighting, 0)) {
                shown(episode, sighting.deliveredNanos);
            }
            if (episode.pending) {
                before = watch;
            } else if (before == null) {
                byFlow[flow] = watch.next;
            } else {
                before.next = watch.next;
            }
        }
    }

    /** Everything that happened until the end of the run, in the order of the truth file. */
    public List<Fact> facts(long runEndNanos) {
        return episodes.stream()
                .map(episode -> episode.fact(episode.span(runEndNanos, options), flows, options))
                .sorted(TruthWriter.ORDER)
                .toList();
    }
}
