package io.pathlore.dataplane.lab;

import io.pathlore.model.Prefix;
import org.jspecify.annotations.Nullable;

/**
 * Which packets a switch drops. A part that is null matches all; the parts are those the packet had when it left its host,
 * whatever INT has done to it since.
 */
public record BlockRule(
        @Nullable Long sourceMac,
        @Nullable Prefix source,
        @Nullable Prefix destination,
        @Nullable Integer protocol,
        @Nullable Integer destinationPort) {

    /** What the controller of the Transparent Security reference installs. */
    public static BlockRule device(
            @Nullable Long sourceMac, @Nullable Prefix destination, @Nullable Integer destinationPort) {
        return new BlockRule(sourceMac, null, destination, null, destinationPort);
    }

    boolean matches(Frame frame) {
        // Unboxed where they are compared; a rule is looked at only on switches that have one.
        return (sourceMac == null || sourceMac == frame.sourceMac())
                && (protocol == null || protocol == frame.protocol())
                && (destinationPort == null || destinationPort == frame.destinationPort())
                && (destination == null
                        || frame.hasAddresses()
                                && holds(destination, frame.v6(), frame.destinationHigh(), frame.destinationLow()))
                && (source == null
                        || frame.hasAddresses() && holds(source, frame.v6(), frame.sourceHigh(), frame.sourceLow()));
    }

    /** As the prefix itself says, but without making anything: it is asked of every packet. */
    static boolean holds(Prefix prefix, boolean v6, long high, long low) {
        int length = prefix.length();
        if (v6 != prefix.v6()) {
            return false;
        }
        if (!v6) {
            return length == 0 || (low ^ prefix.low()) >>> 32 - length == 0;
        }
        if (length <= Long.SIZE) {
            return length == 0 || (high ^ prefix.high()) >>> Long.SIZE - length == 0;
        }
        return high == prefix.high() && (low ^ prefix.low()) >>> 2 * Long.SIZE - length == 0;
    }
}
