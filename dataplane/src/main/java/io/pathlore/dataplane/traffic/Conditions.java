package io.pathlore.dataplane.traffic;

/** What all sources have in common: when they send, and how their packets travel. */
public record Conditions(Window window, IpVersion ip, int dscp, Tunnel tunnel) {
    public static final Conditions DEFAULT = new Conditions(Window.ALWAYS, IpVersion.V4, 0, Tunnel.NONE);

    public Conditions {
        if (dscp < 0 || dscp > 63) {
            throw new IllegalArgumentException("dscp: " + dscp + " is not from 0 to 63");
        }
    }

    int trafficClass() {
        return dscp << 2;
    }

    PacketWriter writer() {
        return new PacketWriter(tunnel);
    }
}
