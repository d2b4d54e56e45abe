package io.pathlore.model;

import java.nio.charset.StandardCharsets;

/** MAC addresses as people write them: lower case, with colons. Writes ASCII, allocates nothing but a String if asked. */
public final class MacText {
    public static final int LENGTH = 17;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private MacText() {}

    /** The address is in the lower 48 bits. */
    public static String of(long mac) {
        byte[] out = new byte[LENGTH];
        return new String(out, 0, write(out, 0, mac), StandardCharsets.US_ASCII);
    }

    /** Returns the index past the text. */
    public static int write(byte[] out, int at, long mac) {
        int next = at;
        for (int shift = 40; shift >= 0; shift -= 8) {
            out[next++] = HEX[(int) (mac >>> shift + 4) & 0xF];
            out[next++] = HEX[(int) (mac >>> shift) & 0xF];
            if (shift > 0) {
                out[next++] = ':';
            }
        }
        return next;
    }
}
