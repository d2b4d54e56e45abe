package io.pathlore.cli;

import io.pathlore.cli.config.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        header = {
            "Check the telemetry reports of a capture or journal against the specifications.",
            "",
            "Examples:",
            "  pathlore check reports.pcap                 what is wrong, by rule and clause, and a summary",
            "  pathlore check -x reports.pcap              with the bytes around each finding",
            "  pathlore check --filter 'exporter = 10.0.0.3' reports.pcap",
            "  pathlore check -o json reports.pcap | jq -r .rule | sort | uniq -c",
            "  pathlore check reports.pcap >/dev/null && echo conformant",
            "  pathlore check --since 1h ~/.local/share/pathlore   what a collector received",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore check [OPTIONS] PATH|-|--hex STRING",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no violations; notes do not count",
            "1:the input cannot be read, or not to its end, or is damaged; what can be read was checked",
            "2:wrong usage or configuration",
            "3:violations were found"
        },
        footerHeading = "%n",
        footer = {
            "Every report is decoded leniently, which finds known departures (A-nn), and strictly, which",
            "finds the rest. A note is worth knowing, but no specification forbids it: a packet cut short."
        })
final class CheckCommand implements Callable<Integer> {
    private static final int SHOWN_PER_RULE = 5;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or jsonl (one object per finding), csv. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(
            names = {"-x", "--bytes"},
            description = "Show the bytes around each finding (text).")
    private boolean bytes;

    @Option(names = "--all", description = "Show every finding, not only the first five of a rule and exporter (text).")
    private boolean all;

    @Option(names = "--no-header", description = "No line that names the columns (csv).")
    private boolean noHeader;

    @Mixin
    private final InputOptions options = new InputOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    CheckCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        Input input = options.input(spec, around);
        Profiles profiles = options.profiles(spec);
        boolean text = format.isText();
        if (bytes && !text) {
            throw InputOptions.misused(spec, "-x is for text output");
        }
        Config config = options.config(around);
        ReportFilter filter = options.filter(spec, config);
        Ink ink = options.ink(around);
        FindingPrinter printer = printer(ink, input.isJournal());
        Linter linter = new Linter(config, profiles, config.inventory(), filter, printer);
        Runnable flush = () -> {
            printer.flush();
            out.flush();
        };
        try {
            input.read(flush, linter);
        } finally {
            printer.flush();
            if (text && input.datagrams() + input.packetCount() > 0) {
                new CheckSummary(out, ink)
                        .print(linter.summaries(), all ? Long.MAX_VALUE : SHOWN_PER_RULE, filter.leftOut());
            }
            out.flush();
        }
        PrintWriter err = spec.commandLine().getErr();
        if (input.datagrams() + input.packetCount() == 0) {
            err.println("pathlore: " + input.whyNothing());
        }
        if (input.cut() > 0) {
            err.println("pathlore: " + input.cutText(input.cut(), ""));
        }
        boolean violated = linter.summaries().stream().anyMatch(summary -> summary.violations() > 0);
        return violated ? ExitCode.FINDINGS : ExitCode.OK;
    }

    private FindingPrinter printer(Ink ink, boolean journal) {
        return switch (format) {
            case JSON, JSONL -> new FindingJson(out, journal);
            case CSV -> new FindingCsv(out, !noHeader, journal);
            case TEXT, TABLE -> new FindingLines(out, ink, journal, bytes, all ? Long.MAX_VALUE : SHOWN_PER_RULE);
        };
    }

    /** A printer that may hold lines back. */
    interface FindingPrinter extends Linter.Printer {
        default void flush() {}
    }

    private static final class FindingJson implements FindingPrinter {
        private final Output out;
        private final boolean journal;
        private final Text text = new Text();

        FindingJson(Output out, boolean journal) {
            this.out = out;
            this.journal = journal;
        }

        @Override
        public void finding(Finding finding, long before, ByteBuffer buffer, int start, int end) {
            text.clear().add(journal ? "{\"id\":\"" : "{\"frame\":").decimal(finding.number());
            text.add(journal ? "\"" : "");
            if (!finding.exporter().isEmpty()) {
                text.add(",\"exporter\":\"").add(finding.exporter()).add('"');
            }
            text.add(",\"rule\":\"").add(finding.rule());
            text.add("\",\"clause\":\"").add(finding.clause());
            text.add("\",\"offset\":").decimal(finding.offset());
            text.add(",\"detail\":\"").add(finding.detail()).add('"'); // our own words: nothing to escape
            out.write(text.add(finding.note() ? ",\"note\":true}" : "}").line());
        }
    }

    private static final class FindingCsv implements FindingPrinter {
        private final Output out;
        private final Text text = new Text();

        FindingCsv(Output out, boolean header, boolean journal) {
            this.out = out;
            if (header) {
                out.write(text.add(journal ? "id" : "frame")
                        .add(",exporter,rule,clause,offset,detail,note")
                        .line());
            }
        }

        @Override
        public void finding(Finding finding, long before, ByteBuffer buffer, int start, int end) {
            text.clear()
                    .decimal(finding.number())
                    .add(',')
                    .add(finding.exporter())
                    .add(',')
                    .add(finding.rule());
            text.add(',').add(CsvPrinter.quoted(finding.clause())).add(',').decimal(finding.offset());
            text.add(',').add(CsvPrinter.cell(finding.detail()));
            out.write(text.add(finding.note() ? ",true" : ",false").line());
        }
    }

    private static final class FindingLines implements FindingPrinter {
        private static final int ROW = 16;

        private final Ink ink;
        private final String numbered;
        private final boolean bytes;
        private final long shown;
        private final Columns columns;

        FindingLines(Output out, Ink ink, boolean journal, boolean bytes, long shown) {
            this.ink = ink;
            numbered = journal ? "id " : "frame ";
            this.bytes = bytes;
            this.shown = shown;
            columns = new Columns(out, 22, 39, 32, 14);
        }

        @Override
        public void flush() {
            columns.release();
        }

        @Override
        public void finding(Finding finding, long before, ByteBuffer buffer, int start, int end) {
            if (before >= shown) {
                return;
            }
            Text line = columns.begin();
            line.add(numbered).decimal(finding.number());
            columns.endCell();
            line.add(finding.exporter());
            columns.endCell();
            line.ink(finding.note() ? ink.faint() : ink.wrong())
                    .add(finding.rule())
                    .ink(ink.end());
            columns.endCell();
            line.add("at byte ").decimal(finding.offset());
            columns.endCell();
            line.add(finding.note() ? "note: " : "")
                    .add(finding.clause())
                    .add(": ")
                    .add(finding.detail());
            columns.endLine();
            if (bytes) {
                context(finding.offset(), buffer, start, end);
            }
        }

        /** The row of bytes with the one in question, the rows beside it, and a mark below it. */
        private void context(int offset, ByteBuffer buffer, int start, int end) {
            int row = offset / ROW * ROW;
            for (int at = Math.max(0, row - ROW); at <= row + ROW && at < end - start; at += ROW) {
                Text line = columns.begin().spaces(4).hex(at, 4).add(' ');
                for (int i = at; i < Math.min(at + ROW, end - start); i++) {
                    boolean here = i == offset;
                    line.add(' ').ink(here ? ink.wrong() : "");
                    line.hex(buffer.get(start + i), 2).ink(here ? ink.end() : "");
                }
                columns.endLine();
                if (at == row) {
                    columns.begin().spaces(4 + 4 + 2 + 3 * (offset - row)).add("^^");
                    columns.endLine();
                }
            }
        }
    }
}
