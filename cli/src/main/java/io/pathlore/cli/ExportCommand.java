package io.pathlore.cli;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.ingest.pcap.CaptureWriter;
import io.pathlore.wire.envelope.Envelope;
import io.pathlore.wire.net.DatagramFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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
            "Write the telemetry reports that a collector received to a capture.",
            "",
            "Examples:",
            "  pathlore export reports --out reports.pcap                all that the journal has",
            "  pathlore export reports --since 5m --out reports.pcap     of the last five minutes",
            "  pathlore export reports --since 2026-11-15T18:00:00Z --until 2026-11-15T18:05:00Z --out x.pcap",
            "  pathlore export reports --from /mnt/backup/pathlore --out - | tshark -r -",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore export reports [OPTIONS] --out FILE|-",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when there was nothing of that time",
            "1:no journal; FILE is there or cannot be written; the journal is damaged: what can be read was written",
            "2:wrong usage or configuration"
        },
        footerHeading = "%n",
        footer = {
            "Datagrams are written byte for byte, with their addresses, ports and receive times, in the order",
            "of the journal. A collector may go on receiving meanwhile."
        })
final class ExportCommand implements Callable<Integer> {
    private static final String REPORTS = "reports";
    private static final int TICKS_PER_LOOK = 4096;
    private static final long MAX_TIME_NANOS = ((1L << 32) - 1) * 1_000_000_000L;

    @Parameters(index = "0", arity = "0..1", paramLabel = "WHAT", description = "reports: the journal, as a capture.")
    private @Nullable String what;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Capture to write: pcap with nanoseconds; - for stdout.")
    private @Nullable String out;

    @Option(names = "--force", description = "Replace FILE if it is there.")
    private boolean force;

    @Mixin
    private final TimeOptions time = new TimeOptions();

    @Option(
            names = "--from",
            paramLabel = "DIR",
            description = "Data directory of a collector, or a journal. Default: the configured one.")
    private @Nullable String from;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration: data. Default: ./pathlore.yaml, then /etc/pathlore/pathlore.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration value, like data=/srv/pathlore. Repeatable.")
    private List<String> sets = new ArrayList<>();

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
            throw InputOptions.misused(spec, "what should it export? There is: " + REPORTS);
        }
        if (!what.equals(REPORTS)) {
            throw InputOptions.misused(spec, "it cannot export '" + what + "'; there is: " + REPORTS);
        }
        if (out == null) {
            throw InputOptions.misused(spec, "say where to write it: --out FILE, or - for stdout");
        }
        if (out.equals("-") && around.outIsTerminal()) {
            throw InputOptions.misused(spec, "--out -: a capture is nothing for a terminal; | tshark -r - or > FILE");
        }
        TimeSpan span = time.span(spec);
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
        Path directory = new ConfigLoader(around.directory(), around.systemDirectory(), around.environment())
                .loadService(config, sets)
                .journalDirectory();
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
        long received = envelope.receivedNanos();
        int length = envelope.datagramLength();
        if (length > DatagramFrame.MAX_PAYLOAD || received < 0 || received > MAX_TIME_NANOS) {
            leftOut++;
            return;
        }
        capture.writeDatagram(
                received,
                envelope.v6(),
                envelope.exporterHigh(),
                envelope.exporterLow(),
                envelope.exporterPort(),
                envelope.destinationHigh(),
                envelope.destinationLow(),
                envelope.destinationPort(),
                envelope.buffer(),
                envelope.datagramOffset(),
                envelope.datagramEnd());
        datagrams++;
        octets += length;
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
