package io.pathlore.dataplane.node;

import io.pathlore.dataplane.inband.DestinationHeader;
import io.pathlore.dataplane.inband.Insertion;
import io.pathlore.dataplane.inband.IntEditor;
import io.pathlore.dataplane.inband.IntTask;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.inband.Push;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.dataplane.report.OwnMetadata;
import io.pathlore.dataplane.report.ReportContent;
import io.pathlore.dataplane.report.ReportOutput;
import io.pathlore.dataplane.report.ReportStream;
import io.pathlore.dataplane.watch.DropEvents;
import io.pathlore.dataplane.watch.FlowEvents;
import io.pathlore.dataplane.watch.FlowHash;
import io.pathlore.dataplane.watch.QueueEvents;
import io.pathlore.dataplane.watch.WatchEntry;
import io.pathlore.dataplane.watch.Watchlist;
import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.inband.IntShim;
import io.pathlore.wire.net.Layer;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One INT node: parse, match, act, report. Its role is decided packet by packet: what comes in through an edge interface may
 * be watched (source), what leaves through one leaves the INT domain (sink), everything else is passed on (transit).
 *
 * <p>Pure: packet and time in, packets and reports out. Hot path; owned by one thread.
 */
public final class Node implements IntProcessor {
    /** A copy that only goes into a report may be as long as it likes. */
    private static final int NO_MTU = Integer.MAX_VALUE;

    private static final int COPY_BYTES = 9216;
    private static final long LATENCY_MASK = 0xFFFF_FFFFL;
    /** Said of congestion whatever was asked for: interfaces, latency, queue, both timestamps. */
    private static final int QUEUE_ITEMS = 0x7C00;

    private static final int IPV4_TTL = 8;
    private static final int IPV4_PROTOCOL = 9;
    private static final int IPV4_CHECKSUM = 10;
    private static final int IPV6_NEXT_HEADER = 6;
    private static final int IPV6_HOP_LIMIT = 7;

    private final NodeConfig config;
    private final boolean[] edge;
    private final IntEditor editor;
    private final Watchlist watchlist;
    private final FlowEvents flowEvents;
    private final QueueEvents queueEvents;
    private final DropEvents dropEvents;
    private final ReportStream reports;
    private final SourceWords sourceWords;
    private final SinkFindings findings = new SinkFindings();
    private final DestinationHeader destinationHeader = new DestinationHeader();
    private final ReportContent content = new ReportContent();
    private final HopView hop = new HopView();
    private final Packet copy = new Packet(COPY_BYTES);
    private final Outlet outlet = new Outlet();
    private long nextMark;
    private long lastMark = HopView.ABSENT;

    public Node(NodeConfig config) {
        this.config = config;
        edge = new boolean
                [1
                        + config.edgeInterfaces().stream()
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(0)];
        for (int edgeInterface : config.edgeInterfaces()) {
            edge[edgeInterface] = true;
        }
        editor = new IntEditor(
                config.codepoints(), config.june2016(), config.report().transparentSecurity(), config.entropyPort());
        watchlist = new Watchlist(
                config.watchlist(),
                List.of(config.report().destination()),
                config.codepoints().beforeTcpOptions());
        flowEvents = new FlowEvents(config.flowRules(), config.flowCapacity());
        queueEvents = new QueueEvents(config.queueRules());
        dropEvents = new DropEvents(config.dropIntervalNanos(), config.flowCapacity());
        reports = new ReportStream(config.report(), config.firstSequence());
        sourceWords = new SourceWords(config.codepoints().domains());
    }

    @Override
    public Verdict forward(Packet packet, Passage passage, NodeOutput out) {
        PacketView view = editor.parse(packet);
        begin(passage, view, out);
        content.congested = queueEvents.onPacket(
                passage.egressInterface, passage.queueId, passage.queueOccupancy, content.own.hopLatency);
        int header = carried(view);
        if (header < 0) {
            return editor.isFollowUp(view) ? followUp(packet, passage) : plain(packet, view, passage);
        }
        return switch (view.intHeader(header).type()) {
            case IntShim.TYPE_MX -> mx(packet, view, view.intHeader(header), passage);
            default -> md(packet, view, view.intHeader(header), passage);
        };
    }

    @Override
    public void drop(Packet packet, Passage passage, int reason, NodeOutput out) {
        PacketView view = editor.parse(packet);
        begin(passage, view, out);
        WatchEntry entry = watchlist.match(view, dscp(view), passage.ingressInterface);
        if (entry == null || !entry.drops()) {
            return;
        }
        if (!dropEvents.worthReporting(content.flowHash, reason, passage.nowNanos)) {
            return;
        }
        int header = carried(view);
        content.dropped = true;
        content.tracked = header >= 0
                || entry.flows() && entry.task() != null && entry.task().mode() == Mode.XD;
        content.own.dropReason = reason;
        content.own.dropQueueId = passage.queueId;
        if (passage.egressInterface == Passage.NOWHERE) {
            // Dropped before it was known where it would leave: nothing of the way out is known.
            content.own.egressTimestamp = HopView.ABSENT;
            content.own.hopLatency = HopView.ABSENT;
            content.own.queueOccupancy = HopView.ABSENT;
        }
        if (header >= 0) {
            askedFor(view.intHeader(header));
        } else if (entry.task() != null) {
            content.instructions = entry.task().instructions().bitmap();
        }
        report(packet, passage);
    }

    @Override
    public boolean fits(Packet packet, Passage passage) {
        if (!isEdge(passage.egressInterface)) {
            return false;
        }
        copy.copyFrom(packet);
        PacketView view = editor.parse(copy);
        if (view.ints() == 0) {
            return false;
        }
        editor.strip(copy, view);
        return ipLength(editor.parse(copy), copy.end()) <= passage.mtu;
    }

    @Override
    public void tick(long nowNanos, NodeOutput out) {
        outlet.out = out;
        reports.flush(nowNanos, outlet);
    }

    @Override
    public long nextTickNanos() {
        return reports.flushAtNanos();
    }

    @Override
    public void restart() {
        reports.restart();
        flowEvents.restart();
        queueEvents.restart();
        dropEvents.restart();
        findings.clear();
        nextMark = 0;
        lastMark = HopView.ABSENT;
    }

    public SinkFindings findings() {
        return findings;
    }

    /** A packet without INT: perhaps this node is its source. */
    private Verdict plain(Packet packet, PacketView view, Passage passage) {
        WatchEntry entry = watchlist.match(view, dscp(view), passage.ingressInterface);
        IntTask task = entry == null || !entry.flows() ? null : entry.task();
        if (entry != null && entry.isExclusion()) {
            return Verdict.FORWARD;
        }
        boolean mine = task != null && (task.mode() == Mode.XD || isEdge(passage.ingressInterface));
        if (entry == null || task == null || !mine || !watchlist.takes(entry, view)) {
            reportCongestion(packet, passage);
            return Verdict.FORWARD;
        }
        content.instructions = task.instructions().bitmap();
        if (task.mode() == Mode.XD || isEdge(passage.egressInterface)) {
            // Where the domain is this node alone, there is nobody to tell in the packet.
            postcard(packet, passage);
            return Verdict.FORWARD;
        }
        long mark = nextMark;
        int[] words = sourceWords.of(task.instructions(), view, mark, content.flowHash);
        Insertion insertion = editor.insert(packet, view, task, content.own, words, mark, passage.mtu);
        switch (insertion) {
            case DONE, HEADER_ONLY -> {
                nextMark++;
                if (task.mode() == Mode.MX) {
                    PacketView marked = editor.parse(packet);
                    askedFor(marked.intHeader(0));
                    postcard(packet, passage);
                } else {
                    content.tracked = true;
                    reportCongestion(packet, passage);
                }
            }
            case NO_ROOM, NOT_APPLICABLE, ALREADY_INT -> reportCongestion(packet, passage);
        }
        return Verdict.FORWARD;
    }

    /** INT-MX: every node says its own, the packet only says what [INT 2.1 §5.9]. */
    private Verdict mx(Packet packet, PacketView view, IntHeaderView header, Passage passage) {
        askedFor(header);
        postcard(packet, passage);
        if (!isEdge(passage.egressInterface)) {
            return Verdict.FORWARD;
        }
        boolean discard = editor.discard(view);
        editor.strip(packet, view);
        return discard ? Verdict.DISCARD : Verdict.FORWARD;
    }

    private Verdict md(Packet packet, PacketView view, IntHeaderView header, Passage passage) {
        askedFor(header);
        content.tracked = true;
        if (isEdge(passage.egressInterface)) {
            return sink(packet, view, header, passage);
        }
        reportCongestion(packet, passage);
        if (config.slowPath()) {
            if (editor.followUp(packet, content.own, copy)) {
                outlet.packet(copy, passage.egressInterface);
            }
            return Verdict.FORWARD;
        }
        // There is one view, and replicas were read through it too.
        PacketView now = replicate(packet, view, passage) ? editor.parse(packet) : view;
        Push push = editor.push(packet, now, content.own, config.ability(), passage.mtu);
        if (push == Push.REPORT_FIRST) {
            content.congested = false;
            content.intermediate = true;
            content.stacked = true;
            // Its own metadata goes to the stack that is empty now [INT 2.1 §5.8].
            content.instructions = 0;
            report(packet, passage);
            editor.clearStack(packet, editor.parse(packet));
            editor.push(packet, editor.parse(packet), content.own, config.ability(), passage.mtu);
        }
        return Verdict.FORWARD;
    }

    private Verdict sink(Packet packet, PacketView view, IntHeaderView header, Passage passage) {
        if (destinationHeader.read(view)) {
            long mark = destinationHeader.sequence();
            long lost = lastMark == HopView.ABSENT ? 0 : DestinationHeader.lostBetween(lastMark, mark);
            lastMark = mark;
            findings.add(lost, destinationHeader.hiddenHops(ttl(view), header.hops()));
        }
        boolean discard = editor.discard(view);
        boolean event = flowEvents.worthReporting(
                content.flowHash, pathHash(header, passage), pathLatency(header), passage.nowNanos);
        PacketView now = view;
        if (event || content.congested) {
            content.stacked = true;
            if (config.report().own() == OwnMetadata.STACK) {
                if (editor.push(packet, view, content.own, config.ability(), NO_MTU) != Push.PUSHED) {
                    // No room in the stack: beside it there is.
                    content.stacked = false;
                }
                now = editor.parse(packet);
                content.shimLength = shimLength(now);
            }
            if (config.report().transparentSecurity()) {
                reportTransparently(packet, now, passage);
            } else {
                report(packet, passage);
            }
        }
        editor.strip(packet, now);
        return discard ? Verdict.DISCARD : Verdict.FORWARD;
    }

    /** CableLabs' sink has restored the IP protocol when it copies the packet, although UDP and INT still follow. */
    private void reportTransparently(Packet packet, PacketView view, Passage passage) {
        int ip = ipLayer(view);
        int shim = view.intHeader(0).shimOffset();
        if (ip < 0 || shim < 0) {
            report(packet, passage);
            return;
        }
        ByteBuffer buffer = packet.buffer();
        boolean v4 = view.layer(ip) == Layer.IPV4;
        int header = view.layerOffset(ip);
        int at = header + (v4 ? IPV4_PROTOCOL : IPV6_NEXT_HEADER);
        // The last extension header is the one that announces UDP: to change another would lose those behind it.
        for (int i = ip + 1; i < view.layers() && view.layer(i) != Layer.UDP; i++) {
            at = view.layerOffset(i);
        }
        byte protocol = buffer.get(at);
        short checksum = buffer.getShort(header + IPV4_CHECKSUM);
        buffer.put(at, (byte) IntShim.lastByte(buffer.getInt(shim)));
        if (v4) {
            PacketEncoder.finishIpv4(buffer, header, packet.end());
        }
        report(packet, passage);
        buffer.put(at, protocol);
        if (v4) {
            buffer.putShort(header + IPV4_CHECKSUM, checksum);
        }
    }

    /** Rep: one copy per other way the packet could have gone [INT June 2016 §5.3.3]; replicas breed no further. */
    private boolean replicate(Packet packet, PacketView view, Passage passage) {
        if (passage.alternativeCount == 0 || editor.replicate(view) == 0 || editor.discard(view)) {
            return false;
        }
        long egress = content.own.egressInterface;
        for (int i = 0; i < passage.alternativeCount; i++) {
            copy.copyFrom(packet);
            editor.markReplica(copy, editor.parse(copy));
            content.own.egressInterface = passage.alternatives[i];
            editor.push(copy, editor.parse(copy), content.own, config.ability(), passage.mtu);
            outlet.packet(copy, passage.alternatives[i]);
        }
        content.own.egressInterface = egress;
        return true;
    }

    /** A node's own word on a tracked packet, if something about its flow changed here. */
    private void postcard(Packet packet, Passage passage) {
        content.tracked = true;
        long ports = (long) passage.ingressInterface << 16 | passage.egressInterface;
        boolean event = flowEvents.worthReporting(content.flowHash, ports, content.own.hopLatency, passage.nowNanos);
        if (event || content.congested) {
            report(packet, passage);
        }
    }

    private void reportCongestion(Packet packet, Passage passage) {
        if (!content.congested) {
            return;
        }
        int asked = content.instructions;
        content.instructions = asked | QUEUE_ITEMS;
        report(packet, passage);
        content.instructions = asked;
    }

    private void report(Packet packet, Passage passage) {
        reports.add(content, packet, passage.nowNanos, outlet);
    }

    private void begin(Passage passage, PacketView view, NodeOutput out) {
        outlet.out = out;
        content.clear();
        content.flowHash = FlowHash.of(view.flow());
        HopValues own = content.own;
        own.nodeId = config.report().nodeId();
        own.ingressInterface = passage.ingressInterface;
        own.egressInterface = passage.egressInterface;
        own.level2IngressInterface = passage.level2IngressInterface;
        own.level2EgressInterface = passage.level2EgressInterface;
        own.queueId = passage.queueId;
        own.queueOccupancy = passage.queueOccupancy;
        own.queueCongestion = passage.queueCongestion;
        own.bufferId = passage.bufferId;
        own.bufferOccupancy = passage.bufferOccupancy;
        own.txUtilization = passage.txUtilization;
        own.ingressTimestamp = passage.ingressTimestamp;
        own.egressTimestamp = passage.egressTimestamp;
        own.hopLatency = passage.egressTimestamp - passage.ingressTimestamp & LATENCY_MASK;
    }

    private void askedFor(IntHeaderView header) {
        content.instructions = ReportedItems.of(header.version(), header.instructions());
        if (header.type() == IntShim.TYPE_MX && header.insertedWords() > 0) {
            // What the source inserted is told again by whoever reports [INT 2.1 §5.9].
            content.domainId = (int) header.domainId();
            content.dsMdBits = (int) header.dsInstructions();
            content.own.domainWords = header.insertedWords();
            for (int i = 0; i < header.insertedWords(); i++) {
                content.own.domain[i] = header.insertedWord(i);
            }
        }
    }

    /** The INT header to work on, or -1: destination headers are the sink's, and tell nobody what to do. */
    private static int carried(PacketView view) {
        return view.ints() > 0 && view.intHeader(0).type() != IntShim.TYPE_DESTINATION ? 0 : -1;
    }

    /** A slow-path node sent this one after the packet it speaks of; it ends at the sink [INT June 2016 §4.2]. */
    private Verdict followUp(Packet packet, Passage passage) {
        if (!isEdge(passage.egressInterface)) {
            return Verdict.FORWARD;
        }
        content.tracked = true;
        content.stacked = true;
        content.instructions = 0;
        report(packet, passage);
        return Verdict.DISCARD;
    }

    private boolean isEdge(int interfaceId) {
        return interfaceId == Passage.NOWHERE || interfaceId < edge.length && edge[interfaceId];
    }

    private long pathHash(IntHeaderView header, Passage passage) {
        long hash = (long) passage.ingressInterface << 16 | passage.egressInterface;
        for (int i = 0; i < header.hops(); i++) {
            header.hop(i, hop);
            hash = FlowHash.mix(hash, hop.nodeId());
        }
        return hash;
    }

    private long pathLatency(IntHeaderView header) {
        long latency = content.own.hopLatency;
        for (int i = 0; i < header.hops(); i++) {
            header.hop(i, hop);
            latency += Math.max(0, hop.hopLatency());
        }
        return latency;
    }

    private static int shimLength(PacketView view) {
        IntHeaderView header = view.intHeader(0);
        return header.shimOffset() < 0 ? 0 : IntShim.length(view.buffer().getInt(header.shimOffset()));
    }

    /** Before a source of INT marked the packet. */
    private static int dscp(PacketView view) {
        if (view.ints() > 0 && view.intHeader(0).originalDscp() >= 0) {
            return view.intHeader(0).originalDscp();
        }
        int ip = ipLayer(view);
        if (ip < 0) {
            return 0;
        }
        int at = view.layerOffset(ip);
        return view.layer(ip) == Layer.IPV4
                ? view.buffer().get(at + 1) >> 2 & 0x3F
                : view.buffer().getShort(at) >> 6 & 0x3F;
    }

    private static int ttl(PacketView view) {
        int ip = ipLayer(view);
        int field = view.layer(ip) == Layer.IPV4 ? IPV4_TTL : IPV6_HOP_LIMIT;
        return view.buffer().get(view.layerOffset(ip) + field) & 0xFF;
    }

    private static int ipLength(PacketView view, int end) {
        int ip = ipLayer(view);
        return ip < 0 ? 0 : end - view.layerOffset(ip);
    }

    private static int ipLayer(PacketView view) {
        for (int i = 0; i < view.layers(); i++) {
            if (view.layer(i) == Layer.IPV4 || view.layer(i) == Layer.IPV6) {
                return i;
            }
        }
        return -1;
    }

    /** Where the node's products go during one call. */
    private final class Outlet implements ReportOutput {
        private @Nullable NodeOutput out;

        @Override
        public void onDatagram(ByteBuffer buffer, int from, int end, int sourcePort) {
            NodeOutput to = out;
            if (to != null) {
                to.onReport(config.report().destination(), sourcePort, buffer, from, end);
            }
        }

        void packet(Packet made, int egressInterface) {
            NodeOutput to = out;
            if (to != null) {
                to.onPacket(made, egressInterface);
            }
        }
    }
}
