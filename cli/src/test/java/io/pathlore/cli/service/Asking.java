package io.pathlore.cli.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.pathlore.serve.Reply;
import io.pathlore.serve.Request;
import io.pathlore.serve.Route;
import java.util.HashMap;
import java.util.Map;

/** Routes without HTTP. */
final class Asking {
    private Asking() {}

    static JsonNode list(ReportRoutes routes, String filter, String order, String cursor) throws Exception {
        Map<String, String> query = new HashMap<>(Map.of("filter", filter, "order", order, "since", "1h"));
        if (!cursor.isEmpty()) {
            query.put("cursor", cursor);
        }
        Route list = routes.ofThePast().stream()
                .filter(route -> route.path().equals("/api/v1/reports"))
                .findFirst()
                .orElseThrow();
        Reply reply = list.answer(Request.local(Map.of(), query));
        return new JsonMapper().readTree(((Reply.Content) reply).body());
    }
}
