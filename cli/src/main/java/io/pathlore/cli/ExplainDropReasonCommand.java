package io.pathlore.cli;

import io.pathlore.cli.config.DropReasons;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.config.Nearest;
import io.pathlore.cli.explain.DropCause;
import io.pathlore.serve.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "drop-reason",
        header = {
            "Why a node dropped a packet, and what to look at next.",
            "",
            "Examples:",
            "  pathlore explain drop-reason 80",
            "  pathlore explain drop-reason acl_deny",
            "  pathlore explain drop-reason 7 --node leaf-3  by the names that the inventory has for it",
            "  pathlore explain drop-reason                  all that have a name",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore explain drop-reason [ID|NAME] [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footerHeading = "%n",
        footer = {
            "No specification lists drop reasons: a number means what the node's maker says. Tables: fabric-tna, whose",
            "names are used where nothing else is said, and transparent-security."
        })
final class ExplainDropReasonCommand implements Callable<Integer> {
    private static final int MAX_REASON = 255;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Number on the wire, or a name.")
    private @Nullable String id;

    @Option(
            names = "--node",
            paramLabel = "N",
            description = "As this node means it: its id, or name in the inventory.")
    private @Nullable String node;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            description = "As this table has it: fabric-tna, transparent-security.")
    private @Nullable String table;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json, jsonl. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    ExplainDropReasonCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    /** A number, where it is from, and its name; the name is empty where it has none. */
    private record Reason(int number, String table, String name) {
        DropCause cause() {
            return DropCause.of(name);
        }
    }

    @Override
    public Integer call() {
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for explanations; text or json is");
        }
        if (node != null && table != null) {
            throw InputOptions.misused(spec, "give either --node or --table, not both");
        }
        Map<String, Map<Integer, String>> tables = tables();
        List<Reason> all = new ArrayList<>();
        tables.forEach((from, names) -> names.forEach((number, name) -> all.add(new Reason(number, from, name))));
        String wanted = id;
        print(wanted == null ? all : find(wanted, all, tables));
        return ExitCode.OK;
    }

    /** Those that were asked for, by what they are called. */
    private Map<String, Map<Integer, String>> tables() {
        Map<String, Map<Integer, String>> tables = new TreeMap<>();
        if (node != null) {
            Inventory.Node known = known(node, service.config(around).inventory());
            Map<Integer, String> names = new TreeMap<>(DropReasons.table(DropReasons.FABRIC_TNA));
            names.putAll(known.dropReasons());
            tables.put("node " + (known.name() == null ? node : known.name()), names);
            return tables;
        }
        if (table != null && !DropReasons.tables().contains(table)) {
            throw InputOptions.misused(
                    spec, "--table: there is no '" + table + "'; there are " + String.join(", ", DropReasons.tables()));
        }
        for (String name : table == null ? DropReasons.tables() : List.of(table)) {
            tables.put(name, new TreeMap<>(DropReasons.table(name)));
        }
        return tables;
    }

    private static Inventory.Node known(String word, Inventory inventory) {
        for (Inventory.Node each : inventory.nodes()) {
            if (word.equalsIgnoreCase(each.name()) || each.id() != null && word.equals(Long.toString(each.id()))) {
                return each;
            }
        }
        throw new Failure("--node: the inventory has no '" + word + "'; --config names the file that has");
    }

    private List<Reason> find(String word, List<Reason> all, Map<String, Map<Integer, String>> tables) {
        if (word.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(word);
            if (number > MAX_REASON) {
                throw InputOptions.misused(spec, "a drop reason has eight bits: 0 to " + MAX_REASON);
            }
            List<Reason> found =
                    all.stream().filter(reason -> reason.number == number).toList();
            return found.isEmpty() ? List.of(new Reason(number, String.join(", ", tables.keySet()), "")) : found;
        }
        String key = key(word);
        List<Reason> found =
                all.stream().filter(reason -> key(reason.name).equals(key)).toList();
        if (found.isEmpty()) {
            List<String> known =
                    all.stream().map(reason -> key(reason.name)).distinct().toList();
            String nearest = Nearest.to(key, known);
            throw new Failure("there is no drop reason '" + word + "'; "
                    + (nearest == null
                            ? "pathlore explain drop-reason lists those that have a name"
                            : "did you mean '" + nearest + "'?"));
        }
        return found;
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }

    private void print(List<Reason> reasons) {
        Text text = new Text();
        switch (format) {
            case TEXT, TABLE, CSV -> {
                if (id == null) {
                    list(text, reasons);
                } else {
                    reasons.forEach(reason -> explain(text, reason));
                }
            }
            case JSON -> {
                JsonText json = new JsonText().open('[');
                reasons.forEach(reason -> json.raw(json(reason)));
                text.add(json.close(']').toString()).line();
            }
            case JSONL -> reasons.forEach(reason -> text.add(json(reason)).line());
        }
        out.write(text);
    }

    private void list(Text text, List<Reason> reasons) {
        Table rows = new Table(List.of(
                new Table.Column("ID", true),
                new Table.Column("NAME", false),
                new Table.Column("CAUSE", false),
                new Table.Column("TABLE", false)));
        for (Reason reason : reasons) {
            rows.add(List.of(
                    Table.Cell.of(Integer.toString(reason.number)),
                    Table.Cell.of(reason.name),
                    Table.Cell.of(reason.cause().label()),
                    Table.Cell.of(reason.table)));
        }
        rows.print(text, Ink.NONE, true);
    }

    private static void explain(Text text, Reason reason) {
        text.add("drop reason ").decimal(reason.number).add(": ");
        text.add(reason.name.isEmpty() ? "no name in " + reason.table : reason.name + " (" + reason.table + ")")
                .line();
        Paragraph.add(text, "", reason.cause().meaning());
        text.line().add("Look at next:").line();
        reason.cause().next().forEach(step -> Paragraph.add(text, "- ", step));
    }

    private static String json(Reason reason) {
        JsonText json = new JsonText().open('{').name("reason").value(reason.number);
        json.name("table").value(reason.table);
        if (!reason.name.isEmpty()) {
            json.name("name").value(reason.name);
        }
        json.name("cause").value(reason.cause().label());
        json.name("meaning").value(reason.cause().meaning());
        json.name("next").open('[');
        reason.cause().next().forEach(json::value);
        return json.close(']').close('}').toString();
    }
}
