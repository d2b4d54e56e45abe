package io.pathlore.cli;

import io.pathlore.cli.config.ConfigDump;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "dump",
        header = {
            "Show the configuration that holds: every key, its value, and where that comes from.",
            "",
            "Examples:",
            "  pathlore config dump",
            "  pathlore config dump | grep -v '# default'    only what was changed",
            "  pathlore config dump --config new.yaml --set listen.ports=9555",
            "  pathlore config dump -o json | jq '.[] | select(.origin != \"default\")'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore config dump [OPTIONS]",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine", "2:the configuration is wrong; the line says where"},
        footerHeading = "%n",
        footer = {
            "What it prints is a configuration file that means the same. An origin is default, FILE:LINE, the",
            "name of a variable, or --set. Secrets are in files of their own; their paths are shown."
        })
final class ConfigDumpCommand implements Callable<Integer> {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "yaml, json (an array of key, value, origin). Default: yaml.")
    private String format = "yaml";

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

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

    ConfigDumpCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        boolean yaml = format.equalsIgnoreCase("yaml");
        if (!yaml && !format.equalsIgnoreCase("json")) {
            throw InputOptions.misused(spec, "--output: '" + format + "' is not one of yaml, json");
        }
        ConfigDump dump = ServiceOptions.loader(around).dump(service.file(), service.sets());
        out.write(new Text().add(yaml ? dump.yaml() : dump.json()));
        return ExitCode.OK;
    }
}
