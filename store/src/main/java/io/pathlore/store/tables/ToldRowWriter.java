package io.pathlore.store.tables;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers the values of a row as a {@link Row.Told} has them. */
final class ToldRowWriter implements RowWriter {
    private static final BigInteger HALF = BigInteger.ONE.shiftLeft(Long.SIZE);

    private final List<@Nullable Object> values = new ArrayList<>();

    List<@Nullable Object> values() {
        return values;
    }

    private RowWriter add(@Nullable Object value) {
        values.add(value);
        return this;
    }

    @Override
    public RowWriter number(long value) {
        return add(value == Row.ABSENT ? null : value);
    }

    @Override
    public RowWriter signed(@Nullable Long value) {
        return add(value);
    }

    @Override
    public RowWriter share(double value) {
        return add(Double.isNaN(value) ? null : value);
    }

    @Override
    public RowWriter flag(boolean value) {
        return add(value);
    }

    @Override
    public RowWriter text(@Nullable String value) {
        return add(value);
    }

    @Override
    public RowWriter bytes(byte @Nullable [] value) {
        return add(value);
    }

    @Override
    public RowWriter numbers(List<Long> all) {
        return add(List.copyOf(all));
    }

    @Override
    public RowWriter address(long high, long low) {
        return add(unsigned(high).shiftLeft(Long.SIZE).add(unsigned(low)));
    }

    private static BigInteger unsigned(long value) {
        BigInteger number = BigInteger.valueOf(value);
        return value < 0 ? number.add(HALF) : number;
    }

    @Override
    public RowWriter noAddress() {
        return add(null);
    }

    @Override
    public RowWriter value(Column.Kind kind, @Nullable Object value) {
        return add(value);
    }
}
