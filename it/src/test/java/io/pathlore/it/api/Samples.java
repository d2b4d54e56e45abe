package io.pathlore.it.api;

import io.pathlore.testkit.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions to which there is an answer: ids as the lists of a running collector have them. */
record Samples(String event, String attack, String flow, String path, String burst, String report, String mitigation) {
    static Samples of(ServedDemo demo) throws IOException {
        return new Samples(
                first(demo, "events", "id"),
                first(demo, "attacks", "id"),
                first(demo, "flows", "id"),
                first(demo, "paths", "id"),
                burst(demo),
                first(demo, "reports?order=newest&limit=1", "id"),
                first(demo, "mitigations", "id"));
    }

    private static String first(ServedDemo demo, String list, String key) throws IOException {
        List<Object> items =
                Document.list(Json.object(demo.get("/api/v1/" + list).body()).get("items"));
        if (items.isEmpty()) {
            throw new AssertionError("nothing in " + list);
        }
        return String.valueOf(Document.asObject(items.getFirst()).get(key));
    }

    private static String burst(ServedDemo demo) throws IOException {
        List<Object> rows = Document.list(
                Json.object(demo.ask("POST", "/api/v1/query", null, "{\"sql\": \"SELECT id FROM episodes LIMIT 1\"}")
                                .body())
                        .get("rows"));
        return rows.isEmpty()
                ? ""
                : String.valueOf(Document.asObject(rows.getFirst()).get("id"));
    }

    @Nullable
    String segment(Document.Operation operation) {
        String path = operation.path();
        if (!path.contains("{")) {
            return null;
        }
        if (path.contains("/events/")) {
            return event;
        }
        if (path.contains("/attacks/")) {
            return attack;
        }
        if (path.contains("/flows/")) {
            return flow;
        }
        if (path.contains("/bursts/")) {
            return burst;
        }
        if (path.contains("/reports/")) {
            return report;
        }
        if (path.contains("/export/")) {
            return "nodes";
        }
        return path.contains("/orphans/") ? "0123456789abcdef" : mitigation;
    }

    /** Paths that are answered 200: with nothing said, and with each word that may be. */
    List<String> good(Document.Operation operation) {
        String segment = segment(operation);
        if (segment != null && segment.isEmpty()) {
            return List.of();
        }
        String path = segment == null ? operation.path() : operation.path(segment);
        List<String> paths = new ArrayList<>(List.of(path));
        for (Document.Parameter parameter : operation.parameters()) {
            for (Object word : Document.list(parameter.schema().get("enum"))) {
                if (parameter.in().equals("query")) {
                    paths.add(path + "?" + parameter.name() + "=" + word);
                }
            }
        }
        for (Map.Entry<String, String> known : Map.of(
                        "filter", "node=1", "since", "5m", "until", "now", "limit", "2", "points", "10")
                .entrySet()) {
            boolean takes =
                    operation.parameters().stream().anyMatch(each -> each.name().equals(known.getKey()));
            boolean rfc = path.contains("/events") || path.contains("/attacks") || path.contains("/export/");
            boolean nodes = path.matches(".*/(nodes|queues|drops|series|reports)");
            if (takes
                    && !(rfc && !known.getKey().equals("limit"))
                    && (nodes || !known.getKey().equals("filter"))) {
                paths.add(path + "?" + known.getKey() + "=" + known.getValue());
            }
        }
        return paths;
    }
}
