package io.pathlore.cli;

import io.pathlore.cli.config.ConfigException;
import io.pathlore.cli.config.Quantities;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.dataplane.inband.Mode;
import io.pathlore.dataplane.lab.Lab;
import io.pathlore.dataplane.lab.LabListener;
import io.pathlore.dataplane.live.AttackController;
import io.pathlore.dataplane.live.LiveSenders;
import io.pathlore.dataplane.report.ReportDestination;
import io.pathlore.dataplane.scenario.AttackTable;
import io.pathlore.dataplane.scenario.LabInventory;
import io.pathlore.dataplane.scenario.PacketTruth;
import io.pathlore.dataplane.scenario.ReportTally;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.dataplane.scenario.ScenarioNodes;
import io.pathlore.dataplane.scenario.ScenarioRun;
import io.pathlore.dataplane.scenario.WorldTime;
import io.pathlore.dataplane.truth.Fact;
import io.pathlore.dataplane.truth.TruthWriter;
import io.pathlore.wire.decode.ReportVersion;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        header = {
            "Run a scenario of the lab.",
            "",
            "Examples:",
            "  pathlore lab run quiet --pcap reports.pcap",
            "  pathlore lab run link-failure --pcap r.pcap --truth truth.jsonl --inventory pathlore.yaml",
            "  pathlore lab run microburst --mode xd --report-version 1.0 --seed 7 --pcap r.pcap",
            "  pathlore lab run mine.yaml --pcap - | pathlore decode -",
            "  pathlore lab run demo --to 127.0.0.1:8555 --speed 10    live, ten times as fast",
            "  pathlore lab run ddos-udp-flood --to 127.0.0.1:8555 --controller 127.0.0.1:9998",
            "                                                          with a controller that blocks devices",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore lab run [OPTIONS] SCENARIO|FILE",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine, also when Ctrl-C ended it",
            "1:a file cannot be written, no way to HOST",
            "2:wrong usage or scenario"
        },
        footerHeading = "%n",
        footer = {
            "The same scenario, options and seed give the same reports and the same truth, on any machine.",
            "Live, every switch sends from a loopback address of its own, 127.255.A.B."
        })
final class LabRunCommand implements Callable<Integer> {
    /** 2026-01-01: files made at any time are the same. */
    private static final long EPOCH = 1_767_225_600_000_000_000L;

    private static final long STEP_NANOS = 10_000_000L;
    private static final double NANOS = 1e9;
    private static final long THOUSANDTHS = 1000;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SCENARIO",
            description = "One of 'pathlore lab list', or a file (docs/reference/scenario.md).")
    private @Nullable String name;

    @Option(names = "--seed", paramLabel = "N", description = "Another seed, another run. Default: 1.")
    private long seed = 1;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Virtual time, like 30s, instead of the scenario's.")
    private @Nullable String duration;

    @Option(names = "--scale", paramLabel = "X", description = "X times the traffic.")
    private @Nullable Double scale;

    @Option(names = "--mode", paramLabel = "MODE", description = "md, mx or xd, instead of the scenario's.")
    private @Nullable String mode;

    @Option(names = "--report-version", paramLabel = "V", description = "0.5, 1.0 or 2.0, instead of the scenario's.")
    private @Nullable String reportVersion;

    @Option(names = "--pcap", paramLabel = "OUT", description = "Write the reports to this capture; - for stdout.")
    private @Nullable String pcap;

    @Option(names = "--truth", paramLabel = "OUT", description = "Write what really happened, as JSON Lines.")
    private @Nullable String truth;

    @Option(names = "--truth-packets", description = "With --truth: also a line for every packet. They are many.")
    private boolean truthPackets;

    @Option(
            names = "--inventory",
            paramLabel = "OUT",
            description = "Write a configuration file that knows the network.")
    private @Nullable String inventory;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            description = "Send the reports there, live; repeatable: switches fall to several in turn.")
    private List<Endpoint> to = new ArrayList<>();

    @Option(names = "--speed", paramLabel = "X", description = "With --to: X virtual seconds in one real. Default: 1.")
    private @Nullable Double speed;

    @Option(
            names = "--controller",
            paramLabel = "HOST:PORT",
            description = "With --to: answer there as the network's SDN controller.")
    private @Nullable Endpoint controller;

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
    private volatile boolean stopped;

    LabRunCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (name == null) {
            throw InputOptions.misused(spec, "name a scenario ('pathlore lab list' shows them) or a file");
        }
        if (speed != null && to.isEmpty()) {
            throw InputOptions.misused(spec, "--speed: only with --to; without it, it runs as fast as it can");
        }
        if (controller != null && to.isEmpty()) {
            throw InputOptions.misused(
                    spec, "--controller: only with --to; a network that does not run cannot be told");
        }
        if (truthPackets && truth == null) {
            throw InputOptions.misused(spec, "--truth-packets: only with --truth OUT");
        }
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for a summary; text or json is");
        }
        double pace = speed == null ? 1 : PaceOptions.positive(spec, "--speed", speed);
        Scenario scenario = scenario(name);
        try {
            return to.isEmpty() ? virtual(scenario) : live(scenario, pace);
        } catch (IOException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    /** As it is written, with what the command line says instead. */
    private Scenario scenario(String name) {
        Scenario scenario = ScenarioFiles.load(name, around.directory());
        if (duration != null) {
            scenario = scenario.withDuration(nanos(duration));
        }
        if (scale != null) {
            double factor = PaceOptions.positive(spec, "--scale", scale);
            scenario = scenario.scaled(Math.max(1, Math.round(factor * THOUSANDTHS)));
        }
        try {
            if (mode != null) {
                scenario = scenario.withTelemetry(scenario.telemetry().withMode(mode(mode)));
            }
            if (reportVersion != null) {
                var reporting = scenario.telemetry().reporting().withVersion(version(reportVersion));
                reporting.format(1);
                scenario = scenario.withTelemetry(scenario.telemetry().withReporting(reporting));
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException(scenario.name() + ": " + e.getMessage());
        }
        return scenario;
    }

    private long nanos(String text) {
        try {
            long nanos = Quantities.nanos(text);
            if (nanos > 0) {
                return nanos;
            }
        } catch (IllegalArgumentException e) {
            throw InputOptions.misused(spec, "--duration: " + e.getMessage());
        }
        throw InputOptions.misused(spec, "--duration: must be more than 0");
    }

    private Mode mode(String word) {
        for (Mode each : Mode.values()) {
            if (each.name().equalsIgnoreCase(word)) {
                return each;
            }
        }
        throw InputOptions.misused(spec, "--mode: '" + word + "' is not one of md, mx, xd");
    }

    private ReportVersion version(String word) {
        for (ReportVersion each : ReportVersion.values()) {
            if (each.label().equals(word)) {
                return each;
            }
        }
        throw InputOptions.misused(spec, "--report-version: '" + word + "' is not one of 0.5, 1.0, 2.0");
    }

    private int virtual(Scenario scenario) throws IOException {
        WorldTime world = WorldTime.from(EPOCH);
        try (LabFiles files = new LabFiles(around, pcap, truth)) {
            writeInventory(files, scenario, address -> address);
            return run(scenario, world, files, null, null);
        }
    }

    private int live(Scenario scenario, double pace) throws IOException {
        List<InetSocketAddress> collectors = to.stream().map(Endpoint::resolve).toList();
        boolean local = true;
        for (int i = 0; i < collectors.size(); i++) {
            if (!(collectors.get(i).getAddress() instanceof Inet4Address address && address.isLoopbackAddress())) {
                local = false;
                spec.commandLine()
                        .getErr()
                        .println("pathlore: " + to.get(i)
                                + " is not on 127.0.0.0/8: all switches send from this machine's address");
            }
        }
        if (collectors.getFirst().getAddress() instanceof Inet4Address address) {
            int number = ByteBuffer.wrap(address.getAddress()).getInt();
            var reporting = scenario.telemetry()
                    .reporting()
                    .withDestination(
                            ReportDestination.ipv4(number, collectors.getFirst().getPort()));
            scenario = scenario.withTelemetry(scenario.telemetry().withReporting(reporting));
        }
        try (LabFiles files = new LabFiles(around, pcap, truth);
                LiveSenders senders = new LiveSenders(scenario, collectors, local)) {
            writeInventory(files, scenario, local ? LiveSenders::loopback : address -> address);
            Instant now = Instant.now();
            WorldTime world = new WorldTime(now.getEpochSecond() * 1_000_000_000L + now.getNano(), pace);
            if (controller == null) {
                senders.begin(world.epochNanos());
                return run(scenario, world, files, senders, null);
            }
            try (AttackController listening = listen(controller)) {
                senders.begin(world.epochNanos());
                return run(scenario, world, files, senders, listening);
            }
        }
    }

    private static AttackController listen(Endpoint at) throws IOException {
        try {
            return new AttackController(at.resolve());
        } catch (BindException e) {
            throw new Failure("--controller " + at + ": " + e.getMessage() + "; choose another address or port");
        }
    }

    private void writeInventory(LabFiles files, Scenario scenario, IntUnaryOperator address) throws IOException {
        if (inventory != null) {
            files.write(inventory, LabInventory.of(scenario, address));
        }
    }

    private int run(
            Scenario scenario,
            WorldTime world,
            LabFiles files,
            @Nullable LiveSenders senders,
            @Nullable AttackController controller)
            throws IOException {
        TruthWriter writer = new TruthWriter();
        files.truth(writer.run(new TruthWriter.Run(
                scenario.name(),
                seed,
                scenario.telemetry().mode().name().toLowerCase(Locale.ROOT),
                scenario.telemetry().reporting().version().label(),
                world.epochNanos())));
        ScenarioRun.NodeFactory nodes = new ScenarioNodes();
        LabListener packets = LabListener.NOBODY;
        if (truthPackets) {
            PacketTruth lines = new PacketTruth(scenario, world, files::truth);
            nodes = lines.watch(nodes);
            packets = lines;
        }
        ScenarioRun run = new ScenarioRun(
                scenario, seed, world, nodes, packets, (time, address, port, destination, payload, from, end) -> {
                    files.datagram(time, address, port, destination, payload, from, end);
                    if (senders != null) {
                        senders.send(time, address, payload, from, end);
                    }
                });
        long start = System.nanoTime();
        try (StatusLine line = new StatusLine(around, true);
                var _ = around.interruption().onInterrupt(() -> stop(senders))) {
            Runnable between = () -> {};
            if (controller != null && senders != null) {
                AttackTable table = new AttackTable(run.lab());
                between = () -> {
                    // Time may not run ahead of who wants to act in it.
                    senders.keepPace(world.at(run.lab().nowNanos()));
                    controller.apply(table);
                };
            }
            advance(run, scenario, line, start, between);
            if (senders != null) {
                senders.finish();
            }
            line.clear();
            List<Fact> facts = run.facts();
            for (Fact fact : facts) {
                files.truth(writer.fact(fact));
            }
            files.flush();
            print(run, facts, senders, (System.nanoTime() - start) / NANOS, files.usesStdout());
        }
        return ExitCode.OK;
    }

    private void stop(@Nullable LiveSenders senders) {
        stopped = true;
        if (senders != null) {
            senders.stop();
        }
    }

    private void advance(ScenarioRun run, Scenario scenario, StatusLine line, long start, Runnable between) {
        long until = STEP_NANOS;
        while (!stopped && run.runUntil(until)) {
            until += STEP_NANOS;
            between.run();
            line.show(() -> progress(run, scenario, start));
        }
    }

    private static String progress(ScenarioRun run, Scenario scenario, long start) {
        int width = 30;
        double share = (double) run.lab().nowNanos() / scenario.durationNanos();
        int done = (int) Math.min(width, Math.round(share * width));
        double seconds = Math.max(1e-9, (System.nanoTime() - start) / NANOS);
        return String.format(
                Locale.ROOT,
                "[%s%s] %.1f of %.1f s, %,d reports, %,.0f reports/s",
                "#".repeat(done),
                " ".repeat(width - done),
                run.lab().nowNanos() / NANOS,
                scenario.durationNanos() / NANOS,
                run.reports().reports(),
                run.reports().reports() / seconds);
    }

    private void print(
            ScenarioRun run, List<Fact> facts, @Nullable LiveSenders senders, double seconds, boolean toStderr)
            throws IOException {
        Text text = new Text();
        if (format.isText()) {
            summary(text, run, facts, senders, seconds);
        } else {
            json(text, run, facts, senders, seconds);
        }
        if (toStderr) {
            around.err().write(text.bytes(), 0, text.length());
            around.err().flush();
        } else {
            out.write(text);
            out.flush();
        }
    }

    private static void summary(
            Text text, ScenarioRun run, List<Fact> facts, @Nullable LiveSenders senders, double seconds) {
        Lab.Counts counts = run.lab().counts();
        ReportTally reports = run.reports();
        long visible = facts.stream().filter(fact -> fact.span().isVisible()).count();
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "%s: %.3f s of virtual time in %.2f s, %,.0f reports/s",
                        run.scenario().name(),
                        run.lab().nowNanos() / NANOS,
                        seconds,
                        reports.reports() / Math.max(1e-9, seconds)));
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "packets  %,d sent, %,d delivered, %,d dropped, %,d lost on links",
                        counts.packetsSent(),
                        counts.packetsDelivered(),
                        counts.packetsDropped(),
                        counts.packetsLost()));
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "reports  %,d in %,d datagrams: %,d of flows, %,d of queues, %,d of drops",
                        reports.reports(),
                        counts.reports(),
                        reports.tracked(),
                        reports.congested(),
                        reports.dropped()));
        if (counts.reportsLost() + counts.reportsDuplicated() + counts.reportsReordered() + counts.reportsForged()
                > 0) {
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "         %,d datagrams lost on their way, %,d doubled, %,d reordered, %,d forged",
                            counts.reportsLost(),
                            counts.reportsDuplicated(),
                            counts.reportsReordered(),
                            counts.reportsForged()));
        }
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "truth    %,d facts that reports show, %,d that none shows",
                        visible,
                        facts.size() - visible));
        if (senders != null) {
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "live     %,d datagrams sent from %d addresses, at most %.3f ms late%s",
                            senders.sent(),
                            senders.addresses(),
                            senders.worstLagNanos() / 1e6,
                            senders.failed() > 0
                                    ? String.format(Locale.ROOT, ", %,d not sent", senders.failed())
                                    : ""));
            if (senders.refused() > 0) {
                line(text, "nobody listens there: the port is closed");
            }
        }
        if (reports.unreadable() > 0) {
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "%,d reports that our own decoder rejects: this is a bug",
                            reports.unreadable()));
        }
    }

    private static void line(Text text, String line) {
        text.add(line).line();
    }

    private static void json(
            Text text, ScenarioRun run, List<Fact> facts, @Nullable LiveSenders senders, double seconds) {
        Lab.Counts counts = run.lab().counts();
        ReportTally reports = run.reports();
        long visible = facts.stream().filter(fact -> fact.span().isVisible()).count();
        text.add("{\"scenario\":\"").add(run.scenario().name().replaceAll("[\"\\\\]", "_"));
        text.add(String.format(
                Locale.ROOT,
                "\",\"virtualSeconds\":%.9f,\"seconds\":%.6f",
                run.lab().nowNanos() / NANOS,
                seconds));
        text.add(",\"packets\":{\"sent\":").decimal(counts.packetsSent());
        text.add(",\"delivered\":").decimal(counts.packetsDelivered());
        text.add(",\"dropped\":").decimal(counts.packetsDropped());
        text.add(",\"lost\":").decimal(counts.packetsLost());
        text.add("},\"reports\":{\"all\":").decimal(reports.reports());
        text.add(",\"tracked\":").decimal(reports.tracked());
        text.add(",\"congested\":").decimal(reports.congested());
        text.add(",\"dropped\":").decimal(reports.dropped());
        text.add(",\"intermediate\":").decimal(reports.intermediate());
        text.add("},\"datagrams\":{\"sent\":").decimal(counts.reports());
        text.add(",\"delivered\":").decimal(counts.reportsDelivered());
        text.add(",\"lost\":").decimal(counts.reportsLost());
        text.add(",\"duplicated\":").decimal(counts.reportsDuplicated());
        text.add(",\"reordered\":").decimal(counts.reportsReordered());
        text.add(",\"forged\":").decimal(counts.reportsForged());
        text.add("},\"facts\":{\"visible\":").decimal(visible);
        text.add(",\"invisible\":").decimal(facts.size() - visible).add('}');
        if (senders != null) {
            text.add(",\"live\":{\"sent\":").decimal(senders.sent());
            text.add(",\"failed\":").decimal(senders.failed());
            text.add(",\"refused\":").decimal(senders.refused());
            text.add(",\"worstLagNanos\":").decimal(senders.worstLagNanos()).add('}');
        }
        text.add('}').line();
    }
}
