package io.pathlore.cli;

import io.pathlore.cli.client.ApiClient;
import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.store.tables.Table;
import io.pathlore.wire.envelope.Envelope;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "export",
        header = {
            "Write the telemetry reports that a collector received to a capture, or one of its tables to a file.",
            "",
            "Examples:",
            "  pathlore export reports --out reports.pcap                all that the journal has",
            "  pathlore export reports --since 5m --out reports.pcap     of the last five minutes",
            "  pathlore export reports --since 2026-11-15T18:00:00Z --until 2026-11-15T18:05:00Z --out x.pcap",
            "  pathlore export reports --from /mnt/backup/pathlore --out - | tshark -r -",
            "  pathlore export reports --server https://serve:8080 --since 5m --out reports.pcap",
            "  pathlore export hops_1m --since 1d --out hops.parquet     a table; also .csv, .jsonl",
            "  pathlore export events --from /mnt/backup/pathlore --out events.jsonl",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore export reports|TABLE [OPTIONS] --out FILE|-",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when there was nothing of that time",
            "1:no journal or tables; FILE is there or cannot be written; the journal is damaged, or an edge could"
                    + " not be asked: what can be read was written",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers, and it was named"
        },
        footerHeading = "%n",
        footer = {
            "Datagrams are written byte for byte, with their addresses, ports and receive times, in the order",
            "of the journal. A collector may go on receiving meanwhile. With --server they are asked of that server,",
            "which asks its edges where it is one that only serves. Tables are asked of the running collector;",
            "with --from, or where none answers, they are read from the data of one that does not run.",
            "Tables: hops_1s, hops_1m, flows_1m, links_1m, drops_1s, exporters_1m, paths, nodes, episodes, events,",
            "attacks_1s, stopped."
        })
final class ExportCommand implements Callable<Integer> {
    private static final String REPORTS = "reports";
    private static final int TICKS_PER_LOOK = 4096;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "WHAT",
            description = "reports: the journal, as a capture; or a table.")
    private @Nullable String what;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Capture to write: pcap with nanoseconds; - for stdout. Of a table: .parquet, .csv, .jsonl.")
    private @Nullable String out;

    @Option(names = "--force", description = "Replace FILE if it is there.")
    private boolean force;

    @Mixin
    private final TimeOptions time = new TimeOptions();

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Data directory of a collector, or a journal or tables. Default: the configured one.")
    private @Nullable String from;

    @Mixin
    private final ServerOptions server = new ServerOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output stdout;
    private volatile boolean interrupted;

    private long datagrams;
    private long octets;
    private long leftOut;
    private long earliest = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;
    private final BitSet ports = new BitSet();

    ExportCommand(Surroundings around, Output stdout) {
        this.around = around;
        this.stdout = stdout;
    }

    @Override
    public Integer call() throws IOException {
        if (what == null) {
            throw InputOptions.misused(spec, "what should it export? There are: " + known());
        }
        Table table = Table.named(what);
        if (!what.equals(REPORTS) && table == null) {
            throw InputOptions.misused(spec, "it cannot export '" + what + "'; there are: " + known());
        }
        if (out == null) {
            throw InputOptions.misused(spec, "say where to write it: --out FILE, or - for stdout");
        }
        if (table != null) {
            return new TableFile(table, time.span(spec), server, spec, around).write(out, force, from);
        }
        if (out.equals("-") && around.outIsTerminal()) {
            throw InputOptions.misused(spec, "--out -: a capture is nothing for a terminal; | tshark -r - or > FILE");
        }
        TimeSpan span = time.span(spec);
        if (from == null && server.named()) {
            return download(span, out);
        }
        Path journal = journal();
        try (StatusLine line = new StatusLine(around, true);
                JournalInput input = new JournalInput(journal, span, damage -> {
                    line.clear();
                    InputOptions.teller(spec).accept(damage);
                });
                var _ = around.interruption().onInterrupt(() -> interrupted = true)) {
            if (out.equals("-")) {
                copy(input, CaptureWriter.to(new ToStdout(stdout)), line);
            } else {
                copyToFile(input, out, line);
            }
            line.clear();
            summarise(span);
            input.finish();
        }
        if (leftOut > 0) {
            throw new Failure(Input.count(leftOut, "datagram", "datagrams")
                    + " left out: a capture has no room for the length or the time");
        }
        return ExitCode.OK;
    }

    /** Of a server that was named, also one that asks others in turn. */
    private int download(TimeSpan span, String name) {
        ReportDownload download;
        try (StatusLine line = new StatusLine(around, true);
                ApiClient client = server.client(spec, around, ReportDownload.PATIENCE);
                var _ = around.interruption().onInterrupt(() -> interrupted = true);
                var _ = around.interruption().onInterrupt(client::close)) {
            download = new ReportDownload(client, span, () -> interrupted);
            if (name.equals("-")) {
                download.to(new ToStdout(stdout), line);
            } else {
                try (WholeFile file = WholeFile.create(around.directory().resolve(name), force)) {
                    download.to(file.stream(), line);
                    if (interrupted) {
                        throw new Failure("interrupted; " + name + " was not written");
                    }
                    file.complete();
                }
            }
        } catch (FileAlreadyExistsException e) {
            throw new Failure(name + ": is there already; --force replaces it");
        } catch (IOException e) {
            throw Failure.cannotWrite(name, e);
        }
        var err = spec.commandLine().getErr();
        err.println(download.isEmpty() ? "no datagrams of that time" : download.amount());
        if (!download.unreached().isEmpty()) {
            throw new Failure("reports are missing, of who could not be asked: " + download.unreached());
        }
        return ExitCode.OK;
    }

    private static String known() {
        return REPORTS + ", " + Arrays.stream(Table.values()).map(Table::label).collect(Collectors.joining(", "));
    }

    private Path journal() {
        if (from != null) {
            Path named = around.directory().resolve(from);
            Path found = JournalInput.find(named);
            if (found == null) {
                throw new Failure(named
                        + (Files.isDirectory(named) ? ": no journal in it" : ": no such directory")
                        + "; --from is the data directory of a collector, or a journal");
            }
            return found;
        }
        Path directory = server.service(around).journalDirectory();
        if (!Files.isDirectory(directory)) {
            throw new Failure("no journal in " + directory
                    + "; name the data directory of the collector with --from DIR, or its --config FILE");
        }
        return directory;
    }

    private void copyToFile(JournalInput input, String name, StatusLine line) {
        try (WholeFile file = WholeFile.create(around.directory().resolve(name), force)) {
            copy(input, CaptureWriter.to(file.stream()), line);
            if (interrupted) {
                throw new Failure("interrupted; " + name + " was not written");
            }
            file.complete();
        } catch (FileAlreadyExistsException e) {
            throw new Failure(name + ": is there already; --force replaces it");
        } catch (IOException e) {
            throw Failure.cannotWrite(name, e);
        }
    }

    private void copy(JournalInput input, CaptureWriter capture, StatusLine line) throws IOException {
        long ticks = 0;
        while (!interrupted && input.next()) {
            copy(input.envelope(), capture);
            if (++ticks % TICKS_PER_LOOK == 0) {
                line.show(this::amount);
            }
        }
        capture.flush();
    }

    private void copy(Envelope envelope, CaptureWriter capture) throws IOException {
        if (!capture.write(envelope)) {
            leftOut++;
            return;
        }
        long received = envelope.receivedNanos();
        datagrams++;
        octets += envelope.datagramLength();
        earliest = Math.min(earliest, received);
        latest = Math.max(latest, received);
        ports.set(envelope.destinationPort());
    }

    private String amount() {
        return String.format(
                Locale.ROOT, "%,d %s, %,d octets", datagrams, datagrams == 1 ? "datagram" : "datagrams", octets);
    }

    private void summarise(TimeSpan span) {
        var err = spec.commandLine().getErr();
        if (datagrams == 0) {
            err.println("no datagrams: the journal has none" + (span.isAlways() ? "" : " of that time"));
            return;
        }
        Text text = new Text();
        text.add(amount()).add(", received ").timestamp(earliest);
        err.println(text.add(" to ").timestamp(latest));
        if (ports.stream().anyMatch(port -> !Input.REPORT_PORTS.contains(port))) {
            err.println("pathlore decode finds them with "
                    + ports.stream().mapToObj(port -> "--port " + port).collect(Collectors.joining(" ")));
        }
    }

    /** In order with what else is written there; not ours to close. */
    private static final class ToStdout extends OutputStream {
        private final Output stdout;

        ToStdout(Output stdout) {
            this.stdout = stdout;
        }

        @Override
        public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            stdout.write(bytes, offset, length);
        }

        @Override
        public void flush() {
            stdout.flush();
        }
    }
}
