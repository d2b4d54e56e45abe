package io.pathlore.testkit.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A table of metadata items: per line the bit of the bitmap and the parts of the item as {@code name:bits}, "-" for what
 * is not shown. An item of all ones is absent [INT 2.1 §5.8]; timestamps are decimal strings.
 */
final class Items {
    private static final Set<String> STRINGS = Set.of("ingressTimestamp", "egressTimestamp");
    private static final int WORD = 32;

    private record Part(String name, int bits) {}

    private record Item(List<Part> parts, int bits) {}

    private final Map<Integer, Item> items = new TreeMap<>();

    private Items() {}

    static Items table(String text) {
        Items table = new Items();
        for (String line : text.lines().toList()) {
            String[] column = line.strip().split("\\s+", -1);
            List<Part> parts = new ArrayList<>();
            int bits = 0;
            for (int i = 1; i < column.length; i++) {
                String[] part = column[i].split(":", -1);
                parts.add(new Part(part[0], Integer.parseInt(part[1])));
                bits += Integer.parseInt(part[1]);
            }
            table.items.put(Integer.parseInt(column[0]), new Item(List.copyOf(parts), bits));
        }
        return table;
    }

    boolean knows(int bit) {
        return items.containsKey(bit);
    }

    /** Words of the item of this bit, 0 where the table has none. */
    int words(int bit) {
        Item item = items.get(bit);
        return item == null ? 0 : item.bits() / WORD;
    }

    /** Reads the item of one bit. {@code first} is the bit of the item where its value starts: 1 behind a BOS bit. */
    void read(int bit, Octets octets, int at, int first, Map<String, Object> into) {
        Item item = items.get(bit);
        if (item == null || octets.allOnes(at * 8 + first, item.bits() - first)) {
            return;
        }
        int off = at * 8;
        for (Part part : item.parts) {
            if (STRINGS.contains(part.name)) {
                into.put(part.name, octets.decimal(off, part.bits));
            } else if (!part.name.equals("-")) {
                into.putIfAbsent(part.name, octets.bits(off, part.bits));
            }
            off += part.bits;
        }
    }

    static boolean isSet(int bitmap, int bit, int width) {
        return (bitmap >> (width - 1 - bit) & 1) == 1;
    }
}
