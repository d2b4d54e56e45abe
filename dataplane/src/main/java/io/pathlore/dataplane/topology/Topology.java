package io.pathlore.dataplane.topology;

import java.util.List;

/** A network as it is cabled. Devices are numbered from 0, switches first, then hosts. */
public record Topology(String name, List<Switch> switches, List<Host> hosts, List<Link> links) {
    public Topology {
        switches = List.copyOf(switches);
        hosts = List.copyOf(hosts);
        links = List.copyOf(links);
    }

    /** Where a switch stands; decides where INT begins and ends, and what the shipped scenarios break. */
    public enum Tier {
        EDGE,
        AGGREGATION,
        CORE,
        GATEWAY
    }

    /**
     * A device that forwards.
     *
     * @param nodeId what it writes on the wire
     * @param address of its management interface, an IPv4 address
     * @param speaksInt otherwise it forwards only, and nobody hears of it
     */
    public record Switch(int device, long nodeId, String name, Tier tier, int address, boolean speaksInt) {}

    /** What a host is for; traffic generators choose by it. */
    public enum Kind {
        SERVER,
        CLIENT,
        CAMERA,
        SENSOR,
        SPEAKER,
        INTERNET
    }

    public record Host(int device, String name, Kind kind, long mac, int ipv4, long ipv6High, long ipv6Low) {}

    /** One end of a link. Interfaces are numbered from 1. */
    public record End(int device, int interfaceId) {}

    /** Both directions are alike. */
    public record Link(End a, End b, long bitsPerSecond, long delayNanos, int mtu) {}
}
