package io.pathlore.wire.json;

import io.pathlore.wire.net.AddressText;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.Arrays;

/** JSON text as ASCII bytes in one array that is used again and grows only to the longest object ever written. */
final class JsonBytes {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int DIGITS_OF_LONG = 20;

    private byte[] bytes = new byte[4096];
    private int length;
    private boolean first;

    private long cachedDay = Long.MIN_VALUE;
    private final byte[] cachedDate = new byte[10];

    void reset() {
        length = 0;
        first = true;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Takes back what was written since {@link #length} was this, an object that turned out empty. */
    void rewind(int length) {
        this.length = length;
        first = false;
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    private void put(char c) {
        bytes[length++] = (byte) c;
    }

    @SuppressWarnings("deprecation") // the one way to copy ASCII without a temporary array
    private void ascii(String text) {
        int size = text.length();
        text.getBytes(0, size, bytes, length);
        length += size;
    }

    private void separate() {
        if (!first) {
            put(',');
        }
        first = false;
    }

    void key(String name) {
        room(name.length() + 4);
        separate();
        put('"');
        ascii(name);
        put('"');
        put(':');
    }

    void open(String name) {
        key(name);
        open();
    }

    /** Opens an object that is an element of an array or the document. */
    void element() {
        room(2);
        separate();
        open();
    }

    private void open() {
        room(1);
        put('{');
        first = true;
    }

    void close() {
        room(1);
        put('}');
        first = false;
    }

    void openArray(String name) {
        key(name);
        room(1);
        put('[');
        first = true;
    }

    void closeArray() {
        room(1);
        put(']');
        first = false;
    }

    void newLine() {
        room(1);
        put('\n');
    }

    /** {@code value} needs no escaping. */
    void text(String name, String value) {
        key(name);
        quoted(value);
    }

    void textElement(String value) {
        room(1);
        separate();
        quoted(value);
    }

    private void quoted(String value) {
        room(value.length() + 2);
        put('"');
        ascii(value);
        put('"');
    }

    void bool(String name, boolean value) {
        key(name);
        room(5);
        ascii(value ? "true" : "false");
    }

    /** Nothing is written for a value below 0: absent is absent. */
    void number(String name, long value) {
        if (value >= 0) {
            key(name);
            digits(value);
        }
    }

    void numberElement(long value) {
        room(1);
        separate();
        digits(value);
    }

    /** A 64-bit unsigned value as a string; all ones is absent. */
    void unsignedText(String name, long value) {
        if (value == -1) {
            return;
        }
        key(name);
        room(1);
        put('"');
        unsigned(value);
        room(1);
        put('"');
    }

    /** A place in a journal as {@code EDGE-POSITION-ORDINAL}, the edge in 16 hex digits. */
    void place(String name, long edge, long position, int ordinal) {
        key(name);
        room(Long.BYTES * 2 + 3);
        put('"');
        for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
            bytes[length++] = HEX[(int) (edge >>> shift) & 0xF];
        }
        put('-');
        unsigned(position);
        room(1);
        put('-');
        digits(ordinal);
        room(1);
        put('"');
    }

    private void unsigned(long value) {
        if (value >= 0) {
            digits(value);
        } else {
            long tens = Long.divideUnsigned(value, 10);
            digits(tens);
            room(1);
            put((char) ('0' + (value - tens * 10)));
        }
    }

    private void digits(long value) {
        room(DIGITS_OF_LONG);
        int size = 1;
        for (long power = 10; size < 19 && value >= power; power *= 10) {
            size++;
        }
        long rest = value;
        for (int at = length + size - 1; at >= length; at--) {
            long tens = rest / 10;
            bytes[at] = (byte) ('0' + (rest - tens * 10));
            rest = tens;
        }
        length += size;
    }

    void hex(String name, ByteBuffer from, int offset, int count) {
        key(name);
        room(2 * count + 2);
        put('"');
        for (int i = 0; i < count; i++) {
            int value = from.get(offset + i);
            bytes[length++] = HEX[value >> 4 & 0xF];
            bytes[length++] = HEX[value & 0xF];
        }
        put('"');
    }

    void wordElement(int word) {
        room(11);
        separate();
        put('"');
        for (int shift = 28; shift >= 0; shift -= 4) {
            bytes[length++] = HEX[word >>> shift & 0xF];
        }
        put('"');
    }

    void address(String name, boolean v6, long high, long low) {
        key(name);
        room(AddressText.MAX_LENGTH + 2);
        put('"');
        length = AddressText.ip(bytes, length, v6, high, low);
        put('"');
    }

    void mac(String name, long upper48Bits) {
        key(name);
        room(AddressText.MAX_LENGTH);
        put('"');
        length = AddressText.mac(bytes, length, upper48Bits);
        put('"');
    }

    /** RFC 3339 in UTC with nine digits of a second. */
    void time(String name, long epochNanos) {
        key(name);
        room(34);
        long seconds = Math.floorDiv(epochNanos, NANOS_PER_SECOND);
        int nanos = (int) (epochNanos - seconds * NANOS_PER_SECOND);
        long day = Math.floorDiv(seconds, SECONDS_PER_DAY);
        int ofDay = (int) (seconds - day * SECONDS_PER_DAY);
        if (day != cachedDay) {
            date(day);
        }
        put('"');
        System.arraycopy(cachedDate, 0, bytes, length, cachedDate.length);
        length += cachedDate.length;
        put('T');
        padded(ofDay / 3600, 2);
        put(':');
        padded(ofDay / 60 % 60, 2);
        put(':');
        padded(ofDay % 60, 2);
        put('.');
        padded(nanos, 9);
        put('Z');
        put('"');
    }

    private void padded(int value, int digits) {
        int rest = value;
        for (int at = length + digits - 1; at >= length; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
    }

    private void date(long day) {
        String text = LocalDate.ofEpochDay(day).toString();
        for (int i = 0; i < cachedDate.length; i++) {
            cachedDate[i] = (byte) text.charAt(i);
        }
        cachedDay = day;
    }
}
