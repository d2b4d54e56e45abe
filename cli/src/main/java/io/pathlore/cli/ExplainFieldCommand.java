package io.pathlore.cli;

import io.pathlore.cli.config.Nearest;
import io.pathlore.cli.explain.FieldGuide;
import io.pathlore.cli.explain.FieldGuide.Entry;
import io.pathlore.serve.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "field",
        header = {
            "What a key of a decoded report means, its unit, who carries it, and what it means when it is missing.",
            "",
            "Examples:",
            "  pathlore explain field hopLatency",
            "  pathlore explain field int.hops.queueOccupancy",
            "  pathlore explain field report                 all of the header",
            "  pathlore explain field                        all there are",
            "  pathlore explain field sequence -o json | jq -r '.[].absent'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore explain field [NAME] [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footerHeading = "%n",
        footer = "The keys are those of 'pathlore decode -o json', of the API, and of observe.")
final class ExplainFieldCommand implements Callable<Integer> {
    private static final int TEXT_COLUMN = 9;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "A key, alone or with those around it.")
    private @Nullable String name;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json, jsonl. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Output out;

    ExplainFieldCommand(Output out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for explanations; text or json is");
        }
        FieldGuide guide = FieldGuide.load();
        List<Entry> found = name == null ? guide.entries() : find(guide, name);
        Text text = new Text();
        switch (format) {
            case TEXT, TABLE, CSV -> {
                if (name == null) {
                    list(text, found);
                } else {
                    explain(text, found);
                }
            }
            case JSON -> {
                JsonText json = new JsonText().open('[');
                found.forEach(entry -> json.raw(json(entry)));
                text.add(json.close(']').toString()).line();
            }
            case JSONL -> found.forEach(entry -> text.add(json(entry)).line());
        }
        out.write(text);
        return ExitCode.OK;
    }

    private static List<Entry> find(FieldGuide guide, String word) {
        List<Entry> found = guide.find(word);
        if (!found.isEmpty()) {
            return found;
        }
        List<String> known = new ArrayList<>();
        for (Entry entry : guide.entries()) {
            for (String path : entry.paths()) {
                known.add(path);
                known.add(path.substring(path.lastIndexOf('.') + 1));
            }
        }
        String nearest = Nearest.to(word, known);
        throw new Failure("reports have no '" + word + "'; "
                + (nearest == null
                        ? "pathlore explain field lists what they have"
                        : "did you mean '" + nearest + "'?"));
    }

    /** A line for each, up to the first full stop. */
    private static void list(Text text, List<Entry> entries) {
        Table table = new Table(List.of(new Table.Column("KEY", false), new Table.Column("MEANS", false)));
        for (Entry entry : entries) {
            int stop = entry.means().indexOf(". ");
            String first = stop < 0 ? entry.means() : entry.means().substring(0, stop + 1);
            for (String path : entry.paths()) {
                table.add(List.of(Table.Cell.of(path), Table.Cell.of(first)));
            }
        }
        table.print(text, Ink.NONE, true);
    }

    private static void explain(Text text, List<Entry> entries) {
        String between = "";
        for (Entry entry : entries) {
            text.add(between).add(String.join(", ", entry.paths())).line();
            Paragraph.add(text, "  ", entry.means());
            line(text, "unit", entry.unit());
            line(text, "carried", entry.carried());
            line(text, "clause", entry.clause());
            line(text, "absent", entry.absent());
            between = "\n";
        }
    }

    private static void line(Text text, String title, String prose) {
        if (!prose.isEmpty()) {
            String mark = "  " + title + " ".repeat(TEXT_COLUMN - title.length());
            Paragraph.add(text, mark, prose);
        }
    }

    private static String json(Entry entry) {
        JsonText json = new JsonText().open('{').name("paths").open('[');
        entry.paths().forEach(json::value);
        json.close(']').name("means").value(entry.means());
        optional(json, "unit", entry.unit());
        optional(json, "carried", entry.carried());
        optional(json, "clause", entry.clause());
        optional(json, "absent", entry.absent());
        return json.close('}').toString();
    }

    private static void optional(JsonText json, String key, String text) {
        if (!text.isEmpty()) {
            json.name(key).value(text);
        }
    }
}
