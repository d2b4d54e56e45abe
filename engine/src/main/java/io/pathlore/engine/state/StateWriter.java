package io.pathlore.engine.state;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Writes objects one after the other, each with the numbers of those it holds, so that no chain of them is too long. */
final class StateWriter {
    static final int VERSION = 1;

    /** The number of nothing. */
    static final int NULL = 0;

    private final List<Object> objects = new ArrayList<>();
    private int[] holders = new int[64];
    private int at = -1;
    private final Numbering numbering = new Numbering();
    /** In the order of their numbers, and what they look like. */
    private final Map<Class<?>, String> classes = new LinkedHashMap<>();

    private final Map<Class<?>, Integer> classNumbers = new HashMap<>();
    private ByteBuffer out = ByteBuffer.allocate(1 << 10); // most are of one record, and of them there are many

    byte[] write(Object... roots) {
        out.put((byte) VERSION).putInt(0).putInt(0);
        for (Object root : roots) {
            number(root);
        }
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            at = i;
            try {
                node(object);
            } catch (StateException e) {
                throw new StateException(e.getMessage() + ", held by a " + holder(i), e);
            }
        }
        int table = out.position();
        classes.forEach((type, description) -> {
            text(type.getName());
            text(description);
        });
        out.putInt(1, objects.size()).putInt(5, table);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Of the object with this index. */
    private String holder(int index) {
        int holder = holders[index];
        return holder < 0 ? "root" : objects.get(holder).getClass().getName();
    }

    private ByteBuffer room(long octets) {
        if (out.remaining() < octets) {
            long least = out.position() + octets;
            if (least > Integer.MAX_VALUE - 8) {
                throw new StateException("more than two gigabytes");
            }
            int next = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(2L * out.capacity(), least));
            ByteBuffer wider = ByteBuffer.allocate(next);
            wider.put(out.flip());
            out = wider;
        }
        return out;
    }

    private int number(@Nullable Object object) {
        if (object == null) {
            return NULL;
        }
        int known = numbering.of(object);
        if (known > 0) {
            return known;
        }
        int index = objects.size();
        objects.add(object);
        if (index == holders.length) {
            holders = Arrays.copyOf(holders, 2 * index);
        }
        holders[index] = at;
        return -known;
    }

    private void node(Object object) {
        Kind kind = Kind.of(object);
        room(1).put((byte) kind.ordinal());
        switch (kind) {
            case OBJECT, RECORD -> fields(object);
            case ENUM -> {
                type(((Enum<?>) object).getDeclaringClass(), "");
                text(((Enum<?>) object).name());
            }
            case STRING -> text((String) object);
            case LONG -> room(8).putLong((Long) object);
            case INTEGER -> room(8).putLong((Integer) object);
            case DOUBLE -> room(8).putDouble((Double) object);
            case BOOLEAN -> room(8).putLong((Boolean) object ? 1 : 0);
            case NUMBERS -> numbers(object);
            case ARRAY -> array((Object[]) object);
            case BUFFER -> buffer((ByteBuffer) object);
            case COLLECTION -> {
                type(object.getClass(), "");
                room(1).put((byte) (isOrdered(object) ? 1 : 0));
                references((Collection<?>) object);
            }
            case MAP -> {
                type(object.getClass(), "");
                room(1).put((byte) (isOrdered(object) ? 1 : 0));
                pairs((Map<?, ?>) object);
            }
            case FIXED_MAP -> pairs((Map<?, ?>) object);
            case LIST -> references((List<?>) object);
            case COUNTER -> counter(object);
        }
    }

    private void pairs(Map<?, ?> map) {
        room(4 + 8L * map.size()).putInt(map.size());
        map.forEach((key, value) -> out.putInt(number(key)).putInt(number(value)));
    }

    /** By an order that is code, and has to be there already where it is read. */
    private static boolean isOrdered(Object object) {
        return switch (object) {
            case SortedMap<?, ?> map -> map.comparator() != null;
            case SortedSet<?> set -> set.comparator() != null;
            case PriorityQueue<?> queue -> queue.comparator() != null;
            default -> false;
        };
    }

    private void type(Class<?> type, String description) {
        Integer known = classNumbers.get(type);
        if (known == null) {
            known = classes.size();
            classNumbers.put(type, known);
            classes.put(type, description);
        }
        room(4).putInt(known);
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        room(4 + bytes.length).putInt(bytes.length).put(bytes);
    }

    private void fields(Object object) {
        Layout layout = Layout.of(object.getClass());
        type(object.getClass(), layout.description);
        room(layout.octets);
        try {
            for (Field field : layout.fields) {
                field(object, field);
            }
        } catch (IllegalAccessException e) {
            throw new StateException(object.getClass().getName(), e);
        }
    }

    private void field(Object object, Field field) throws IllegalAccessException {
        Class<?> type = field.getType();
        if (!type.isPrimitive()) {
            out.putInt(number(field.get(object)));
        } else if (type == long.class) {
            out.putLong(field.getLong(object));
        } else if (type == int.class) {
            out.putInt(field.getInt(object));
        } else if (type == boolean.class) {
            out.put((byte) (field.getBoolean(object) ? 1 : 0));
        } else if (type == double.class) {
            out.putDouble(field.getDouble(object));
        } else if (type == short.class) {
            out.putShort(field.getShort(object));
        } else if (type == byte.class) {
            out.put(field.getByte(object));
        } else {
            throw new StateException("a field of type " + type);
        }
    }

    // ---- many numbers, most of which are mostly zero: so many zeros, so many others, and again

    private void numbers(Object array) {
        int length = Array.getLength(array);
        room(6).put((byte) array.getClass().getName().charAt(1)).putInt(length);
        switch (array) {
            case long[] a -> runs(length, 8, i -> a[i] == 0, i -> out.putLong(a[i]));
            case int[] a -> runs(length, 4, i -> a[i] == 0, i -> out.putInt(a[i]));
            case short[] a -> runs(length, 2, i -> a[i] == 0, i -> out.putShort(a[i]));
            case byte[] a -> runs(length, 1, i -> a[i] == 0, i -> out.put(a[i]));
            case boolean[] a -> runs(length, 1, i -> !a[i], i -> out.put((byte) (a[i] ? 1 : 0)));
            case double[] a -> runs(length, 8, i -> Double.doubleToRawLongBits(a[i]) == 0, i -> out.putDouble(a[i]));
            default ->
                throw new StateException("an array of type " + array.getClass().getComponentType());
        }
    }

    private void array(Object[] array) {
        type(array.getClass(), "");
        room(4).putInt(array.length);
        runs(array.length, Layout.REFERENCE, i -> array[i] == null, i -> out.putInt(number(array[i])));
    }

    private void buffer(ByteBuffer buffer) {
        int length = buffer.capacity();
        int made = (buffer.isDirect() ? 1 : 0) | (buffer.order() == ByteOrder.LITTLE_ENDIAN ? 2 : 0);
        room(5).put((byte) made).putInt(length);
        int words = length / 8;
        runs(words, 8, i -> buffer.getLong(8 * i) == 0, i -> out.putLong(buffer.getLong(8 * i)));
        for (int i = 8 * words; i < length; i++) {
            room(1).put(buffer.get(i));
        }
    }

    /** Whether there is nothing at an index. */
    @FunctionalInterface
    private interface Emptiness {
        boolean at(int index);
    }

    @FunctionalInterface
    private interface Element {
        void write(int index);
    }

    private void runs(int length, int octets, Emptiness empty, Element element) {
        int at = 0;
        while (at < length) {
            int begin = at;
            while (at < length && empty.at(at)) {
                at++;
            }
            int zeros = at - begin;
            int from = at;
            // A few zeros in between are cheaper than another run.
            int since = 0;
            while (at < length && since < 8) {
                since = empty.at(at) ? since + 1 : 0;
                at++;
            }
            at -= since == 8 || at == length ? since : 0;
            room(8 + (long) (at - from) * octets).putInt(zeros).putInt(at - from);
            for (int i = from; i < at; i++) {
                element.write(i);
            }
        }
    }

    private void references(Collection<?> all) {
        room(4 + 4L * all.size()).putInt(all.size());
        for (Object each : all) {
            out.putInt(number(each));
        }
    }

    private void counter(Object counter) {
        type(counter.getClass(), "");
        switch (counter) {
            case AtomicLong one -> room(12).putInt(1).putLong(one.get());
            case LongAdder one -> room(12).putInt(1).putLong(one.sum());
            case AtomicLongArray many -> {
                room(4 + 8L * many.length()).putInt(many.length());
                for (int i = 0; i < many.length(); i++) {
                    out.putLong(many.get(i));
                }
            }
            default -> throw new StateException(counter.getClass().getName());
        }
    }
}
