package io.pathlore.mitigate.bgp;

/** Of addresses, as multiprotocol BGP numbers them [RFC 4760]; always with SAFI 133, flow specifications [RFC 8955 §4]. */
enum Family {
    IPV4(1, "IPv4"),
    IPV6(2, "IPv6");

    static final int FLOW_SPECIFICATION = 133;

    private final int afi;
    private final String label;

    Family(int afi, String label) {
        this.afi = afi;
        this.label = label;
    }

    int afi() {
        return afi;
    }

    String label() {
        return label;
    }
}
