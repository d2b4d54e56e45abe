package io.pathlore.cli;

import io.pathlore.cli.config.ConfigLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        header = {
            "Check a configuration file, all of it, without starting anything.",
            "",
            "Examples:",
            "  pathlore config check                         the file that would be read from here",
            "  pathlore config check /etc/pathlore/pathlore.yaml",
            "  pathlore config check new.yaml && mv new.yaml pathlore.yaml",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore config check [OPTIONS] [FILE]",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is right", "2:it is not; the line says where"},
        footerHeading = "%n",
        footer = {"The file is checked for itself, and then together with PATHLORE_ variables and --set."})
final class ConfigCheckCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Default: ./pathlore.yaml, then /etc/pathlore/pathlore.yaml.")
    private @Nullable Path file;

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

    ConfigCheckCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (file != null && service.file() != null) {
            throw InputOptions.misused(spec, "name the file once, not with --config too");
        }
        Path wanted = file != null ? file : service.file();
        ConfigLoader loader = ServiceOptions.loader(around);
        // A variable may stand over a value that is wrong, and is not there on the day it matters.
        loader.withoutVariables().loadService(wanted, List.of());
        loader.loadService(wanted, service.sets());
        String name = loader.fileName(wanted);
        Text text = new Text();
        text.add(name == null ? "there is no configuration file: the defaults hold" : name + ": fine");
        out.write(text.line());
        return ExitCode.OK;
    }
}
