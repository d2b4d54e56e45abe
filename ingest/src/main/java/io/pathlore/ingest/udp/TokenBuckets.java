package io.pathlore.ingest.udp;

/**
 * A bucket per slot: so many datagrams a second on average, as many at once. Exact: tokens are counted in billionths, and a
 * nanosecond brings as many of those as the rate says. Time is that of the datagrams; where it goes back, no tokens are
 * given and none are taken. Hot path.
 */
final class TokenBuckets {
    private static final long TOKEN = 1_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_RATE = 1_000_000_000L;

    private final long rate;
    private final long full;
    private final long[] tokens;
    private final long[] filledAt;

    /** A rate of 0 is no limit. */
    TokenBuckets(long perSecond, int slots) {
        if (perSecond < 0 || perSecond > MAX_RATE) {
            throw new IllegalArgumentException("listen.rate-limit is " + perSecond + ", must be 0 to " + MAX_RATE);
        }
        rate = perSecond;
        full = rate * TOKEN;
        tokens = new long[rate == 0 ? 0 : slots];
        filledAt = new long[tokens.length];
    }

    /** For a new owner of the slot. */
    void reset(int slot, long nowNanos) {
        if (rate != 0) {
            tokens[slot] = full;
            filledAt[slot] = nowNanos;
        }
    }

    /** Whether one more may pass. */
    boolean take(int slot, long nowNanos) {
        if (rate == 0) {
            return true;
        }
        long passed = nowNanos - filledAt[slot];
        filledAt[slot] = nowNanos;
        if (passed >= SECOND) {
            tokens[slot] = full;
        } else if (passed > 0) {
            tokens[slot] = Math.min(full, tokens[slot] + passed * rate);
        }
        if (tokens[slot] < TOKEN) {
            return false;
        }
        tokens[slot] -= TOKEN;
        return true;
    }
}
