package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Field.Kind;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "events",
        header = {
            "What happened lately: changed paths, queues, drops, links, slow hops, lost reports.",
            "",
            "Examples:",
            "  pathlore get events",
            "  pathlore get events --limit 20",
            "  pathlore get events --watch                   every two seconds",
            "  pathlore get events -o json | jq '.[] | select(.severity == \"critical\")'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore get events [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the server answers, but not this, or it is no collector",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer = "An event without END goes on. The collector keeps the last ten thousand.")
final class GetEventsCommand implements Callable<Integer> {
    private static final Listing.Kind EVENTS = new Listing.Kind(
            "/api/v1/events",
            "event",
            List.of(
                    Field.shown("start", "START", Kind.TIME),
                    Field.shown("end", "END", Kind.TIME),
                    Field.shown("kind", "KIND", Kind.WORD),
                    Field.shown("severity", "SEVERITY", Kind.WORD),
                    Field.exported("node", Kind.COUNT),
                    Field.exported("interface", Kind.COUNT),
                    Field.exported("queue", Kind.COUNT),
                    Field.exported("id", Kind.WORD),
                    Field.exported("detectedAt", Kind.TIME)),
            "start",
            GetEventsCommand::remarks,
            "nothing has happened yet that reports would show");

    @Mixin
    private final ListOptions list = new ListOptions();

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    GetEventsCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        return new Listing(EVENTS, list, server, spec, around, out).run();
    }

    /** What belongs to the kind. */
    private static String remarks(JsonNode item) {
        StringBuilder text = new StringBuilder();
        JsonNode flow = item.path("flow");
        if (flow.isObject()) {
            text.append(flow.path("source").asText())
                    .append(" > ")
                    .append(flow.path("destination").asText());
        }
        number(text, item, "node", "node ");
        number(text, item, "interface", "interface ");
        number(text, item, "queue", "queue ");
        way(text, item.path("before"), " ");
        way(text, item.path("after"), " is now ");
        way(text, item.path("path"), " ");
        number(text, item, "peakOccupancy", "up to ");
        number(text, item, "reason", "reason ");
        number(text, item, "count", "packets ");
        number(text, item, "lost", "lost ");
        number(text, item, "observedNs", "ns ");
        end(text, item.path("from"), "");
        end(text, item.path("to"), " to ");
        return text.toString().strip();
    }

    private static void way(StringBuilder text, JsonNode nodes, String before) {
        for (int i = 0; i < nodes.size(); i++) {
            text.append(i == 0 ? before : "-").append(nodes.get(i).asText());
        }
    }

    private static void number(StringBuilder text, JsonNode item, String key, String before) {
        if (item.path(key).isNumber()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(before)
                    .append(item.path(key).asText());
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
