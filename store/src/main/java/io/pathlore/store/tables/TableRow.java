package io.pathlore.store.tables;

import java.sql.Array;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One row of an answer, by the names of its columns. Unknown is what it is in a {@link Row}. */
public final class TableRow {
    private final ResultSet result;
    private final Map<String, Integer> columns = new HashMap<>();

    TableRow(ResultSet result) throws SQLException {
        this.result = result;
        ResultSetMetaData about = result.getMetaData();
        for (int i = 1; i <= about.getColumnCount(); i++) {
            columns.put(about.getColumnName(i), i);
        }
    }

    private int at(String column) throws SQLException {
        Integer index = columns.get(column);
        if (index == null) {
            throw new SQLException("there is no column " + column);
        }
        return index;
    }

    /** {@link Row#ABSENT} for NULL. Of a BIGINT. */
    public long number(String column) throws SQLException {
        long value = result.getLong(at(column));
        return result.wasNull() ? Row.ABSENT : value;
    }

    /** A number that may be below 0. */
    public @Nullable Long signed(String column) throws SQLException {
        long value = result.getLong(at(column));
        return result.wasNull() ? null : value;
    }

    /** Not a number for NULL. */
    public double share(String column) throws SQLException {
        double value = result.getDouble(at(column));
        return result.wasNull() ? Double.NaN : value;
    }

    /** False for NULL. */
    public boolean flag(String column) throws SQLException {
        return result.getBoolean(at(column));
    }

    public @Nullable String text(String column) throws SQLException {
        return result.getString(at(column));
    }

    public byte @Nullable [] bytes(String column) throws SQLException {
        Blob blob = result.getBlob(at(column));
        return blob == null ? null : blob.getBytes(1, (int) blob.length());
    }

    /** Empty for NULL. */
    public List<Long> numbers(String column) throws SQLException {
        Array array = result.getArray(at(column));
        List<Long> numbers = new ArrayList<>();
        if (array != null) {
            for (Object each : (Object[]) array.getArray()) {
                numbers.add(((Number) each).longValue());
            }
        }
        return numbers;
    }
}
