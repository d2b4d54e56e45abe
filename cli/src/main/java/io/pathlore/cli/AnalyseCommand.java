package io.pathlore.cli;

import io.pathlore.analysis.event.EventSink;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.filter.FlowSubject;
import io.pathlore.cli.service.CollectorProcess;
import io.pathlore.cli.service.DryRun;
import io.pathlore.cli.service.FilledStore;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.Recording;
import io.pathlore.cli.service.RecordingProcess;
import io.pathlore.cli.service.RowSink;
import io.pathlore.cli.service.ServiceException;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.model.Quirk;
import io.pathlore.wire.net.PacketWalker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "analyse",
        aliases = "analyze",
        header = {
            "Run the collector's pipeline over a capture or a journal, at full speed, in its own time.",
            "",
            "Examples:",
            "  pathlore analyse reports.pcap                       who sent, what was lost, which flows stand out",
            "  pathlore analyse -o json reports.pcap | jq .exporters",
            "  pathlore analyse --ui reports.pcap                  look at it: the web page, over this capture",
            "  pathlore analyse --store tables reports.pcap        tables to ask in SQL",
            "  pathlore analyse --events events.jsonl reports.pcap what happened, one JSON object a line",
            "  pathlore analyse --config network.yaml reports.pcap with the inventory of the network",
            "  pathlore analyse --filter 'dst in 10.2.0.0/16' reports.pcap   only these flows are listed",
            "  tcpdump -i eth0 -U -w - udp port 8555 | pathlore analyse -",
            "  pathlore analyse --since 1h ~/.local/share/pathlore what a collector received in the last hour",
            "  pathlore analyse --config defend.yaml reports.pcap  and what would be proposed against its attacks",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore analyse [OPTIONS] PATH|-",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when reports were rejected or lost",
            "1:the input cannot be read, or not to its end, or is damaged; what can be read was analysed",
            "2:wrong usage or configuration"
        },
        footerHeading = "%n",
        footer = "The same input and configuration give the same answer, byte for byte.")
final class AnalyseCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Capture: pcap or pcapng, also gzip; - for stdin. Or a directory: a collector's journal, or"
                    + " the data directory it is in.")
    private @Nullable String path;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "UDP port that reports are sent to; repeatable. Default: 8555, 556, 32766; of a journal" + " all.")
    private List<Integer> ports = new ArrayList<>();

    @Mixin
    private final TimeOptions time = new TimeOptions();

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "So many flows are listed, those with most drops and reports first. Default: 10.")
    private int top = 10;

    @Mixin
    private final FilterOption filter = new FilterOption();

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = "Write what happened as JSON Lines, one event a line; of lines with one id the last counts.")
    private @Nullable Path events;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "Keep what adds up in new tables in this directory, for 'pathlore query --store DIR'.")
    private @Nullable Path store;

    @Option(
            names = "--ui",
            description = "Then show it in the web page, until Ctrl-C. Keeps a copy in the directory for temporary"
                    + " files, or TMPDIR, that goes when it ends.")
    private boolean ui;

    @Option(
            names = "--http-port",
            paramLabel = "N",
            description = "Port of that page. Default: 8080, or the next that is free.")
    private @Nullable Integer httpPort;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration: marks, domains, inventory. Default: ./pathlore.yaml, then"
                    + " /etc/pathlore/pathlore.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration value, like listen.binding=enforce. Repeatable.")
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
    private final Output out;
    private final CountDownLatch stopped = new CountDownLatch(1);

    AnalyseCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (path == null) {
            throw InputOptions.misused(spec, "name a capture file, - for stdin, or a journal");
        }
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for a summary; text or json is");
        }
        if (top < 0) {
            throw InputOptions.misused(spec, "--top: " + top + " is negative");
        }
        if (ui && store != null) {
            throw InputOptions.misused(spec, "--ui: has tables of its own; give --store in another run");
        }
        if (httpPort != null && (!ui || httpPort < 1 || httpPort > 65_535)) {
            throw InputOptions.misused(
                    spec,
                    "--http-port: " + (ui ? httpPort + " is not in 1 to 65535" : "is for the page; give --ui too"));
        }
        return ui ? shown(path) : analysed(path, null);
    }

    private int shown(String named) throws IOException {
        Path directory = around.directory().resolve(named);
        Path journal = !named.equals("-") && Files.isDirectory(directory) ? JournalInput.find(directory) : null;
        Notes notes = new Notes(spec.commandLine().getErr(), CollectorProcess::epochNanos);
        try (var _ = around.interruption().onInterrupt(stopped::countDown);
                Scratch scratch = Scratch.make(around, "pathlore-analyse-");
                RecordingProcess page = RecordingProcess.open(
                        service(),
                        scratch.directory(),
                        journal,
                        Scratch.LOOPBACK,
                        httpPort == null ? Scratch.freeHttpPort() : httpPort,
                        notes)) {
            return analysed(named, page);
        } catch (ServiceException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private Service service() {
        return new ConfigLoader(around.directory(), around.systemDirectory(), around.environment())
                .loadService(config, sets);
    }

    private int analysed(String named, @Nullable RecordingProcess page) throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        Service service = service();
        FlowFilter flows =
                new FlowFilter(filter.filter(spec, service.config().inventory(), FlowSubject.FIELDS, "flows"));
        EventFile happened =
                new EventFile(events, around.directory(), service.config().inventory());
        DryRun dryRun = new DryRun(service);
        EventSink told = told(happened, dryRun);
        Notes notes = new Notes(err, CollectorProcess::epochNanos);
        FilledStore tables = tables(service, notes);
        Story story = new Story(page != null ? rows(page) : tables == null ? RowSink.NOBODY : tables);
        Recording recording = page == null ? new Recording(service, notes, told, story) : page.recording(told, story);
        Input input = new Input(
                around,
                named,
                null,
                InputOptions.ports(spec, ports),
                time.span(spec),
                false,
                InputOptions.teller(spec));
        Feed feed = new Feed(recording.datagrams(), stopped);
        Failure damage = null;
        boolean whole = false;
        try {
            input.read(() -> {}, feed);
            whole = true;
        } catch (Failure e) {
            damage = e; // what could be read is told first
        } finally {
            recording.end(feed.last);
            boolean unreadable = !whole && input.datagrams() == 0; // of which there is nothing to sum up
            if (input.datagrams() == 0 && !unreadable) {
                err.println("pathlore: " + input.whyNothing());
            }
            AnalysisSummary summary = new AnalysisSummary(
                    recording,
                    recording.ledger(),
                    happened,
                    feed.first,
                    feed.last,
                    top,
                    flows,
                    story,
                    dryRun,
                    service.config().inventory());
            if (!unreadable) {
                out.write(format.isText() ? summary.text() : summary.json());
                out.flush();
            }
            happened.close();
            close(tables);
        }
        if (input.cut() > 0) {
            err.println("pathlore: " + input.cutText(input.cut(), ""));
        }
        if (page != null && input.datagrams() > 0) {
            if (damage != null) {
                err.println("pathlore: " + damage.getMessage());
            }
            show(page, recording, named, feed);
            return damage == null ? ExitCode.OK : ExitCode.RUNTIME;
        }
        if (damage != null) {
            throw damage;
        }
        return ExitCode.OK;
    }

    private static EventSink told(EventFile happened, DryRun dryRun) {
        return event -> {
            happened.on(event);
            dryRun.on(event);
        };
    }

    /** A capture may say nothing of time: then all of it was at the beginning of time. */
    private static long known(long nanos) {
        return nanos == Place.UNKNOWN_TIME ? 0 : nanos;
    }

    private static RowSink rows(RecordingProcess page) {
        try {
            return page.rows();
        } catch (ServiceException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private void show(RecordingProcess page, Recording recording, String named, Feed feed) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            String name =
                    named.equals("-") ? "stdin" : String.valueOf(Path.of(named).getFileName());
            String url = page.show(recording, name, known(feed.first), known(feed.last), Version.number());
            err.println("open " + url + "   Ctrl-C ends");
            err.flush();
            stopped.await();
        } catch (ServiceException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable FilledStore tables(Service service, Notes notes) {
        if (store == null) {
            return null;
        }
        try {
            return FilledStore.create(
                    around.directory().resolve(store), service.store().memoryBytes(), notes::warn);
        } catch (IOException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private static void close(@Nullable FilledStore tables) {
        try {
            if (tables != null) {
                tables.close();
            }
        } catch (IOException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    /** Hands on what was found, with the time of the last datagram where one has none. */
    private static final class Feed implements Input.Handler {
        private final RecordedDatagrams to;
        private final CountDownLatch stopped;
        private long first = Place.UNKNOWN_TIME;
        private long last = Place.UNKNOWN_TIME;

        Feed(RecordedDatagrams to, CountDownLatch stopped) {
            this.to = to;
            this.stopped = stopped;
        }

        @Override
        public boolean datagram(Place place, ByteBuffer buffer, int start, int end, @Nullable Quirk outer) {
            if (place.timeNanos != Place.UNKNOWN_TIME) {
                first = first == Place.UNKNOWN_TIME ? place.timeNanos : Math.min(first, place.timeNanos);
                last = last == Place.UNKNOWN_TIME ? place.timeNanos : Math.max(last, place.timeNanos);
            }
            long time = place.timeNanos != Place.UNKNOWN_TIME ? place.timeNanos : last == Place.UNKNOWN_TIME ? 0 : last;
            to.add(
                    time,
                    place.v6,
                    place.sourceHigh,
                    place.sourceLow,
                    place.sourcePort,
                    place.destinationHigh,
                    place.destinationLow,
                    place.destinationPort,
                    buffer,
                    start,
                    end);
            return stopped.getCount() > 0;
        }

        @Override
        public boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart) {
            return true; // only with --packets
        }
    }
}
