package io.pathlore.cli;

import io.pathlore.wire.net.AddressText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lines under construction, as bytes. Hot path: numbers and addresses are written without making strings of them. Knows the
 * column it stands in, so that lines can be aligned whatever escape sequences they hold.
 */
final class Text {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final long NANOS = 1_000_000_000L;
    private static final long DAY_SECONDS = 86_400;

    private byte[] bytes = new byte[512];
    private int length;
    private int column;
    private final byte[] digits = new byte[20];

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Characters since the last line feed that a terminal would show. */
    int column() {
        return column;
    }

    Text clear() {
        length = 0;
        column = 0;
        return this;
    }

    Text add(char character) {
        need(1);
        bytes[length++] = (byte) character;
        column = character == '\n' ? 0 : column + 1;
        return this;
    }

    Text add(String text) {
        need(3 * text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                byte[] rest = text.substring(i).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(rest, 0, bytes, length, rest.length);
                length += rest.length;
                column += text.length() - i;
                return this;
            }
            bytes[length++] = (byte) character;
            column = character == '\n' ? 0 : column + 1;
        }
        return this;
    }

    /** An escape sequence, which takes no room on the screen. */
    Text ink(String sequence) {
        int before = column;
        add(sequence);
        column = before;
        return this;
    }

    Text line() {
        return add('\n');
    }

    /** Spaces up to a column; none if it is passed already. */
    Text to(int target) {
        return spaces(target - column);
    }

    Text spaces(int count) {
        for (int i = 0; i < count; i++) {
            add(' ');
        }
        return this;
    }

    /** Bytes made elsewhere; the column is not kept. */
    Text raw(byte[] from, int offset, int count) {
        need(count);
        System.arraycopy(from, offset, bytes, length, count);
        length += count;
        return this;
    }

    Text decimal(long value) {
        if (value < 0) {
            return add(Long.toUnsignedString(value));
        }
        int at = digits.length;
        long rest = value;
        do {
            digits[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        int count = digits.length - at;
        need(count);
        System.arraycopy(digits, at, bytes, length, count);
        length += count;
        column += count;
        return this;
    }

    /** With leading zeros. */
    Text decimal(long value, int width) {
        need(width);
        long rest = value;
        for (int i = width - 1; i >= 0; i--) {
            bytes[length + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += width;
        column += width;
        return this;
    }

    /** With leading zeros, {@code width} digits. */
    Text hex(long value, int width) {
        need(width);
        for (int i = width - 1; i >= 0; i--) {
            bytes[length++] = HEX[(int) (value >>> (4 * i)) & 0xF];
        }
        column += width;
        return this;
    }

    /** Without leading zeros. */
    Text hex(long value) {
        return hex(value, Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 3) / 4));
    }

    /** Hours to nanoseconds, UTC. */
    Text timeOfDay(long epochNanos) {
        long seconds = Math.floorDiv(epochNanos, NANOS);
        int ofDay = (int) Math.floorMod(seconds, DAY_SECONDS);
        return decimal(ofDay / 3600, 2)
                .add(':')
                .decimal(ofDay / 60 % 60, 2)
                .add(':')
                .decimal(ofDay % 60, 2)
                .add('.')
                .decimal(Math.floorMod(epochNanos, NANOS), 9);
    }

    /** Year to day of the Gregorian calendar. */
    Text date(long epochDay) {
        // Counted from 1 March of year 0, so that the day that comes and goes is a year's last.
        long days = epochDay + 719_468;
        long era = Math.floorDiv(days, 146_097);
        long ofEra = days - era * 146_097;
        long yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        long ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long monthFromMarch = (5 * ofYear + 2) / 153;
        long day = ofYear - (153 * monthFromMarch + 2) / 5 + 1;
        long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        return decimal(year, 4).add('-').decimal(month, 2).add('-').decimal(day, 2);
    }

    /** RFC 3339 with nanoseconds. */
    Text timestamp(long epochNanos) {
        return date(epochDay(epochNanos)).add('T').timeOfDay(epochNanos).add('Z');
    }

    static long epochDay(long epochNanos) {
        return Math.floorDiv(epochNanos, NANOS * DAY_SECONDS);
    }

    /** IPv4 in the low 32 bits. */
    Text address(boolean v6, long high, long low) {
        need(AddressText.MAX_LENGTH);
        int end = AddressText.ip(bytes, length, v6, high, low);
        column += end - length;
        length = end;
        return this;
    }

    private void need(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
