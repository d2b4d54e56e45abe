package io.pathlore.store.tables;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the values of a row, from left to right. */
interface RowWriter {
    /** Of a time too; {@link Row#ABSENT} is NULL. */
    RowWriter number(long value);

    /** A number that may be below 0. */
    RowWriter signed(@Nullable Long value);

    /** NULL where it is not a number. */
    RowWriter share(double value);

    RowWriter flag(boolean value);

    RowWriter text(@Nullable String value);

    RowWriter bytes(byte @Nullable [] value);

    RowWriter numbers(List<Long> values);

    RowWriter address(long high, long low);

    RowWriter noAddress();

    /** What a {@link Row.Told} has in a column of this kind. */
    RowWriter value(Column.Kind kind, @Nullable Object value);
}
