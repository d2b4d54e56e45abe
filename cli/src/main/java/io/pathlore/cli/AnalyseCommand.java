package io.pathlore.cli;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.filter.FlowSubject;
import io.pathlore.cli.service.CollectorProcess;
import io.pathlore.cli.service.FilledStore;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.Recording;
import io.pathlore.cli.service.RowSink;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.udp.RecordedDatagrams;
import io.pathlore.model.Quirk;
import io.pathlore.wire.net.PacketWalker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
        name = "analyse",
        aliases = "analyze",
        header = {
            "Run the collector's pipeline over a capture or a journal, at full speed, in its own time.",
            "",
            "Examples:",
            "  pathlore analyse reports.pcap                       who sent, what was lost, which flows stand out",
            "  pathlore analyse -o json reports.pcap | jq .exporters",
            "  pathlore analyse --store tables reports.pcap        tables to ask in SQL",
            "  pathlore analyse --events events.jsonl reports.pcap what happened, one JSON object a line",
            "  pathlore analyse --config network.yaml reports.pcap with the inventory of the network",
            "  pathlore analyse --filter 'dst in 10.2.0.0/16' reports.pcap   only these flows are listed",
            "  tcpdump -i eth0 -U -w - udp port 8555 | pathlore analyse -",
            "  pathlore analyse --since 1h ~/.local/share/pathlore what a collector received in the last hour",
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
        PrintWriter err = spec.commandLine().getErr();
        Service service = new ConfigLoader(around.directory(), around.systemDirectory(), around.environment())
                .loadService(config, sets);
        FlowFilter flows =
                new FlowFilter(filter.filter(spec, service.config().inventory(), FlowSubject.FIELDS, "flows"));
        EventFile happened =
                new EventFile(events, around.directory(), service.config().inventory());
        Notes notes = new Notes(err, CollectorProcess::epochNanos);
        FilledStore tables = tables(service, notes);
        Story story = new Story(tables == null ? RowSink.NOBODY : tables);
        Recording recording = new Recording(service, notes, happened, story);
        Input input = new Input(
                around, path, null, InputOptions.ports(spec, ports), time.span(spec), false, InputOptions.teller(spec));
        Feed feed = new Feed(recording.datagrams());
        try {
            input.read(() -> {}, feed);
        } finally {
            recording.end(feed.last);
            Ledger.Snapshot ledger = recording.ledger();
            if (input.datagrams() == 0) {
                err.println("pathlore: " + input.whyNothing());
            }
            AnalysisSummary summary = new AnalysisSummary(
                    recording,
                    ledger,
                    happened,
                    feed.first,
                    feed.last,
                    top,
                    flows,
                    story,
                    service.config().inventory());
            out.write(format.isText() ? summary.text() : summary.json());
            out.flush();
            happened.close();
            close(tables);
        }
        if (input.cut() > 0) {
            err.println("pathlore: " + input.cutText(input.cut(), ""));
        }
        return ExitCode.OK;
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
        private long first = Place.UNKNOWN_TIME;
        private long last = Place.UNKNOWN_TIME;

        Feed(RecordedDatagrams to) {
            this.to = to;
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
                    0,
                    place.destinationHigh,
                    place.destinationLow,
                    place.destinationPort,
                    buffer,
                    start,
                    end);
            return true;
        }

        @Override
        public boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart) {
            return true; // only with --packets
        }
    }
}
