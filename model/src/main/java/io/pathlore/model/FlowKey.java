package io.pathlore.model;

/**
 * One direction of a flow: addresses, protocol, ports or ICMP type and code, and the overlay it runs in. What a packet does not
 * show is {@link #ABSENT}, never 0; an ICMP flow has no ports, any other no type and code.
 *
 * @param sourceHigh upper half of an IPv6 address, 0 for IPv4
 * @param sourceLow lower half of an IPv6 address, or the IPv4 address
 */
public record FlowKey(
        boolean v6,
        long sourceHigh,
        long sourceLow,
        long destinationHigh,
        long destinationLow,
        int protocol,
        int sourcePort,
        int destinationPort,
        int icmpType,
        int icmpCode,
        int vni) {
    public static final int ABSENT = -1;

    public static FlowKey ipv4(int source, int destination, int protocol, int sourcePort, int destinationPort) {
        return new FlowKey(
                false,
                0,
                Integer.toUnsignedLong(source),
                0,
                Integer.toUnsignedLong(destination),
                protocol,
                sourcePort,
                destinationPort,
                ABSENT,
                ABSENT,
                ABSENT);
    }

    public FlowKey withVni(int vni) {
        return new FlowKey(
                v6,
                sourceHigh,
                sourceLow,
                destinationHigh,
                destinationLow,
                protocol,
                sourcePort,
                destinationPort,
                icmpType,
                icmpCode,
                vni);
    }

    public String source() {
        return IpText.of(v6, sourceHigh, sourceLow);
    }

    public String destination() {
        return IpText.of(v6, destinationHigh, destinationLow);
    }

    public FlowId id() {
        return FlowId.of(this);
    }

    /**
     * {@code source,destination,protocol,sourcePort,destinationPort,vni}; for ICMP its type and code in place of the ports; what
     * is absent is empty: {@code 10.0.1.1,10.0.2.2,6,45678,80,}.
     */
    public String canonical() {
        boolean icmp = icmpType != ABSENT;
        return source()
                + ','
                + destination()
                + ','
                + protocol
                + ','
                + optional(icmp ? icmpType : sourcePort)
                + ','
                + optional(icmp ? icmpCode : destinationPort)
                + ','
                + optional(vni);
    }

    private static String optional(int value) {
        return value == ABSENT ? "" : Integer.toString(value);
    }
}
