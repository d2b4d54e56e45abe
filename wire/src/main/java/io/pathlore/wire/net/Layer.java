package io.pathlore.wire.net;

/** A protocol header inside a packet, by the name decoded reports use. */
public enum Layer {
    ETHERNET("ethernet"),
    VLAN("vlan"),
    MPLS("mpls"),
    PPPOE("pppoe"),
    ARP("arp"),
    IPV4("ipv4"),
    IPV6("ipv6"),
    HOP_BY_HOP("hop-by-hop"),
    ROUTING("routing"),
    FRAGMENT("fragment"),
    DESTINATION_OPTIONS("destination-options"),
    MOBILITY("mobility"),
    HIP("hip"),
    SHIM6("shim6"),
    AH("ah"),
    ESP("esp"),
    TCP("tcp"),
    UDP("udp"),
    UDP_LITE("udp-lite"),
    DCCP("dccp"),
    SCTP("sctp"),
    ICMP("icmp"),
    ICMPV6("icmpv6"),
    IGMP("igmp"),
    VXLAN("vxlan"),
    VXLAN_GPE("vxlan-gpe"),
    GENEVE("geneve"),
    GTP_U("gtp-u"),
    GRE("gre"),
    NSH("nsh"),
    IOAM("ioam"),
    INT("int");

    private final String label;

    Layer(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
