package io.pathlore.cli.filter;

import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.inband.HopView;
import io.pathlore.wire.inband.IntHeaderView;
import io.pathlore.wire.ioam.IoamNodeView;
import io.pathlore.wire.ioam.IoamView;
import io.pathlore.wire.net.PacketView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The nodes a packet met, in travel order: those of its first stack, INT or else IOAM, then the node that reports it, unless
 * that one is the stack's newest hop already. Filled again for every report; what nobody said is {@link #ABSENT}.
 */
public final class TravelPath {
    public static final long ABSENT = -1;

    private final HopView hop = new HopView();
    private final IoamNodeView ioamNode = new IoamNodeView();
    private long[] nodes = new long[16];
    private long[] latencies = new long[16];
    private long[] queueIds = new long[16];
    private long[] occupancies = new long[16];
    private long[] egressInterfaces = new long[16];
    private long firstIngressInterface;
    private int size;
    private int stackHops;
    private boolean hasStack;

    public void of(ReportView report) {
        ofPacket(report.packet());
        long latency = ABSENT;
        long queueId = ABSENT;
        long occupancy = ABSENT;
        long egress = ABSENT;
        if (report.hasMetadata()) {
            HopView own = report.metadata();
            latency = own.hopLatency();
            queueId = own.queueId();
            occupancy = own.queueOccupancy();
            egress = own.egressInterface();
        }
        boolean known = report.nodeId() != ReportView.ABSENT;
        if (known && size > 0 && nodes[size - 1] == report.nodeId()) {
            latencies[size - 1] = latencies[size - 1] == ABSENT ? latency : latencies[size - 1];
            if (occupancies[size - 1] == ABSENT) {
                queueIds[size - 1] = queueId;
                occupancies[size - 1] = occupancy;
            }
            egressInterfaces[size - 1] = egressInterfaces[size - 1] == ABSENT ? egress : egressInterfaces[size - 1];
        } else if (known || latency != ABSENT || occupancy != ABSENT) {
            add(report.nodeId(), latency, queueId, occupancy, egress);
        }
    }

    public void ofPacket(PacketView packet) {
        size = 0;
        stackHops = 0;
        hasStack = false;
        firstIngressInterface = ABSENT;
        IntHeaderView header = stack(packet);
        if (header != null) {
            hasStack = true;
            if (header.rawWords() > 0) {
                add(ABSENT, ABSENT, ABSENT, ABSENT, ABSENT);
            }
            for (int i = 0; i < header.hops(); i++) {
                header.hop(i, hop);
                boolean first = size == 0 && !header.truncated();
                firstIngressInterface = first ? hop.ingressInterface() : firstIngressInterface;
                add(hop.nodeId(), hop.hopLatency(), hop.queueId(), hop.queueOccupancy(), hop.egressInterface());
            }
        } else {
            ofTrace(packet);
        }
        stackHops = size;
    }

    private static @Nullable IntHeaderView stack(PacketView packet) {
        for (int i = 0; i < packet.ints(); i++) {
            IntHeaderView header = packet.intHeader(i);
            if (!header.opaque() && header.hops() + header.rawWords() > 0) {
                return header;
            }
        }
        return null;
    }

    private void ofTrace(PacketView packet) {
        for (int i = 0; i < packet.ioams() && !hasStack; i++) {
            IoamView option = packet.ioam(i);
            boolean trace = option.type() == IoamView.PREALLOCATED_TRACE || option.type() == IoamView.INCREMENTAL_TRACE;
            if (trace && option.nodes() > 0) {
                hasStack = true;
                for (int node = 0; node < option.nodes(); node++) {
                    option.node(node, ioamNode);
                    firstIngressInterface = size == 0 ? ioamNode.ingressInterface() : firstIngressInterface;
                    add(
                            ioamNode.nodeId(),
                            ioamNode.transitDelay(),
                            ABSENT,
                            ioamNode.queueDepth(),
                            ioamNode.egressInterface());
                }
            }
        }
    }

    private void add(long node, long latency, long queueId, long occupancy, long egressInterface) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * size);
            latencies = Arrays.copyOf(latencies, 2 * size);
            queueIds = Arrays.copyOf(queueIds, 2 * size);
            occupancies = Arrays.copyOf(occupancies, 2 * size);
            egressInterfaces = Arrays.copyOf(egressInterfaces, 2 * size);
        }
        nodes[size] = node;
        latencies[size] = latency;
        queueIds[size] = queueId;
        egressInterfaces[size] = egressInterface;
        occupancies[size++] = occupancy;
    }

    public int size() {
        return size;
    }

    /** Whether the packet itself carries hops, so that this is more than the reporting node. */
    public boolean hasStack() {
        return hasStack;
    }

    /** Hops in the packet's own stack. */
    public int stackHops() {
        return stackHops;
    }

    public long node(int index) {
        return nodes[index];
    }

    public long latency(int index) {
        return latencies[index];
    }

    public long queueId(int index) {
        return queueIds[index];
    }

    public long occupancy(int index) {
        return occupancies[index];
    }

    public long egressInterface(int index) {
        return egressInterfaces[index];
    }

    /** Where the packet came into the first node of its stack. */
    public long firstIngressInterface() {
        return firstIngressInterface;
    }

    /** Time in all nodes together, where the packet has a stack and each of them tells its own. */
    public long latency() {
        long sum = 0;
        for (int i = 0; i < size; i++) {
            if (latencies[i] == ABSENT) {
                return ABSENT;
            }
            sum += latencies[i];
        }
        return hasStack ? sum : ABSENT;
    }
}
