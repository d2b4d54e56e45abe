package io.pathlore.cli;

import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import io.pathlore.cli.service.CollectorProcess;
import io.pathlore.cli.service.Notes;
import io.pathlore.cli.service.ServiceException;
import io.pathlore.cli.service.ServingProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "serve",
        header = {
            "Serve the API and the web page without a receiver: over the data of a stopped collector,",
            "or over events and rollups from Kafka.",
            "",
            "Examples:",
            "  pathlore serve                                    what the collector on this machine left",
            "  pathlore serve --data /mnt/copy/pathlore          a copy of the data of another one",
            "  pathlore serve --config /etc/pathlore/pathlore.yaml --http-port 9090",
            "  pathlore serve --set kafka.bootstrap=broker:9092 --data /var/lib/pathlore-serve",
            "                                                    what collectors elsewhere publish",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore serve [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:stopped by SIGTERM or Ctrl-C",
            "1:cannot run: a collector runs on the data, there are none, a port is taken",
            "2:wrong usage or configuration"
        },
        footerHeading = "%n",
        footer = {
            "Nothing is received and nothing is defended. Ask it as a collector: 'pathlore get flows',",
            "'pathlore query', 'pathlore explain', 'pathlore export'; of a stopped collector 'now' is when it stopped."
        })
final class ServeCommand implements Callable<Integer> {
    @Option(names = "--http-port", paramLabel = "N", description = "Port of the API. Default: http.port, 8080.")
    private @Nullable Integer httpPort;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data that is served; of Kafka, where it is kept. Default: data.")
    private @Nullable Path data;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration. Default: ./pathlore.yaml, then /etc/pathlore/pathlore.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration value, like http.address=::1. Repeatable.")
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

    ServeCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        Notes notes = new Notes(spec.commandLine().getErr(), CollectorProcess::epochNanos);
        try (ServingProcess process = ServingProcess.start(load(), Version.number(), notes);
                var _ = around.interruption().onInterrupt(process::stop)) {
            process.await();
            return ExitCode.OK;
        } catch (ServiceException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private Service load() {
        List<String> all = new ArrayList<>(sets);
        if (httpPort != null) {
            all.add("http.port=" + httpPort);
        }
        if (data != null) {
            all.add("data=" + around.directory().resolve(data).toAbsolutePath());
        }
        return new ConfigLoader(around.directory(), around.systemDirectory(), around.environment())
                .loadService(config, all);
    }
}
