package io.pathlore.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "explain",
        header = {
            "What something means, and what to look at next.",
            "",
            "Examples:",
            "  pathlore explain flow 63d04c9c1d4df139        why it is slow, or loses packets",
            "  pathlore explain packet 00c0ffee00c0ffee-512-0  what each node said of it, and who said nothing",
            "  pathlore explain drop-reason 80               why a switch dropped a packet",
            "  pathlore explain drop-reason acl_deny",
            "  pathlore explain field hopLatency             what a key of the JSON means, and when it is missing",
            "  pathlore explain field                        all of them",
            "  pathlore explain event 4657b714e69adfa2       what happened, in words",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore explain WHAT [ID] [OPTIONS]",
        commandListHeading = "%nCan be explained:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:there is none of this name or id",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown or expired",
            "5:no server answers"
        },
        subcommands = {
            ExplainFlowCommand.class,
            ExplainPacketCommand.class,
            ExplainDropReasonCommand.class,
            ExplainFieldCommand.class,
            ExplainEventCommand.class
        })
final class ExplainCommand implements Callable<Integer> {
    private static final int TEXT_COLUMN = 14;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Output out;

    ExplainCommand(Output out) {
        this.out = out;
    }

    /** Lists what can be explained. */
    @Override
    public Integer call() {
        Text text = new Text();
        for (CommandLine each : spec.subcommands().values()) {
            text.add(each.getCommandName()).to(TEXT_COLUMN);
            text.add(each.getCommandSpec().usageMessage().header()[0]).line();
        }
        out.write(text);
        return ExitCode.OK;
    }
}
