package io.pathlore.cli.service;

import io.pathlore.analysis.LongMap;
import io.pathlore.analysis.sequence.Counting;
import io.pathlore.cli.config.Inventory;
import io.pathlore.model.ReportRow;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the inventory says of who reports: what is numbered, by node id, then by exporter address; which node an address speaks
 * for; and in which unit a node tells times. Hot path: nothing is allocated by asking.
 */
final class CountingRules {
    private static final int MAX_ADDRESSES = 1 << 20;

    private final long[] nodes;
    private final Counting[] ofNodes;
    private final long[] highs;
    private final long[] lows;
    private final Counting[] ofAddresses;
    private final LongMap<Long> nodesByAddress = new LongMap<>(MAX_ADDRESSES);
    private final LongMap<Long> units = new LongMap<>(MAX_ADDRESSES);

    CountingRules(Inventory inventory) {
        Map<Long, Counting> byNode = new TreeMap<>();
        Map<InetAddress, Counting> byAddress = new HashMap<>();
        for (Inventory.Node node : inventory.nodes()) {
            Long named = node.id();
            if (named != null) {
                node.addresses().forEach(address -> nodesByAddress.get(key(address), () -> named, left -> {}));
            }
            if (named != null && node.unitNanos() != 1) {
                units.get(ReportRow.mix(named), node::unitNanos, left -> {});
            }
            if (node.sequence() == Counting.AUTO) {
                continue;
            }
            if (named != null) {
                byNode.put(named, node.sequence());
            }
            node.addresses().forEach(address -> byAddress.putIfAbsent(address, node.sequence()));
        }
        nodes = byNode.keySet().stream().mapToLong(Long::longValue).toArray();
        ofNodes = byNode.values().toArray(Counting[]::new);
        highs = new long[byAddress.size()];
        lows = new long[highs.length];
        ofAddresses = new Counting[highs.length];
        int at = 0;
        for (Map.Entry<InetAddress, Counting> entry : byAddress.entrySet()) {
            ByteBuffer raw = ByteBuffer.wrap(entry.getKey().getAddress());
            boolean six = entry.getKey() instanceof Inet6Address;
            highs[at] = six ? raw.getLong(0) : 0;
            lows[at] = six ? raw.getLong(8) : Addresses.mapped(raw.getInt(0));
            ofAddresses[at++] = entry.getValue();
        }
    }

    /** {@code node} may be absent; the address is IPv6, or IPv4 mapped into it. */
    Counting of(long node, long high, long low) {
        int from = 0;
        int end = nodes.length;
        while (from < end) {
            int middle = from + end >>> 1;
            if (nodes[middle] < node) {
                from = middle + 1;
            } else {
                end = middle;
            }
        }
        if (from < nodes.length && nodes[from] == node) {
            return ofNodes[from];
        }
        for (int i = 0; i < lows.length; i++) {
            if (lows[i] == low && highs[i] == high) {
                return ofAddresses[i];
            }
        }
        return Counting.AUTO;
    }

    private static long key(InetAddress address) {
        ByteBuffer raw = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet6Address
                ? key(raw.getLong(0), raw.getLong(8))
                : key(0, Addresses.mapped(raw.getInt(0)));
    }

    private static long key(long high, long low) {
        return ReportRow.mix(ReportRow.mix(high) ^ low);
    }

    /** Makes nanoseconds of the times in a row. */
    void scale(ByteBuffer rows, int at, int hops) {
        if (units.size() == 0) {
            return;
        }
        for (int hop = 0; hop < hops; hop++) {
            Long unit = units.get(ReportRow.mix(ReportRow.hopNode(rows, at, hop)));
            if (unit != null) {
                ReportRow.scale(rows, at, hop, unit);
            }
        }
    }

    /** The node that this address speaks for, or {@link ReportRow#ABSENT}. */
    long nodeAt(long high, long low) {
        Long node = nodesByAddress.get(key(high, low));
        return node == null ? ReportRow.ABSENT : node;
    }
}
