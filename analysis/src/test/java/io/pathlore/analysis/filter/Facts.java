package io.pathlore.analysis.filter;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A subject of which everything is said by hand: numbers, words, and addresses as text. What is not said is absent. */
final class Facts implements Subject {
    private final Map<Field, List<Object>> values = new EnumMap<>(Field.class);

    static Facts none() {
        return new Facts();
    }

    /** {@link Subject#ABSENT} stands for a value that is not known. */
    Facts with(Field field, Object... all) {
        values.put(field, Stream.of(all).map(Facts::widened).toList());
        return this;
    }

    private static Object widened(Object value) {
        return value instanceof Integer small ? Long.valueOf(small) : value;
    }

    private List<Object> of(Field field) {
        return values.getOrDefault(field, List.of());
    }

    @Override
    public int count(Field field) {
        return of(field).size();
    }

    @Override
    public long number(Field field, int index) {
        return (Long) of(field).get(index);
    }

    @Override
    public @Nullable String text(Field field, int index) {
        return of(field).get(index) instanceof String text ? text : null;
    }

    @Override
    public boolean hasAddress(Field field) {
        return !of(field).isEmpty();
    }

    private Value.Addresses address(Field field) {
        Value.Addresses address = AddressReader.read((String) of(field).getFirst());
        if (address == null) {
            throw new IllegalArgumentException("no address: " + of(field));
        }
        return address;
    }

    @Override
    public long addressHigh(Field field) {
        return address(field).fromHigh();
    }

    @Override
    public long addressLow(Field field) {
        return address(field).fromLow();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
