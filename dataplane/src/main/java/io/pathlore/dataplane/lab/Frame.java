package io.pathlore.dataplane.lab;

import io.pathlore.dataplane.packet.Packet;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A packet on its way and what the lab knows beside its bytes: where it comes from and goes to, what it looked like when it
 * left its host, and where it has been. Hot path: frames are used again; copy what you keep.
 *
 * <p>Addresses, ports and the hash of them are those of the packet as it was sent. A network that spreads flows by the outer
 * headers would see an INT source change them; sources keep the entropy [INT 2.1 §5.7], and so does the lab.
 */
public final class Frame {
    /** No port, no protocol: not TCP, UDP or SCTP, or a fragment. */
    public static final int ABSENT = -1;

    static final int ETHERNET_LENGTH = 14;
    private static final int ETHER_TYPE = 12;
    private static final int VLAN_LENGTH = 4;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86DD;
    private static final int IPV4_LENGTH = 20;
    private static final int IPV6_LENGTH = 40;
    private static final Packet NONE = new Packet(0);

    Packet packet = NONE;
    /** Shared by the packets of a flow. */
    FlowState flowState = FlowState.NONE;

    long number;
    int fromHost;
    int toHost;
    long sentNanos;
    long hash;
    int queue;
    /** Made by a node, which has already had its say on it here. */
    boolean madeHere;

    private long sourceMac;
    private boolean addresses;
    private boolean v6;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int protocol;
    private int sourcePort;
    private int destinationPort;

    // At the device it has reached.
    long arrivalNanos;
    int ingressInterface;
    long occupancy;
    int downs;
    long dueNanos;
    Port[] choices = Port.NONE;

    private int[] hopDevice = new int[8];
    private int[] hopIngress = new int[8];
    private int[] hopEgress = new int[8];
    private long[] hopLatency = new long[8];
    private long[] hopOccupancy = new long[8];
    private int hops;

    Frame() {}

    public Packet packet() {
        return packet;
    }

    /** 0: of none. */
    public int flow() {
        return flowState.number;
    }

    /** Counted from 1 over a run; a replica or follow-up has the number of the packet it was made of, or 0. */
    public long number() {
        return number;
    }

    /** Its place in the topology's list of hosts, as of the other; -1 where a node made the packet by itself. */
    public int fromHost() {
        return fromHost;
    }

    public int toHost() {
        return toHost;
    }

    public long sentNanos() {
        return sentNanos;
    }

    /** When it reached the device it is at. */
    public long arrivalNanos() {
        return arrivalNanos;
    }

    /** Of the 5-tuple, by which flows are spread. */
    public long hash() {
        return hash;
    }

    public long sourceMac() {
        return sourceMac;
    }

    /** Otherwise it is no IP packet. */
    public boolean hasAddresses() {
        return addresses;
    }

    public boolean v6() {
        return v6;
    }

    public long sourceHigh() {
        return sourceHigh;
    }

    public long sourceLow() {
        return sourceLow;
    }

    public long destinationHigh() {
        return destinationHigh;
    }

    public long destinationLow() {
        return destinationLow;
    }

    public int protocol() {
        return protocol;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public int destinationPort() {
        return destinationPort;
    }

    /** How many switches it has reached; of the last one it may not have left, so that its other values are 0. */
    public int hops() {
        return hops;
    }

    public int hopDevice(int hop) {
        return hopDevice[hop];
    }

    public int hopIngress(int hop) {
        return hopIngress[hop];
    }

    public int hopEgress(int hop) {
        return hopEgress[hop];
    }

    /** From arrival to the start of transmission. */
    public long hopLatencyNanos(int hop) {
        return hopLatency[hop];
    }

    /** Bytes that waited in the queue when the packet came to it. */
    public long hopOccupancy(int hop) {
        return hopOccupancy[hop];
    }

    void reach(int device, int ingressInterface, long nowNanos) {
        arrivalNanos = nowNanos;
        this.ingressInterface = ingressInterface;
        occupancy = 0;
        madeHere = false;
        if (hops == hopDevice.length) {
            hopDevice = Arrays.copyOf(hopDevice, 2 * hops);
            hopIngress = Arrays.copyOf(hopIngress, 2 * hops);
            hopEgress = Arrays.copyOf(hopEgress, 2 * hops);
            hopLatency = Arrays.copyOf(hopLatency, 2 * hops);
            hopOccupancy = Arrays.copyOf(hopOccupancy, 2 * hops);
        }
        hopDevice[hops] = device;
        hopIngress[hops] = ingressInterface;
        hopEgress[hops] = 0;
        hopLatency[hops] = 0;
        hopOccupancy[hops] = 0;
        hops++;
    }

    void leave(int egressInterface, long nowNanos) {
        if (hops > 0) {
            hopEgress[hops - 1] = egressInterface;
            hopLatency[hops - 1] = nowNanos - arrivalNanos;
            hopOccupancy[hops - 1] = occupancy;
        }
    }

    /** As the packet looks now. */
    void readFields() {
        ByteBuffer buffer = packet.buffer();
        int start = packet.start();
        hops = 0;
        madeHere = false;
        addresses = false;
        protocol = ABSENT;
        sourcePort = ABSENT;
        destinationPort = ABSENT;
        sourceMac = packet.length() < ETHERNET_LENGTH ? 0 : buffer.getLong(start + 4) & 0xFFFF_FFFF_FFFFL;
        int ip = ipOffset(packet);
        if (ip < 0) {
            hash = Dice.mix(sourceMac);
            return;
        }
        addresses = true;
        int l4;
        boolean fragment;
        v6 = buffer.get(ip) >>> 4 == 6;
        if (v6) {
            sourceHigh = buffer.getLong(ip + 8);
            sourceLow = buffer.getLong(ip + 16);
            destinationHigh = buffer.getLong(ip + 24);
            destinationLow = buffer.getLong(ip + 32);
            protocol = buffer.get(ip + 6) & 0xFF;
            l4 = ip + IPV6_LENGTH;
            fragment = protocol == 44;
        } else {
            sourceHigh = 0;
            sourceLow = Integer.toUnsignedLong(buffer.getInt(ip + 12));
            destinationHigh = 0;
            destinationLow = Integer.toUnsignedLong(buffer.getInt(ip + 16));
            protocol = buffer.get(ip + 9) & 0xFF;
            l4 = ip + (buffer.get(ip) & 0xF) * 4;
            fragment = (buffer.getShort(ip + 6) & 0x3FFF) != 0;
        }
        if (!fragment && (protocol == 6 || protocol == 17 || protocol == 132) && l4 + 4 <= packet.end()) {
            int ports = buffer.getInt(l4);
            sourcePort = ports >>> 16;
            destinationPort = ports & 0xFFFF;
        }
        long mixed = Dice.mix(sourceLow ^ Long.rotateLeft(destinationLow, 32));
        if (v6) {
            mixed = Dice.mix(mixed ^ sourceHigh ^ Long.rotateLeft(destinationHigh, 16));
        }
        hash = Dice.mix(mixed + ((long) protocol << 32) + ((long) sourcePort << 16) + destinationPort);
    }

    /** A packet made of this one. */
    void copyTo(Frame other) {
        other.flowState = flowState;
        other.number = number;
        other.fromHost = fromHost;
        other.toHost = toHost;
        other.sentNanos = sentNanos;
        other.hash = hash;
        other.queue = queue;
        other.sourceMac = sourceMac;
        other.addresses = addresses;
        other.v6 = v6;
        other.sourceHigh = sourceHigh;
        other.sourceLow = sourceLow;
        other.destinationHigh = destinationHigh;
        other.destinationLow = destinationLow;
        other.protocol = protocol;
        other.sourcePort = sourcePort;
        other.destinationPort = destinationPort;
        other.hops = 0;
        for (int i = 0; i < hops; i++) {
            other.reach(hopDevice[i], hopIngress[i], 0);
            other.hopEgress[i] = hopEgress[i];
            other.hopLatency[i] = hopLatency[i];
            other.hopOccupancy[i] = hopOccupancy[i];
        }
        other.arrivalNanos = arrivalNanos;
        other.ingressInterface = ingressInterface;
        other.choices = choices;
    }

    /** DSCP, or 0 where there is none. */
    int dscp() {
        int ip = ipOffset(packet);
        if (ip < 0) {
            return 0;
        }
        int word = packet.buffer().getShort(ip) & 0xFFFF;
        return v6 ? word >>> 6 & 0x3F : word >>> 2 & 0x3F;
    }

    /** Of the outermost IP header, or -1 where there is none. */
    static int ipOffset(Packet packet) {
        ByteBuffer buffer = packet.buffer();
        int at = packet.start() + ETHER_TYPE;
        int end = packet.end();
        while (at + 2 <= end) {
            int type = buffer.getShort(at) & 0xFFFF;
            at += 2;
            if (type == IPV4) {
                return at + IPV4_LENGTH <= end && buffer.get(at) >>> 4 == 4 ? at : -1;
            }
            if (type == IPV6) {
                return at + IPV6_LENGTH <= end && buffer.get(at) >>> 4 == 6 ? at : -1;
            }
            if (type != 0x8100 && type != 0x88A8) {
                return -1;
            }
            at += VLAN_LENGTH - 2;
        }
        return -1;
    }

    /**
     * One hop less to live. The IPv4 checksum is updated, not computed again: a wrong one stays wrong [RFC 1624].
     *
     * @return false where nothing is left
     */
    static boolean age(Packet packet) {
        int ip = ipOffset(packet);
        if (ip < 0) {
            return true;
        }
        ByteBuffer buffer = packet.buffer();
        if (buffer.get(ip) >>> 4 == 6) {
            int hopLimit = buffer.get(ip + 7) & 0xFF;
            buffer.put(ip + 7, (byte) Math.max(hopLimit - 1, 0));
            return hopLimit > 1;
        }
        int ttl = buffer.get(ip + 8) & 0xFF;
        if (ttl == 0) {
            return false;
        }
        buffer.put(ip + 8, (byte) (ttl - 1));
        // ~(~old + ~m + m') of RFC 1624, where m' is m less 0x0100: the checksum grows by as much.
        int sum = (~buffer.getShort(ip + 10) & 0xFFFF) + 0xFEFF;
        sum = (sum & 0xFFFF) + (sum >>> 16);
        buffer.putShort(ip + 10, (short) ~sum);
        return ttl > 1;
    }

    void clear() {
        packet = NONE;
        flowState = FlowState.NONE;
        choices = Port.NONE;
    }
}
