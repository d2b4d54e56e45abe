package io.pathlore.testkit.reference;

import java.util.LinkedHashMap;
import java.util.Map;

/** A header as the figure of its specification draws it: per line a field, its width and its offset, both in bits. */
final class Layout {
    private record Field(int bits, int off) {}

    private final Map<String, Field> fields = new LinkedHashMap<>();

    private Layout() {}

    static Layout table(String text) {
        Layout layout = new Layout();
        for (String line : text.lines().toList()) {
            String[] column = line.strip().split("\\s+", -1);
            layout.fields.put(column[0], new Field(Integer.parseInt(column[1]), Integer.parseInt(column[2])));
        }
        return layout;
    }

    /** The table laid over the bytes from that byte on; they must be there when they are asked for. */
    Header at(Octets octets, int offset) {
        return new Header(this, octets, offset);
    }

    /** The values of one header. */
    record Header(Layout layout, Octets octets, int offset) {
        long get(String name) {
            Field field = layout.fields.get(name);
            if (field == null) {
                throw new IllegalArgumentException("no field " + name + " in " + layout.fields.keySet());
            }
            return octets.bits(offset * 8 + field.off, field.bits);
        }

        int number(String name) {
            return Math.toIntExact(get(name));
        }

        boolean flag(String name) {
            return get(name) != 0;
        }
    }
}
