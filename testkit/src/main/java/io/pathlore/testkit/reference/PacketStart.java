package io.pathlore.testkit.reference;

/** The header a packet, or the fragment of one in a report, starts with. */
public enum PacketStart {
    ETHERNET,
    IPV4,
    IPV6
}
