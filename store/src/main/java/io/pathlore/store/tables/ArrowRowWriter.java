package io.pathlore.store.tables;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Puts the values of rows into the columns of one batch, from left to right. */
final class ArrowRowWriter implements RowWriter {
    private static final String HIGH = "_high";
    private static final String LOW = "_low";

    private final List<FieldVector> vectors;
    private int row;
    private int column;

    ArrowRowWriter(VectorSchemaRoot root) {
        vectors = root.getFieldVectors();
    }

    /** The columns of a table as they travel. */
    static Schema schema(Table table) {
        List<Field> fields = new ArrayList<>();
        for (Column column : table.columns()) {
            String name = column.name();
            switch (column.kind()) {
                case TIME -> fields.add(field(name, new ArrowType.Timestamp(TimeUnit.NANOSECOND, null)));
                case NUMBER -> fields.add(field(name, new ArrowType.Int(Long.SIZE, true)));
                case SHARE -> fields.add(field(name, new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE)));
                case FLAG -> fields.add(field(name, ArrowType.Bool.INSTANCE));
                case TEXT -> fields.add(field(name, ArrowType.Utf8.INSTANCE));
                case BYTES -> fields.add(field(name, ArrowType.Binary.INSTANCE));
                case NUMBERS ->
                    fields.add(new Field(
                            name,
                            FieldType.nullable(ArrowType.List.INSTANCE),
                            List.of(field("item", new ArrowType.Int(Long.SIZE, true)))));
                case ADDRESS -> {
                    fields.add(field(name + HIGH, new ArrowType.Int(Long.SIZE, false)));
                    fields.add(field(name + LOW, new ArrowType.Int(Long.SIZE, false)));
                }
            }
        }
        return new Schema(fields);
    }

    private static Field field(String name, ArrowType type) {
        return new Field(name, FieldType.nullable(type), null);
    }

    /** What to select from what travelled, to have the columns of the table. */
    static String selection(Table table) {
        List<String> parts = new ArrayList<>();
        for (Column column : table.columns()) {
            String name = column.name();
            parts.add(
                    column.kind() == Column.Kind.ADDRESS
                            ? "CAST(" + name + HIGH + " AS UHUGEINT) * 18446744073709551616 + " + name + LOW + " AS "
                                    + name
                            : column.quoted());
        }
        return String.join(", ", parts);
    }

    void begin(int row) {
        this.row = row;
        column = 0;
    }

    @Override
    public RowWriter number(long value) {
        FieldVector vector = next();
        if (value == Row.ABSENT) {
            vector.setNull(row);
        } else if (vector instanceof TimeStampNanoVector times) {
            times.set(row, value);
        } else {
            ((BigIntVector) vector).set(row, value);
        }
        return this;
    }

    @Override
    public RowWriter signed(@Nullable Long value) {
        BigIntVector vector = (BigIntVector) next();
        if (value == null) {
            vector.setNull(row);
        } else {
            vector.set(row, value);
        }
        return this;
    }

    @Override
    public RowWriter share(double value) {
        Float8Vector vector = (Float8Vector) next();
        if (Double.isNaN(value)) {
            vector.setNull(row);
        } else {
            vector.set(row, value);
        }
        return this;
    }

    @Override
    public RowWriter flag(boolean value) {
        ((BitVector) next()).set(row, value ? 1 : 0);
        return this;
    }

    @Override
    public RowWriter text(@Nullable String value) {
        VarCharVector vector = (VarCharVector) next();
        if (value == null) {
            vector.setNull(row);
        } else {
            vector.setSafe(row, value.getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    @Override
    public RowWriter bytes(byte @Nullable [] value) {
        VarBinaryVector vector = (VarBinaryVector) next();
        if (value == null) {
            vector.setNull(row);
        } else {
            vector.setSafe(row, value);
        }
        return this;
    }

    @Override
    public RowWriter numbers(List<Long> values) {
        ListVector vector = (ListVector) next();
        int start = vector.startNewValue(row);
        BigIntVector items = (BigIntVector) vector.getDataVector();
        for (int i = 0; i < values.size(); i++) {
            items.setSafe(start + i, values.get(i));
        }
        vector.endValue(row, values.size());
        return this;
    }

    @Override
    public RowWriter address(long high, long low) {
        ((UInt8Vector) next()).set(row, high);
        ((UInt8Vector) next()).set(row, low);
        return this;
    }

    @Override
    public RowWriter noAddress() {
        next().setNull(row);
        next().setNull(row);
        return this;
    }

    @Override
    public RowWriter value(Column.Kind kind, @Nullable Object value) {
        if (value == null) {
            next().setNull(row);
            return kind == Column.Kind.ADDRESS ? skip() : this;
        }
        return switch (kind) {
            case TIME -> {
                ((TimeStampNanoVector) next()).set(row, (Long) value);
                yield this;
            }
            case NUMBER -> signed((Long) value);
            case SHARE -> share((Double) value);
            case FLAG -> flag((Boolean) value);
            case TEXT -> text((String) value);
            case BYTES -> bytes((byte[]) value);
            case NUMBERS ->
                numbers(((List<?>) value).stream().map(Long.class::cast).toList());
            case ADDRESS -> {
                BigInteger number = (BigInteger) value;
                yield address(number.shiftRight(Long.SIZE).longValue(), number.longValue());
            }
        };
    }

    private RowWriter skip() {
        next().setNull(row);
        return this;
    }

    private FieldVector next() {
        return vectors.get(column++);
    }
}
