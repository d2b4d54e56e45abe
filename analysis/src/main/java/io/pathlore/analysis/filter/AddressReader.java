package io.pathlore.analysis.filter;

import org.jspecify.annotations.Nullable;

/** Reads IPv4 and IPv6 addresses and prefixes as people write them. An IPv4-mapped address is the IPv4 address. */
final class AddressReader {
    private static final int GROUPS = 8;
    private static final int LONGEST = 64;

    private long high;
    private long low;
    private boolean dotted;

    private AddressReader() {}

    /** Null when it is neither. Bits behind a prefix are ignored. */
    static Value.@Nullable Addresses read(String text) {
        if (text.length() > LONGEST) {
            return null;
        }
        int slash = text.indexOf('/');
        AddressReader address = new AddressReader();
        if (!address.address(slash < 0 ? text : text.substring(0, slash))) {
            return null;
        }
        if (slash < 0) {
            return new Value.Addresses(address.high, address.low, address.high, address.low);
        }
        int length = decimal(text, slash + 1, text.length(), 3);
        int width = address.dotted ? 32 : 128;
        if (length < 0 || length > width) {
            return null;
        }
        return address.prefix(address.dotted ? 96 + length : length);
    }

    private Value.Addresses prefix(int length) {
        long highMask = length >= 64 ? -1 : length == 0 ? 0 : -1L << 64 - length;
        long lowMask = length <= 64 ? 0 : -1L << 128 - length;
        return new Value.Addresses(high & highMask, low & lowMask, high | ~highMask, low | ~lowMask);
    }

    private boolean address(String text) {
        if (text.indexOf(':') < 0) {
            long ipv4 = ipv4(text, 0);
            dotted = true;
            low = Value.Addresses.mapped(ipv4);
            return ipv4 >= 0;
        }
        return ipv6(text);
    }

    /** -1 when it is none. */
    private static long ipv4(String text, int from) {
        long address = 0;
        int start = from;
        for (int octet = 0; octet < 4; octet++) {
            int dot = octet < 3 ? text.indexOf('.', start) : text.length();
            int value = dot < 0 ? -1 : decimal(text, start, dot, 3);
            if (value < 0 || value > 255) {
                return -1;
            }
            address = address << 8 | value;
            start = dot + 1;
        }
        return address;
    }

    /** -1 when it is not that, or longer than so many digits. */
    private static int decimal(String text, int from, int to, int digits) {
        if (to <= from || to - from > digits) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            value = 10 * value + c - '0';
        }
        return value;
    }

    private boolean ipv6(String text) {
        int[] groups = new int[GROUPS];
        int count = 0;
        int gap = -1;
        int at = 0;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            int colon = text.indexOf(':', at);
            int end = colon < 0 ? text.length() : colon;
            if (colon < 0 && text.indexOf('.', at) >= 0) {
                long ipv4 = ipv4(text, at);
                if (ipv4 < 0 || count > GROUPS - 2) {
                    return false;
                }
                groups[count++] = (int) (ipv4 >>> 16);
                groups[count++] = (int) (ipv4 & 0xFFFF);
                break;
            }
            int group = hex(text, at, end);
            if (group < 0 || count == GROUPS) {
                return false;
            }
            groups[count++] = group;
            at = end + 1;
            if (colon >= 0 && at == text.length()) {
                return false; // one colon at the end
            }
            if (colon >= 0 && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return false;
                }
                gap = count;
                at++;
            }
        }
        if (gap < 0 ? count != GROUPS : count == GROUPS) {
            return false;
        }
        for (int i = 0; i < GROUPS; i++) {
            int behindGap = i - (GROUPS - count);
            int group = gap < 0 || i < gap ? groups[i] : behindGap >= gap ? groups[behindGap] : 0;
            if (i < 4) {
                high = high << 16 | group;
            } else {
                low = low << 16 | group;
            }
        }
        return true;
    }

    private static int hex(String text, int from, int to) {
        if (to <= from || to - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
