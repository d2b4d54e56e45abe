package io.pathlore.wire.net;

import io.pathlore.model.IpText;
import java.nio.charset.StandardCharsets;

/** Addresses as people write them: dotted IPv4, RFC 5952 IPv6, colon-separated MAC. Writes ASCII, allocates nothing. */
public final class AddressText {
    /** Longest text of any address. */
    public static final int MAX_LENGTH = IpText.MAX_LENGTH;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

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
        byte[] out = new byte[MAX_LENGTH];
        return new String(out, 0, mac(out, 0, bytes), StandardCharsets.US_ASCII);
    }

    /** The upper 48 bits. Returns the index past the text. */
    public static int mac(byte[] out, int at, long bytes) {
        int next = at;
        for (int shift = 56; shift >= 16; shift -= 8) {
            out[next++] = HEX[(int) (bytes >>> shift + 4) & 0xF];
            out[next++] = HEX[(int) (bytes >>> shift) & 0xF];
            if (shift > 16) {
                out[next++] = ':';
            }
        }
        return next;
    }
}
