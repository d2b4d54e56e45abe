package io.pathlore.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "revoke",
        header = {
            "Revoke a token: with the next request it is not good any more.",
            "",
            "Examples:",
            "  pathlore token revoke grafana",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore token revoke NAME [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:there is none of this name, it is the last admin, or the data directory cannot be written",
            "2:wrong usage"
        })
final class TokenRevokeCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "As 'pathlore token list' shows it.")
    private @Nullable String name;

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

    TokenRevokeCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        if (name == null) {
            throw InputOptions.misused(spec, "name the token; 'pathlore token list' shows them");
        }
        String unwanted = name;
        new TokenFiles(service.load(around).data()).use(store -> {
            store.revoke(unwanted);
            return unwanted;
        });
        spec.commandLine().getErr().println("pathlore: token " + unwanted + " is revoked");
        return ExitCode.OK;
    }
}
