package io.pathlore.cli;

import io.pathlore.cli.config.Quantities;
import io.pathlore.model.TimeText;
import io.pathlore.serve.access.Role;
import io.pathlore.serve.access.Token;
import io.pathlore.serve.access.TokenStore;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "add",
        header = {
            "Make a token and print it, this once: only its hash is kept.",
            "",
            "Examples:",
            "  pathlore token add grafana --role viewer > grafana.token",
            "  pathlore token add night-shift --role operator --expires 90d",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore token add NAME --role ROLE [OPTIONS]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:the name is taken, or the data directory cannot be written",
            "2:wrong usage or configuration"
        })
final class TokenAddCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "NAME",
            description = "1 to 64 letters, digits, '.', '_' or '-'.")
    private @Nullable String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "viewer: may read; operator: may also change; admin: may do all.")
    private @Nullable String role;

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            description = "No longer good after this time, like 12h or 90d. Default: never.")
    private @Nullable String expires;

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

    TokenAddCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (name == null) {
            throw InputOptions.misused(spec, "give the token a name, by which it can be revoked");
        }
        if (!TokenStore.isGoodName(name)) {
            throw InputOptions.misused(spec, "a token's name is 1 to 64 letters, digits, '.', '_' or '-'");
        }
        if (role == null) {
            throw InputOptions.misused(spec, "say what it may do: --role viewer, operator or admin");
        }
        Role granted = Role.of(role);
        if (granted == null) {
            throw InputOptions.misused(spec, "--role: '" + role + "' is not one of viewer, operator, admin");
        }
        long now = TokenFiles.nowNanos();
        long until = until(now);
        String wanted = name;
        TokenFiles files = new TokenFiles(service.load(around).data());
        String token = files.make(store -> store.add(wanted, granted, now, until));
        out.write(new Text().add(token).line());
        out.flush(); // before anything is said of it
        spec.commandLine()
                .getErr()
                .println("pathlore: token " + wanted + " of role " + granted.text()
                        + (until == Token.NEVER
                                ? ""
                                : ", good until " + TimeText.of(until).substring(0, 19) + "Z,")
                        + " is in " + files.directory().resolve(TokenStore.FILE) + "; it is shown only now");
        return ExitCode.OK;
    }

    private long until(long now) {
        if (expires == null) {
            return Token.NEVER;
        }
        try {
            long nanos = Quantities.nanos(expires);
            if (nanos == 0) {
                throw InputOptions.misused(spec, "--expires: a token that is never good is no use");
            }
            return Math.addExact(now, nanos);
        } catch (ArithmeticException e) {
            throw InputOptions.misused(spec, "--expires: '" + expires + "' is too long; leave it out for never");
        } catch (IllegalArgumentException e) {
            throw InputOptions.misused(spec, "--expires: " + e.getMessage());
        }
    }
}
