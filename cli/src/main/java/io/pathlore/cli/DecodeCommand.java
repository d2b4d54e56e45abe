package io.pathlore.cli;

import io.pathlore.cli.config.Config;
import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import io.pathlore.wire.Warnings;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.decode.ReportSink;
import io.pathlore.wire.decode.ReportView;
import io.pathlore.wire.net.PacketWalker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "decode",
        header = {
            "Decode the telemetry reports of a capture or journal.",
            "",
            "Examples:",
            "  pathlore decode reports.pcap                        one line per report",
            "  pathlore decode -v -c 1 reports.pcap                every field of the first report",
            "  pathlore decode -x --hex 20400005000000031003013040000000000000000005000a",
            "  pathlore decode -o json reports.pcap.gz | jq 'select(.report.dropped)'",
            "  pathlore decode -o csv reports.pcap > reports.csv",
            "  pathlore decode --filter 'dropped and dst in 10.2.0.0/16' reports.pcap",
            "  pathlore decode --packets -v int-packets.pcap       INT and IOAM in data packets",
            "  tcpdump -i eth0 -U -w - udp port 8555 | pathlore decode -",
            "  pathlore decode --since 5m ~/.local/share/pathlore  what a collector received in five minutes",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore decode [OPTIONS] PATH|-|--hex STRING",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when reports were rejected",
            "1:the input cannot be read, or not to its end, or is damaged; what can be read was printed",
            "2:wrong usage or configuration",
            "3:--strict met a malformed report"
        },
        footerHeading = "%n",
        footer = {
            "A line shows frame (of a journal: id), time (UTC), exporter, node, sequence number, flags (D dropped, Q congested",
            "queue, F tracked flow, I intermediate), the flow, and the path with latency and queue",
            "occupancy of each hop."
        })
final class DecodeCommand implements Callable<Integer> {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json or jsonl (one object per line), csv. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(
            names = {"-v", "--verbose"},
            description = "Every field of every header, as a tree.")
    private boolean tree;

    @Option(
            names = {"-x", "--bytes"},
            description = "As -v, with the bytes of each field in front of it.")
    private boolean bytes;

    @Option(
            names = "--strict",
            description = "Reject what departs from the specifications instead of making the best of it.")
    private boolean strict;

    @Option(
            names = {"-c", "--limit"},
            paramLabel = "N",
            description = "Stop after N reports.")
    private @Nullable Long limit;

    @Option(names = "--no-header", description = "No line that names the columns (text, csv).")
    private boolean noHeader;

    @Mixin
    private final InputOptions options = new InputOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;

    DecodeCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        Input input = options.input(spec, around);
        Profiles profiles = options.profiles(spec);
        if (limit != null && limit < 1) {
            throw InputOptions.misused(spec, "--limit: " + limit + " is not positive");
        }
        boolean text = format.isText();
        if ((tree || bytes) && !text) {
            throw InputOptions.misused(spec, "-v and -x are for text output");
        }
        Config config = options.config(around);
        ReportFilter filter = options.filter(spec, config);
        boolean strictly = strict || config.decode().strict();
        ReportDecoder decoder = new ReportDecoder(
                strictly ? config.decode().strictOptions() : config.decode().lenientOptions());
        Exporters exporters = new Exporters(profiles, config.inventory());
        ReportPrinter printer = printer(config, input);
        Runnable flush = () -> {
            printer.flush();
            out.flush();
        };
        Run run = new Run(decoder, exporters, filter, printer, limit == null ? Long.MAX_VALUE : limit);
        try {
            input.read(flush, run);
        } finally {
            flush.run();
        }
        PrintWriter err = spec.commandLine().getErr();
        tell(err, input, run, text);
        return strictly && run.malformed > 0 ? ExitCode.FINDINGS : ExitCode.OK;
    }

    private ReportPrinter printer(Config config, Input input) {
        return switch (format) {
            case JSON, JSONL -> new JsonPrinter(out);
            case CSV -> new CsvPrinter(out, !noHeader, input.isJournal());
            case TEXT, TABLE -> {
                Ink ink = options.ink(around);
                yield tree || bytes
                        ? new TreePrinter(out, ink, bytes)
                        : new LinePrinter(out, ink, config.inventory(), !noHeader);
            }
        };
    }

    private void tell(PrintWriter err, Input input, Run run, boolean text) {
        if (input.datagrams() + input.packetCount() == 0) {
            err.println("pathlore: " + input.whyNothing());
            return;
        }
        if (input.packets() && run.telemetryPackets + input.datagrams() == 0) {
            err.println("pathlore: no INT or IOAM found in "
                    + Input.count(input.packetCount(), "packet", "packets")
                    + "; marks are set in the configuration, see decode.int");
        }
        if (input.cut() > 0) {
            err.println("pathlore: " + input.cutText(input.cut(), ""));
        }
        if (run.reports + run.rejected == 0 && run.filter.leftOut() > 0) {
            err.println("pathlore: nothing matches the filter; left out: " + run.filter.leftOut());
        }
        if (text && around.outIsTerminal() && around.errIsTerminal()) {
            err.println(run.summary(input));
        }
    }

    /** Decodes and prints; counts what the end of the program has to tell. */
    private static final class Run implements Input.Handler, ReportSink {
        private final ReportDecoder decoder;
        private final Exporters exporters;
        private final ReportFilter filter;
        private final ReportPrinter printer;
        private final long limit;
        private final Set<Place.Address> addresses = new HashSet<>();

        private long reports;
        private long rejected;
        private long malformed;
        private long telemetryPackets;

        private Place place = new Place();
        private ByteBuffer buffer = ByteBuffer.allocate(0);
        private int end;
        private @Nullable Quirk outer;

        Run(ReportDecoder decoder, Exporters exporters, ReportFilter filter, ReportPrinter printer, long limit) {
            this.decoder = decoder;
            this.exporters = exporters;
            this.filter = filter;
            this.printer = printer;
            this.limit = limit;
        }

        @Override
        public boolean datagram(Place place, ByteBuffer buffer, int start, int end, @Nullable Quirk outer) {
            this.place = place;
            this.buffer = buffer;
            this.end = end;
            this.outer = outer;
            Place.Address address = place.exporter();
            if (address != null && addresses.size() < 4096) {
                addresses.add(address);
            }
            decoder.decode(buffer, start, end, exporters.of(place, buffer, start, end), this);
            return reports < limit;
        }

        @Override
        public void onReport(ReportView report) {
            if (!filter.wants(place, report) || reports++ >= limit) {
                return;
            }
            Warnings warnings = report.warnings();
            int noticed = warnings.count();
            addOuter(warnings);
            if (hasFault(warnings)) {
                malformed++;
            }
            printer.report(place, report);
            warnings.rewind(noticed); // the decoder's own, who may show them again
        }

        @Override
        public void onRejected(Fault fault, int offset) {
            if (reports < limit && filter.wantsRejected(place, fault)) {
                rejected++;
                malformed++;
                Warnings warnings = decoder.warnings();
                int noticed = warnings.count();
                addOuter(warnings);
                printer.rejected(place, fault, offset - place.start, warnings, buffer, end);
                warnings.rewind(noticed);
            }
        }

        private void addOuter(Warnings warnings) {
            if (outer != null) {
                warnings.add(outer, place.start);
            }
        }

        @Override
        public boolean packet(Place place, ByteBuffer buffer, int start, int end, PacketWalker.Start packetStart) {
            Exporter exporter = exporters.of(place, buffer, start, start);
            decoder.decodePacket(buffer, start, end, packetStart, exporter);
            if (decoder.packet().ints() + decoder.packet().ioams() > 0) {
                telemetryPackets++;
            }
            if (!filter.wants(place, decoder.packet())) {
                return true;
            }
            reports++;
            if (hasFault(decoder.warnings())) {
                malformed++;
            }
            printer.packet(place, decoder.packet(), decoder.warnings());
            return reports < limit;
        }

        private static boolean hasFault(Warnings warnings) {
            for (int i = 0; i < warnings.count(); i++) {
                if (warnings.isFault(i) && !warnings.fault(i).isHarmless()) {
                    return true;
                }
            }
            return false;
        }

        String summary(Input input) {
            return Input.count(Math.min(reports, limit), "report", "reports")
                    + (rejected > 0 ? ", " + rejected + " rejected" : "")
                    + (filter.leftOut() > 0 ? ", " + filter.leftOut() + " left out by the filter" : "")
                    + (addresses.isEmpty() ? "" : " from " + Input.count(addresses.size(), "exporter", "exporters"))
                    + " in "
                    + (input.isJournal()
                            ? Input.count(input.frames(), "datagram", "datagrams")
                            : Input.count(input.frames(), "frame", "frames"));
        }
    }
}
