package io.pathlore.dataplane.lab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which ways lead to a host: all shortest ones, by number of links. What it knows of links is as of the last {@link #compute}.
 * Switches without hosts are nobody's destination and cost nothing.
 */
final class Routing {
    private static final int FAR = Integer.MAX_VALUE;

    private final Device[] devices;
    private final int switches;
    /** By host: the switch it is attached to, and the way from there. */
    private final Port[] lastPort;

    private final boolean[] reachable;
    /** By switch: its place among those that have hosts, or -1. */
    private final int[] site;

    /** By switch and site. */
    private Port[][][] next = {};

    Routing(Device[] devices, int switches) {
        this.devices = devices;
        this.switches = switches;
        int hosts = devices.length - switches;
        lastPort = new Port[hosts];
        reachable = new boolean[hosts];
        site = new int[switches];
        Arrays.fill(site, -1);
        int sites = 0;
        for (int host = 0; host < hosts; host++) {
            Port up = devices[switches + host].port(1);
            if (up.peer.host) {
                throw new IllegalArgumentException("host " + up.device.number + " is cabled to a host");
            }
            lastPort[host] = up.peer.port(up.peerInterface);
            if (site[up.peer.number] < 0) {
                site[up.peer.number] = sites++;
            }
        }
        compute();
    }

    void compute() {
        for (int host = 0; host < lastPort.length; host++) {
            reachable[host] = lastPort[host].up;
        }
        next = new Port[switches][][];
        int sites = 0;
        for (int at : site) {
            sites += at < 0 ? 0 : 1;
        }
        for (int from = 0; from < switches; from++) {
            next[from] = new Port[sites][];
        }
        int[] distance = new int[switches];
        int[] order = new int[switches];
        for (int to = 0; to < switches; to++) {
            if (site[to] >= 0) {
                measure(to, distance, order);
                for (int from = 0; from < switches; from++) {
                    next[from][site[to]] = nearer(from, distance);
                }
            }
        }
    }

    private void measure(int to, int[] distance, int[] order) {
        Arrays.fill(distance, FAR);
        distance[to] = 0;
        order[0] = to;
        int found = 1;
        for (int i = 0; i < found; i++) {
            Device at = devices[order[i]];
            for (Port port : at.ports) {
                if (port != null && port.up && !port.peer.host && distance[port.peer.number] == FAR) {
                    distance[port.peer.number] = distance[at.number] + 1;
                    order[found++] = port.peer.number;
                }
            }
        }
    }

    private Port[] nearer(int from, int[] distance) {
        if (distance[from] == FAR || distance[from] == 0) {
            return Port.NONE;
        }
        List<Port> nearer = new ArrayList<>();
        for (Port port : devices[from].ports) {
            if (port != null && port.up && !port.peer.host && distance[port.peer.number] == distance[from] - 1) {
                nearer.add(port);
            }
        }
        return nearer.toArray(Port.NONE);
    }

    /** The equal ways from a switch on the way to a host; none where it cannot be reached. Hot path. */
    Port[] choices(Device from, int toHost) {
        Port last = lastPort[toHost];
        return last.device == from ? Port.NONE : next[from.number][site[last.device.number]];
    }

    /** The way a packet takes, or null. {@code choices} are those of {@link #choices}. Hot path. */
    static @Nullable Port pick(Device from, Port[] choices, long hash) {
        int count = choices.length;
        if (count <= 1) {
            return count == 0 ? null : choices[0];
        }
        // Each switch mixes the hash in its own way, or all would choose alike and leave half of the ways unused.
        return choices[(int) Math.unsignedMultiplyHigh(Dice.mix(hash + from.number), count)];
    }

    /** The link to the host itself, where {@code from} is its switch and the link is known to be up; or null. */
    @Nullable
    Port last(Device from, int toHost) {
        Port last = lastPort[toHost];
        return last.device == from && reachable[toHost] ? last : null;
    }

    Device firstSwitch(int fromHost) {
        return devices[switches + fromHost].port(1).peer;
    }
}
