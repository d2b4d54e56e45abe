package io.pathlore.wire.net;

import io.pathlore.model.IpText;
import io.pathlore.model.MacText;

/** Addresses as people write them: dotted IPv4, RFC 5952 IPv6, colon-separated MAC. Writes ASCII, allocates nothing. */
public final class AddressText {
    /** Longest text of any address. */
    public static final int MAX_LENGTH = IpText.MAX_LENGTH;

    private AddressText() {}

    /** Returns the index past the text. */
    public static int ip(byte[] out, int at, boolean v6, long high, long low) {
        return IpText.write(out, at, v6, high, low);
    }

    public static String ip(boolean v6, long high, long low) {
        return IpText.of(v6, high, low);
    }

    /** The first six of eight bytes. */
    public static String mac(long bytes) {
        return MacText.of(bytes >>> 16);
    }

    /** The upper 48 bits. Returns the index past the text. */
    public static int mac(byte[] out, int at, long bytes) {
        return MacText.write(out, at, bytes >>> 16);
    }
}
