package io.pathlore.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "token",
        header = {
            "Who may ask a collector what: tokens and their roles.",
            "",
            "Examples:",
            "  pathlore token add grafana --role viewer > grafana.token",
            "  pathlore token add night-shift --role operator --expires 90d",
            "  pathlore token list",
            "  pathlore token revoke grafana",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore token COMMAND [OPTIONS]",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the data directory cannot be read or written, the name is taken, or there is none such",
            "2:wrong usage or configuration"
        },
        footerHeading = "%n",
        footer = "Tokens are files of the data directory; a running collector heeds a change with the next request.",
        subcommands = {TokenAddCommand.class, TokenListCommand.class, TokenRevokeCommand.class})
final class TokenCommand implements Runnable {
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
        throw InputOptions.misused(spec, "what should it do? Commands: add, list, revoke");
    }
}
