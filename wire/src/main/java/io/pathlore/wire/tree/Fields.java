package io.pathlore.wire.tree;

import io.pathlore.wire.net.AddressText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Collects the fields of one header, each with the bytes it was read from. A field that the bytes present do not hold is
 * left out. Places are bit offsets from the start of the header, as in the figures of the specifications.
 */
final class Fields {
    /** Reading stopped before the field: it is not there. */
    static final long CUT = -1;

    private static final int MAX_HEX_BYTES = 16;

    private final ByteBuffer buffer;
    private final int origin;
    private final int base;
    private final int end;
    private final List<TreeNode> nodes = new ArrayList<>();

    /** {@code origin} is the index at which offsets of nodes are 0, {@code base} where the header starts. */
    Fields(ByteBuffer buffer, int origin, int base, int end) {
        this.buffer = buffer;
        this.origin = origin;
        this.base = base;
        this.end = end;
    }

    /** Of another header in the same bytes. */
    Fields at(int index) {
        return new Fields(buffer, origin, index, end);
    }

    /** The same, for a header that may not read beyond {@code newEnd}. */
    Fields at(int index, int newEnd) {
        return new Fields(buffer, origin, index, Math.min(end, newEnd));
    }

    int base() {
        return base;
    }

    /** Bytes present from the start of the header. */
    int available() {
        return Math.max(0, end - base);
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    List<TreeNode> nodes() {
        return nodes;
    }

    TreeNode branch(String label, String value, int index, int length) {
        return new TreeNode(label, value, index - origin, Math.max(0, Math.min(length, end - index)), nodes);
    }

    void add(TreeNode node) {
        nodes.add(node);
    }

    /** A remark about a place, which may be one that the bytes present do not reach. */
    void note(String label, String value, int index) {
        nodes.add(new TreeNode(label, value, Math.min(index, end) - origin, 0, List.of()));
    }

    /** Up to 32 bits, or 64 on a byte boundary; {@link #CUT} for both "not there" and 64 bits of all ones. */
    long peek(int bit, int width) {
        if (!has(bit, width)) {
            return CUT;
        }
        if (width == Long.SIZE) {
            return buffer.getLong(base + bit / 8);
        }
        int first = base + bit / 8;
        int last = base + (bit + width - 1) / 8;
        long value = 0;
        for (int i = first; i <= last; i++) {
            value = value << 8 | Byte.toUnsignedLong(buffer.get(i));
        }
        int below = 8 * (last + 1 - base) - bit - width;
        return value >>> below & (1L << width) - 1;
    }

    boolean has(int bit, int width) {
        return base + (bit + width + 7) / 8 <= end;
    }

    long number(String label, int bit, int width) {
        return field(label, bit, width, Long::toUnsignedString);
    }

    /** A number and what it stands for. */
    long number(String label, int bit, int width, LongFunction<String> meaning) {
        return field(label, bit, width, value -> Long.toUnsignedString(value) + meant(meaning.apply(value)));
    }

    long hex(String label, int bit, int width) {
        return field(label, bit, width, value -> hexOf(value, width));
    }

    long hex(String label, int bit, int width, LongFunction<String> meaning) {
        return field(label, bit, width, value -> hexOf(value, width) + meant(meaning.apply(value)));
    }

    long flag(String label, int bit, String whenSet) {
        return field(label, bit, 1, value -> value + (value == 1 ? meant(whenSet) : ""));
    }

    /** A metadata item: all ones over {@code itemBits} from {@code itemBit} on say that the node does not know it. */
    void item(String label, int bit, int width, int itemBit, int itemBits) {
        boolean unavailable = has(itemBit, itemBits) && isAllOnes(itemBit, itemBits);
        field(label, bit, width, value -> unavailable ? "unavailable (all ones)" : Long.toUnsignedString(value));
    }

    void item(String label, int bit, int width) {
        item(label, bit, width, bit, width);
    }

    long field(String label, int bit, int width, LongFunction<String> text) {
        if (!has(bit, width)) {
            return CUT;
        }
        long value = peek(bit, width);
        int first = base + bit / 8;
        int last = base + (bit + width - 1) / 8;
        nodes.add(new TreeNode(label, text.apply(value), first - origin, last + 1 - first, List.of()));
        return value;
    }

    void mac(String label, int bit) {
        if (has(bit, 48)) {
            long address = 0;
            for (int i = 0; i < 6; i++) {
                address |= Byte.toUnsignedLong(buffer.get(base + bit / 8 + i)) << (56 - 8 * i);
            }
            raw(label, bit, 48, AddressText.mac(address));
        }
    }

    void ipv4(String label, int bit) {
        if (has(bit, 32)) {
            raw(label, bit, 32, ipv4At(base + bit / 8));
        }
    }

    void ipv6(String label, int bit) {
        if (has(bit, 128)) {
            raw(label, bit, 128, ipv6At(base + bit / 8));
        }
    }

    String ipv4At(int index) {
        return AddressText.ip(false, 0, Integer.toUnsignedLong(buffer.getInt(index)));
    }

    String ipv6At(int index) {
        return AddressText.ip(true, buffer.getLong(index), buffer.getLong(index + 8));
    }

    /** Bytes nobody here understands, shown in hex; as many as there are. */
    void bytes(String label, int bit, int length) {
        int from = base + bit / 8;
        int present = Math.min(length, end - from);
        if (present > 0) {
            raw(label, bit, 8 * present, hexBytes(from, present));
        }
    }

    private void raw(String label, int bit, int width, String text) {
        nodes.add(new TreeNode(label, text, base + bit / 8 - origin, width / 8, List.of()));
    }

    private String hexBytes(int index, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(length, MAX_HEX_BYTES); i++) {
            text.append(twoDigits(buffer.get(index + i)));
        }
        return length > MAX_HEX_BYTES
                ? text.append("… (").append(length).append(" bytes)").toString()
                : text.toString();
    }

    private boolean isAllOnes(int bit, int width) {
        for (int i = base + bit / 8; i < base + (bit + width) / 8; i++) {
            if (buffer.get(i) != -1) {
                return false;
            }
        }
        return true;
    }

    static String hexOf(long value, int width) {
        return String.format(Locale.ROOT, "0x%0" + (width + 3) / 4 + "x", value);
    }

    private static String twoDigits(byte value) {
        return "" + Character.forDigit(value >> 4 & 0xF, 16) + Character.forDigit(value & 0xF, 16);
    }

    private static String meant(String meaning) {
        return meaning.isEmpty() ? "" : " (" + meaning + ")";
    }
}
