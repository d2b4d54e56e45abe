package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.client.Amount;
import io.pathlore.cli.client.ApiClient;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.network.FlowText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "packet",
        header = {
            "What each node said of one packet, in the order of its way, and who said nothing.",
            "",
            "Examples:",
            "  pathlore explain packet 00c0ffee00c0ffee-512-0",
            "  pathlore explain packet $(pathlore observe --limit 1 -o json | jq -r .id)",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore explain packet REPORT [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the journal has no such report, or no longer",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        footerHeading = "%n",
        footer =
                "Reports of one packet are told by what does not change on the way, and are apart by analysis.join at most.")
final class ExplainPacketCommand implements Callable<Integer> {
    private static final int NOT_FOUND = 404;
    private static final int COLUMN = 12;

    @Parameters(index = "0", paramLabel = "REPORT", description = "The id of one of its reports.")
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

    ExplainPacketCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for explanations; text or json is");
        }
        if (!id.matches("[0-9a-f]{16}-[0-9]{1,18}-[0-9]{1,5}")) {
            throw InputOptions.misused(spec, "'" + id + "' is no id of a report; pathlore observe -o json shows them");
        }
        Text text = new Text();
        try (ApiClient client = server.client(spec, around)) {
            JsonNode packet = client.get("/api/v1/reports/" + id + "/packet", "hops", "missing", "whole")
                    .json();
            if (format.isText()) {
                print(text, packet);
            } else {
                text.add(packet.toString()).line();
            }
        } catch (ApiException e) {
            if (e.status() == NOT_FOUND) {
                throw new Failure("there is no report " + id + " in the journal, or no longer");
            }
            throw e;
        }
        out.write(text);
        return ExitCode.OK;
    }

    private static void print(Text text, JsonNode packet) {
        JsonNode hops = packet.path("hops");
        JsonNode missing = packet.path("missing");
        String flow = packet.has("flow") ? FlowText.of(packet.path("flow")) : "a packet that is not named";
        text.add(Table.clean(flow)).add(", in ");
        text.add(Amount.count(packet.path("reports").size(), "report")).line();
        int width = COLUMN;
        for (JsonNode hop : hops) {
            width = Math.max(width, called(hop, "name", "node").length() + 2);
        }
        if (hops.isEmpty()) {
            text.add("No node said anything of its way.").line();
        }
        said(text, missing, width, null);
        for (JsonNode hop : hops) {
            text.add("  ").add(called(hop, "name", "node")).to(width + 2);
            text.add(String.join(", ", details(hop))).line();
            said(text, missing, width, hop);
        }
        text.line().add(verdict(packet)).line();
    }

    /** Those that said nothing behind this hop, or in front of the first. */
    private static void said(Text text, JsonNode missing, int width, @Nullable JsonNode after) {
        for (JsonNode gap : missing) {
            boolean here = after == null
                    ? !gap.has("after")
                    : gap.has("after") && gap.path("after").equals(after.path("node"));
            if (here) {
                List<String> names = new ArrayList<>();
                gap.path("names").forEach(name -> names.add(Table.clean(name.asText())));
                String count = gap.has("count") ? Amount.count(gap.path("count").asLong(), "node") : "some nodes";
                text.add("  -").to(width + 2);
                text.add(count).add(" said nothing");
                text.add(names.isEmpty() ? "" : ": " + String.join(", ", names)).line();
            }
        }
    }

    private static String called(JsonNode json, String name, String node) {
        return Table.clean(json.path(name).asText(json.path(node).asText("a node without a name")));
    }

    private static List<String> details(JsonNode hop) {
        List<String> parts = new ArrayList<>();
        if (hop.has("dropped")) {
            parts.add("dropped it: "
                    + Table.clean(hop.path("dropReasonName")
                            .asText(
                                    hop.has("dropReason")
                                            ? "reason " + hop.path("dropReason").asText()
                                            : "it does not say why")));
        }
        if (hop.has("latencyNs")) {
            parts.add(Amount.nanos(hop.path("latencyNs").asLong()));
        }
        for (String key : List.of("ingress", "egress", "queue", "occupancy", "ttl")) {
            if (hop.has(key)) {
                parts.add(
                        (key.equals("ttl") ? "TTL" : key) + " " + hop.path(key).asText());
            }
        }
        return parts;
    }

    private static String verdict(JsonNode packet) {
        if (packet.path("cut").asBoolean()) {
            return "There was more to look at than one answer may cost: this may not be all.";
        }
        if (packet.path("whole").asBoolean()) {
            return "Nothing is known to be missing.";
        }
        return packet.path("missing").isEmpty()
                ? "Whether others met it nobody can tell."
                : "Reports are missing: they were lost, or these nodes did not choose to report this packet.";
    }
}
