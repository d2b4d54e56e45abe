package io.pathlore.dataplane.inband;

import io.pathlore.wire.Domains;
import io.pathlore.wire.inband.IntVersion;

/**
 * What a source does to the packets of a watchlist entry. Combinations that the version does not allow are refused.
 *
 * @param version of the INT header; V2 for MX
 * @param hopLimit how many nodes may push, the source included: 1 to 255
 * @param discard D: the sink discards the packet after extraction (2.x)
 * @param replicate Rep: 0 to 3 (June 2016 to 1.0)
 * @param sourcePushes whether the source adds its own metadata, or only the header
 * @param complement a node leaves the L4 checksum as it is and writes the complement (needs bit 15; 1.0, 2.x MD); otherwise it
 *     updates the checksum and writes all ones
 * @param destinationHeader the source adds a destination header with its sequence number and the original TTL; where shims
 *     or options chain: VXLAN-GPE, Geneve, GRE
 * @param transparentSecurity the dialect: Length counts the shim, the source does not count itself
 * @param tunnelSource IPv4 addresses of the outer header that a source adds around packets without GRE
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
        boolean transparentSecurity,
        int tunnelSource,
        int tunnelDestination) {
    private static final int COMPLEMENT = 0x0001;

    public IntTask {
        if (mode != Mode.XD) {
            require(allows(version, carrier), "INT " + version.label() + " has no carrier " + carrier);
            require(!discard || version == IntVersion.V2, "D is of INT 2.x");
            require(replicate >= 0 && replicate <= 3, "Rep " + replicate + " is not in 0 to 3");
            require(replicate == 0 || version != IntVersion.V2, "Rep is of INT before 2.0");
            require(
                    version == IntVersion.V2
                            || (instructions.domainId() | instructions.dsInstructions() | instructions.dsFlags()) == 0,
                    "domain specific metadata is of INT 2.x");
            require(
                    instructions.domainId() != 0 || instructions.dsInstructions() == 0,
                    "the default domain has no instructions of its own");
            require((instructions.bitmap() | instructions.dsInstructions()) != 0, "no instructions");
            int reserved = HopWriter.reserved(version) | (mode == Mode.MX ? COMPLEMENT : 0);
            require((instructions.bitmap() & reserved) == 0, "reserved instruction bits");
            require(
                    !destinationHeader
                            || carrier == Carrier.VXLAN_GPE
                            || carrier == Carrier.GENEVE
                            || carrier == Carrier.GRE,
                    "a destination header cannot follow over " + carrier);
            require(
                    !complement || HopWriter.hasComplement(version, instructions.bitmap()) && mode == Mode.MD,
                    "no complement without bit 15 of INT 1.0 or 2.x MD");
            require(
                    !transparentSecurity
                            || mode == Mode.MD
                                    && carrier == Carrier.NEW_UDP
                                    && instructions.domainId() == Domains.TRANSPARENT_SECURITY
                                    && instructions.dsInstructions() != 0
                                    && sourcePushes,
                    "Transparent Security is INT-MD over a new UDP header with a device in domain 0x5453");
        }
        if (mode == Mode.MD) {
            require(hopLimit >= 1 && hopLimit <= 255, "hop limit " + hopLimit + " is not in 1 to 255");
        }
        require(mode != Mode.MX || version == IntVersion.V2, "INT-MX is of INT 2.x");
    }

    /** Without an outer header for GRE. */
    public IntTask(
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
        this(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                0,
                0);
    }

    public static IntTask md(Carrier carrier, Instructions instructions, int hopLimit) {
        return md(IntVersion.V2, carrier, instructions, hopLimit);
    }

    public static IntTask md(IntVersion version, Carrier carrier, Instructions instructions, int hopLimit) {
        return new IntTask(
                Mode.MD, version, carrier, instructions, hopLimit, false, 0, true, false, false, false, 0, 0);
    }

    public static IntTask mx(Carrier carrier, Instructions instructions) {
        return new IntTask(
                Mode.MX, IntVersion.V2, carrier, instructions, 0, false, 0, false, false, false, false, 0, 0);
    }

    /** Version and carrier mean nothing: the packet is untouched. */
    public static IntTask xd(Instructions instructions) {
        return new IntTask(
                Mode.XD, IntVersion.V2, Carrier.NEW_UDP, instructions, 0, false, 0, false, false, false, false, 0, 0);
    }

    /** Carriers by version [INT June 2016 §5.3, INT 0.5 §4.6, INT 1.0 §4.6, INT 2.1 §5.7]. */
    public static boolean allows(IntVersion version, Carrier carrier) {
        return switch (carrier) {
            case VXLAN_GPE, GENEVE -> true;
            case DSCP -> version != IntVersion.JUNE_2016;
            case PROBE_MARKER -> version == IntVersion.V1_0 || version == IntVersion.V2;
            // INT 1.0 lost the tail of 0.5 and has no other place for the original port.
            case UDP_PORT -> version == IntVersion.V0_5 || version == IntVersion.V2;
            case NEW_UDP, GRE -> version == IntVersion.V2;
        };
    }

    public IntTask withDiscard(boolean discard) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                tunnelSource,
                tunnelDestination);
    }

    public IntTask withReplicate(int replicate) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                tunnelSource,
                tunnelDestination);
    }

    public IntTask withSourcePushes(boolean sourcePushes) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                tunnelSource,
                tunnelDestination);
    }

    public IntTask withComplement(boolean complement) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                tunnelSource,
                tunnelDestination);
    }

    public IntTask withDestinationHeader(boolean destinationHeader) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                tunnelSource,
                tunnelDestination);
    }

    public IntTask withTransparentSecurity(boolean transparentSecurity) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                tunnelSource,
                tunnelDestination);
    }

    /** Where INT over GRE goes from and to, as IPv4 addresses. */
    public IntTask withTunnel(int source, int destination) {
        return new IntTask(
                mode,
                version,
                carrier,
                instructions,
                hopLimit,
                discard,
                replicate,
                sourcePushes,
                complement,
                destinationHeader,
                transparentSecurity,
                source,
                destination);
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new IllegalArgumentException(problem);
        }
    }
}
