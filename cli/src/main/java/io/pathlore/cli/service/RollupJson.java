package io.pathlore.cli.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.model.TimeText;
import io.pathlore.store.tables.Column;
import io.pathlore.store.tables.Row;
import io.pathlore.store.tables.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A row of a table as it stands on Kafka; docs/reference/kafka.md. What is not known has no key. */
public final class RollupJson {
    /** Everything before a time of one publisher was published; stands behind it in each partition. */
    public record Complete(long edgeId, long untilNanos) {}

    public static final String COMPLETE = "stored_to";

    private static final String TABLE = "table";
    private static final String EDGE = "edge";
    private static final String TIME = "time";
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,39}");
    private static final int ADDRESS_BITS = 128;
    private static final JsonMapper JSON = new JsonMapper();

    private RollupJson() {}

    // Writing
    // --------------------------------------------------------------------------------------------------------------

    /** The table and what tells its rows apart, parted by slashes; nothing where it is not known. */
    public static String key(Row.Told row) {
        StringBuilder key = new StringBuilder(row.table().label());
        for (String name : row.table().identity()) {
            int at = row.table().indexOf(name);
            Object value = row.values().get(at);
            boolean time = row.table().columns().get(at).kind() == Column.Kind.TIME;
            key.append('/').append(value == null ? "" : time ? TimeText.of((Long) value) : value.toString());
        }
        return key.toString();
    }

    public static String json(Row.Told row) {
        ObjectNode json =
                JsonNodeFactory.instance.objectNode().put(TABLE, row.table().label());
        List<Column> columns = row.table().columns();
        for (int i = 0; i < columns.size(); i++) {
            Object value = row.values().get(i);
            if (value != null) {
                write(json, columns.get(i), value);
            }
        }
        return json.toString();
    }

    private static void write(ObjectNode json, Column column, Object value) {
        String name = column.name();
        switch (column.kind()) {
            case TIME -> json.put(name, TimeText.of((Long) value));
            case NUMBER -> json.put(name, (Long) value);
            case SHARE -> json.put(name, (Double) value);
            case FLAG -> json.put(name, (Boolean) value);
            case TEXT, ADDRESS -> json.put(name, value.toString());
            case BYTES -> json.put(name, Base64.getEncoder().encodeToString((byte[]) value));
            case NUMBERS -> {
                ArrayNode numbers = json.putArray(name);
                ((List<?>) value).forEach(number -> numbers.add((Long) number));
            }
        }
    }

    public static String json(Complete complete) {
        return JsonNodeFactory.instance
                .objectNode()
                .put(TABLE, COMPLETE)
                .put(EDGE, HexFormat.of().toHexDigits(complete.edgeId))
                .put(TIME, TimeText.of(complete.untilNanos))
                .toString();
    }

    // Reading
    // --------------------------------------------------------------------------------------------------------------

    /** A {@link Row.Told} or a {@link Complete}; empty if it is neither, or not one that this program can keep. */
    public static Optional<Object> read(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            String name = json.path(TABLE).asText();
            if (name.equals(COMPLETE)) {
                return Optional.of(new Complete(
                        HexFormat.fromHexDigitsToLong(json.path(EDGE).asText()), time(json.path(TIME))));
            }
            Table table = Table.named(name);
            return table == null ? Optional.empty() : row(table, json);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Object> row(Table table, JsonNode json) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            JsonNode value = json.path(column.name());
            values.add(value.isMissingNode() || value.isNull() ? null : value(column.kind(), value));
        }
        // Without its time a row is nowhere; where it came from in a queue may well be unknown.
        boolean placed = values.get(table.indexOf(table.timeColumn())) != null
                && values.get(table.indexOf(
                                table.isReplaced() ? table.identity().getFirst() : table.timeColumn()))
                        != null;
        return placed ? Optional.of(new Row.Told(table, values)) : Optional.empty();
    }

    private static Object value(Column.Kind kind, JsonNode value) {
        return switch (kind) {
            case TIME -> time(value);
            case NUMBER -> number(value);
            case SHARE -> check(value, value.isNumber()).doubleValue();
            case FLAG -> check(value, value.isBoolean()).booleanValue();
            case TEXT -> check(value, value.isTextual()).textValue();
            case BYTES ->
                Base64.getDecoder().decode(check(value, value.isTextual()).textValue());
            case NUMBERS -> numbers(check(value, value.isArray()));
            case ADDRESS -> address(value.asText());
        };
    }

    private static JsonNode check(JsonNode value, boolean good) {
        if (!good) {
            throw new IllegalArgumentException(value.toString());
        }
        return value;
    }

    private static Long number(JsonNode value) {
        return check(value, value.isIntegralNumber() && value.canConvertToLong())
                .longValue();
    }

    private static List<Long> numbers(JsonNode array) {
        List<Long> numbers = new ArrayList<>();
        array.forEach(each -> numbers.add(number(each)));
        return numbers;
    }

    private static Long time(JsonNode value) {
        Long nanos = TimeText.parse(value.asText());
        if (nanos == null) {
            throw new IllegalArgumentException(value.toString());
        }
        return nanos;
    }

    private static BigInteger address(String text) {
        BigInteger number = ADDRESS.matcher(text).matches() ? new BigInteger(text) : BigInteger.ONE.negate();
        if (number.signum() < 0 || number.bitLength() > ADDRESS_BITS) {
            throw new IllegalArgumentException(text);
        }
        return number;
    }
}
