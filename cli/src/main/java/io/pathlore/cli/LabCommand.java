package io.pathlore.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "lab",
        header = {
            "A virtual INT network whose truth is known.",
            "",
            "Examples:",
            "  pathlore lab list                                     what there is",
            "  pathlore lab run link-failure --pcap reports.pcap     its reports, in a moment",
            "  pathlore lab run demo --to 127.0.0.1:8555             live, from a loopback address per switch",
            "  pathlore lab score truth.jsonl events.jsonl           how well a detector did",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore lab COMMAND [OPTIONS]",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine", "1:a file cannot be read or written, no way to HOST", "2:wrong usage or scenario"},
        subcommands = {LabListCommand.class, LabRunCommand.class, LabScoreCommand.class})
final class LabCommand implements Runnable {
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
        throw new CommandLine.ParameterException(spec.commandLine(), "what should it do? Commands: list, run, score");
    }
}
