package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.network.FlowText;

/** What an event of the API says beyond its kind and time, in words. */
final class EventRemarks {
    private EventRemarks() {}

    static String of(JsonNode event) {
        StringBuilder text = new StringBuilder();
        if (event.path("flow").isObject()) {
            text.append(FlowText.of(event.path("flow")));
        }
        number(text, event, "node", "node ");
        number(text, event, "interface", "interface ");
        number(text, event, "queue", "queue ");
        way(text, event.path("before"), " ");
        way(text, event.path("after"), " is now ");
        way(text, event.path("path"), " ");
        number(text, event, "peakOccupancy", "up to ");
        JsonNode most = event.path("culprits").path(0);
        if (most.isObject()) {
            text.append(", ")
                    .append(Math.round(100 * most.path("share").asDouble()))
                    .append(" % by ")
                    .append(FlowText.of(most.path("flow")));
        }
        number(text, event, "reason", "reason ");
        if (event.path("reasonName").isTextual()) {
            text.append(" (").append(event.path("reasonName").textValue()).append(')');
        }
        number(text, event, "count", "packets ");
        number(text, event, "lost", "lost ");
        nanos(text, event, "observedNs", "");
        nanos(text, event, "baselineNs", "usually ");
        end(text, event.path("from"), "");
        end(text, event.path("to"), " to ");
        return text.toString().strip();
    }

    private static void way(StringBuilder text, JsonNode nodes, String before) {
        for (int i = 0; i < nodes.size(); i++) {
            text.append(i == 0 ? before : "-").append(nodes.get(i).asText());
        }
    }

    private static void number(StringBuilder text, JsonNode event, String key, String before) {
        if (event.path(key).isNumber()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(before)
                    .append(event.path(key).asText());
        }
    }

    private static void nanos(StringBuilder text, JsonNode event, String key, String before) {
        if (event.path(key).isNumber()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(before)
                    .append(Amount.nanos(event.path(key).asLong()));
        }
    }

    private static void end(StringBuilder text, JsonNode end, String before) {
        if (end.isObject()) {
            text.append(before)
                    .append(end.path("node").asText())
                    .append('/')
                    .append(end.path("interface").asText());
        }
    }
}
