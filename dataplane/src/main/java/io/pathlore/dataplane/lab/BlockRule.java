package io.pathlore.dataplane.lab;

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

    /** IPv4 addresses are in the lower 32 bits of {@code low}, and lengths up to 32 count from there. */
    public record Prefix(boolean v6, long high, long low, int length) {
        public Prefix {
            if (length < 0 || length > (v6 ? 128 : 32)) {
                throw new IllegalArgumentException("a prefix of " + length + " bits");
            }
        }

        public static Prefix ipv4(int address) {
            return new Prefix(false, 0, Integer.toUnsignedLong(address), 32);
        }

        public static Prefix ipv4(int address, int length) {
            return new Prefix(false, 0, Integer.toUnsignedLong(address), length);
        }

        public static Prefix ipv6(long high, long low) {
            return new Prefix(true, high, low, 128);
        }

        public static Prefix ipv6(long high, long low, int length) {
            return new Prefix(true, high, low, length);
        }

        boolean holds(boolean v6, long high, long low) {
            if (v6 != this.v6) {
                return false;
            }
            if (!v6) {
                return length == 0 || (low ^ this.low) >>> 32 - length == 0;
            }
            if (length <= Long.SIZE) {
                return length == 0 || (high ^ this.high) >>> Long.SIZE - length == 0;
            }
            return high == this.high && (low ^ this.low) >>> 2 * Long.SIZE - length == 0;
        }
    }

    boolean matches(Frame frame) {
        // Unboxed where they are compared; a rule is looked at only on switches that have one.
        return (sourceMac == null || sourceMac == frame.sourceMac())
                && (protocol == null || protocol == frame.protocol())
                && (destinationPort == null || destinationPort == frame.destinationPort())
                && (destination == null
                        || frame.hasAddresses()
                                && destination.holds(frame.v6(), frame.destinationHigh(), frame.destinationLow()))
                && (source == null
                        || frame.hasAddresses() && source.holds(frame.v6(), frame.sourceHigh(), frame.sourceLow()));
    }
}
