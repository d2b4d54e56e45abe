package io.pathlore.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        header = {
            "Check a configuration, or show the one that holds.",
            "",
            "Examples:",
            "  pathlore config check pathlore.yaml           is it right? Else the line that is not",
            "  pathlore config dump                          every key, its value, and where that is from",
            "  pathlore config dump | grep -v '# default'    only what was changed",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore config COMMAND [OPTIONS]",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine", "2:the configuration is wrong; the line says where"},
        subcommands = {ConfigCheckCommand.class, ConfigDumpCommand.class})
final class ConfigCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    @Override
    public void run() {
        throw InputOptions.misused(spec, "what should it do? Commands: check, dump");
    }
}
