package io.pathlore.analysis.sequence;

/**
 * What one counter numbers: the datagrams of one subsystem of a node to one destination, as far as the exporter's address tells
 * nodes apart that use the same id. Filled anew for every datagram; addresses are IPv6, or IPv4 mapped into it.
 */
public final class StreamKey {
    static final int LENGTH = 48;

    long exporterHigh;
    long exporterLow;
    long destinationHigh;
    long destinationLow;
    long source;
    int port;

    public StreamKey exporter(long high, long low) {
        exporterHigh = high;
        exporterLow = low;
        return this;
    }

    public StreamKey destination(long high, long low, int port) {
        destinationHigh = high;
        destinationLow = low;
        this.port = port & 0xFFFF;
        return this;
    }

    /** [TR 0.5]: one hw_id of the sender, who has no id. */
    public StreamKey version05(int hwId) {
        return source(Version.TR05, 0, hwId);
    }

    /** [TR 1.0]: (Switch id, hw_id). */
    public StreamKey version10(long switchId, int hwId) {
        return source(Version.TR10, switchId, hwId);
    }

    /** [TR 2.0 §3.2]: (Node ID, hw_id). */
    public StreamKey version20(long nodeId, int hwId) {
        return source(Version.TR20, nodeId, hwId);
    }

    private StreamKey source(Version version, long nodeId, int hwId) {
        source = (nodeId & 0xFFFF_FFFFL) << 32 | (hwId & 0xFFFFL) << 8 | version.ordinal();
        return this;
    }

    Version version() {
        return Version.of((int) source & 0xFF);
    }

    /** Seeded, so that a sender who knows the code cannot choose keys that collide. */
    int hash(long seed) {
        long other = Long.rotateLeft(seed, 32) ^ 0x9E37_79B9_7F4A_7C15L;
        long exporter = fold(exporterHigh ^ seed, exporterLow ^ other);
        long destination = fold(destinationHigh ^ seed, destinationLow ^ other);
        long h = fold(source ^ exporter ^ seed, port ^ destination ^ other);
        return (int) (h >>> 32);
    }

    /** Both halves of a product: every bit of either factor may change every bit of it. */
    private static long fold(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }

    /** The version of a report decides how wide its counter is. */
    public enum Version {
        TR05(32),
        TR10(32),
        TR20(22);

        private static final Version[] VALUES = values();
        private final int width;

        Version(int width) {
            this.width = width;
        }

        public int width() {
            return width;
        }

        static Version of(int ordinal) {
            return VALUES[ordinal];
        }
    }
}
