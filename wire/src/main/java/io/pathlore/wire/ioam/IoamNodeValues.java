package io.pathlore.wire.ioam;

/**
 * What one node has to say in an IOAM trace, to be written by {@link IoamEncoder#node}. A plain struct: the fields bear the
 * names of {@link IoamNodeView}'s accessors and hold {@link IoamNodeView#ABSENT} where nothing is known.
 */
public final class IoamNodeValues {
    /** The Length of a snapshot has 8 bits. */
    private static final int MAX_SNAPSHOT_WORDS = 255;

    public long hopLimit;
    public long nodeId;
    public long ingressInterface;
    public long egressInterface;
    public long timestampSeconds;
    public long timestampFraction;
    public long transitDelay;
    public long namespaceData;
    public long queueDepth;
    public long checksumComplement;
    public long nodeIdWide;
    public long ingressInterfaceWide;
    public long egressInterfaceWide;
    public long namespaceDataWide;
    public long bufferOccupancy;
    public long snapshotSchema;
    /** The first {@link #snapshotWords} of these. */
    public final int[] snapshot = new int[MAX_SNAPSHOT_WORDS];

    public int snapshotWords;

    public IoamNodeValues() {
        clear();
    }

    /** Nothing is known. */
    public void clear() {
        hopLimit = IoamNodeView.ABSENT;
        nodeId = IoamNodeView.ABSENT;
        ingressInterface = IoamNodeView.ABSENT;
        egressInterface = IoamNodeView.ABSENT;
        timestampSeconds = IoamNodeView.ABSENT;
        timestampFraction = IoamNodeView.ABSENT;
        transitDelay = IoamNodeView.ABSENT;
        namespaceData = IoamNodeView.ABSENT;
        queueDepth = IoamNodeView.ABSENT;
        checksumComplement = IoamNodeView.ABSENT;
        nodeIdWide = IoamNodeView.ABSENT;
        ingressInterfaceWide = IoamNodeView.ABSENT;
        egressInterfaceWide = IoamNodeView.ABSENT;
        namespaceDataWide = IoamNodeView.ABSENT;
        bufferOccupancy = IoamNodeView.ABSENT;
        snapshotSchema = IoamNodeView.ABSENT;
        snapshotWords = 0;
    }
}
