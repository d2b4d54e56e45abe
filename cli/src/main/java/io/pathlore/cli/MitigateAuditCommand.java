package io.pathlore.cli;

import io.pathlore.mitigate.audit.AuditCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "audit",
        header = {
            "Check that nobody changed the audit: every line holds the hash of the one before it.",
            "",
            "Examples:",
            "  pathlore mitigate audit                            that of this machine's collector",
            "  pathlore mitigate audit copy.jsonl --last 3f9a…    and that its end is not cut off",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore mitigate audit [OPTIONS] [FILE]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it holds", "1:it cannot be read", "2:wrong usage or configuration", "3:it was changed"},
        footerHeading = "%n",
        footer = "Write the last hash down elsewhere: who can write the file can cut off its end.")
final class MitigateAuditCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = "audit.jsonl, or a copy of it.")
    private @Nullable Path file;

    @Option(names = "--last", paramLabel = "HASH", description = "The last hash, as it was written down.")
    private @Nullable String last;

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

    MitigateAuditCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        Path at = file != null
                ? around.directory().resolve(file)
                : service.load(around).auditFile();
        AuditCheck check;
        try {
            check = AuditCheck.of(at);
        } catch (NoSuchFileException e) {
            throw new Failure(at + ": no such file; a collector makes it in its data directory");
        } catch (IOException e) {
            throw new Failure(at + ": cannot be read: " + e.getMessage());
        }
        if (!check.holds()) {
            return changed(at + ": the audit was changed: " + check.problem());
        }
        if (last != null && !last.equals(check.last())) {
            return changed(at + ": every line holds, but the last hash is " + check.last()
                    + ": lines were added since, or the end was cut off");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(check.lines() + " lines hold; last hash " + check.last());
        out.flush();
        return ExitCode.OK;
    }

    private int changed(String what) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("pathlore: " + what);
        err.flush();
        return ExitCode.FINDINGS;
    }
}
