package io.pathlore.analysis.ddos;

/** Ports of services that answer strangers with more than they were asked with, over UDP. */
final class Services {
    private static final long[] PORTS = new long[65_536 / Long.SIZE];

    static {
        // Quote, chargen, DNS, TFTP, portmapper, NTP, NetBIOS, SNMP, LDAP, RIP, SQL Server, SSDP, remote desktops,
        // WS-Discovery,
        // mDNS, CoAP, memcached, game servers
        int[] ports = {
            17, 19, 53, 69, 111, 123, 137, 161, 389, 520, 1434, 1900, 3283, 3389, 3702, 5353, 5683, 11_211, 27_015
        };
        for (int port : ports) {
            PORTS[port / Long.SIZE] |= 1L << port % Long.SIZE;
        }
    }

    private Services() {}

    static boolean answers(int port) {
        return port >= 0 && (PORTS[port / Long.SIZE] & 1L << port % Long.SIZE) != 0;
    }
}
