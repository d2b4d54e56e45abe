package io.pathlore.dataplane.inband;

import io.pathlore.wire.inband.IntVersion;

/**
 * What a source does to the packets of a watchlist entry.
 *
 * @param version of the INT header; V2 for MX
 * @param hopLimit how many nodes may push, the source included
 * @param discard D: the sink discards the packet after extraction (2.x)
 * @param replicate Rep: 0 to 3 (June 2016 to 1.0)
 * @param sourcePushes whether the source adds its own metadata, or only the header
 * @param complement a node leaves the L4 checksum as it is and writes the complement (needs bit 15; 1.0, 2.x MD); otherwise it
 *     updates the checksum and writes all ones
 * @param destinationHeader the source adds a destination header with its sequence number and the original TTL
 * @param transparentSecurity the dialect: Length counts the shim, the source does not count itself
 */
public record IntTask(
        Mode mode,
        IntVersion version,
        Carrier carrier,
        Instructions instructions,
        int hopLimit,
        boolean discard,
        int replicate,
        boolean sourcePushes,
        boolean complement,
        boolean destinationHeader,
        boolean transparentSecurity) {
    public static IntTask md(Carrier carrier, Instructions instructions, int hopLimit) {
        return new IntTask(
                Mode.MD, IntVersion.V2, carrier, instructions, hopLimit, false, 0, true, false, false, false);
    }

    public static IntTask mx(Carrier carrier, Instructions instructions) {
        return new IntTask(Mode.MX, IntVersion.V2, carrier, instructions, 0, false, 0, false, false, false, false);
    }

    /** Version and carrier mean nothing: the packet is untouched. */
    public static IntTask xd(Instructions instructions) {
        return new IntTask(
                Mode.XD, IntVersion.V2, Carrier.NEW_UDP, instructions, 0, false, 0, false, false, false, false);
    }
}
