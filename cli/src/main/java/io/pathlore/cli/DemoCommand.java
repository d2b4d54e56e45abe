package io.pathlore.cli;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Quantities;
import io.pathlore.cli.config.ScenarioFiles;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.CollectorProcess;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.ServiceException;
import io.pathlore.dataplane.live.AttackController;
import io.pathlore.dataplane.scenario.Scenario;
import io.pathlore.ingest.Ledger;
import io.pathlore.ingest.Ledger.Term;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        header = {
            "See it live: a collector and virtual networks in one process. Needs no configuration and no rights.",
            "",
            "Examples:",
            "  pathlore demo                        until Ctrl-C",
            "  pathlore demo --speed 10 --seed 7    ten times as fast, another network day",
            "  pathlore demo --duration 20s         and then tell how it went",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore demo [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ended by Ctrl-C or --duration, everything accounted for",
            "1:cannot run, or something was not accounted for",
            "2:wrong usage"
        },
        footerHeading = "%n",
        footer = {
            "All data is synthetic: made by the lab ('pathlore lab list'), sent over loopback, kept in a temporary",
            "directory that goes when the demo ends."
        })
final class DemoCommand implements Callable<Integer> {
    private static final String FABRIC = "demo";
    private static final String HOMES = "demo-access";
    private static final int REPORT_PORT = 8555;
    /** That are shown. */
    private static final int EVENTS = 8;

    private static final double NANOS = 1e9;

    @Option(names = "--seed", paramLabel = "N", description = "Another seed, another course of events. Default: 1.")
    private long seed = 1;

    @Option(names = "--speed", paramLabel = "X", description = "So many times as fast as the clock. Default: 1.")
    private @Nullable Double speed;

    @Option(
            names = "--port",
            paramLabel = "N",
            description = "UDP port of the reports. Default: 8555, or the next that is free.")
    private @Nullable Integer port;

    @Option(
            names = "--http-port",
            paramLabel = "N",
            description = "Port of the API. Default: 8080, or the next that is free.")
    private @Nullable Integer httpPort;

    @Option(names = "--duration", paramLabel = "TIME", description = "End after this time, like 30s. Default: never.")
    private @Nullable String duration;

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
    private final CountDownLatch stopped = new CountDownLatch(1);

    DemoCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException {
        double pace = speed == null ? 1 : PaceOptions.positive(spec, "--speed", speed);
        long limit = duration == null ? Long.MAX_VALUE : nanos(duration);
        checkPort("--port", port);
        checkPort("--http-port", httpPort);
        Networks networks = new Networks(
                ScenarioFiles.load(FABRIC, around.directory()), ScenarioFiles.load(HOMES, around.directory()));
        try (Scratch scratch = Scratch.make(around, "pathlore-demo-")) {
            return run(networks, scratch.directory(), pace, limit);
        } catch (ServiceException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private void checkPort(String option, @Nullable Integer number) {
        if (number != null && (number < 1 || number > 65_535)) {
            throw InputOptions.misused(spec, option + ": " + number + " is not in 1 to 65535");
        }
    }

    /** Beside each other, and telling one collector. */
    private record Networks(Scenario fabric, Scenario homes) {}

    private long nanos(String text) {
        try {
            return Quantities.nanos(text);
        } catch (IllegalArgumentException e) {
            throw InputOptions.misused(spec, "--duration: " + e.getMessage());
        }
    }

    private int run(Networks networks, Path directory, double pace, long limit) throws IOException, ServiceException {
        PrintWriter err = spec.commandLine().getErr();
        int http = httpPort == null ? Scratch.freeHttpPort() : httpPort;
        int reports = port == null ? freeReportPort() : port;
        Notes notes = new Notes(new PrintWriter(Writer.nullWriter()), CollectorProcess::epochNanos);
        try (AttackController controller = new AttackController(new InetSocketAddress(Scratch.LOOPBACK, 0))) {
            Service service = service(networks, directory, reports, http, controller.address());
            try (CollectorProcess process = CollectorProcess.start(service, seed, Version.number(), true, notes)) {
                LiveLab fabric = new LiveLab(networks.fabric, reports, pace, seed, null);
                LiveLab homes = new LiveLab(networks.homes, reports, pace, seed, controller);
                try (var _ = around.interruption().onInterrupt(stopped::countDown);
                        var _ = new Running(fabric, "pathlore-fabric");
                        var _ = new Running(homes, "pathlore-homes")) {
                    show(process, networks, fabric, homes, pace, limit, directory);
                }
                boolean balanced = process.finish();
                summary(err, process.collector().ledger(), balanced);
                for (LiveLab lab : List.of(fabric, homes)) {
                    Throwable failure = lab.failure();
                    if (failure != null) {
                        throw new Failure("the virtual network ended: " + failure.getMessage());
                    }
                }
                return balanced ? ExitCode.OK : ExitCode.RUNTIME;
            }
        }
    }

    /** A network in its own thread. */
    private static final class Running implements AutoCloseable {
        private final LiveLab lab;
        private final Thread thread;

        Running(LiveLab lab, String name) {
            this.lab = lab;
            thread = Thread.ofPlatform().name(name).start(lab);
        }

        @Override
        public void close() {
            lab.stop();
            join(thread);
        }
    }

    private static Service service(Networks networks, Path directory, int port, int http, InetSocketAddress controller)
            throws IOException {
        Path file = directory.resolve("pathlore.yaml");
        Files.writeString(
                file,
                LiveLab.inventory(List.of(networks.fabric, networks.homes)) + """
                defend:
                  mode: propose
                  profile: transparent-security
                  enforcers:
                    - { name: controller, kind: transparent-security, url: "http://127.0.0.1:%d" }
                """.formatted(controller.getPort()));
        return new ConfigLoader(directory, directory, Map.of())
                .loadService(
                        file,
                        List.of(
                                "data=" + directory.resolve("data"),
                                "memory=256MiB",
                                "listen.addresses=" + Scratch.LOOPBACK.getHostAddress(),
                                "listen.ports=" + port,
                                "listen.receive-buffer=4MiB",
                                "http.port=" + http,
                                "journal.keep-bytes=1GiB",
                                "store.memory=128MiB"));
    }

    private void show(
            CollectorProcess process,
            Networks networks,
            LiveLab fabric,
            LiveLab homes,
            double pace,
            long limit,
            Path directory)
            throws IOException {
        boolean screen =
                around.errIsTerminal() && !"dumb".equals(around.environment().get("TERM"));
        boolean colours =
                screen && around.environment().getOrDefault("NO_COLOR", "").isEmpty();
        Ink ink = colours ? Ink.ANSI : Ink.NONE;
        DemoScreen lines = new DemoScreen(ink);
        EventText words = new EventText(process.collector().service().config().inventory());
        DemoOperator operator = new DemoOperator(process.defence().mitigations(), pace);
        PrintWriter err = spec.commandLine().getErr();
        long start = System.nanoTime();
        String where = "open " + process.urlWithToken() + "   reports on udp 127.0.0.1:"
                + process.collector().port() + "   data in " + directory;
        String ask = "ask it: pathlore get flows --server " + process.url().replaceFirst("/$", "")
                + "   also get nodes, links, queues, drops, events; observe; query SQL; explain flow ID";
        if (!screen) {
            err.println("Pathlore demo: virtual networks, all data is synthetic; Ctrl-C ends it");
            err.println(where);
            err.println(ask);
        }
        long seconds = 0;
        while (!await(screen ? 500 : 1_000)
                && System.nanoTime() - start < limit
                && fabric.failure() == null
                && homes.failure() == null) {
            operator.look();
            Ledger.Snapshot ledger = process.collector().ledger();
            if (screen) {
                StringBuilder text = new StringBuilder("\u001b[H");
                String head = String.format(
                        Locale.ROOT,
                        "%sPathlore demo%s  synthetic networks, seed %d, speed %s, %.0f of %.0f s%s   Ctrl-C ends",
                        ink.strong(),
                        ink.end(),
                        seed + fabric.round(),
                        trimmed(pace),
                        fabric.nowNanos() / NANOS,
                        networks.fabric.durationNanos() / NANOS,
                        fabric.round() == 0 ? "" : ", round " + (fabric.round() + 1));
                add(text, head);
                add(text, where);
                add(text, ask);
                add(text, "");
                lines.lines(
                                ledger,
                                process.view().exporters(),
                                process.collector().flows(),
                                System.nanoTime())
                        .forEach(line -> add(text, line));
                add(text, "");
                lines.events(process.events().newest(EVENTS, event -> true), words)
                        .forEach(line -> add(text, line));
                add(text, "");
                lines.mitigations(process.defence().mitigations().view().mitigations(), operator)
                        .forEach(line -> add(text, line));
                if (seconds == 0) {
                    err.print("\u001b[2J");
                }
                err.print(text.append("\u001b[J"));
            } else {
                lines.fresh(process.events().newest(EVENTS, event -> true), words)
                        .forEach(err::println);
                lines.changed(
                                process.defence().mitigations().view().mitigations(),
                                operator,
                                CollectorProcess.epochNanos())
                        .forEach(err::println);
                if (seconds % 5 == 0) {
                    err.println(line(ledger, process));
                }
            }
            err.flush();
            seconds++;
        }
    }

    private static void add(StringBuilder text, String line) {
        text.append(line).append("\u001b[K\r\n");
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String line(Ledger.Snapshot ledger, CollectorProcess process) {
        return String.format(
                Locale.ROOT,
                "%,d datagrams read, %,d journalled, %,d reports analysed, %,d lost by sequence, %d exporters, %,d flows",
                ledger.read(Term.DATAGRAMS_READ),
                ledger.read(Term.JOURNALLED),
                ledger.read(Term.ANALYSED),
                ledger.read(Term.SEQUENCE_LOST),
                process.view().exporters().size(),
                process.collector().flows());
    }

    private static void summary(PrintWriter err, Ledger.Snapshot ledger, boolean balanced) {
        err.println();
        err.println(String.format(
                Locale.ROOT,
                "%,d datagrams read, %,d reports analysed, %,d datagrams journalled, %,d dropped by the kernel, %,d lost on"
                        + " their way by sequence number; the ledger %s",
                ledger.read(Term.DATAGRAMS_READ),
                ledger.read(Term.ANALYSED),
                ledger.read(Term.JOURNALLED),
                ledger.kernelDropped(),
                ledger.read(Term.SEQUENCE_LOST),
                balanced ? "balances" : "does not balance: this is a bug"));
        err.flush();
    }

    /** True when it was told to stop. */
    private boolean await(long millis) {
        try {
            return stopped.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int freeReportPort() {
        for (int port = REPORT_PORT; port < REPORT_PORT + Scratch.PORTS_TRIED; port++) {
            try (DatagramChannel channel = DatagramChannel.open()) {
                channel.bind(new InetSocketAddress(Scratch.LOOPBACK, port));
                return port;
            } catch (IOException e) {
                // taken
            }
        }
        throw new Failure("no UDP port from " + REPORT_PORT + " to " + (REPORT_PORT + Scratch.PORTS_TRIED - 1)
                + " is free: see who has them with: ss -ulpn");
    }
}
