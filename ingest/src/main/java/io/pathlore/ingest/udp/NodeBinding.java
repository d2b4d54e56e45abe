package io.pathlore.ingest.udp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Which address speaks for a node: those the inventory lists for it; else the one that did so first. One table for all
 * workers, as two that claim the same node may be read by different ones. Looking up takes no lock; adding a node does, once
 * for each. Nothing is forgotten: where a node changes its address, the inventory has to say so.
 */
public final class NodeBinding {
    /** What is done about an address that speaks for a node of another. */
    public enum Mode {
        /** Nothing is looked at. */
        OFF,
        /** Its datagrams are marked. */
        LEARN,
        /** Its reports are not analysed. */
        ENFORCE
    }

    private static final VarHandle USED = MethodHandles.arrayElementVarHandle(byte[].class);

    private final Mode mode;
    private static final byte LISTED = 1;
    private static final byte LEARNED = 2;

    private final int room;
    private final int capacity;
    private final long seed;
    private final int mask;
    private final byte[] used;
    private final int[] nodes;
    private final boolean[] v6;
    private final long[] high;
    private final long[] low;
    private final LongAdder violations = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private volatile int entries;

    /**
     * @param capacity nodes that can be learned
     * @param inventory node ids and the addresses that may speak for them
     */
    public NodeBinding(Mode mode, int capacity, Map<Long, ? extends Collection<InetAddress>> inventory, long seed) {
        int listed = inventory.values().stream().mapToInt(Collection::size).sum();
        this.mode = mode;
        room = capacity;
        this.capacity = capacity + listed;
        this.seed = seed;
        int size = Integer.highestOneBit(Math.max(4, 4 * this.capacity - 1));
        mask = size - 1;
        used = new byte[size];
        nodes = new int[size];
        v6 = new boolean[size];
        high = new long[size];
        low = new long[size];
        inventory.forEach((node, addresses) -> {
            for (InetAddress address : addresses) {
                boolean six = address instanceof Inet6Address;
                put(node.intValue(), six, Listen.high(address), Listen.low(address), LISTED);
            }
        });
    }

    /** With another mode and inventory, and what was learned of nodes the inventory does not list. */
    public synchronized NodeBinding with(Mode next, Map<Long, ? extends Collection<InetAddress>> inventory) {
        NodeBinding successor = new NodeBinding(next, room, inventory, seed);
        for (int at = 0; at < used.length; at++) {
            boolean learned = used[at] == LEARNED && !inventory.containsKey(Integer.toUnsignedLong(nodes[at]));
            if (learned && successor.entries < successor.capacity) {
                successor.put(nodes[at], v6[at], high[at], low[at], LEARNED);
            }
        }
        successor.violations.add(violations());
        successor.unknown.add(unknown());
        return successor;
    }

    public Mode mode() {
        return mode;
    }

    /**
     * Whether this address may speak for the node. One that is the first to do so may from now on; when the table is full,
     * nobody new may.
     */
    boolean admits(long nodeId, boolean six, long hi, long lo) {
        int node = (int) nodeId;
        boolean claimed = false;
        for (int at = home(node); (byte) USED.getAcquire(used, at) != 0; at = at + 1 & mask) {
            if (nodes[at] == node) {
                if (low[at] == lo && high[at] == hi && v6[at] == six) {
                    return true;
                }
                claimed = true;
            }
        }
        if (claimed) {
            violations.increment();
            return false;
        }
        if (entries >= capacity) {
            unknown.increment();
            return false;
        }
        return learn(node, six, hi, lo);
    }

    private synchronized boolean learn(int node, boolean six, long hi, long lo) {
        for (int at = home(node); used[at] != 0; at = at + 1 & mask) {
            if (nodes[at] == node) { // another worker was faster
                return low[at] == lo && high[at] == hi && v6[at] == six;
            }
        }
        if (entries >= capacity) {
            return false;
        }
        put(node, six, hi, lo, LEARNED);
        return true;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock, or before anyone else knows of us
    private void put(int node, boolean six, long hi, long lo, byte how) {
        int at = home(node);
        while (used[at] != 0) {
            at = at + 1 & mask;
        }
        nodes[at] = node;
        v6[at] = six;
        high[at] = hi;
        low[at] = lo;
        USED.setRelease(used, at, how);
        entries++;
    }

    private int home(int node) {
        long mixed = (node ^ seed) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return (int) (mixed >>> 32) & mask;
    }

    /** Nodes that were learned, and addresses that are listed. */
    public int entries() {
        return entries;
    }

    /** Datagrams from an address that spoke for a node of another. */
    public long violations() {
        return violations.sum();
    }

    /** Datagrams that spoke for a node there was no room to learn. */
    public long unknown() {
        return unknown.sum();
    }
}
