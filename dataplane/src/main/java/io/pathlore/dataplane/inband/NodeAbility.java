package io.pathlore.dataplane.inband;

/**
 * Where the specifications leave a node the choice.
 *
 * @param padsUnknown reserved instruction bits and domains the node does not know are filled with ones; otherwise it adds
 *     nothing to such packets
 * @param complements where a checksum complement is asked for, the node writes it and leaves the L4 checksum as it is;
 *     otherwise it updates the checksum and writes all ones
 * @param intermediateReports at the MTU the node reports and clears the stack (2.x); otherwise it sets M
 * @param maxHopWords more words than these it cannot add to a packet
 */
public record NodeAbility(boolean padsUnknown, boolean complements, boolean intermediateReports, int maxHopWords) {
    /** Pads, updates checksums, sets M. */
    public static final NodeAbility DEFAULT = new NodeAbility(true, false, false, 255);

    public NodeAbility withPadsUnknown(boolean padsUnknown) {
        return new NodeAbility(padsUnknown, complements, intermediateReports, maxHopWords);
    }

    public NodeAbility withComplements(boolean complements) {
        return new NodeAbility(padsUnknown, complements, intermediateReports, maxHopWords);
    }

    public NodeAbility withIntermediateReports(boolean intermediateReports) {
        return new NodeAbility(padsUnknown, complements, intermediateReports, maxHopWords);
    }

    public NodeAbility withMaxHopWords(int maxHopWords) {
        return new NodeAbility(padsUnknown, complements, intermediateReports, maxHopWords);
    }
}
