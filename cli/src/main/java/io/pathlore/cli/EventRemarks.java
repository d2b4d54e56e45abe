package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.network.FlowText;
import java.util.StringJoiner;

/** What an event of the API says beyond its kind and time, in words. */
final class EventRemarks {
    private static final int DEVICES = 3;

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
        if (event.path("vector").isTextual()) {
            text.append(event.path("vector").textValue()).append(" of ").append(victim(event.path("victim")));
            String by = devices(event);
            text.append(by.isEmpty() ? "" : ", ").append(by);
        }
        return text.toString().strip();
    }

    private static String victim(JsonNode victim) {
        return victim.path("address").asText(victim.path("prefix").asText("?"))
                + (victim.has("port") ? " port " + victim.path("port").asText() : "");
    }

    /** Who sends most of an attack, and where that comes in. */
    static String devices(JsonNode attack) {
        StringJoiner text = new StringJoiner(", ");
        JsonNode sources = attack.path("sources");
        for (int i = 0; i < Math.min(DEVICES, sources.size()); i++) {
            JsonNode one = sources.get(i);
            String node = one.path("firstNode").asText();
            String name = attack.path("names").path(node).asText("");
            text.add(Math.round(100 * one.path("share").asDouble()) + " % "
                    + one.path("device").asText("?")
                    + (node.isEmpty() ? "" : " at " + (name.isEmpty() ? "node " + node : name)));
        }
        if (sources.size() > DEVICES) {
            text.add((sources.size() - DEVICES) + " more");
        }
        return text.toString();
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
