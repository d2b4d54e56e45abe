package io.pathlore.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "man",
        header = {
            "Write the manual pages of all commands into a directory.",
            "",
            "Examples:",
            "  pathlore man ~/.local/share/man/man1",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore man DIRECTORY",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n")
final class ManCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIRECTORY", description = "Made if it is not there.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

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

    ManCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() {
        Path into = around.directory().resolve(directory);
        Map<String, String> pages = ManPage.all(spec.root().commandLine(), Version.number());
        try {
            Files.createDirectories(into);
            for (Map.Entry<String, String> page : pages.entrySet()) {
                Files.writeString(into.resolve(page.getKey()), page.getValue());
            }
        } catch (IOException e) {
            throw new Failure(into + ": cannot be written: " + e.getMessage());
        }
        spec.commandLine().getOut().println(pages.size() + " pages in " + into);
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
