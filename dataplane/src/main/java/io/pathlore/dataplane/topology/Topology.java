package io.pathlore.dataplane.topology;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** A network as it is cabled. Devices are numbered from 0, switches first, then hosts. */
public record Topology(String name, List<Switch> switches, List<Host> hosts, List<Link> links) {
    public Topology {
        switches = List.copyOf(switches);
        hosts = List.copyOf(hosts);
        links = List.copyOf(links);
    }

    public boolean isHost(int device) {
        return device >= switches.size();
    }

    /** The host with that device number. */
    public Host host(int device) {
        return hosts.get(device - switches.size());
    }

    /** How many interfaces a device has: they are numbered from 1 to this. */
    public int interfaces(int device) {
        int last = 0;
        for (Link link : links) {
            last = link.a().device() == device ? Math.max(last, link.a().interfaceId()) : last;
            last = link.b().device() == device ? Math.max(last, link.b().interfaceId()) : last;
        }
        return last;
    }

    /** The other end of the link at that interface. */
    public End peer(int device, int interfaceId) {
        for (Link link : links) {
            if (link.a().device() == device && link.a().interfaceId() == interfaceId) {
                return link.b();
            }
            if (link.b().device() == device && link.b().interfaceId() == interfaceId) {
                return link.a();
            }
        }
        throw new IllegalArgumentException("device " + device + " has no interface " + interfaceId);
    }

    /** The place in {@link #links} of the link between two devices, the first if there are more; -1 where there is none. */
    public int link(int device, int other) {
        for (int i = 0; i < links.size(); i++) {
            int a = links.get(i).a().device();
            int b = links.get(i).b().device();
            if (a == device && b == other || a == other && b == device) {
                return i;
            }
        }
        return -1;
    }

    /** The interface of a device towards another that it is cabled to. */
    public int interfaceTowards(int device, int other) {
        int link = link(device, other);
        if (link < 0) {
            throw new IllegalArgumentException("no link from device " + device + " to " + other);
        }
        Link found = links.get(link);
        return found.a().device() == device
                ? found.a().interfaceId()
                : found.b().interfaceId();
    }

    /**
     * The interfaces of a switch where the INT domain ends, in rising order: towards hosts, and towards gateways that do not
     * speak INT. Other switches that do not speak it are in the midst of the domain.
     */
    public int[] edgeInterfaces(int device) {
        return IntStream.rangeClosed(1, interfaces(device))
                .filter(i -> {
                    int peer = peer(device, i).device();
                    return isHost(peer)
                            || switches.get(peer).tier() == Tier.GATEWAY
                                    && !switches.get(peer).speaksInt();
                })
                .toArray();
    }

    /** The same network, in which these switches forward only. */
    public Topology withoutInt(Set<Integer> devices) {
        List<Switch> changed = switches.stream()
                .map(s -> devices.contains(s.device())
                        ? new Switch(s.device(), s.nodeId(), s.name(), s.tier(), s.address(), false)
                        : s)
                .toList();
        return new Topology(name, changed, hosts, links);
    }

    /**
     * The same network with its nodes numbered from there on, and other addresses inside, so that it can stand beside another. The
     * internet is the same for all.
     */
    public Topology numberedFrom(int firstNode) {
        int more = firstNode - 1;
        List<Switch> others = switches.stream()
                .map(s -> new Switch(
                        s.device(), s.nodeId() + more, s.name(), s.tier(), s.address() + more, s.speaksInt()))
                .toList();
        List<Host> moved = hosts.stream()
                .map(h -> h.kind() == Kind.INTERNET
                        ? h
                        : new Host(
                                h.device(),
                                h.name(),
                                h.kind(),
                                h.mac() + ((long) more << Byte.SIZE),
                                h.ipv4() + (more << Byte.SIZE),
                                h.ipv6High() + more,
                                h.ipv6Low()))
                .toList();
        return new Topology(name, others, moved, links);
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
