package io.pathlore.engine.state;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
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

    static Kind of(Object value) {
        Class<?> type = value.getClass();
        return switch (value) {
            case Enum<?> _ -> ENUM;
            case Record _ -> RECORD;
            case String _ -> STRING;
            case Long _ -> LONG;
            case Integer _ -> INTEGER;
            case Double _ -> DOUBLE;
            case Boolean _ -> BOOLEAN;
            case ByteBuffer _ -> BUFFER;
            case AtomicLong _, LongAdder _, AtomicLongArray _ -> COUNTER;
            case Collection<?> _ when COLLECTIONS.contains(type) -> COLLECTION;
            case Map<?, ?> _ when MAPS.contains(type) -> MAP;
            case List<?> _ when isFixed(type) -> LIST;
            case Map<?, ?> _ when isFixed(type) -> FIXED_MAP;
            default -> other(type);
        };
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
