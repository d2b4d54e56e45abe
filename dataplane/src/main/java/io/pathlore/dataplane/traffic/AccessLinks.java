package io.pathlore.dataplane.traffic;

import io.pathlore.dataplane.topology.Topology;
import io.pathlore.dataplane.topology.Topology.Link;

/** What hosts can send at most. */
final class AccessLinks {
    private AccessLinks() {}

    /** Rate of the fastest link of a host. */
    static long bitsPerSecond(Topology topology, int host) {
        int device = topology.hosts().get(host).device();
        long fastest = 0;
        for (Link link : topology.links()) {
            if (link.a().device() == device || link.b().device() == device) {
                fastest = Math.max(fastest, link.bitsPerSecond());
            }
        }
        if (fastest == 0) {
            throw new IllegalArgumentException(
                    "from: host " + topology.hosts().get(host).name() + " has no link");
        }
        return fastest;
    }
}
