package io.pathlore.dataplane.traffic;

/**
 * When the packets of a steady sender are due: number k at a time that depends on nothing but k, so that the count over any
 * time is exact. Over {@code rampNanos} the rate rises from nothing to the full one.
 */
record Pace(long startNanos, long rampNanos, long packetsPerThousandSeconds) {
    private static final long THOUSAND_SECONDS = 1_000_000_000_000L;

    Pace {
        if (packetsPerThousandSeconds <= 0) {
            throw new IllegalArgumentException("rate: must be more than 0");
        }
    }

    /** Between packets at the full rate. */
    long intervalNanos() {
        return THOUSAND_SECONDS / packetsPerThousandSeconds;
    }

    /** While the rate rises: half of what the full rate would have sent in that time. */
    private long rampPackets() {
        return (long) ((double) rampNanos * packetsPerThousandSeconds / (2.0 * THOUSAND_SECONDS));
    }

    long atNanos(long number) {
        if (rampNanos == 0) {
            return startNanos + steady(number);
        }
        long ramp = rampPackets();
        if (number >= ramp) {
            return startNanos + rampNanos + steady(number - ramp);
        }
        // Packets so far grow with the square of time. A correctly rounded square root is the same everywhere.
        double square = 2.0 * rampNanos * number * THOUSAND_SECONDS / packetsPerThousandSeconds;
        return startNanos + (long) StrictMath.sqrt(square);
    }

    private long steady(long number) {
        long whole = THOUSAND_SECONDS / packetsPerThousandSeconds;
        long rest = THOUSAND_SECONDS % packetsPerThousandSeconds;
        return number * whole + number * rest / packetsPerThousandSeconds;
    }
}
