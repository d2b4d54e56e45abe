package io.pathlore.testkit.reference;

import java.util.HexFormat;

/** Bytes that are only read. Every number is put together bit by bit, bit 0 being the most significant one. */
final class Octets {
    private final byte[] bytes;

    Octets(byte[] bytes) {
        this.bytes = bytes;
    }

    int length() {
        return bytes.length;
    }

    /** Up to 63 bits. */
    long bits(int bitOffset, int width) {
        long value = 0;
        for (int i = bitOffset; i < bitOffset + width; i++) {
            value = value * 2 + bit(i);
        }
        return value;
    }

    private int bit(int index) {
        return bytes[index / 8] >> (7 - index % 8) & 1;
    }

    int u8(int at) {
        return (int) bits(at * 8, 8);
    }

    int u16(int at) {
        return (int) bits(at * 8, 16);
    }

    long u32(int at) {
        return bits(at * 8, 32);
    }

    boolean allOnes(int bitOffset, int width) {
        for (int i = bitOffset; i < bitOffset + width; i++) {
            if (bit(i) == 0) {
                return false;
            }
        }
        return true;
    }

    /** The unsigned number of that many bits, in decimal. */
    String decimal(int bitOffset, int width) {
        int high = width / 2;
        long value = bits(bitOffset, high) << (width - high) | bits(bitOffset + high, width - high);
        return Long.toUnsignedString(value);
    }

    String hex(int from, int to) {
        return HexFormat.of().formatHex(bytes, from, to);
    }

    Octets slice(int from, int to) {
        return new Octets(java.util.Arrays.copyOfRange(bytes, from, to));
    }

    /** {@code aa:bb:cc:dd:ee:ff}. */
    String mac(int at) {
        return HexFormat.ofDelimiter(":").formatHex(bytes, at, at + 6);
    }

    String ipv4(int at) {
        return u8(at) + "." + u8(at + 1) + "." + u8(at + 2) + "." + u8(at + 3);
    }

    /** As RFC 5952 wants it: lower case, the first longest run of two or more zero groups as "::". */
    String ipv6(int at) {
        int bestStart = -1;
        int bestLength = 1;
        for (int start = 0; start < 8; start++) {
            int length = 0;
            while (start + length < 8 && u16(at + (start + length) * 2) == 0) {
                length++;
            }
            if (length > bestLength) {
                bestStart = start;
                bestLength = length;
            }
        }
        if (bestStart < 0) {
            return groups(at, 0, 8);
        }
        return groups(at, 0, bestStart) + "::" + groups(at, bestStart + bestLength, 8);
    }

    private String groups(int at, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ":").append(Integer.toHexString(u16(at + i * 2)));
        }
        return text.toString();
    }
}
