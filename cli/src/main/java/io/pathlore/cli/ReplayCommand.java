package io.pathlore.cli;

import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.dataplane.live.BatchSender;
import io.pathlore.dataplane.live.Pace;
import io.pathlore.dataplane.live.Pacer;
import io.pathlore.dataplane.live.Ticker;
import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketWalker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "replay",
        header = {
            "Send the telemetry reports of a capture or journal to a collector.",
            "",
            "Examples:",
            "  pathlore replay reports.pcap --to 127.0.0.1:8555               as they were captured",
            "  pathlore replay reports.pcap --to 127.0.0.1:8555 --speed 10    ten times as fast",
            "  pathlore replay reports.pcap --to collector:8555 --rate 50000  50000 datagrams each second",
            "  pathlore replay reports.pcap --to 127.0.0.1:8555 --max --loop 0",
            "  zcat old/*.pcap.gz | pathlore replay - --to 127.0.0.1:8555 --max",
            "  pathlore replay ~/.local/share/pathlore --since 1h --to 127.0.0.1:8555",
            "  pathlore replay reports.pcap --to 127.0.0.1:8555 --filter 'exporter = 10.0.0.3'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore replay [OPTIONS] PATH|- --to HOST:PORT",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when nobody listened or Ctrl-C ended it",
            "1:the input cannot be read, or not to its end, or is damaged; no way to HOST; nothing could be sent",
            "2:wrong usage"
        },
        footerHeading = "%n",
        footer = {
            "Reports are sent as they are, byte for byte, from this machine's own address: the exporters'",
            "addresses cannot be kept. At the end it tells the rate it really held."
        })
final class ReplayCommand implements Callable<Integer> {
    private static final double NANOS = 1e9;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Capture to send: pcap or pcapng, also gzip; - for stdin. Or a directory: a collector's"
                    + " journal, or the data directory it is in.")
    private @Nullable String file;

    @Option(names = "--to", paramLabel = "HOST:PORT", description = "Where to send it. An IPv6 address stands in [].")
    private @Nullable Endpoint to;

    @Mixin
    private final PaceOptions pace = new PaceOptions();

    @Option(names = "--loop", paramLabel = "N", description = "Send it N times; 0: until Ctrl-C. Default: 1.")
    private long loops = 1;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "UDP port that reports were sent to; repeatable. Default: 8555, 556, 32766; of a journal" + " all.")
    private List<Integer> ports = new ArrayList<>();

    @Mixin
    private final TimeOptions time = new TimeOptions();

    @Mixin
    private final FilterOption filter = new FilterOption();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration, for --filter: marks, domains, inventory. Default: ./pathlore.yaml, then"
                    + " /etc/pathlore/pathlore.yaml.")
    private @Nullable Path config;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "Of the summary: text, json. Default: text.")
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

    private final Surroundings around;
    private final Output out;

    ReplayCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (file == null) {
            throw InputOptions.misused(spec, "name a capture file, - for stdin, or a journal");
        }
        if (to == null) {
            throw InputOptions.misused(spec, "say where to send it: --to HOST:PORT");
        }
        if (loops < 0) {
            throw InputOptions.misused(spec, "--loop: " + loops + " is negative");
        }
        if (file.equals("-") && loops != 1) {
            throw InputOptions.misused(spec, "--loop: stdin can be read only once");
        }
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for a summary; text or json is");
        }
        List<Integer> wanted = InputOptions.ports(spec, ports);
        TimeSpan span = time.span(spec);
        Pace asked = pace.pace(spec);
        Selection selection = filter.given() ? selection() : null;
        try (BatchSender sender = open(to);
                StatusLine line = new StatusLine(around, true)) {
            Run run = new Run(sender, asked, selection, line);
            try (var _ = around.interruption().onInterrupt(run.pacer::stop)) {
                run(run, file, wanted, span);
            }
            boolean nothing = sender.sent() == 0 && sender.failed() > 0;
            return nothing ? ExitCode.RUNTIME : ExitCode.OK;
        }
    }

    private Selection selection() {
        Config loaded = new ConfigLoader(around.directory(), around.systemDirectory(), around.environment())
                .load(config, List.of());
        return new Selection(loaded, ReportFilter.of(filter, spec, loaded.inventory()));
    }

    private static BatchSender open(Endpoint to) {
        try {
            return BatchSender.open(null, to.resolve());
        } catch (IOException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private Input input(String file, List<Integer> ports, TimeSpan span, StatusLine line) {
        Consumer<String> tell = InputOptions.teller(spec);
        return new Input(around.withoutTerminal(), file, null, ports, span, false, text -> {
            line.clear();
            tell.accept(text);
        });
    }

    private void run(Run run, String file, List<Integer> ports, TimeSpan span) throws IOException {
        long cut = 0;
        Input input = input(file, ports, span, run.line);
        try {
            for (long pass = 1; ; pass++) {
                input.read(run.sender::flush, run);
                cut += input.cut();
                if (run.pacer.isStopped() || pass == loops || run.pacer.released() == 0) {
                    break;
                }
                run.pacer.startAgain();
                input = input(file, ports, span, run.line);
            }
        } finally {
            run.sender.flush();
            run.pacer.finish();
            run.line.clear();
            if (run.pacer.released() > 0) {
                print(run);
            }
        }
        PrintWriter err = spec.commandLine().getErr();
        if (run.pacer.released() == 0 && !run.pacer.isStopped()) {
            err.println("pathlore: "
                    + (run.leftOut > 0 ? "nothing matches the filter; left out: " + run.leftOut : input.whyNothing()));
        }
        if (cut > 0) {
            err.println("pathlore: " + input.cutText(cut, ", and sent so"));
        }
    }

    private void print(Run run) {
        BatchSender sender = run.sender;
        double seconds = run.pacer.elapsedNanos() / NANOS;
        double held = run.pacer.rateHeld();
        double asked = run.pacer.rateAsked();
        Text text = new Text();
        if (format.isText()) {
            text.add(String.format(
                            Locale.ROOT,
                            "%,d %s, %,d octets in %.3f s",
                            sender.sent(),
                            sender.sent() == 1 ? "datagram" : "datagrams",
                            sender.octets(),
                            seconds))
                    .line();
            if (!Double.isNaN(held)) {
                text.add("rate: " + perSecond(held));
                if (!Double.isNaN(asked)) {
                    text.add(String.format(
                            Locale.ROOT,
                            " of %s asked (%.2f %%), at most %.3f ms late",
                            perSecond(asked),
                            100 * held / asked,
                            run.pacer.worstLagNanos() / 1e6));
                }
                text.line();
            }
            if (run.leftOut > 0) {
                text.add(String.format(Locale.ROOT, "%,d left out by the filter", run.leftOut))
                        .line();
            }
            if (sender.failed() > 0) {
                text.add(String.format(Locale.ROOT, "%,d not sent: %s", sender.failed(), sender.lastFailure()))
                        .line();
            }
            if (sender.refused() > 0) {
                text.add("nobody listens at " + to + ": its port is closed").line();
            }
        } else {
            text.add(String.format(
                    Locale.ROOT,
                    "{\"datagrams\":%d,\"octets\":%d,\"seconds\":%.6f",
                    sender.sent(),
                    sender.octets(),
                    seconds));
            if (!Double.isNaN(held)) {
                text.add(String.format(Locale.ROOT, ",\"perSecond\":%.3f", held));
            }
            if (!Double.isNaN(asked)) {
                text.add(String.format(Locale.ROOT, ",\"askedPerSecond\":%.3f", asked));
                text.add(",\"worstLagNanos\":").decimal(run.pacer.worstLagNanos());
            }
            if (run.selection != null) {
                text.add(",\"leftOut\":").decimal(run.leftOut);
            }
            text.add(",\"failed\":").decimal(sender.failed());
            text.add(",\"refused\":").decimal(sender.refused()).add('}').line();
        }
        out.write(text);
        out.flush();
    }

    private static String perSecond(double rate) {
        return String.format(Locale.ROOT, rate < 100 ? "%.3f/s" : "%,.0f/s", rate);
    }

    /** Sends each datagram when it is due. */
    private static final class Run implements Input.Handler {
        private static final int TICKS_PER_LOOK = 256;

        private final BatchSender sender;
        private final @Nullable Selection selection;
        private final StatusLine line;
        private final Pacer pacer;
        private long leftOut;

        Run(BatchSender sender, Pace pace, @Nullable Selection selection, StatusLine line) {
            this.sender = sender;
            this.selection = selection;
            this.line = line;
            pacer = new Pacer(pace, Ticker.SYSTEM, this::beforeWaiting);
        }

        private void beforeWaiting() {
            sender.flush();
            line.show(this::status);
        }

        @Override
        public boolean datagram(Place place, ByteBuffer buffer, int start, int end, @Nullable Quirk outer) {
            if (selection != null && !selection.wants(place, buffer, start, end)) {
                leftOut++;
                return !pacer.isStopped();
            }
            long stamp = place.timeNanos == Place.UNKNOWN_TIME ? Pacer.UNSTAMPED : place.timeNanos;
            if (!pacer.await(stamp)) {
                return false;
            }
            sender.add(buffer, start, end);
            if (pacer.released() % TICKS_PER_LOOK == 0) {
                line.show(this::status);
            }
            return true;
        }

        @Override
        public boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart) {
            return true; // only with --packets
        }

        private String status() {
            pacer.finish();
            return String.format(
                    Locale.ROOT,
                    "%,d datagrams, %.0f s, %s",
                    pacer.released(),
                    pacer.elapsedNanos() / NANOS,
                    perSecond(pacer.rateHeld()));
        }
    }

    /** A datagram is sent whole if any report in it is wanted: it cannot be sent in part. */
    private static final class Selection implements ReportSink {
        private final ReportDecoder decoder;
        private final Exporters exporters;
        private final ReportFilter filter;
        private Place place = new Place();
        private boolean wanted;

        Selection(Config config, ReportFilter filter) {
            decoder = new ReportDecoder(config.decode().lenientOptions());
            exporters = new Exporters(Profiles.parse(List.of()), config.inventory());
            this.filter = filter;
        }

        boolean wants(Place place, ByteBuffer buffer, int start, int end) {
            this.place = place;
            wanted = false;
            decoder.decode(buffer, start, end, exporters.of(place, buffer, start, end), this);
            return wanted;
        }

        @Override
        public void onReport(ReportView report) {
            wanted |= filter.wants(place, report);
        }

        @Override
        public void onRejected(Fault fault, int offset) {
            wanted |= filter.wantsRejected(place, fault);
        }
    }
}
