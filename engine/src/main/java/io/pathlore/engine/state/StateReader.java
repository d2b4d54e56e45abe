package io.pathlore.engine.state;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Puts what was written back into objects that were made anew: those that hold the same place now stay, with everything that is not
 * state, and are filled; others are made. First all of them, then what they hold, and at last what is found by its contents.
 */
final class StateReader {
    private final ByteBuffer in;
    private final List<Class<?>> classes = new ArrayList<>();
    private final int[] places;
    private final Kind[] kinds;
    private final @Nullable Object[] objects;
    /** Who is where this one belongs, in the objects as they were made. */
    private final @Nullable Object[] present;

    StateReader(byte[] state) {
        in = ByteBuffer.wrap(state);
        int version = in.get();
        if (version != StateWriter.VERSION) {
            throw new StateException("state of version " + version + "; this program reads " + StateWriter.VERSION);
        }
        int count = in.getInt() + 1;
        int table = in.getInt();
        in.position(table);
        while (in.hasRemaining()) {
            classes.add(type(text(), text()));
        }
        in.position(9);
        places = new int[count];
        kinds = new Kind[count];
        objects = new Object[count];
        present = new Object[count];
    }

    @SuppressWarnings("ReferenceEquality") // which object it is, is the question
    void read(Object... roots) {
        for (int i = 0; i < roots.length; i++) {
            present[i + 1] = roots[i];
        }
        for (int number = 1; number < places.length; number++) {
            make(number);
        }
        for (int number = 1; number < places.length; number++) {
            in.position(places[number]);
            switch (kinds[number]) {
                case OBJECT -> fill(Objects.requireNonNull(objects[number]));
                case ARRAY -> fillArray((Object[]) Objects.requireNonNull(objects[number]));
                default -> {}
            }
        }
        for (int number = 1; number < places.length; number++) {
            in.position(places[number]);
            switch (kinds[number]) {
                case COLLECTION -> fillCollection(Objects.requireNonNull(objects[number]));
                case MAP -> fillMap(Objects.requireNonNull(objects[number]));
                default -> {}
            }
        }
        for (int i = 0; i < roots.length; i++) {
            if (objects[i + 1] != roots[i]) {
                throw new StateException(
                        "state of a " + describe(objects[i + 1]) + ", and not of a " + describe(roots[i]));
            }
        }
    }

    /** One value that holds nothing that changes. */
    Object value() {
        for (int number = 1; number < places.length; number++) {
            make(number);
        }
        return Objects.requireNonNull(object(1));
    }

    private static String describe(@Nullable Object object) {
        return object == null ? "value" : object.getClass().getName();
    }

    // ---- first: all of them

    private static final Kind[] KINDS = Kind.values();

    private void make(int number) {
        Kind kind = KINDS[in.get()];
        kinds[number] = kind;
        places[number] = in.position();
        switch (kind) {
            case OBJECT -> objects[number] = makeObject(present[number]);
            case RECORD -> {
                Layout layout = Layout.of(type());
                in.position(in.position() + layout.octets);
            }
            case ENUM -> {
                type();
                text();
            }
            case STRING -> objects[number] = text();
            case LONG -> objects[number] = in.getLong();
            case INTEGER -> objects[number] = (int) in.getLong();
            case DOUBLE -> objects[number] = in.getDouble();
            case BOOLEAN -> objects[number] = in.getLong() != 0;
            case NUMBERS -> objects[number] = numbers(present[number]);
            case ARRAY -> objects[number] = makeArray(present[number]);
            case BUFFER -> objects[number] = buffer(present[number]);
            case COLLECTION -> objects[number] = makeCollection(present[number], 1);
            case MAP -> objects[number] = makeCollection(present[number], 2);
            case LIST -> in.position(in.position() + 4 + 4 * in.getInt(in.position()));
            case FIXED_MAP -> in.position(in.position() + 4 + 8 * in.getInt(in.position()));
            case COUNTER -> objects[number] = counter(present[number]);
        }
    }

    private Class<?> type() {
        return classes.get(in.getInt());
    }

    private static Class<?> type(String name, String description) {
        try {
            Class<?> type = Class.forName(name, false, StateReader.class.getClassLoader());
            String here = isOurs(type) ? Layout.of(type).description : "";
            if (!here.equals(description)) {
                throw new StateException(
                        "state of another version: " + name + " had " + description + ", and has " + here);
            }
            return type;
        } catch (ClassNotFoundException e) {
            throw new StateException("state of another version: there is no " + name + " any more", e);
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("io.pathlore.") && !type.isEnum();
    }

    private String text() {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private Object makeObject(@Nullable Object there) {
        Layout layout = Layout.of(type());
        Object fresh = there != null && there.getClass() == layout.type ? there : null;
        for (Field field : layout.fields) {
            if (field.getType().isPrimitive()) {
                in.position(in.position() + Layout.octets(field.getType()));
            } else {
                expect(in.getInt(), fresh == null ? null : get(field, fresh));
            }
        }
        return fresh == null ? layout.blank() : fresh;
    }

    private static @Nullable Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new StateException(field.toString(), e);
        }
    }

    private void expect(int number, @Nullable Object there) {
        if (number != StateWriter.NULL && objects[number] == null && present[number] == null) {
            present[number] = there;
        }
    }

    private Object makeArray(@Nullable Object there) {
        Class<?> type = type();
        int length = in.getInt();
        @Nullable
        Object[] fresh =
                there instanceof Object[] array && there.getClass() == type && array.length == length ? array : null;
        runs(length, i -> expect(in.getInt(), fresh == null ? null : fresh[i]));
        return fresh == null ? Array.newInstance(type.getComponentType(), length) : fresh;
    }

    private Object makeCollection(@Nullable Object there, int references) {
        Class<?> type = type();
        boolean ordered = in.get() != 0;
        in.position(in.position() + 4 + 4 * references * in.getInt(in.position()));
        if (there != null && there.getClass() == type) {
            return there;
        }
        if (ordered) {
            throw new StateException("a " + type.getName() + " whose order nobody knows");
        }
        Object[] made = {
            new ArrayList<>(), new ArrayDeque<>(), new HashSet<>(), new LinkedHashSet<>(), new TreeSet<>(),
            new PriorityQueue<>(), new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>(), new ConcurrentHashMap<>()
        };
        for (Object each : made) {
            if (each.getClass() == type) {
                return each;
            }
        }
        throw new StateException("a " + type.getName());
    }

    /** Is told of an index, and reads what stands there. */
    @FunctionalInterface
    private interface Element {
        void read(int index);
    }

    private void runs(int length, Element element) {
        int at = 0;
        while (at < length) {
            at += in.getInt();
            int end = at + in.getInt();
            for (; at < end; at++) {
                element.read(at);
            }
        }
    }

    private Object numbers(@Nullable Object there) {
        char type = (char) in.get();
        int length = in.getInt();
        Object made = switch (type) {
            case 'J' -> new long[length];
            case 'I' -> new int[length];
            case 'S' -> new short[length];
            case 'B' -> new byte[length];
            case 'Z' -> new boolean[length];
            case 'D' -> new double[length];
            default -> throw new StateException("numbers of type " + type);
        };
        if (there != null && there.getClass() == made.getClass() && Array.getLength(there) == length) {
            System.arraycopy(made, 0, there, 0, length); // zeros are not written
            made = there;
        }
        switch (made) {
            case long[] a -> runs(length, i -> a[i] = in.getLong());
            case int[] a -> runs(length, i -> a[i] = in.getInt());
            case short[] a -> runs(length, i -> a[i] = in.getShort());
            case byte[] a -> runs(length, i -> a[i] = in.get());
            case boolean[] a -> runs(length, i -> a[i] = in.get() != 0);
            case double[] a -> runs(length, i -> a[i] = in.getDouble());
            default -> throw new StateException("numbers of type " + type);
        }
        return made;
    }

    private Object buffer(@Nullable Object there) {
        int made = in.get();
        boolean direct = (made & 1) != 0;
        ByteOrder order = (made & 2) != 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        int length = in.getInt();
        boolean same = there instanceof ByteBuffer buffer
                && buffer.capacity() == length
                && buffer.isDirect() == direct
                && buffer.order() == order;
        ByteBuffer buffer = same
                ? (ByteBuffer) Objects.requireNonNull(there)
                : (direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length)).order(order);
        int words = length / 8;
        for (int i = 0; same && i < words; i++) {
            if (buffer.getLong(8 * i) != 0) {
                buffer.putLong(8 * i, 0);
            }
        }
        runs(words, i -> buffer.putLong(8 * i, in.getLong()));
        for (int i = 8 * words; i < length; i++) {
            buffer.put(i, in.get());
        }
        return buffer;
    }

    private Object counter(@Nullable Object there) {
        Class<?> type = type();
        long[] values = new long[in.getInt()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.getLong();
        }
        if (type == LongAdder.class) {
            LongAdder adder = there instanceof LongAdder one ? one : new LongAdder();
            adder.reset();
            adder.add(values[0]);
            return adder;
        }
        if (type == AtomicLong.class) {
            AtomicLong one = there instanceof AtomicLong before ? before : new AtomicLong();
            one.set(values[0]);
            return one;
        }
        AtomicLongArray many = there instanceof AtomicLongArray before && before.length() == values.length
                ? before
                : new AtomicLongArray(values.length);
        for (int i = 0; i < values.length; i++) {
            many.set(i, values[i]);
        }
        return many;
    }

    // ---- then: what they hold

    private @Nullable Object object(int number) {
        if (number == StateWriter.NULL) {
            return null;
        }
        Object known = objects[number];
        if (known == null) {
            int back = in.position();
            in.position(places[number]);
            known = makeValue(kinds[number]);
            objects[number] = known;
            in.position(back);
        }
        return known;
    }

    private Object makeValue(Kind kind) {
        return switch (kind) {
            case RECORD -> {
                Layout layout = Layout.of(type());
                @Nullable Object[] values = new Object[layout.fields.size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = fieldValue(layout.fields.get(i).getType());
                }
                yield layout.record(values);
            }
            case ENUM -> constant(type(), text());
            case LIST -> {
                List<Object> list = new ArrayList<>();
                for (int left = in.getInt(); left > 0; left--) {
                    list.add(Objects.requireNonNull(object(in.getInt())));
                }
                yield List.copyOf(list);
            }
            case FIXED_MAP -> {
                Map<Object, Object> map = new HashMap<>();
                fillPairs(map);
                yield Map.copyOf(map);
            }
            default -> throw new StateException("a " + kind + " that was not made");
        };
    }

    private static Object constant(Class<?> type, String name) {
        for (Object each : type.getEnumConstants()) {
            if (((Enum<?>) each).name().equals(name)) {
                return each;
            }
        }
        throw new StateException("state of another version: there is no " + type.getName() + "." + name + " any more");
    }

    private @Nullable Object fieldValue(Class<?> type) {
        if (!type.isPrimitive()) {
            return object(in.getInt());
        }
        if (type == long.class) {
            return in.getLong();
        }
        if (type == int.class) {
            return in.getInt();
        }
        if (type == boolean.class) {
            return in.get() != 0;
        }
        if (type == double.class) {
            return in.getDouble();
        }
        if (type == short.class) {
            return in.getShort();
        }
        if (type == byte.class) {
            return in.get();
        }
        throw new StateException("a field of type " + type);
    }

    private void fill(Object object) {
        Layout layout = Layout.of(type());
        try {
            for (Field field : layout.fields) {
                field.set(object, fieldValue(field.getType()));
            }
        } catch (IllegalAccessException e) {
            throw new StateException(layout.type.getName(), e);
        }
    }

    private void fillArray(@Nullable Object[] array) {
        type();
        int length = in.getInt();
        Arrays.fill(array, null);
        runs(length, i -> array[i] = object(in.getInt()));
    }

    @SuppressWarnings("unchecked")
    private void fillCollection(Object object) {
        type();
        in.get();
        Collection<Object> collection = (Collection<Object>) object;
        collection.clear();
        for (int left = in.getInt(); left > 0; left--) {
            collection.add(Objects.requireNonNull(object(in.getInt())));
        }
    }

    @SuppressWarnings("unchecked")
    private void fillMap(Object object) {
        type();
        in.get();
        Map<Object, Object> map = (Map<Object, Object>) object;
        map.clear();
        fillPairs(map);
    }

    private void fillPairs(Map<Object, Object> map) {
        for (int left = in.getInt(); left > 0; left--) {
            Object key = Objects.requireNonNull(object(in.getInt()));
            map.put(key, Objects.requireNonNull(object(in.getInt())));
        }
    }
}
