package io.pathlore.dataplane.watch;

/** Ports from {@code first} to {@code last}, both included. */
public record PortRange(int first, int last) {
    public static PortRange of(int port) {
        return new PortRange(port, port);
    }

    public PortRange {
        if (first < 0 || last > 0xFFFF || first > last) {
            throw new IllegalArgumentException("ports " + first + " to " + last);
        }
    }

    /** Hot path. A packet that shows no port is in no range. */
    public boolean contains(int port) {
        return port >= first && port <= last;
    }
}
