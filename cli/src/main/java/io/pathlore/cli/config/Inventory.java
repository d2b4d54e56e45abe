package io.pathlore.cli.config;

import io.pathlore.analysis.sequence.Counting;
import io.pathlore.model.Profile;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the operator knows of each node and the wire does not say. Looked up by node id, then by exporter address. */
public final class Inventory {
    public static final Inventory EMPTY = new Inventory(List.of());

    /**
     * One entry of the list; an absent key is null or empty.
     *
     * @param addresses that may speak for the node
     * @param sequence what its sequence numbers count
     * @param sampling one of so many packets is reported; 0 where that is unknown
     * @param unitNanos what its times and latencies count, in nanoseconds
     * @param synchronised its clock shows the time of the others
     * @param queueCapacity of its queues, in the unit of their occupancy; 0 where it is unknown
     * @param interfaces their names, by number
     * @param speeds of the links at them in bits per second, by number
     * @param dropReasons names of its drop reasons, by number
     */
    public record Node(
            @Nullable Long id,
            @Nullable String name,
            List<InetAddress> addresses,
            Profile profile,
            Counting sequence,
            long sampling,
            long unitNanos,
            boolean synchronised,
            long queueCapacity,
            Map<Long, String> interfaces,
            Map<Long, Long> speeds,
            Map<Integer, String> dropReasons) {
        public Node {
            addresses = List.copyOf(addresses);
            interfaces = Map.copyOf(interfaces);
            speeds = Map.copyOf(speeds);
            dropReasons = Map.copyOf(dropReasons);
        }
    }

    private final List<Node> nodes;
    private final Map<Long, Node> byId = new HashMap<>();
    private final Map<InetAddress, Node> byAddress = new HashMap<>();

    public Inventory(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
        for (Node node : nodes) {
            if (node.id != null) {
                byId.put(node.id, node);
            }
            for (InetAddress address : node.addresses) {
                byAddress.putIfAbsent(address, node);
            }
        }
    }

    public List<Node> nodes() {
        return nodes;
    }

    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    public @Nullable Node byId(long nodeId) {
        return byId.get(nodeId);
    }

    public @Nullable Node byAddress(InetAddress address) {
        return byAddress.get(address);
    }
}
