package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Table.Cell;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.network.FlowText;
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
 * @param key of the item; behind a dot, of an object in it
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
        /** A time that is still to come. */
        UNTIL,
        /** Of one. */
        SHARE,
        FLAG,
        /** A number that means no amount. */
        ID,
        /** A latency. */
        NANOS,
        /** How many times something. */
        RATIO,
        /** Nodes in travel order: an object with {@code nodes} and {@code names}. Only shown. */
        WAY,
        /** An object with {@code node}, {@code interface} and their names. Only shown. */
        PLACE,
        /** The item itself is one. Only shown. */
        FLOW;

        boolean isNumber() {
            return this == COUNT
                    || this == TROUBLE
                    || this == BYTES
                    || this == SHARE
                    || this == NANOS
                    || this == RATIO
                    || this == ID;
        }

        private boolean isExported() {
            return this != WAY && this != PLACE && this != FLOW;
        }
    }

    static Field shown(String key, String title, Kind kind) {
        return new Field(key, title, kind);
    }

    static Field exported(String key, Kind kind) {
        return new Field(key, null, kind);
    }

    boolean isExported() {
        return kind.isExported();
    }

    private JsonNode value(JsonNode item) {
        JsonNode value = item;
        for (String part : key.split("\\.", -1)) {
            value = part.isEmpty() ? value : value.path(part);
        }
        return value;
    }

    /** Null where it is not there or not a whole number. */
    static @Nullable Long number(JsonNode item, String key) {
        return number(item.path(key));
    }

    Cell cell(JsonNode item, long nowNanos) {
        JsonNode value = value(item);
        Long number = number(value);
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
            case UNTIL -> {
                Long then = time(value);
                boolean over = item.has("ended"); // before its time
                yield Cell.of(over ? "-" : then == null ? UNKNOWN : Amount.until(then, nowNanos));
            }
            case SHARE -> Cell.of(value.isNumber() ? Amount.share(value.doubleValue()) : UNKNOWN);
            case FLAG -> Cell.of(value.isBoolean() ? (value.booleanValue() ? "yes" : "no") : UNKNOWN);
            case ID -> Cell.of(number == null ? UNKNOWN : number.toString());
            case NANOS -> Cell.of(number == null ? UNKNOWN : Amount.nanos(number));
            case RATIO -> Cell.of(value.isNumber() ? String.format(Locale.ROOT, "%.2f", value.doubleValue()) : UNKNOWN);
            case WAY -> Cell.of(way(value));
            case PLACE -> Cell.of(place(value));
            case FLOW -> Cell.of(FlowText.of(item));
        };
    }

    private static @Nullable String way(JsonNode path) {
        JsonNode nodes = path.path("nodes");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.size(); i++) {
            text.append(i == 0 ? "" : " > ")
                    .append(path.path("names").path(i).asText(nodes.path(i).asText()));
        }
        return text.isEmpty() ? null : text.toString();
    }

    private static String place(JsonNode value) {
        String node = value.path("name").asText(value.path("node").asText(UNKNOWN));
        return value.has("interface")
                ? node + "/"
                        + value.path("interfaceName")
                                .asText(value.path("interface").asText())
                : node;
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
        return key.replace('.', '_').replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    String csv(JsonNode item) {
        JsonNode value = value(item);
        if (value.isArray()) {
            List<String> all = new ArrayList<>();
            value.forEach(each -> all.add(each.asText()));
            return CsvPrinter.cell(Table.clean(String.join(";", all)));
        }
        if (value.isTextual()) {
            return CsvPrinter.cell(Table.clean(value.asText()));
        }
        return value.isValueNode() && !value.isNull() ? CsvPrinter.quoted(value.asText()) : "";
    }

    /** Whether a user may mean this one. */
    boolean isCalled(String word) {
        String plain = plain(word);
        return plain(key).equals(plain) || title != null && plain(title).equals(plain);
    }

    private static String plain(String word) {
        return word.replaceAll("[-_ .]", "").toLowerCase(Locale.ROOT);
    }

    /** What one looks for comes first: the most, the latest, the least complete; words by the alphabet. Unknown comes last. */
    Comparator<JsonNode> order() {
        return switch (kind) {
            case WORD -> by(item -> value(item).isTextual() ? value(item).textValue() : null);
            case ADDRESS -> by(item -> address(value(item).asText()));
            case NODES -> by(item -> number(value(item).path(0)));
            case ID -> by(item -> number(value(item)));
            case COUNT, TROUBLE, BYTES, NANOS -> by(item -> negative(number(value(item))));
            case TIME, UNTIL -> by(item -> negative(time(value(item))));
            case SHARE -> by(item -> value(item).isNumber() ? value(item).doubleValue() : null);
            case RATIO -> by(item -> value(item).isNumber() ? -value(item).doubleValue() : null);
            case FLAG -> by(item -> value(item).isBoolean() ? !value(item).booleanValue() : null);
            case WAY -> by(item -> way(value(item)));
            case PLACE ->
                Comparator.comparingLong(
                                (JsonNode item) -> value(item).path("node").asLong(-1))
                        .thenComparingLong(item -> value(item).path("interface").asLong(-1));
            case FLOW -> by(FlowText::of);
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
