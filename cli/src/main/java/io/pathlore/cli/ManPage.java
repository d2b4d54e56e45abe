package io.pathlore.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What {@code --help} says of a command, in the language of manual pages: see man(7). */
final class ManPage {
    private final CommandSpec command;
    private final String version;
    private final StringBuilder out = new StringBuilder();

    private ManPage(CommandSpec command, String version) {
        this.command = command;
        this.version = version;
    }

    /** All pages there are, of this command and those below it, by the name of their file. */
    static Map<String, String> all(CommandLine root, String version) {
        Map<String, String> pages = new TreeMap<>();
        gather(root, version, pages);
        return pages;
    }

    private static void gather(CommandLine line, String version, Map<String, String> pages) {
        CommandSpec spec = line.getCommandSpec();
        pages.put(name(spec) + ".1", new ManPage(spec, version).write());
        for (CommandLine below : line.getSubcommands().values()) {
            if (isShown(below)) {
                gather(below, version, pages);
            }
        }
    }

    /** The command that shows help is a word of the others' help, not a command to read of. */
    private static boolean isShown(CommandLine line) {
        return !line.getCommandSpec().usageMessage().hidden()
                && !line.getCommandName().equals("help");
    }

    private static String name(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    private String write() {
        List<String> header = lines(command.usageMessage().header());
        int examples = header.indexOf("Examples:");
        List<String> about = examples < 0 ? header : header.subList(0, examples);
        out.append(".TH ")
                .append(quoted(name(command).toUpperCase(Locale.ROOT)))
                .append(" 1 \"\" ")
                .append(quoted("pathlore " + version))
                .append(" \"Pathlore\"\n");
        section("NAME");
        String first = about.isEmpty() ? "" : about.getFirst();
        text(name(command) + " - " + first.replaceFirst("\\.$", ""));
        section("SYNOPSIS");
        out.append(".nf\n");
        lines(command.usageMessage().customSynopsis()).forEach(this::text);
        if (command.usageMessage().customSynopsis().length == 0) {
            text(command.qualifiedName() + " [OPTIONS]");
        }
        out.append(".fi\n");
        List<String> more = new ArrayList<>(about.subList(Math.min(1, about.size()), about.size()));
        more.addAll(lines(command.usageMessage().description()));
        if (more.stream().anyMatch(line -> !line.isBlank())) {
            section("DESCRIPTION");
            more.forEach(this::text);
        }
        commands();
        options();
        exitCodes();
        if (examples >= 0) {
            section("EXAMPLES");
            out.append(".nf\n");
            header.subList(examples + 1, header.size()).forEach(this::text);
            out.append(".fi\n");
        }
        List<String> footer = lines(command.usageMessage().footer());
        if (!footer.isEmpty()) {
            section("NOTES");
            footer.forEach(this::text);
        }
        seeAlso();
        return out.toString();
    }

    private void commands() {
        List<CommandLine> below = command.subcommands().values().stream()
                .filter(ManPage::isShown)
                .distinct()
                .toList();
        if (below.isEmpty()) {
            return;
        }
        section("COMMANDS");
        for (CommandLine one : below) {
            List<String> header = lines(one.getCommandSpec().usageMessage().header());
            item(bold(one.getCommandName()), header.isEmpty() ? List.of() : List.of(header.getFirst()));
        }
    }

    private void options() {
        List<OptionSpec> options =
                command.options().stream().filter(one -> !one.hidden()).toList();
        List<PositionalParamSpec> words = command.positionalParameters().stream()
                .filter(one -> !one.hidden())
                .toList();
        if (options.isEmpty() && words.isEmpty()) {
            return;
        }
        section("OPTIONS");
        for (PositionalParamSpec word : words) {
            item(italic(word.paramLabel()), described(word));
        }
        for (OptionSpec option : options) {
            List<String> names = new ArrayList<>();
            for (String name : option.names()) {
                names.add(bold(name));
            }
            String label = option.arity().max() == 0 ? "" : " " + italic(option.paramLabel());
            item(String.join(", ", names) + label, described(option));
        }
    }

    private static List<String> described(ArgSpec of) {
        return lines(of.description());
    }

    private void exitCodes() {
        Map<String, String> codes = command.usageMessage().exitCodeList();
        if (codes.isEmpty()) {
            return;
        }
        section("EXIT STATUS");
        codes.forEach((code, meaning) -> item(bold(code), List.of(meaning)));
    }

    private void seeAlso() {
        List<String> others = new ArrayList<>();
        CommandSpec parent = command.parent();
        if (parent != null) {
            others.add(name(parent));
        }
        command.subcommands().values().stream()
                .filter(ManPage::isShown)
                .distinct()
                .forEach(one -> others.add(name(one.getCommandSpec())));
        if (!others.isEmpty()) {
            section("SEE ALSO");
            text(String.join(", ", others.stream().map(one -> one + "(1)").toList()));
        }
    }

    private void section(String title) {
        out.append(".SH ").append(title).append('\n');
    }

    private void item(String tag, List<String> about) {
        out.append(".TP\n").append(tag).append('\n');
        about.forEach(this::text);
    }

    /** Lines of ours may be formats, as picocli takes them. */
    private static List<String> lines(String... texts) {
        List<String> lines = new ArrayList<>();
        for (String text : texts) {
            String.format(Locale.ROOT, text).lines().forEach(lines::add);
        }
        return lines;
    }

    private void text(String line) {
        out.append(line.isBlank() ? ".PP" : escaped(line)).append('\n');
    }

    private static String bold(String text) {
        return "\\fB" + escaped(text) + "\\fR";
    }

    private static String italic(String text) {
        return "\\fI" + escaped(text) + "\\fR";
    }

    private static String quoted(String text) {
        return "\"" + escaped(text).replace("\"", "\\(dq") + "\"";
    }

    /** A dash is one that can be pasted, and no line is taken for a request. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
