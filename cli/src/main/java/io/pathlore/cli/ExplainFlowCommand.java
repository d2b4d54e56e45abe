package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Table.Cell;
import io.pathlore.cli.Table.Column;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.network.FlowText;
import io.pathlore.model.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "flow",
        header = {
            "Why is this flow slow, or losing packets? Hop by hop against what is usual, with what happened there.",
            "",
            "Examples:",
            "  pathlore explain flow 63d04c9c1d4df139",
            "  pathlore explain flow '10.0.1.1:45678 > 10.0.2.2:80'",
            "  pathlore explain flow '10.0.1.1 > 10.0.2.2 tcp' --since 1h",
            "  pathlore explain flow 63d04c9c1d4df139 -o json | jq -r .verdict",
            "  pathlore get flows --sort latency               which flows there are",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore explain flow FLOW [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:there is no such flow in that time, or the server is no collector",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer = {
            "TIME is the mean in the queues a hop may use, of all packets there; SHARE its part of the way. USUAL is",
            "the median of the minutes of six hours before. What is not known is told below the tables."
        })
final class ExplainFlowCommand implements Callable<Integer> {
    private static final Pattern ID = Pattern.compile("[0-9a-fA-F]{16}");
    private static final Pattern FLOW = Pattern.compile("(.+?)\\s*-?>\\s*(\\S+?)(?:\\s+([a-z0-9-]+))?");
    private static final Pattern SIDE =
            Pattern.compile("\\[(.+)](?::([0-9]+))?|([0-9.]+)(?::([0-9]+))?|([0-9a-fA-F:.]+)");
    private static final int CANDIDATES = 5;
    private static final int TO_THE_SECOND = "2026-11-15T18:00:00".length();
    private static final double NANOS = 1e9;

    @Parameters(
            index = "0",
            paramLabel = "FLOW",
            description = "Its id, or 'SOURCE > DESTINATION', with ports and protocol or without, if that is only one.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String flow;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Mixin
    private final SpanOptions span = new SpanOptions();

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    ExplainFlowCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "-o: an explanation is text or json");
        }
        String filter = filter();
        try (ApiClient client = server.client(spec, around)) {
            String id = filter == null ? flow.toLowerCase(Locale.ROOT) : find(client, filter);
            String query = ApiClient.query(span.parameters());
            String path = "/api/v1/flows/" + id + "/explain" + (query.isEmpty() ? "" : "?" + query.substring(1));
            JsonNode json = client.get(path, "verdict", "flow", "hops").json();
            Text text = new Text();
            if (format.isText()) {
                print(text, json);
            } else {
                text.add(json.toString()).line();
            }
            out.write(text);
            return ExitCode.OK;
        } catch (ApiException e) {
            throw SpanOptions.blamed(spec, e);
        }
    }

    // Which flow
    // --------------------------------------------------------------------------------------------------------------

    /** Null where the id was given. */
    private @Nullable String filter() {
        String text = flow.strip();
        if (ID.matcher(text).matches()) {
            return null;
        }
        Matcher parts = FLOW.matcher(text);
        if (!parts.matches()) {
            throw InputOptions.misused(
                    spec, "'" + flow + "' is no flow; 63d04c9c1d4df139 and '10.0.1.1:45678 > 10.0.2.2:80 tcp' are");
        }
        String filter = side(parts.group(1), "src", "sport") + " and " + side(parts.group(2), "dst", "dport");
        return parts.group(3) == null ? filter : filter + " and proto = " + parts.group(3);
    }

    private String side(String text, String address, String port) {
        Matcher side = SIDE.matcher(text);
        if (!side.matches()) {
            throw InputOptions.misused(spec, "'" + text + "' is no address; 10.0.1.1:80 and [2001:db8::1]:80 are");
        }
        String host = side.group(1) != null ? side.group(1) : side.group(3) != null ? side.group(3) : side.group(5);
        String number = side.group(2) != null ? side.group(2) : side.group(4);
        return address + " = " + host + (number == null ? "" : " and " + port + " = " + number);
    }

    private String find(ApiClient client, String filter) {
        Map<String, String> parameters = span.parameters();
        parameters.put("filter", filter);
        List<JsonNode> found =
                client.list("/api/v1/flows", parameters, CANDIDATES + 1).items();
        if (found.isEmpty()) {
            throw new Failure(
                    "no flow '" + flow + "' was stored in that time; --since looks further back, and a flow is"
                            + " stored when its minute is over");
        }
        if (found.size() == 1) {
            return found.getFirst().path("id").asText();
        }
        List<String> names = new ArrayList<>();
        for (JsonNode each : found.subList(0, Math.min(CANDIDATES, found.size()))) {
            names.add(each.path("id").asText() + " (" + FlowText.of(each) + ")");
        }
        throw InputOptions.misused(
                spec,
                "'" + flow + "' may be several flows; name one: " + String.join(", ", names)
                        + (found.size() > CANDIDATES ? ", …" : ""));
    }

    // What is said of it
    // --------------------------------------------------------------------------------------------------------------

    private void print(Text text, JsonNode json) {
        Ink ink = server.ink(around);
        JsonNode about = json.path("flow");
        text.add(Table.clean(FlowText.of(about) + "  " + about.path("id").asText()))
                .line();
        text.add(Table.clean(summary(json))).line().line();
        text.add(Table.clean(json.path("verdict").asText())).line();
        if (!json.path("hops").isEmpty()) {
            hops(text.line(), json.path("hops"), ink);
        }
        if (!json.path("drops").isEmpty()) {
            drops(text.line(), json.path("drops"), ink);
        }
        if (!json.path("events").isEmpty()) {
            events(text.line(), json.path("events"), ink);
        }
        if (!json.path("unseen").isEmpty()) {
            text.line().add("Not known:").line();
            json.path("unseen")
                    .forEach(line ->
                            text.add("- ").add(Table.clean(line.asText())).line());
        }
    }

    private static String summary(JsonNode json) {
        JsonNode about = json.path("flow");
        StringBuilder text =
                new StringBuilder(Amount.count(about.path("reports").asLong(), "report"));
        if (about.path("packets").isNumber()) {
            text.append(" of ").append(Amount.count(about.path("packets").asLong(), "packet"));
        }
        if (about.path("drops").isNumber()) {
            text.append(", ").append(Amount.count(about.path("drops").asLong())).append(" dropped");
        }
        JsonNode latency = about.path("latencyNs");
        if (latency.path("last").isNumber()) {
            text.append(", ")
                    .append(Amount.nanos(latency.path("last").asLong()))
                    .append(" on its way");
        }
        return text.append("; ")
                .append(second(json.path("since").asText()))
                .append(" to ")
                .append(second(json.path("until").asText()))
                .toString();
    }

    private static String second(String time) {
        return time.length() < TO_THE_SECOND ? time : time.substring(0, TO_THE_SECOND) + "Z";
    }

    private static void hops(Text text, JsonNode hops, Ink ink) {
        List<Field> fields = List.of(
                Field.shown("latencyNs.mean", "TIME", Field.Kind.NANOS),
                Field.shown("share", "SHARE", Field.Kind.SHARE),
                Field.shown("usualNs", "USUAL", Field.Kind.NANOS),
                Field.shown("factor", "TIMES", Field.Kind.RATIO),
                Field.shown("latencyNs.p99", "P99", Field.Kind.NANOS),
                Field.shown("latencyNs.max", "MAX", Field.Kind.NANOS),
                Field.shown("occupancyMax", "OCCUPANCY", Field.Kind.COUNT),
                Field.shown("drops", "DROPS", Field.Kind.TROUBLE));
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("HOP", false));
        columns.add(new Column("OUT", false));
        fields.forEach(field -> columns.add(new Column(String.valueOf(field.title()), true)));
        Table table = new Table(columns);
        for (JsonNode hop : hops) {
            List<Cell> cells = new ArrayList<>();
            cells.add(Cell.of(hop.path("name").asText(hop.path("node").asText())));
            List<String> out = new ArrayList<>();
            hop.path("interfaces")
                    .forEach(each -> out.add(each.path("interfaceName")
                            .asText(each.path("interface").asText())));
            cells.add(Cell.of(out.isEmpty() ? "?" : String.join(",", out)));
            fields.forEach(field -> cells.add(field.cell(hop, 0)));
            table.add(cells);
        }
        table.print(text, ink, true);
    }

    private static void drops(Text text, JsonNode drops, Ink ink) {
        Table table = new Table(List.of(
                new Column("DROPPED AT", false),
                new Column("REASON", false),
                new Column("REPORTS OF ALL FLOWS", true)));
        for (JsonNode drop : drops) {
            String reason = drop.path("reason").asText("?");
            table.add(List.of(
                    Cell.of(drop.path("name").asText(drop.path("node").asText())),
                    Cell.of(
                            drop.has("reasonName")
                                    ? reason + " " + drop.path("reasonName").asText()
                                    : reason),
                    Cell.of(Amount.count(drop.path("reports").asLong()))));
        }
        table.print(text, ink, true);
    }

    private static void events(Text text, JsonNode events, Ink ink) {
        Table table = new Table(List.of(
                new Column("WHEN", false),
                new Column("LASTED", true),
                new Column("EVENT", false),
                new Column("WHAT", false)));
        for (JsonNode each : events) {
            JsonNode event = each.path("event");
            table.add(List.of(
                    Cell.of(second(event.path("start").asText())),
                    Cell.of(lasted(event)),
                    Cell.of(event.path("kind").asText()),
                    Cell.of(EventRemarks.of(event))));
        }
        table.print(text, ink, true);
    }

    private static @Nullable String lasted(JsonNode event) {
        Long start = TimeText.parse(event.path("start").asText());
        Long end = TimeText.parse(event.path("end").asText());
        if (end == null) {
            return "goes on";
        }
        if (start == null || end.equals(start)) {
            return null;
        }
        return end - start < NANOS ? Amount.nanos(end - start) : Amount.seconds((end - start) / NANOS);
    }
}
