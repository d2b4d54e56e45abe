package io.pathlore.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.pathlore.cli.Field.Kind;
import io.pathlore.cli.client.Amount;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "exporters",
        header = {
            "Who sends reports: when last, how much, and what was lost.",
            "",
            "Examples:",
            "  pathlore get exporters",
            "  pathlore get exporters --sort lost --limit 5  those that lost most",
            "  pathlore get exporters --watch                every two seconds, with rates",
            "  pathlore get exporters -o json | jq '.[] | select(.completeness < 0.999) | .address'",
            "  pathlore get exporters --server https://collector:8080 --token-file viewer.token",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore get exporters [OPTIONS]",
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
        footer = {
            "LOST are numbers that never came, COMPLETE the share of those that did; ? is unknown, for an",
            "exporter that does not count its reports, - is nothing. CSV and JSON have every count."
        })
final class GetExportersCommand implements Callable<Integer> {
    private static final Listing.Kind EXPORTERS = new Listing.Kind(
            "/api/v1/exporters",
            "exporter",
            List.of(
                    Field.shown("address", "EXPORTER", Kind.ADDRESS),
                    Field.shown("name", "NAME", Kind.WORD),
                    Field.shown("nodes", "NODES", Kind.NODES),
                    Field.exported("firstSeen", Kind.TIME),
                    Field.shown("lastSeen", "LAST SEEN", Kind.TIME),
                    Field.shown("datagrams", "DATAGRAMS", Kind.COUNT),
                    Field.shown("bytes", "BYTES", Kind.BYTES),
                    Field.shown("reports", "REPORTS", Kind.COUNT),
                    Field.shown("rejectedReports", "REJECTED", Kind.TROUBLE),
                    Field.shown("lost", "LOST", Kind.TROUBLE),
                    Field.shown("completeness", "COMPLETE", Kind.SHARE),
                    Field.exported("undecodable", Kind.TROUBLE),
                    Field.exported("overRate", Kind.TROUBLE),
                    Field.exported("lastFault", Kind.WORD),
                    Field.exported("streams", Kind.COUNT),
                    Field.exported("missing", Kind.TROUBLE),
                    Field.exported("duplicates", Kind.TROUBLE),
                    Field.exported("reordered", Kind.TROUBLE),
                    Field.exported("late", Kind.TROUBLE),
                    Field.exported("restarts", Kind.TROUBLE),
                    Field.exported("unknownGaps", Kind.TROUBLE),
                    Field.exported("suspected", Kind.FLAG)),
            "reports",
            GetExportersCommand::remarks,
            "no exporter has sent anything yet; 'pathlore doctor' says why");

    @Mixin
    private final ListOptions list = new ListOptions();

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    GetExportersCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        return new Listing(EXPORTERS, list, server, spec, around, out).run();
    }

    /** What is rare, and then worth a word: the most alarming first. */
    private static String remarks(JsonNode item) {
        StringJoiner remarks = new StringJoiner(", ");
        if (item.path("suspected").asBoolean(false)) {
            remarks.add("suspected: two senders in one stream, or a node of another address");
        }
        count(remarks, item, "undecodable", "undecodable", "undecodable");
        count(remarks, item, "overRate", "over the rate limit", "over the rate limit");
        if (item.path("lastFault").isTextual()) {
            remarks.add("last fault " + item.path("lastFault").textValue());
        }
        count(remarks, item, "missing", "missing", "missing");
        count(remarks, item, "unknownGaps", "gap of unknown size", "gaps of unknown size");
        count(remarks, item, "restarts", "restart", "restarts");
        count(remarks, item, "duplicates", "duplicate", "duplicates");
        count(remarks, item, "late", "late", "late");
        count(remarks, item, "reordered", "reordered", "reordered");
        return remarks.toString();
    }

    private static void count(StringJoiner remarks, JsonNode item, String key, String one, String many) {
        Long number = Field.number(item, key);
        if (number != null && number > 0) {
            remarks.add(Amount.count(number) + " " + (number == 1 ? one : many));
        }
    }
}
