package io.pathlore.cli;

import io.pathlore.cli.config.ScenarioFiles;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "list",
        header = {
            "List the scenarios of the lab, or show one.",
            "",
            "Examples:",
            "  pathlore lab list",
            "  pathlore lab list microburst > mine.yaml      a start for one of your own",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore lab list [SCENARIO]",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine", "2:there is no such scenario"})
final class LabListCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "SCENARIO", description = "Show the file of this one.")
    private @Nullable String scenario;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    private final Output out;

    LabListCommand(Output out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Text text = new Text();
        if (scenario != null) {
            out.write(text.add(ScenarioFiles.text(scenario)));
            return ExitCode.OK;
        }
        int width =
                ScenarioFiles.shipped().stream().mapToInt(String::length).max().orElse(0) + 2;
        for (String name : ScenarioFiles.shipped()) {
            text.add(name).to(width).add(ScenarioFiles.description(name)).line();
        }
        out.write(text);
        return ExitCode.OK;
    }
}
