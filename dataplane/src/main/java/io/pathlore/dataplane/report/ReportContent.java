package io.pathlore.dataplane.report;

import io.pathlore.wire.inband.HopValues;
import io.pathlore.wire.inband.HopView;

/**
 * What one report is to say, beside the packet. A plain struct that is filled again for every report; {@link HopView#ABSENT}
 * where the node does not know.
 */
public final class ReportContent {
    /** An individual report's TLV can hold no more. */
    private static final int MAX_EXTENSION_WORDS = 255;

    private static final int INTERFACES = 0x4000;
    private static final int LATENCY = 0x2000;
    private static final int QUEUE = 0x1000;
    private static final int INGRESS_TIMESTAMP = 0x0800;
    private static final int EGRESS_TIMESTAMP = 0x0400;
    private static final int LEVEL2_INTERFACES = 0x0200;
    private static final int UTILIZATION = 0x0100;
    private static final int BUFFER = 0x0080;
    private static final int DROP = 0x0001;

    /** D, Q, F and I. */
    public boolean dropped;

    public boolean congested;
    public boolean tracked;
    public boolean intermediate;

    /**
     * The packet carries metadata of nodes before this one, and {@link ReportFormat#own} says where that of this node goes.
     * Without a stack it goes to the main contents.
     */
    public boolean stacked;

    /** The reporting node. The node id is that of the format; a drop is shown when reason and queue are known (v0.5: the reason). */
    public final HopValues own = new HopValues();

    /** Which of them are wanted: an instruction bitmap of INT 2.x. */
    public int instructions;

    /** Domain of DS metadata and extension data. The words are in {@code own.domain}, in the order of {@link #dsMdBits}. */
    public int domainId;

    public int dsMdBits;
    public int dsMdStatus;

    /** Extension data of the domain, the first {@link #extensionWords} words; v2.0 only. */
    public final int[] extension = new int[MAX_EXTENSION_WORDS];

    public int extensionWords;
    /** Of the TLV that holds the extension data; 0 says nothing about its format. */
    public int extensionTemplate;

    /** Of the flow the packet belongs to: source ports are made of it. */
    public long flowHash;

    /** Length in the shim of the INT header, shim included: Transparent Security repeats it. */
    public int shimLength;

    /** Nothing is said and nothing is known. */
    public void clear() {
        dropped = false;
        congested = false;
        tracked = false;
        intermediate = false;
        stacked = false;
        own.clear();
        instructions = 0;
        domainId = 0;
        dsMdBits = 0;
        dsMdStatus = 0;
        extensionWords = 0;
        extensionTemplate = 0;
        flowHash = 0;
        shimLength = 0;
    }

    /**
     * The wanted items a node can tell: RepMdBits but for the drop. The node id is in the group header and INT's bit 15 means
     * something else here, so both are never asked for; what is unknown is left out rather than padded [TR 2.0 §3.3.1].
     */
    int available() {
        int bits = 0;
        bits |= both(own.ingressInterface, own.egressInterface) ? INTERFACES : 0;
        bits |= own.hopLatency != HopView.ABSENT ? LATENCY : 0;
        bits |= both(own.queueId, own.queueOccupancy) ? QUEUE : 0;
        bits |= ingressTimestamp();
        bits |= own.egressTimestamp != HopView.ABSENT ? EGRESS_TIMESTAMP : 0;
        bits |= both(own.level2IngressInterface, own.level2EgressInterface) ? LEVEL2_INTERFACES : 0;
        bits |= own.txUtilization != HopView.ABSENT ? UTILIZATION : 0;
        bits |= both(own.bufferId, own.bufferOccupancy) ? BUFFER : 0;
        return bits & instructions;
    }

    /** Its RepMdBit where it is known, wanted or not: the two halves of a separate report are joined by it. */
    int ingressTimestamp() {
        return own.ingressTimestamp != HopView.ABSENT ? INGRESS_TIMESTAMP : 0;
    }

    /** The RepMdBit of the drop word, or 0. */
    int drop() {
        return dropped && both(own.dropQueueId, own.dropReason) ? DROP : 0;
    }

    /** Words of DS metadata; none where they would contradict the bits, or in the default domain, which has none. */
    int domainWords(int limit) {
        boolean speaks = domainId != 0 && dsMdBits != 0;
        int words = own.domainWords;
        return speaks && words >= Integer.bitCount(dsMdBits) && words <= limit ? words : 0;
    }

    private static boolean both(long first, long second) {
        return first != HopView.ABSENT && second != HopView.ABSENT;
    }
}
