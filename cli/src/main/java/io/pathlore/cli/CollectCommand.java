package io.pathlore.cli;

import io.pathlore.cli.config.ConfigException;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.CollectorProcess;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.ServiceException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "collect",
        header = {
            "Collect telemetry reports: receive, account for every datagram, journal, analyse, serve.",
            "",
            "Examples:",
            "  pathlore collect                                        on UDP port 8555, API on 127.0.0.1:8080",
            "  pathlore collect --config /etc/pathlore/pathlore.yaml",
            "  pathlore collect --port 8555 --port 32766 --set listen.allow=private,203.0.113.0/24",
            "  pathlore collect --set journal.enabled=false --http-port 9090",
            "  kill -HUP PID                                           read the configuration again",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore collect [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or Ctrl-C, everything accounted for",
            "1:cannot run: a port is taken, the disk refuses; or a part of it failed",
            "2:wrong usage or configuration"
        },
        footerHeading = "%n",
        footer = {
            "Ask it with 'pathlore get exporters', 'pathlore doctor', or curl 127.0.0.1:8080/api/v1/ledger;",
            "Prometheus scrapes /metrics."
        })
final class CollectCommand implements Callable<Integer> {
    @Option(
            names = "--port",
            paramLabel = "N",
            description = "UDP port to listen on; repeatable. Default: listen.ports, 8555.")
    private List<Integer> ports = new ArrayList<>();

    @Option(names = "--http-port", paramLabel = "N", description = "Port of the API. Default: http.port, 8080.")
    private @Nullable Integer httpPort;

    @Option(names = "--data", paramLabel = "DIR", description = "Where everything is kept. Default: data.")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration. Default: ./pathlore.yaml, then /etc/pathlore/pathlore.yaml.")
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

    CollectCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        Notes notes = new Notes(err, CollectorProcess::epochNanos);
        Service service = load();
        try (CollectorProcess process =
                CollectorProcess.start(service, new SecureRandom().nextLong(), Version.number(), false, notes)) {
            try (var _ = around.interruption().onInterrupt(process::stop);
                    var _ = around.interruption().onHangup(() -> reload(process))) {
                process.serveReload(this::load);
                process.await();
            }
            return process.finish() ? ExitCode.OK : ExitCode.RUNTIME;
        } catch (ServiceException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private Service load() {
        List<String> all = new ArrayList<>(sets);
        if (!ports.isEmpty()) {
            InputOptions.ports(spec, ports);
            all.add("listen.ports="
                    + String.join(",", ports.stream().map(String::valueOf).toList()));
        }
        if (httpPort != null) {
            all.add("http.port=" + httpPort);
        }
        if (data != null) {
            all.add("data=" + around.directory().resolve(data).toAbsolutePath());
        }
        return new ConfigLoader(around.directory(), around.systemDirectory(), around.environment())
                .loadService(config, all);
    }

    private void reload(CollectorProcess process) {
        try {
            process.reload(load());
        } catch (ConfigException e) {
            process.refuseReload(String.valueOf(e.getMessage()));
        }
    }
}
