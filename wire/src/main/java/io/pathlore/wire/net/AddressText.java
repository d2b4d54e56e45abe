package io.pathlore.wire.net;

import java.nio.charset.StandardCharsets;

/** Addresses as people write them: dotted IPv4, RFC 5952 IPv6, colon-separated MAC. Writes ASCII, allocates nothing. */
public final class AddressText {
    /** Longest text of any address. */
    public static final int MAX_LENGTH = 39;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private AddressText() {}

    /** Returns the index past the text. */
    public static int ip(byte[] out, int at, boolean v6, long high, long low) {
        return v6 ? ipv6(out, at, high, low) : ipv4(out, at, (int) low);
    }

    public static String ip(boolean v6, long high, long low) {
        byte[] out = new byte[MAX_LENGTH];
        return ascii(out, ip(out, 0, v6, high, low));
    }

    /** The first six of eight bytes. */
    public static String mac(long bytes) {
        byte[] out = new byte[MAX_LENGTH];
        return ascii(out, mac(out, 0, bytes));
    }

    private static String ascii(byte[] bytes, int length) {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    private static int ipv4(byte[] out, int at, int address) {
        int next = octet(out, at, address >>> 24);
        out[next++] = '.';
        next = octet(out, next, address >>> 16 & 0xFF);
        out[next++] = '.';
        next = octet(out, next, address >>> 8 & 0xFF);
        out[next++] = '.';
        return octet(out, next, address & 0xFF);
    }

    private static int octet(byte[] out, int at, int value) {
        int next = at;
        if (value >= 100) {
            out[next++] = (byte) ('0' + value / 100);
        }
        if (value >= 10) {
            out[next++] = (byte) ('0' + value / 10 % 10);
        }
        out[next++] = (byte) ('0' + value % 10);
        return next;
    }

    private static int ipv6(byte[] out, int at, long high, long low) {
        int zerosAt = -1;
        int zeros = 1; // a single zero group is not shortened [RFC 5952 §4.2.2]
        for (int group = 0; group < 8; group++) {
            int run = 0;
            while (group + run < 8 && group(high, low, group + run) == 0) {
                run++;
            }
            if (run > zeros) {
                zerosAt = group;
                zeros = run;
            }
            group += run;
        }
        int next = at;
        for (int group = 0; group < 8; group++) {
            if (group == zerosAt) {
                out[next++] = ':';
                out[next++] = ':';
                group += zeros - 1;
                continue;
            }
            if (group > 0 && out[next - 1] != ':') {
                out[next++] = ':';
            }
            next = group(out, next, group(high, low, group));
        }
        return next;
    }

    private static int group(long high, long low, int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> 48 - 16 * (index & 3)) & 0xFFFF;
    }

    private static int group(byte[] out, int at, int value) {
        int next = at;
        boolean started = false;
        for (int shift = 12; shift >= 0; shift -= 4) {
            int digit = value >>> shift & 0xF;
            if (digit != 0 || started || shift == 0) {
                out[next++] = HEX[digit];
                started = true;
            }
        }
        return next;
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
