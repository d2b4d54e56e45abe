package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Table.Cell;
import io.pathlore.cli.client.Amount;
import io.pathlore.model.TimeText;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A key of the items of a list: how it is shown, exported and sorted by. What an item does not say is {@code ?} where it should
 * have and {@code -} where it need not; in CSV it is empty.
 *
 * @param title of its column; null: only exported
 */
record Field(String key, @Nullable String title, Kind kind) {
    private static final String UNKNOWN = "?";
    private static final int NODES_SHOWN = 4;

    enum Kind {
        /** Text that need not be there. */
        WORD,
        ADDRESS,
        /** A list of numbers. */
        NODES,
        COUNT,
        /** A count that should be 0. */
        TROUBLE,
        BYTES,
        TIME,
        /** Of one. */
        SHARE,
        FLAG;

        boolean isNumber() {
            return this == COUNT || this == TROUBLE || this == BYTES || this == SHARE;
        }
    }

    static Field shown(String key, String title, Kind kind) {
        return new Field(key, title, kind);
    }

    static Field exported(String key, Kind kind) {
        return new Field(key, null, kind);
    }

    /** Null where it is not there or not a whole number. */
    static @Nullable Long number(JsonNode item, String key) {
        return number(item.path(key));
    }

    Cell cell(JsonNode item, long nowNanos) {
        JsonNode value = item.path(key);
        Long number = number(item, key);
        return switch (kind) {
            case WORD -> Cell.of(value.isTextual() ? value.textValue() : null);
            case ADDRESS -> Cell.of(value.isTextual() ? value.textValue() : UNKNOWN);
            case NODES -> Cell.of(nodes(value));
            case COUNT -> Cell.of(number == null ? UNKNOWN : Amount.count(number));
            case TROUBLE -> new Cell(number == null ? UNKNOWN : Amount.count(number), number != null && number > 0);
            case BYTES -> Cell.of(number == null ? UNKNOWN : Amount.bytes(number));
            case TIME -> {
                Long then = time(value);
                yield Cell.of(then == null ? UNKNOWN : Amount.age(then, nowNanos));
            }
            case SHARE -> Cell.of(value.isNumber() ? Amount.share(value.doubleValue()) : UNKNOWN);
            case FLAG -> Cell.of(value.isBoolean() ? (value.booleanValue() ? "yes" : "no") : UNKNOWN);
        };
    }

    private static String nodes(JsonNode value) {
        List<String> all = new ArrayList<>();
        value.forEach(node -> all.add(node.asText()));
        if (all.size() > NODES_SHOWN) {
            return String.join(",", all.subList(0, NODES_SHOWN)) + ",…";
        }
        return all.isEmpty() ? UNKNOWN : String.join(",", all);
    }

    private static @Nullable Long time(JsonNode value) {
        return value.isTextual() ? TimeText.parse(value.textValue()) : null;
    }

    /** {@code last_seen} of {@code lastSeen}. */
    String csvName() {
        return key.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    String csv(JsonNode item) {
        JsonNode value = item.path(key);
        if (value.isArray()) {
            List<String> all = new ArrayList<>();
            value.forEach(each -> all.add(each.asText()));
            return CsvPrinter.quoted(Table.clean(String.join(";", all)));
        }
        return value.isValueNode() && !value.isNull() ? CsvPrinter.quoted(Table.clean(value.asText())) : "";
    }

    /** Whether a user may mean this one. */
    boolean isCalled(String word) {
        String plain = plain(word);
        return plain(key).equals(plain) || title != null && plain(title).equals(plain);
    }

    private static String plain(String word) {
        return word.replaceAll("[-_ ]", "").toLowerCase(Locale.ROOT);
    }

    /** What one looks for comes first: the most, the latest, the least complete; words by the alphabet. Unknown comes last. */
    Comparator<JsonNode> order() {
        return switch (kind) {
            case WORD -> by(item -> item.path(key).isTextual() ? item.path(key).textValue() : null);
            case ADDRESS -> by(item -> address(item.path(key).asText()));
            case NODES -> by(item -> number(item.path(key).path(0)));
            case COUNT, TROUBLE, BYTES -> by(item -> negative(number(item, key)));
            case TIME -> by(item -> negative(time(item.path(key))));
            case SHARE -> by(item -> item.path(key).isNumber() ? item.path(key).doubleValue() : null);
            case FLAG -> by(item -> item.path(key).isBoolean() ? !item.path(key).booleanValue() : null);
        };
    }

    private static <T extends Comparable<? super T>> Comparator<JsonNode> by(Function<JsonNode, @Nullable T> value) {
        return (a, b) -> {
            T one = value.apply(a);
            T other = value.apply(b);
            if (one == null || other == null) {
                return Boolean.compare(one == null, other == null);
            }
            return one.compareTo(other);
        };
    }

    private static @Nullable Long number(JsonNode value) {
        return value.canConvertToLong() && value.isIntegralNumber() ? value.longValue() : null;
    }

    private static @Nullable Long negative(@Nullable Long number) {
        return number == null ? null : -number;
    }

    /** Sorts IPv4 before IPv6, and each by its bytes. */
    private static @Nullable String address(String text) {
        try {
            byte[] bytes = InetAddress.ofLiteral(text).getAddress();
            return (bytes.length == 4 ? "4" : "6") + HexFormat.of().formatHex(bytes);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
