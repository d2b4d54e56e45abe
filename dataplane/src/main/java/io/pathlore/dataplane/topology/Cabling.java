package io.pathlore.dataplane.topology;

import io.pathlore.dataplane.topology.Topology.End;
import io.pathlore.dataplane.topology.Topology.Host;
import io.pathlore.dataplane.topology.Topology.Kind;
import io.pathlore.dataplane.topology.Topology.Link;
import io.pathlore.dataplane.topology.Topology.Switch;
import io.pathlore.dataplane.topology.Topology.Tier;
import java.util.ArrayList;
import java.util.List;

/**
 * A network being put together, and its address plan: switch n has node id n + 1 and the management address 10.255.a.b, whose
 * lower 24 bits are nobody else's, so that a live run can send from 127.255.a.b; hosts at a switch or in a home share
 * 10.a.b.0/24 and fd00:0:0:ab::/64; hosts of the internet are in 198.51.100.0/24, 203.0.113.0/24 and 2001:db8::/32. Interfaces
 * are numbered from 1 in the order of cabling. Switches come before hosts.
 */
final class Cabling {
    private static final int MANAGEMENT = 0x0AFF_0000;
    private static final int INSIDE = 0x0A00_0000;
    private static final long INSIDE_V6 = 0xFD00_0000_0000_0000L;
    private static final int[] OUTSIDE = {0xC633_6400, 0xCB00_7100};
    private static final long OUTSIDE_V6 = 0x2001_0DB8_0000_0000L;
    /** Locally administered. */
    private static final long MAC = 0x0200_0000_0000L;

    /** More would run into 10.255.0.0/16. */
    private static final int MAX_SUBNETS = 255 * 256;

    private static final int MAX_SWITCHES = 65_534;
    private static final int MAX_HOSTS = 254;

    private final List<Switch> switches = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Integer> interfaces = new ArrayList<>();
    private int outside;

    int addSwitch(String name, Tier tier, boolean speaksInt) {
        int device = switches.size();
        if (!hosts.isEmpty()) {
            throw new IllegalStateException("switches come before hosts");
        }
        if (device >= MAX_SWITCHES) {
            throw new IllegalArgumentException("more than " + MAX_SWITCHES + " switches");
        }
        switches.add(new Switch(device, device + 1L, name, tier, MANAGEMENT + device + 1, speaksInt));
        interfaces.add(0);
        return device;
    }

    /** The n-th host, from 0, of a subnet. */
    int addHost(String name, Kind kind, int subnet, int n) {
        if (subnet >= MAX_SUBNETS || n >= MAX_HOSTS) {
            throw new IllegalArgumentException("no address for host " + n + " of subnet " + subnet);
        }
        return add(name, kind, INSIDE + (subnet << 8) + n + 1, INSIDE_V6 + subnet, n + 1);
    }

    int addInternetHost(String name) {
        if (outside >= OUTSIDE.length * MAX_HOSTS) {
            throw new IllegalArgumentException("more than " + OUTSIDE.length * MAX_HOSTS + " hosts of the internet");
        }
        int n = outside++;
        return add(name, Kind.INTERNET, OUTSIDE[n % OUTSIDE.length] + n / OUTSIDE.length + 1, OUTSIDE_V6 + n + 1, 1);
    }

    private int add(String name, Kind kind, int ipv4, long ipv6High, long ipv6Low) {
        int device = switches.size() + hosts.size();
        hosts.add(new Host(device, name, kind, MAC + hosts.size() + 1, ipv4, ipv6High, ipv6Low));
        interfaces.add(0);
        return device;
    }

    void link(int a, int b, LinkSpec spec) {
        links.add(new Link(end(a), end(b), spec.bitsPerSecond(), spec.delayNanos(), spec.mtu()));
    }

    private End end(int device) {
        int number = interfaces.get(device) + 1;
        interfaces.set(device, number);
        return new End(device, number);
    }

    Topology build(String name) {
        return new Topology(name, switches, hosts, links);
    }
}
