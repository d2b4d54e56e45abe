package io.pathlore.dataplane.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Looks into reports as the reference decoder gives them. */
final class Decoded {
    private Decoded() {}

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Map<String, Object> of, String key) {
        return (Map<String, Object>) of.getOrDefault(key, Map.of());
    }

    @SuppressWarnings("unchecked")
    static List<Map<String, Object>> list(Map<String, Object> of, String key) {
        return (List<Map<String, Object>>) of.getOrDefault(key, List.of());
    }

    static long number(Map<String, Object> of, String key) {
        return ((Number) Objects.requireNonNull(of.get(key), key)).longValue();
    }

    /** The first INT header in the packet of a report. */
    static Map<String, Object> header(Map<String, Object> report) {
        assertThat(report).containsKey("int");
        return list(report, "int").getFirst();
    }

    /** Node ids in its stack, source first. */
    static List<Long> nodes(Map<String, Object> report) {
        return list(header(report), "hops").stream()
                .map(hop -> number(hop, "nodeId"))
                .toList();
    }
}
