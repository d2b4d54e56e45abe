package io.pathlore.model;

import java.nio.charset.StandardCharsets;

/** IP addresses as people write them: dotted IPv4, IPv6 by RFC 5952. Writes ASCII, allocates nothing but a String if asked. */
public final class IpText {
    /** Longest text of any address. */
    public static final int MAX_LENGTH = 39;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private IpText() {}

    /** An IPv4 address is in the lower 32 bits of {@code low}. */
    public static String of(boolean v6, long high, long low) {
        byte[] out = new byte[MAX_LENGTH];
        return new String(out, 0, write(out, 0, v6, high, low), StandardCharsets.US_ASCII);
    }

    /** Returns the index past the text. */
    public static int write(byte[] out, int at, boolean v6, long high, long low) {
        return v6 ? ipv6(out, at, high, low) : ipv4(out, at, (int) low);
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
}
