package io.pathlore.wire.net;

/** EtherTypes the walker follows. */
final class EtherType {
    /** Smaller values are an 802.3 length. */
    static final int FIRST = 0x0600;

    static final int IPV4 = 0x0800;
    static final int ARP = 0x0806;
    static final int TRANSPARENT_ETHERNET = 0x6558;
    static final int VLAN = 0x8100;
    static final int IPV6 = 0x86DD;
    static final int MPLS = 0x8847;
    static final int MPLS_MULTICAST = 0x8848;
    static final int PPPOE_SESSION = 0x8864;
    static final int QINQ = 0x88A8;
    static final int NSH = 0x894F;
    static final int QINQ_9100 = 0x9100;
    static final int QINQ_9200 = 0x9200;

    private EtherType() {}

    static boolean isVlan(int etherType) {
        return etherType == VLAN || etherType == QINQ || etherType == QINQ_9100 || etherType == QINQ_9200;
    }

    /** Types a switch is likely to report; used to tell a frame from bytes that only look like one. */
    static boolean isPlausible(int etherType) {
        return etherType == IPV4
                || etherType == IPV6
                || etherType == ARP
                || isVlan(etherType)
                || etherType == MPLS
                || etherType == MPLS_MULTICAST
                || etherType == PPPOE_SESSION
                || etherType == NSH;
    }
}
