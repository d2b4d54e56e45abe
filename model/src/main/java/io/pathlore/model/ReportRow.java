package io.pathlore.model;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One report as analysis reads it, whatever version or dialect it came in: octets that can wait in a queue, be sent to another
 * machine, and be read without an object for each. Hot path. A view: copies nothing, good until the bytes are overwritten, belongs
 * to one thread. Its first octet is the version of the layout. Hops stand behind each other in travel order; what the reporting
 * node says of itself, wherever it said it, is in the last one.
 *
 * <pre>
 *   0  layout   1  flags   2  report version   3  protocol   4  TCP flags   5  of the packet   6  what is known   8  receive time
 *  16  exporter, 16 octets, IPv4 mapped into IPv6           32  node id
 *  40  source, 16 octets   56  destination, 16 octets       72  ports, or ICMP type and code   80  VNI
 *  84  hops   86  TTL or hop limit   88  flow hash   96  packet print   104  drop reason   108  IP length   112  device
 * 120  packets dropped by a rule   128  hw_id   129  how much of the way the hops are
 * 130  sequence numbers its datagram stands for   132  numbers that are missing before it; below 0: were
 * 136  hops of 56 octets each:
 *        0  node   8  ingress interface   12  egress interface   16  latency   24  queue   28  its occupancy
 *       32  ingress time   40  egress time   48  utilization   52  hop limit and one, or 0   55  bits of its times
 * </pre>
 */
public final class ReportRow {
    /** Octets of a row without hops. */
    public static final int LENGTH = 136;

    public static final int HOP_LENGTH = 56;

    /** More than any header of INT has room for where hops say more than their names; those behind it are left out. */
    public static final int MAX_HOPS = 64;

    public static final int MAX_LENGTH = LENGTH + MAX_HOPS * HOP_LENGTH;
    public static final long ABSENT = -1;

    /** No packet stays in a node for so long: clocks sent as latencies do [docs/spec-notes.md, A-64]. */
    public static final long IMPLAUSIBLE_NANOS = 4_000_000_000L;

    /** What the report says of the packet. */
    public static final int DROPPED = 1;

    public static final int CONGESTED = 2;
    public static final int TRACKED = 4;
    public static final int INTERMEDIATE = 8;

    /** It came from an address that may not speak for its node. */
    public static final int UNBOUND = 16;

    /** What is known: the flow, that its addresses are IPv6, that it is ICMP. */
    public static final int FLOW = 1;

    public static final int FLOW_V6 = 2;
    public static final int FLOW_ICMP = 4;

    /** Of the packet: its TCP flags are there, it is a fragment, and not the first one. */
    public static final int TCP_FLAGS = 1;

    public static final int FRAGMENT = 2;
    public static final int LATER_FRAGMENT = 4;

    /** Who named the device: itself, its gateway, the first switch outside; none of them where nobody said. */
    public static final int NAMED_BY_DEVICE = 16;

    public static final int NAMED_BY_GATEWAY = 32;
    public static final int NAMED_BY_SWITCH = 64;

    /** In the flags of TCP. */
    public static final int SYN = 2;

    public static final int ACK = 16;

    /** How much of the way the hops are: they are a stack, in which neighbours were neighbours on the way. */
    public static final int STACK = 1;

    /** Some node could not add itself: hop limit or MTU. */
    public static final int GAPS = 2;

    /** The stack was cut short, or its packet went no further. */
    public static final int PARTIAL = 4;

    /** A copy that was sent other ways on request. */
    public static final int REPLICA = 8;

    /** The last hop is the reporting node. */
    public static final int REPORTER = 16;

    /** Put together from what several nodes said each for itself. */
    public static final int JOINED = 32;

    private static final byte LAYOUT = 3;
    private static final int FLAGS_AT = 1;
    private static final int VERSION_AT = 2;
    private static final int PROTOCOL_AT = 3;
    private static final int TCP_AT = 4;
    private static final int PACKET_AT = 5;
    private static final int KNOWN_AT = 6;
    private static final int RECEIVED_AT = 8;
    private static final int EXPORTER_AT = 16;
    private static final int NODE_AT = 32;

    /** Addresses, ports and VNI, one behind the other: what tells flows apart, together with protocol and what is known. */
    public static final int FLOW_AT = 40;

    public static final int FLOW_LENGTH = 44;
    private static final int HOPS_AT = 84;
    private static final int TTL_AT = 86;
    private static final int HASH_AT = 88;
    private static final int PRINT_AT = 96;
    private static final int REASON_AT = 104;
    private static final int IP_LENGTH_AT = 108;
    private static final int DEVICE_AT = 112;
    private static final int DROP_COUNT_AT = 120;
    private static final int HW_ID_AT = 128;
    private static final int WAY_AT = 129;
    private static final int NUMBERS_AT = 130;
    private static final int GAP_AT = 132;

    // Inside a hop.
    private static final int INGRESS = 8;
    private static final int EGRESS = 12;
    private static final int LATENCY = 16;
    private static final int QUEUE = 24;
    private static final int OCCUPANCY = 28;
    private static final int INGRESS_TIME = 32;
    private static final int EGRESS_TIME = 40;
    private static final int UTILIZATION = 48;
    private static final int HOP_LIMIT = 52;
    private static final int TIME_BITS = 55;

    private static final long MAPPED = 0xFFFF_0000_0000L;

    // An array is read in a few instructions, where a buffer asks each time what kind of memory it is and whose.
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private ByteBuffer buffer = ByteBuffer.allocate(LENGTH).put(0, LAYOUT);
    private int offset;

    // The same row, where it is read.
    private byte[] bytes = buffer.array();
    private int at;

    /** Of rows that are in no array. */
    private byte[] copied = {};

    // What the hops are together: gone through once for all who ask.
    private boolean gone;
    private boolean named;
    private long pathPrint;
    private long route;

    /** The bytes are big endian, as buffers are from the start; those with an array are read in place. */
    public ReportRow wrap(ByteBuffer row, int from) {
        if (row.get(from) != LAYOUT) {
            throw new IllegalArgumentException("a row of layout " + row.get(from) + "; known is " + LAYOUT);
        }
        be(row, from);
        gone = false;
        return this;
    }

    private void be(ByteBuffer row, int from) {
        buffer = row;
        offset = from;
        if (row.hasArray()) {
            bytes = row.array();
            at = row.arrayOffset() + from;
        } else {
            int length = length(row, from);
            if (copied.length < length) {
                copied = new byte[Math.max(length, LENGTH + 8 * HOP_LENGTH)];
            }
            row.get(from, copied, 0, length);
            bytes = copied;
            at = 0;
        }
    }

    /** Becomes a copy of another, in these bytes; says how long it is. */
    public int copy(ReportRow other, ByteBuffer to, int from) {
        int length = other.length();
        to.put(from, other.buffer, other.offset, length);
        be(to, from);
        gone = other.gone;
        named = other.named;
        pathPrint = other.pathPrint;
        route = other.route;
        return length;
    }

    /** Writes a copy of a row that has hops, with one of them and no more; it takes {@link #LENGTH} and {@link #HOP_LENGTH}. */
    public static void copyOfHop(ByteBuffer in, int from, int index, ByteBuffer out, int at) {
        out.put(at, in, from, LENGTH).putShort(at + HOPS_AT, (short) 1);
        out.put(at + LENGTH, in, from + LENGTH + index * HOP_LENGTH, HOP_LENGTH);
    }

    private long longAt(int place) {
        return (long) LONG.get(bytes, place);
    }

    private int intAt(int place) {
        return (int) INT.get(bytes, place);
    }

    private int shortAt(int place) {
        return (short) SHORT.get(bytes, place);
    }

    private void goThrough() {
        int hops = hops();
        long nodes = hops;
        long all = 0;
        boolean every = true;
        for (int i = 0; i < hops; i++) {
            int hop = hop(i);
            long node = longAt(hop);
            every &= node != ABSENT;
            nodes = mix(nodes ^ node);
            all = mix(all ^ nodes ^ longAt(hop + INGRESS)) + intAt(hop + QUEUE);
        }
        named = every;
        pathPrint = nodes == 0 ? 1 : nodes;
        route = all == 0 ? 1 : all;
        gone = true;
    }

    /** Octets of the row that begins here. */
    public static int length(ByteBuffer bytes, int at) {
        return LENGTH + bytes.getShort(at + HOPS_AT) * HOP_LENGTH;
    }

    /** What a rule is called whose drops are counted: it stands where the print of a packet would, which such a report has not. */
    public static void dropKey(ByteBuffer out, int at, long key) {
        out.putLong(at + PRINT_AT, key);
    }

    /** Begins a row whose flow is not known. */
    public static void begin(
            ByteBuffer out,
            int at,
            int flags,
            int version,
            long receivedNanos,
            long exporterHigh,
            long exporterLow,
            long node) {
        out.putLong(at, (long) LAYOUT << 56 | (flags & 0xFFL) << 48 | (version & 0xFFL) << 40);
        out.putLong(at + RECEIVED_AT, receivedNanos);
        out.putLong(at + EXPORTER_AT, exporterHigh).putLong(at + EXPORTER_AT + 8, exporterLow);
        out.putLong(at + NODE_AT, node);
        for (int i = FLOW_AT; i < PRINT_AT; i += Long.BYTES) {
            out.putLong(at + i, 0);
        }
        out.putShort(at + TTL_AT, (short) ABSENT);
        out.putLong(at + PRINT_AT, 0).putLong(at + REASON_AT, ABSENT); // and the length behind it
        out.putLong(at + DEVICE_AT, ABSENT).putLong(at + DROP_COUNT_AT, ABSENT);
        out.putLong(at + HW_ID_AT, 0);
    }

    /** Adds what is known of the packet beside its flow; what is absent is {@link #ABSENT}. */
    public static void packet(ByteBuffer out, int at, long print, int ttl, int ipLength, long device) {
        out.putShort(at + TTL_AT, (short) ttl);
        out.putLong(at + PRINT_AT, print);
        out.putInt(at + IP_LENGTH_AT, ipLength);
        out.putLong(at + DEVICE_AT, device);
    }

    /** Adds what kind of packet it is: TCP flags where it has them, and bits from {@link #TCP_FLAGS} to {@link #NAMED_BY_SWITCH}. */
    public static void marks(ByteBuffer out, int at, int tcpFlags, int marks) {
        out.put(at + TCP_AT, (byte) tcpFlags).put(at + PACKET_AT, (byte) marks);
    }

    /** Adds why a packet was dropped, and how many a rule dropped. */
    public static void drop(ByteBuffer out, int at, int reason, long count) {
        out.putInt(at + REASON_AT, reason);
        out.putLong(at + DROP_COUNT_AT, count);
    }

    /** Adds who speaks and, when all hops are there, how many they are and what they are worth. */
    public static void way(ByteBuffer out, int at, int hwId, int way, int hops) {
        out.put(at + HW_ID_AT, (byte) hwId).put(at + WAY_AT, (byte) way).putShort(at + HOPS_AT, (short) hops);
    }

    /** Adds what the number of its datagram says; in one row of each datagram. */
    public static void numbers(ByteBuffer out, int at, int numbers, int gap) {
        out.putShort(at + NUMBERS_AT, (short) numbers).putInt(at + GAP_AT, gap);
    }

    /**
     * What the clock of the reporter showed when the packet left it, or came, where it does not say when it left; {@link #ABSENT} where it
     * does not tell, or in so few bits that nobody knows which time is meant.
     */
    public static long ownTime(ByteBuffer in, int at) {
        long reporter = in.getLong(at + NODE_AT);
        int first = at + LENGTH;
        for (int hop = first + (hops(in, at) - 1) * HOP_LENGTH; hop >= first; hop -= HOP_LENGTH) {
            if (in.getLong(hop) == reporter && in.get(hop + TIME_BITS) == Long.SIZE) {
                long left = in.getLong(hop + EGRESS_TIME);
                return left != ABSENT ? left : in.getLong(hop + INGRESS_TIME);
            }
        }
        return ABSENT;
    }

    /** Writes the hop with this index; what is absent is {@link #ABSENT}. */
    public static void hop(
            ByteBuffer out,
            int at,
            int index,
            long node,
            long ingress,
            long egress,
            long latency,
            long queue,
            long occupancy,
            long ingressTime,
            long egressTime,
            long utilization,
            int timeBits) {
        int hop = at + LENGTH + index * HOP_LENGTH;
        out.putLong(hop, node);
        out.putLong(hop + INGRESS, ingress << 32 | egress & 0xFFFF_FFFFL);
        out.putLong(hop + LATENCY, latency);
        out.putLong(hop + QUEUE, queue << 32 | occupancy & 0xFFFF_FFFFL);
        out.putLong(hop + INGRESS_TIME, ingressTime).putLong(hop + EGRESS_TIME, egressTime);
        out.putLong(hop + UTILIZATION, utilization << 32 | timeBits);
    }

    /** Adds TTL or hop limit of the packet when it left a hop that was written. */
    public static void hopLimit(ByteBuffer out, int at, int index, int limit) {
        out.put(at + LENGTH + index * HOP_LENGTH + HOP_LIMIT, (byte) (limit + 1));
    }

    /** Makes nanoseconds of what a hop tells in a longer unit; what wraps before the 64th bit would no longer wrap there, and goes. */
    public static void scale(ByteBuffer out, int at, int index, long unitNanos) {
        int hop = at + LENGTH + index * HOP_LENGTH;
        long latency = out.getLong(hop + LATENCY);
        out.putLong(hop + LATENCY, latency < 0 ? latency : latency * unitNanos);
        for (int time : new int[] {hop + INGRESS_TIME, hop + EGRESS_TIME}) {
            long told = out.getLong(time);
            boolean whole = out.get(hop + TIME_BITS) == Long.SIZE && told != ABSENT;
            out.putLong(time, whole ? told * unitNanos : ABSENT);
        }
    }

    /** Adds what a hop that was written does not have yet. */
    public static void fill(
            ByteBuffer out,
            int at,
            int index,
            long ingress,
            long egress,
            long latency,
            long queue,
            long occupancy,
            long ingressTime,
            long egressTime,
            long utilization,
            int timeBits) {
        int hop = at + LENGTH + index * HOP_LENGTH;
        if (out.getLong(hop + INGRESS_TIME) == ABSENT && out.getLong(hop + EGRESS_TIME) == ABSENT) {
            out.put(hop + TIME_BITS, (byte) timeBits);
        }
        fillWord(out, hop + INGRESS, ingress);
        fillWord(out, hop + EGRESS, egress);
        fillLong(out, hop + LATENCY, latency);
        fillWord(out, hop + QUEUE, queue);
        fillWord(out, hop + OCCUPANCY, occupancy);
        fillLong(out, hop + INGRESS_TIME, ingressTime);
        fillLong(out, hop + EGRESS_TIME, egressTime);
        fillWord(out, hop + UTILIZATION, utilization);
    }

    private static void fillWord(ByteBuffer out, int at, long value) {
        if (out.getInt(at) == ABSENT) {
            out.putInt(at, (int) value);
        }
    }

    private static void fillLong(ByteBuffer out, int at, long value) {
        if (out.getLong(at) == ABSENT) {
            out.putLong(at, value);
        }
    }

    /** Of a row that is being written. */
    public static long flowHash(ByteBuffer out, int at) {
        return out.getLong(at + HASH_AT);
    }

    /** Of a row that is being written. */
    public static long hopNode(ByteBuffer out, int at, int index) {
        return out.getLong(at + LENGTH + index * HOP_LENGTH);
    }

    /** Of a row that is being written. */
    public static int hops(ByteBuffer out, int at) {
        return out.getShort(at + HOPS_AT);
    }

    /** Marks a row that was written. */
    public static void mark(ByteBuffer out, int at, int flag) {
        out.put(at + FLAGS_AT, (byte) (out.get(at + FLAGS_AT) | flag));
    }

    /** Adds the flow to a row that was begun; what is absent is -1. First and second are ports, or type and code of ICMP. */
    public static void flow(
            ByteBuffer out,
            int at,
            boolean v6,
            boolean icmp,
            int protocol,
            long sourceHigh,
            long sourceLow,
            long destinationHigh,
            long destinationLow,
            int first,
            int second,
            int vni,
            long seed) {
        int known = FLOW | (v6 ? FLOW_V6 : 0) | (icmp ? FLOW_ICMP : 0);
        long ends = (long) first << 32 | second & 0xFFFF_FFFFL;
        out.put(at + PROTOCOL_AT, (byte) protocol).putShort(at + KNOWN_AT, (short) known);
        out.putLong(at + FLOW_AT, sourceHigh).putLong(at + FLOW_AT + 8, sourceLow);
        out.putLong(at + FLOW_AT + 16, destinationHigh).putLong(at + FLOW_AT + 24, destinationLow);
        out.putLong(at + FLOW_AT + 32, ends).putInt(at + FLOW_AT + 40, vni);
        long h = mix(seed ^ sourceHigh ^ (long) protocol << 8 ^ known);
        h = mix(h ^ sourceLow);
        h = mix(h ^ destinationHigh);
        h = mix(h ^ destinationLow);
        h = mix(h ^ ends);
        out.putLong(at + HASH_AT, mix(h ^ vni));
    }

    /** Spreads bits; not secret by itself. */
    public static long mix(long value) {
        long h = value * 0x9E37_79B9_7F4A_7C15L;
        h = (h ^ h >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return h ^ h >>> 29;
    }

    /** The lower half of an IPv4 address that is mapped into IPv6 [RFC 4291 §2.5.5.2]; the upper is 0. */
    public static long mapped(long ipv4) {
        return MAPPED | ipv4;
    }

    public ByteBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    public boolean dropped() {
        return (bytes[at + FLAGS_AT] & DROPPED) != 0;
    }

    public boolean congested() {
        return (bytes[at + FLAGS_AT] & CONGESTED) != 0;
    }

    public boolean tracked() {
        return (bytes[at + FLAGS_AT] & TRACKED) != 0;
    }

    public boolean intermediate() {
        return (bytes[at + FLAGS_AT] & INTERMEDIATE) != 0;
    }

    public boolean unbound() {
        return (bytes[at + FLAGS_AT] & UNBOUND) != 0;
    }

    /** Octets of this row. */
    public int length() {
        return LENGTH + hops() * HOP_LENGTH;
    }

    /** TTL or hop limit of the packet as its reporter saw it, or {@link #ABSENT}. */
    public int ttl() {
        return shortAt(at + TTL_AT);
    }

    /** Equal for reports of one packet, whoever sent them; 0 where there is no packet. */
    public long packetPrint() {
        return longAt(at + PRINT_AT);
    }

    /** The number on the wire, or {@link #ABSENT}. */
    public int dropReason() {
        return intAt(at + REASON_AT);
    }

    /** Octets of the IP packet, or {@link #ABSENT}. */
    public int ipLength() {
        return intAt(at + IP_LENGTH_AT);
    }

    /** MAC address of the device that sent the packet, or {@link #ABSENT}. */
    public long device() {
        return longAt(at + DEVICE_AT);
    }

    /** Of TCP, or {@link #ABSENT}. */
    public int tcpFlags() {
        return (marks() & TCP_FLAGS) == 0 ? (int) ABSENT : bytes[at + TCP_AT] & 0xFF;
    }

    /** Bits of the packet, from {@link #TCP_FLAGS} to {@link #NAMED_BY_SWITCH}. */
    public int marks() {
        return bytes[at + PACKET_AT];
    }

    public int sourcePort() {
        return intAt(at + FLOW_AT + 32);
    }

    /** Or -1, as of ICMP, whose code stands in its place. */
    public int destinationPort() {
        return (known() & FLOW_ICMP) != 0 ? -1 : intAt(at + FLOW_AT + 36);
    }

    public boolean isV6() {
        return (known() & FLOW_V6) != 0;
    }

    public long sourceHigh() {
        return longAt(at + FLOW_AT);
    }

    public long sourceLow() {
        return longAt(at + FLOW_AT + 8);
    }

    public long destinationHigh() {
        return longAt(at + FLOW_AT + 16);
    }

    public long destinationLow() {
        return longAt(at + FLOW_AT + 24);
    }

    /** Which rule dropped them, where {@link #dropCount} is known. */
    public long dropKey() {
        return longAt(at + PRINT_AT);
    }

    /** Packets that a rule dropped, of reports that count them, or {@link #ABSENT}. */
    public long dropCount() {
        return longAt(at + DROP_COUNT_AT);
    }

    public int hwId() {
        return bytes[at + HW_ID_AT];
    }

    /** Sequence numbers that came with its datagram; 0 where they are not numbered, or another row of the datagram has them. */
    public int numbers() {
        return shortAt(at + NUMBERS_AT);
    }

    /** Numbers that were found to be missing when it came; -1 where it is one of those. */
    public int gap() {
        return intAt(at + GAP_AT);
    }

    /** Bits: {@link #STACK}, {@link #GAPS}, {@link #PARTIAL}, {@link #REPLICA}, {@link #REPORTER}. */
    public int way() {
        return bytes[at + WAY_AT];
    }

    public int hops() {
        return shortAt(at + HOPS_AT);
    }

    /** Whether the hops are the packet's whole way, and all are named. */
    public boolean isWholeStack() {
        if ((way() & (STACK | GAPS | PARTIAL | REPLICA | REPORTER)) != (STACK | REPORTER) || intermediate()) {
            return false;
        }
        return namesAll();
    }

    /** Whether all hops say who they are. */
    public boolean namesAll() {
        if (!gone) {
            goThrough();
        }
        return named;
    }

    /** Equal for equal nodes in equal order; never 0. */
    public long pathPrint() {
        if (!gone) {
            goThrough();
        }
        return pathPrint;
    }

    /** Equal for equal nodes, interfaces and queues in equal order; never 0. A hint where to look: whoever lies can make two alike. */
    public long route() {
        if (!gone) {
            goThrough();
        }
        return route;
    }

    /** The same of nodes that are not in a row. */
    public static long pathPrint(List<Long> nodes) {
        long print = nodes.size();
        for (long node : nodes) {
            print = mix(print ^ node);
        }
        return print == 0 ? 1 : print;
    }

    /** What the hops say together, or {@link #ABSENT} where one does not say, or cannot be believed. */
    public long pathLatency() {
        long sum = 0;
        for (int i = 0; i < hops(); i++) {
            long latency = latency(i);
            if (latency < 0 || latency >= IMPLAUSIBLE_NANOS) {
                return ABSENT;
            }
            sum += latency;
        }
        return hops() == 0 ? ABSENT : sum;
    }

    private int hop(int index) {
        return at + LENGTH + index * HOP_LENGTH;
    }

    /** Node of a hop, or {@link #ABSENT}; so are all that follow. */
    public long hopNode(int index) {
        return longAt(hop(index));
    }

    public long ingress(int index) {
        return orAbsent(intAt(hop(index) + INGRESS));
    }

    public long egress(int index) {
        return orAbsent(intAt(hop(index) + EGRESS));
    }

    /** As it was told, or what lies between the two times. */
    public long latency(int index) {
        return longAt(hop(index) + LATENCY);
    }

    public long queue(int index) {
        return orAbsent(intAt(hop(index) + QUEUE));
    }

    public long occupancy(int index) {
        return orAbsent(intAt(hop(index) + OCCUPANCY));
    }

    public long ingressTime(int index) {
        return longAt(hop(index) + INGRESS_TIME);
    }

    public long egressTime(int index) {
        return longAt(hop(index) + EGRESS_TIME);
    }

    public long utilization(int index) {
        return orAbsent(intAt(hop(index) + UTILIZATION));
    }

    /** 32, 48 or 64: where the times of the hop wrap. */
    public int timeBits(int index) {
        return bytes[hop(index) + TIME_BITS];
    }

    /** Nodes between this hop and the next that forwarded the packet and are not in the stack, or {@link #ABSENT}. */
    public int hiddenAfter(int index) {
        int here = bytes[hop(index) + HOP_LIMIT] & 0xFF;
        int next = bytes[hop(index + 1) + HOP_LIMIT] & 0xFF;
        return here == 0 || next == 0 || next >= here ? (int) ABSENT : here - next - 1;
    }

    /** Four octets with all bits set say nothing [INT 2.1 §5.8]. */
    private static long orAbsent(int word) {
        return word == -1 ? ABSENT : Integer.toUnsignedLong(word);
    }

    /** 5, 10 or 20. */
    public int version() {
        return bytes[at + VERSION_AT];
    }

    public long receivedNanos() {
        return longAt(at + RECEIVED_AT);
    }

    public static long receivedNanos(ByteBuffer bytes, int at) {
        return bytes.getLong(at + RECEIVED_AT);
    }

    /** The order in which analysis sees reports: that of receive time, then of exporters; what one exporter sent stays in its order. */
    public static int compareArrival(ByteBuffer one, int at, ByteBuffer other, int otherAt) {
        int order = Long.compare(receivedNanos(one, at), receivedNanos(other, otherAt));
        if (order == 0) {
            order = Long.compareUnsigned(one.getLong(at + EXPORTER_AT), other.getLong(otherAt + EXPORTER_AT));
        }
        return order != 0
                ? order
                : Long.compareUnsigned(one.getLong(at + EXPORTER_AT + 8), other.getLong(otherAt + EXPORTER_AT + 8));
    }

    public long exporterHigh() {
        return longAt(at + EXPORTER_AT);
    }

    public long exporterLow() {
        return longAt(at + EXPORTER_AT + 8);
    }

    /** The reporting node, or {@link #ABSENT}. */
    public long node() {
        return longAt(at + NODE_AT);
    }

    /** False when the packet in the report stops before its addresses. */
    public boolean hasFlow() {
        return (known() & FLOW) != 0;
    }

    /** {@link #FLOW}, {@link #FLOW_V6}, {@link #FLOW_ICMP}, and above them the protocol: with the rest the flow's identity. */
    public int kind() {
        return protocol() << 8 | known();
    }

    private int known() {
        return shortAt(at + KNOWN_AT);
    }

    public int protocol() {
        return bytes[at + PROTOCOL_AT] & 0xFF;
    }

    /** Equal for equal flows, and hard to foresee for who does not know the seed; 0 without a flow. */
    public long flowHash() {
        return longAt(at + HASH_AT);
    }

    /** Whether its flow is the one whose bytes were copied there. */
    public boolean isFlow(ByteBuffer there, int place) {
        int flow = at + FLOW_AT;
        return there.getLong(place + 8) == longAt(flow + 8)
                && there.getLong(place + 24) == longAt(flow + 24)
                && there.getLong(place + 32) == longAt(flow + 32)
                && there.getInt(place + 40) == intAt(flow + 40)
                && there.getLong(place) == longAt(flow)
                && there.getLong(place + 16) == longAt(flow + 16);
    }

    /** For people. */
    public @Nullable FlowKey flow() {
        return hasFlow() ? flow(buffer, offset + FLOW_AT, kind()) : null;
    }

    /** A flow from where its bytes were copied to. */
    public static FlowKey flow(ByteBuffer bytes, int at, int kind) {
        boolean icmp = (kind & FLOW_ICMP) != 0;
        int first = bytes.getInt(at + 32);
        int second = bytes.getInt(at + 36);
        return new FlowKey(
                (kind & FLOW_V6) != 0,
                bytes.getLong(at),
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                bytes.getLong(at + 24),
                kind >>> 8,
                icmp ? FlowKey.ABSENT : first,
                icmp ? FlowKey.ABSENT : second,
                icmp ? first : FlowKey.ABSENT,
                icmp ? second : FlowKey.ABSENT,
                bytes.getInt(at + 40));
    }
}
