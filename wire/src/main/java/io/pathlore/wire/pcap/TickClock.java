package io.pathlore.wire.pcap;

/**
 * How an interface of a pcapng file counts time: in parts of a second (if_tsresol), from so many seconds after 1970
 * (if_tsoffset) [pcapng §4.2]. An immutable value. Hot path.
 */
public final class TickClock {
    /** No time was captured, or one that epoch nanoseconds cannot say: before 1678 or after 2262. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    static final int DEFAULT_RESOLUTION = 6;
    /** What an interface that says nothing counts in. */
    public static final TickClock MICROS = of(DEFAULT_RESOLUTION, 0);

    private static final int POWER_OF_TWO = 0x80;
    private static final int EXPONENT = 0x7F;
    private static final int NANO_DIGITS = 9;
    private static final int MAX_DIGITS = 18; // 10^18 is the last power of ten in a signed long
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private final boolean binary;
    private final int exponent;
    private final long offsetSeconds;
    // Up to nanoseconds, nearly every file there is, a tick is this many nanoseconds and a long holds this many ticks.
    private final long nanosPerTick;
    private final long maxTicks;

    private TickClock(boolean binary, int exponent, long offsetSeconds) {
        this.binary = binary;
        this.exponent = exponent;
        this.offsetSeconds = offsetSeconds;
        boolean simple = !binary && exponent <= NANO_DIGITS && offsetSeconds == 0;
        nanosPerTick = simple ? powerOfTen(NANO_DIGITS - exponent) : 1;
        maxTicks = simple ? Long.MAX_VALUE / nanosPerTick : -1;
    }

    /**
     * The clock of an interface with these options.
     *
     * @param resolution the octet of if_tsresol: the negative exponent of 10, or of 2 where its top bit is set
     */
    public static TickClock of(int resolution, long offsetSeconds) {
        return new TickClock((resolution & POWER_OF_TWO) != 0, resolution & EXPONENT, offsetSeconds);
    }

    /** Epoch nanoseconds of an unsigned 64-bit timestamp, rounded down, or {@link #UNKNOWN}. */
    public long nanos(long ticks) {
        if (ticks >= 0 && ticks <= maxTicks) {
            return ticks * nanosPerTick;
        }
        return binary ? binaryNanos(ticks) : decimalNanos(ticks);
    }

    private long binaryNanos(long ticks) {
        // From 2^-64 on, all 64 bits are a fraction of a second.
        long seconds = exponent < Long.SIZE ? ticks >>> exponent : 0;
        if (exponent == 0) {
            return sum(seconds, 0);
        }
        // The fraction, aligned to 64 bits: its product with 10^9 has the nanoseconds in the upper half.
        int shift = Long.SIZE - exponent;
        long fraction = shift > 0 ? ticks << shift : ticks >>> -shift;
        return sum(seconds, Math.unsignedMultiplyHigh(fraction, NANOS_PER_SECOND));
    }

    private long decimalNanos(long ticks) {
        if (exponent <= NANO_DIGITS) {
            long perSecond = powerOfTen(exponent);
            long rest = Long.remainderUnsigned(ticks, perSecond);
            return sum(Long.divideUnsigned(ticks, perSecond), rest * powerOfTen(NANO_DIGITS - exponent));
        }
        int digits = exponent - NANO_DIGITS;
        if (digits > MAX_DIGITS + 1) {
            return sum(0, 0); // 2^64 ticks of 10^-29 s are less than a nanosecond
        }
        long nanos = Long.divideUnsigned(ticks, powerOfTen(Math.min(digits, MAX_DIGITS)));
        nanos = digits > MAX_DIGITS ? nanos / 10 : nanos;
        return sum(Long.divideUnsigned(nanos, NANOS_PER_SECOND), Long.remainderUnsigned(nanos, NANOS_PER_SECOND));
    }

    private long sum(long seconds, long nanos) {
        long whole = seconds + offsetSeconds;
        boolean wrapped = seconds < 0 || ((seconds ^ whole) & (offsetSeconds ^ whole)) < 0;
        long limit = Long.MAX_VALUE / NANOS_PER_SECOND;
        if (wrapped || whole >= limit || whole <= -limit) {
            return UNKNOWN;
        }
        return whole * NANOS_PER_SECOND + nanos;
    }

    private static long powerOfTen(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }
}
