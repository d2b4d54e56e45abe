package io.pathlore.engine.state;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What an object is, where it stands among others. The order is part of what is written. */
enum Kind {
    /** Ours, field by field. */
    OBJECT,
    RECORD,
    ENUM,
    STRING,
    LONG,
    INTEGER,
    DOUBLE,
    BOOLEAN,
    /** Numbers of one size. */
    NUMBERS,
    ARRAY,
    BUFFER,
    COLLECTION,
    MAP,
    /** That does not change. */
    LIST,
    FIXED_MAP,
    COUNTER;

    private static final List<Class<?>> COLLECTIONS = List.of(
            ArrayList.class, ArrayDeque.class, HashSet.class, LinkedHashSet.class, TreeSet.class, PriorityQueue.class);
    private static final List<Class<?>> MAPS =
            List.of(HashMap.class, LinkedHashMap.class, TreeMap.class, ConcurrentHashMap.class);

    /** Asked for each of millions of objects, of few classes. */
    private static final ClassValue<Kind> ALL = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return ofClass(type);
        }
    };

    static Kind of(Object value) {
        return ALL.get(value.getClass());
    }

    private static Kind ofClass(Class<?> type) {
        if (Enum.class.isAssignableFrom(type)) {
            return ENUM;
        } else if (type.isRecord()) {
            return RECORD;
        } else if (type == String.class) {
            return STRING;
        } else if (type == Long.class) {
            return LONG;
        } else if (type == Integer.class) {
            return INTEGER;
        } else if (type == Double.class) {
            return DOUBLE;
        } else if (type == Boolean.class) {
            return BOOLEAN;
        } else if (ByteBuffer.class.isAssignableFrom(type)) {
            return BUFFER;
        } else if (type == AtomicLong.class || type == LongAdder.class || type == AtomicLongArray.class) {
            return COUNTER;
        } else if (COLLECTIONS.contains(type)) {
            return COLLECTION;
        } else if (MAPS.contains(type)) {
            return MAP;
        } else if (isFixed(type) && List.class.isAssignableFrom(type)) {
            return LIST;
        } else if (isFixed(type) && Map.class.isAssignableFrom(type)) {
            return FIXED_MAP;
        }
        return other(type);
    }

    private static boolean isFixed(Class<?> type) {
        return type.getName().startsWith("java.util.ImmutableCollections$");
    }

    private static Kind other(Class<?> type) {
        if (type.isArray()) {
            return type.getComponentType().isPrimitive() ? NUMBERS : ARRAY;
        }
        if (type.isHidden() || !type.getName().startsWith("io.pathlore.")) {
            throw new StateException(type.getName() + " is no state: what holds it has to be transient");
        }
        return OBJECT;
    }
}
