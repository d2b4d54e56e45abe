package io.pathlore.dataplane.truth;

/** What the postcards of the packets seen last have shown, packet by packet. */
final class PacketJoin {
    private static final int PACKETS = 64;

    private final long[] hashes = new long[PACKETS];
    private final long[] seen = new long[PACKETS];
    private int next;

    /** Returns all bits of the packet, these among them. */
    long add(long hash, long bits) {
        for (int i = 0; i < PACKETS; i++) {
            if (hashes[i] == hash && seen[i] != 0) {
                seen[i] |= bits;
                return seen[i];
            }
        }
        int at = next++ % PACKETS;
        hashes[at] = hash;
        seen[at] = bits;
        return bits;
    }
}
