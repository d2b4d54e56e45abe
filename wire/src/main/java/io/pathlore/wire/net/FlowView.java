package io.pathlore.wire.net;

import java.nio.ByteBuffer;

/**
 * Addresses, protocol and ports of one direction of a flow, as numbers. Hot path: filled again for every packet. What the
 * packet does not show is {@link #ABSENT}, never 0.
 */
public final class FlowView {
    public static final int ABSENT = -1;

    boolean known;
    boolean v6;
    long sourceHigh;
    long sourceLow;
    long destinationHigh;
    long destinationLow;
    int protocol;
    int sourcePort;
    int destinationPort;
    int icmpType;
    int icmpCode;
    int vni;

    void clear() {
        known = false;
    }

    private void begin(boolean v6, int protocol) {
        known = true;
        this.v6 = v6;
        this.protocol = protocol;
        vni = ABSENT;
        sourcePort = ABSENT;
        destinationPort = ABSENT;
        icmpType = ABSENT;
        icmpCode = ABSENT;
    }

    void ipv4(long addresses, int protocol) {
        begin(false, protocol);
        sourceHigh = 0;
        sourceLow = addresses >>> 32;
        destinationHigh = 0;
        destinationLow = addresses & 0xFFFF_FFFFL;
    }

    void ipv6(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, int protocol) {
        begin(true, protocol);
        this.sourceHigh = sourceHigh;
        this.sourceLow = sourceLow;
        this.destinationHigh = destinationHigh;
        this.destinationLow = destinationLow;
    }

    /** The same packet once the UDP header of an INT source is taken away. */
    void beneath(FlowView outer, int protocol) {
        begin(outer.v6, protocol);
        copyAddresses(outer);
    }

    void copyAddresses(FlowView of) {
        sourceHigh = of.sourceHigh;
        sourceLow = of.sourceLow;
        destinationHigh = of.destinationHigh;
        destinationLow = of.destinationLow;
    }

    void readAddresses(ByteBuffer buffer, int ip) {
        if (v6) {
            sourceHigh = buffer.getLong(ip + 8);
            sourceLow = buffer.getLong(ip + 16);
            destinationHigh = buffer.getLong(ip + 24);
            destinationLow = buffer.getLong(ip + 32);
        } else {
            long both = buffer.getLong(ip + 12);
            sourceLow = both >>> 32;
            destinationLow = both & 0xFFFF_FFFFL;
        }
    }

    void readPorts(ByteBuffer buffer, int l4) {
        ports(buffer.getInt(l4));
    }

    /** Where eight octets are there, so that reads of one width share their bounds checks. */
    void readPortsWide(ByteBuffer buffer, int l4) {
        ports((int) (buffer.getLong(l4) >>> 32));
    }

    private void ports(int both) {
        sourcePort = both >>> 16;
        destinationPort = both & 0xFFFF;
    }

    boolean sameAs(FlowView other) {
        return known == other.known
                && v6 == other.v6
                && sourceHigh == other.sourceHigh
                && sourceLow == other.sourceLow
                && destinationHigh == other.destinationHigh
                && destinationLow == other.destinationLow
                && protocol == other.protocol
                && sourcePort == other.sourcePort
                && destinationPort == other.destinationPort
                && icmpType == other.icmpType
                && icmpCode == other.icmpCode;
    }

    /** False when the packet stops before its addresses. */
    public boolean known() {
        return known;
    }

    public boolean v6() {
        return v6;
    }

    /** Upper half of an IPv6 address, 0 for IPv4. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** Lower half of an IPv6 address, or the IPv4 address. */
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

    public int icmpType() {
        return icmpType;
    }

    public int icmpCode() {
        return icmpCode;
    }

    /** VNI of the innermost overlay around this flow. */
    public int vni() {
        return vni;
    }
}
