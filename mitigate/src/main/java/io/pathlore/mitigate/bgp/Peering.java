package io.pathlore.mitigate.bgp;

import java.net.InetSocketAddress;

/**
 * Who talks to whom.
 *
 * @param peer the router, which waits for us
 * @param identifier ours, an IPv4 address by custom
 */
public record Peering(InetSocketAddress peer, long localAs, long peerAs, int identifier, int holdSeconds) {
    private static final int SHORTEST_HOLD = 3;
    private static final int LONGEST_HOLD = 65_535;

    public Peering {
        if (localAs <= 0 || localAs >>> 32 != 0 || peerAs <= 0 || peerAs >>> 32 != 0) {
            throw new IllegalArgumentException("an AS number is 1 to 4294967295");
        }
        if (identifier == 0) {
            throw new IllegalArgumentException("a router id of 0.0.0.0");
        }
        // Without a hold time a router would keep our rules although we are gone.
        if (holdSeconds < SHORTEST_HOLD || holdSeconds > LONGEST_HOLD) {
            throw new IllegalArgumentException("a hold time is 3 to 65535 seconds");
        }
    }

    boolean internal() {
        return localAs == peerAs;
    }

    @Override
    public String toString() {
        return peer.getHostString() + ":" + peer.getPort();
    }
}
