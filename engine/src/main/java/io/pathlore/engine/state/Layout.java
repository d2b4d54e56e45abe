package io.pathlore.engine.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class that are state: all but static and {@code transient} ones. Numbers stand as they are, everything else as the number of
 * an object.
 */
final class Layout {
    static final int REFERENCE = 4;

    private static final ClassValue<Layout> ALL = new ClassValue<>() {
        @Override
        protected Layout computeValue(Class<?> type) {
            return new Layout(type);
        }
    };

    final Class<?> type;
    final List<Field> fields;
    final int octets;
    /** What has to be the same where it is read. */
    final String description;

    private final @Nullable Constructor<?> blank;
    private final @Nullable Constructor<?> canonical;

    static Layout of(Class<?> type) {
        return ALL.get(type);
    }

    private Layout(Class<?> type) {
        this.type = type;
        fields = type.isRecord() ? components(type) : declared(type);
        int sum = 0;
        for (Field field : fields) {
            field.setAccessible(true);
            sum += octets(field.getType());
        }
        octets = sum;
        description = description(fields);
        blank = type.isRecord() ? null : blankConstructor(type);
        canonical = type.isRecord() ? canonicalConstructor(type) : null;
    }

    private static List<Field> declared(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            if (!each.getName().startsWith("io.pathlore.")) {
                throw new StateException(
                        type.getName() + " is not made of classes whose state is known: " + each.getName());
            }
            Arrays.stream(each.getDeclaredFields())
                    .filter(field -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
                    .sorted(Comparator.comparing(Field::getName)) // the JVM promises no order
                    .forEach(fields::add);
        }
        return fields;
    }

    private static List<Field> components(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        try {
            for (RecordComponent each : type.getRecordComponents()) {
                fields.add(type.getDeclaredField(each.getName()));
            }
        } catch (NoSuchFieldException e) {
            throw new StateException(type.getName(), e);
        }
        return fields;
    }

    static int octets(Class<?> type) {
        if (!type.isPrimitive()) {
            return REFERENCE;
        }
        return type == long.class || type == double.class
                ? 8
                : type == int.class || type == float.class ? 4 : type == short.class || type == char.class ? 2 : 1;
    }

    private static String description(List<Field> fields) {
        StringBuilder text = new StringBuilder();
        for (Field field : fields) {
            Class<?> of = field.getType();
            text.append(text.isEmpty() ? "" : ",")
                    .append(field.getName())
                    .append(of.isPrimitive() ? ":" + of.getName() : "");
        }
        return text.toString();
    }

    /** An instance with nothing in it: no constructor of its own has run. */
    Object blank() {
        try {
            if (blank == null) {
                throw new StateException("a record has no blank: " + type.getName());
            }
            return blank.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new StateException("cannot make a " + type.getName(), e);
        }
    }

    Object record(@Nullable Object[] values) {
        try {
            if (canonical == null) {
                throw new StateException("not a record: " + type.getName());
            }
            return canonical.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new StateException("cannot make a " + type.getName(), e);
        }
    }

    /** As serialization makes instances; by name, since the compiler does not want to know of it. */
    private static @Nullable Constructor<?> blankConstructor(Class<?> type) {
        if (type.isEnum() || Modifier.isAbstract(type.getModifiers())) {
            return null;
        }
        try {
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            Object instance = factory.getMethod("getReflectionFactory").invoke(null);
            return (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                    .invoke(instance, type, Object.class.getDeclaredConstructor());
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException e) {
            throw new StateException("this JVM cannot restore a " + type.getName(), e);
        }
    }

    private static Constructor<?> canonicalConstructor(Class<?> type) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor;
        } catch (ReflectiveOperationException e) {
            throw new StateException(type.getName(), e);
        }
    }
}
