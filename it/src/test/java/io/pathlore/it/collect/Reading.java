package io.pathlore.it.collect;

import io.pathlore.testkit.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a collector says of itself at one moment, from its ledger or its metrics, by the names of the ledger: {@code accepted},
 * {@code rejected.acl}, {@code kernelDropped.127.0.0.1:8555}. What is not there is 0.
 */
final class Reading {
    private static final String PREFIX = "pathlore_";
    /** What one of 1,500 octets takes of a receive buffer. */
    private static final int LONG_DATAGRAM = 2_500;

    private final SortedMap<String, Long> numbers = new TreeMap<>();

    private Reading() {}

    static Reading ofJson(String text) {
        Reading reading = new Reading();
        reading.take("", Json.object(text));
        return reading;
    }

    private void take(String prefix, Map<?, ?> object) {
        object.forEach((key, value) -> {
            switch (value) {
                case Long number -> numbers.put(prefix + key, number);
                case Map<?, ?> inner -> take(prefix + key + ".", inner);
                case null, default -> throw new IllegalArgumentException(prefix + key + " is no number: " + value);
            }
        });
    }

    /** Lines of {@code name{label="value"} number}; those with several labels, and fractions, are not of the ledger. */
    static Reading ofMetrics(String text) {
        Reading reading = new Reading();
        for (String line : text.split("\n", -1)) {
            int end = line.lastIndexOf(' ');
            String number = line.substring(end + 1);
            if (!line.startsWith(PREFIX) || !number.matches("[0-9]+")) {
                continue;
            }
            int brace = line.indexOf('{');
            String label = "";
            if (brace >= 0) {
                String[] parts = line.substring(brace, end).split("\"", -1);
                if (parts.length != 3) {
                    continue;
                }
                label = "." + parts[1];
            }
            String name = line.substring(PREFIX.length(), brace >= 0 ? brace : end);
            reading.numbers.put(camel(name) + label, Long.parseLong(number));
        }
        return reading;
    }

    /** {@code datagrams_read_total} to {@code datagramsRead}. */
    private static String camel(String snake) {
        StringBuilder out = new StringBuilder();
        String name = snake.endsWith("_total") ? snake.substring(0, snake.length() - "_total".length()) : snake;
        for (int i = 0; i < name.length(); i++) {
            boolean up = name.charAt(i) == '_' && i + 1 < name.length();
            out.append(up ? Character.toUpperCase(name.charAt(++i)) : name.charAt(i));
        }
        return out.toString();
    }

    long get(String name) {
        return numbers.getOrDefault(name, 0L);
    }

    /** Over all reasons, errors or sockets. */
    long sum(String name) {
        return numbers.subMap(name + ".", name + "/").values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    SortedMap<String, Long> numbers() {
        return new TreeMap<>(numbers);
    }

    /**
     * From metrics: how many datagrams may wait in the kernel so that it drops none, however long they are, and that the collector
     * sees no reason to do less than it can.
     */
    int window() {
        return Math.clamp(sum("receiveBufferBytes") / 8 / LONG_DATAGRAM, 8, 2_000);
    }

    /** Datagrams of which something is known. */
    long accountedFor() {
        return get("datagramsRead") + sum("kernelDropped");
    }

    /** What was counted since, without what was not. */
    SortedMap<String, Long> since(Reading before) {
        SortedMap<String, Long> more = new TreeMap<>();
        numbers.forEach((name, number) -> {
            if (number != before.get(name)) {
                more.put(name, number - before.get(name));
            }
        });
        return more;
    }

    /** What stands on both sides of the equations [docs/reference/api.md]; what waits between threads may be missing right. */
    List<String> violations() {
        List<String> wrong = new ArrayList<>();
        check(
                wrong,
                "datagramsRead = accepted + queueDropped + rejected",
                get("datagramsRead"),
                get("accepted") + get("queueDropped") + sum("rejected"));
        check(
                wrong,
                "accepted = decodedDatagrams + undecodable",
                get("accepted"),
                get("decodedDatagrams") + sum("undecodable"));
        if (numbers.containsKey("journalled")) {
            check(
                    wrong,
                    "accepted = journalled + journalDropped",
                    get("accepted"),
                    get("journalled") + sum("journalDropped"));
        }
        check(
                wrong,
                "reportsSeen = reportsDecoded + reportsRejected",
                get("reportsSeen"),
                get("reportsDecoded") + sum("reportsRejected"));
        check(
                wrong,
                "reportsDecoded = analysed + duplicates + shed",
                get("reportsDecoded"),
                get("analysed") + get("duplicates") + sum("shed"));
        return wrong;
    }

    private void check(List<String> wrong, String equation, long left, long right) {
        if (left < right || left - right > get("inFlight")) {
            wrong.add(equation + ": " + left + " against " + right + ", " + get("inFlight") + " in flight");
        }
    }

    @Override
    public String toString() {
        return numbers.toString();
    }
}
