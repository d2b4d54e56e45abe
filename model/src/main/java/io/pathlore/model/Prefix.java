package io.pathlore.model;

import org.jspecify.annotations.Nullable;

/** A network by its leading bits. An IPv4 address is in the lower 32 bits of {@code low}, and lengths up to 32 count from there. */
public record Prefix(boolean v6, long high, long low, int length) {
    /** Bits behind the length are cleared, so that one network is equal to itself however it was written. */
    public Prefix {
        if (length < 0 || length > (v6 ? 128 : 32)) {
            throw new IllegalArgumentException("a prefix of " + length + " bits");
        }
        if (!v6) {
            high = 0;
            low &= length == 0 ? 0 : 0xFFFF_FFFFL << 32 - length & 0xFFFF_FFFFL;
        } else if (length <= Long.SIZE) {
            high &= length == 0 ? 0 : -1L << Long.SIZE - length;
            low = 0;
        } else {
            low &= -1L << 2 * Long.SIZE - length;
        }
    }

    public static Prefix address(boolean v6, long high, long low) {
        return new Prefix(v6, high, low, v6 ? 128 : 32);
    }

    public boolean isAddress() {
        return length == (v6 ? 128 : 32);
    }

    public boolean holds(boolean v6, long high, long low) {
        return v6 == this.v6 && new Prefix(v6, high, low, length).equals(this);
    }

    public boolean holds(@Nullable Prefix other) {
        return other != null && other.length >= length && holds(other.v6, other.high, other.low);
    }

    public boolean overlaps(Prefix other) {
        return holds(other) || other.holds(this);
    }

    /** An address alone, or with its length: {@code 10.2.0.0/16}. */
    @Override
    public String toString() {
        return IpText.of(v6, high, low) + (isAddress() ? "" : "/" + length);
    }
}
