package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.explain.EventWords;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "event",
        header = {
            "What happened, what it means, and what to look at next.",
            "",
            "Examples:",
            "  pathlore explain event 4657b714e69adfa2",
            "  pathlore explain event $(pathlore get events -o json --limit 1 | jq -r '.[0].id')",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore explain event ID [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the collector has no such event, or no longer",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer = "A collector keeps the last ten thousand events.")
final class ExplainEventCommand implements Callable<Integer> {
    private static final int NOT_FOUND = 404;
    private static final int FLOWS_SHOWN = 10;
    private static final int PERCENT = 100;

    @Parameters(index = "0", paramLabel = "ID", description = "Of the event: 16 hex digits.")
    private String id = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    ExplainEventCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for explanations; text or json is");
        }
        if (!id.matches("[0-9a-fA-F]{16}")) {
            throw InputOptions.misused(
                    spec, "'" + id + "' is no id of an event; pathlore get events -o json shows them");
        }
        Inventory inventory = server.inventory(around);
        Text text = new Text();
        try (ApiClient client = server.client(spec, around)) {
            JsonNode event = client.get("/api/v1/events/" + id.toLowerCase(Locale.ROOT), "kind", "start")
                    .json();
            if (format.isText()) {
                print(text, event, inventory);
            } else {
                text.add(json(event, inventory).toString()).line();
            }
        } catch (ApiException e) {
            if (e.status() == NOT_FOUND) {
                throw new Failure("there is no event " + id
                        + " at the collector, or no longer; pathlore get events lists" + " them");
            }
            throw e;
        }
        out.write(text);
        return ExitCode.OK;
    }

    private static void print(Text text, JsonNode event, Inventory inventory) {
        text.add(Table.clean(event.path("kind").asText())).add(", ");
        text.add(Table.clean(event.path("severity").asText())).add(", ");
        text.add(when(event)).line();
        Paragraph.add(text, "", EventWords.of(event, inventory));
        text.line();
        Paragraph.add(text, "", EventWords.meaning(event));
        JsonNode completeness = event.path("completeness");
        if (completeness.isNumber() && completeness.doubleValue() < 1) {
            Paragraph.add(
                    text,
                    "",
                    String.format(
                            Locale.ROOT,
                            "Of the reports it was found in, %.2f %% arrived: there may be more to it.",
                            PERCENT * completeness.doubleValue()));
        }
        flows(text, "Culprits", event.path("culprits"));
        flows(text, "Victims", event.path("victims"));
        flows(text, "Flows", event.path("flows"));
        text.line().add("Look at next:").line();
        EventWords.next(event).forEach(step -> Paragraph.add(text, "- ", step));
    }

    private static void flows(Text text, String title, JsonNode flows) {
        if (flows.isEmpty()) {
            return;
        }
        text.line().add(title).add(":").line();
        int shown = Math.min(flows.size(), FLOWS_SHOWN);
        for (int i = 0; i < shown; i++) {
            JsonNode flow = flows.path(i);
            boolean shared = flow.has("flow");
            text.add("- ").add(EventWords.flow(shared ? flow.path("flow") : flow));
            if (shared) {
                text.add(String.format(
                        Locale.ROOT, "  %.0f %%", PERCENT * flow.path("share").doubleValue()));
            }
            text.line();
        }
        if (shown < flows.size()) {
            text.add("- and " + (flows.size() - shown) + " more").line();
        }
    }

    private static String when(JsonNode event) {
        String start = Table.clean(event.path("start").asText());
        if (!event.has("end")) {
            return "since " + start + ", goes on";
        }
        String end = Table.clean(event.path("end").asText());
        return end.equals(start) ? "at " + start : "from " + start + " to " + end;
    }

    private static ObjectNode json(JsonNode event, Inventory inventory) {
        ObjectNode json = ((ObjectNode) event).objectNode();
        json.set("event", event);
        json.put("text", EventWords.of(event, inventory));
        json.put("meaning", EventWords.meaning(event));
        List<String> next = EventWords.next(event);
        next.forEach(json.putArray("next")::add);
        return json;
    }
}
