package io.pathlore.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "get",
        header = {
            "Ask a running collector.",
            "",
            "Examples:",
            "  pathlore get exporters                        who sends, how much, and what was lost",
            "  pathlore get exporters --sort lost --limit 5",
            "  pathlore get nodes --sort p99                 the slowest nodes",
            "  pathlore get flows --sort drops --limit 10    flows that lose most",
            "  pathlore get queues --since 1h --filter 'node = leaf-3'",
            "  pathlore get events                           what happened lately",
            "  pathlore get attacks                          who is attacked, and by which devices",
            "  pathlore get exporters -o json | jq '.[] | select(.lost > 0) | .address'",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore get LIST [OPTIONS]",
        commandListHeading = "%nLists:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the server answers, but not this, or it is no collector",
            "2:wrong usage or configuration",
            "4:not authorised: a token is missing, unknown, expired or of too small a role",
            "5:no server answers"
        })
final class GetCommand implements Runnable {
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
        throw InputOptions.misused(
                spec,
                "what should it list? Lists: "
                        + String.join(
                                ", ", ListKind.ALL.stream().map(ListKind::name).toList()));
    }
}
