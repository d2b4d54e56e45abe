package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology.Host;

/**
 * Who sends to whom: the fields that all packets of one direction of a flow share. Filled again for every flow, or for every
 * packet where addresses are forged. Hot path.
 */
final class Endpoints {
    long sourceMac;
    long destinationMac;
    boolean v6;
    /** IPv4: the address in the lower 32 bits of the lower half. */
    long sourceHigh;

    long sourceLow;
    long destinationHigh;
    long destinationLow;
    int sourcePort;
    int destinationPort;
    /** Of IPv6. */
    int flowLabel;
    /** DSCP and ECN. */
    int trafficClass;
    /** IPv4 identification of the next packet. */
    int nextId;
    /** Ends of the tunnel around the packet, where there is one: the hosts themselves. */
    int sourceTunnel;

    int destinationTunnel;

    Endpoints between(Host from, Host to, boolean v6, int sourcePort, int destinationPort, int trafficClass) {
        sourceMac = from.mac();
        destinationMac = to.mac();
        this.v6 = v6;
        sourceHigh = v6 ? from.ipv6High() : 0;
        sourceLow = v6 ? from.ipv6Low() : Integer.toUnsignedLong(from.ipv4());
        destinationHigh = v6 ? to.ipv6High() : 0;
        destinationLow = v6 ? to.ipv6Low() : Integer.toUnsignedLong(to.ipv4());
        this.sourcePort = sourcePort;
        this.destinationPort = destinationPort;
        this.trafficClass = trafficClass;
        sourceTunnel = from.ipv4();
        destinationTunnel = to.ipv4();
        return this;
    }

    /** The label and the first identification are the sender's choice. */
    Endpoints numbered(Dice dice) {
        long number = dice.nextLong();
        flowLabel = (int) number & 0xF_FFFF;
        nextId = (int) (number >>> 48);
        return this;
    }
}
