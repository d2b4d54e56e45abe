package io.pathlore.dataplane.report;

/** What the packet in a report starts with. */
public enum InnerStart {
    ETHERNET,
    /** Behind Ethernet and VLAN tags; what is not IPv4 or IPv6 starts with Ethernet all the same. */
    IP
}
