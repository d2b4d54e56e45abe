package io.pathlore.wire.inband;

/**
 * What one node has to say of itself, to be written by {@link HopEncoder}. A plain struct that is filled again for every
 * hop: the fields bear the names of {@link HopView}'s accessors and hold {@link HopView#ABSENT} where nothing is known.
 */
public final class HopValues {
    /** More than the Length of any shim can say. */
    private static final int MAX_DOMAIN_WORDS = 255;

    public long nodeId;
    public long ingressInterface;
    public long egressInterface;
    public long hopLatency;
    public long queueId;
    public long queueOccupancy;
    public long queueCongestion;
    public long ingressTimestamp;
    public long egressTimestamp;
    public long level2IngressInterface;
    public long level2EgressInterface;
    public long txUtilization;
    public long bufferId;
    public long bufferOccupancy;
    public long dropQueueId;
    public long dropReason;
    public long checksumComplement;
    /** Domain specific words in DS bit order, the first {@link #domainWords} of them. */
    public final int[] domain = new int[MAX_DOMAIN_WORDS];

    public int domainWords;

    public HopValues() {
        clear();
    }

    /** Nothing is known. */
    public void clear() {
        nodeId = HopView.ABSENT;
        ingressInterface = HopView.ABSENT;
        egressInterface = HopView.ABSENT;
        hopLatency = HopView.ABSENT;
        queueId = HopView.ABSENT;
        queueOccupancy = HopView.ABSENT;
        queueCongestion = HopView.ABSENT;
        ingressTimestamp = HopView.ABSENT;
        egressTimestamp = HopView.ABSENT;
        level2IngressInterface = HopView.ABSENT;
        level2EgressInterface = HopView.ABSENT;
        txUtilization = HopView.ABSENT;
        bufferId = HopView.ABSENT;
        bufferOccupancy = HopView.ABSENT;
        dropQueueId = HopView.ABSENT;
        dropReason = HopView.ABSENT;
        checksumComplement = HopView.ABSENT;
        domainWords = 0;
    }

    /** Everything the hop shows; what it does not show becomes absent. */
    public void copyFrom(HopView hop) {
        nodeId = hop.nodeId();
        ingressInterface = hop.ingressInterface();
        egressInterface = hop.egressInterface();
        hopLatency = hop.hopLatency();
        queueId = hop.queueId();
        queueOccupancy = hop.queueOccupancy();
        queueCongestion = hop.queueCongestion();
        ingressTimestamp = hop.ingressTimestamp();
        egressTimestamp = hop.egressTimestamp();
        level2IngressInterface = hop.level2IngressInterface();
        level2EgressInterface = hop.level2EgressInterface();
        txUtilization = hop.txUtilization();
        bufferId = hop.bufferId();
        bufferOccupancy = hop.bufferOccupancy();
        dropQueueId = hop.dropQueueId();
        dropReason = hop.dropReason();
        checksumComplement = hop.checksumComplement();
        domainWords = Math.min(hop.domainWords(), domain.length);
        for (int i = 0; i < domainWords; i++) {
            domain[i] = hop.domainWord(i);
        }
    }
}
