package io.pathlore.cli;

import io.pathlore.analysis.filter.FilterException;
import io.pathlore.cli.client.ApiException;
import io.pathlore.cli.client.ServerAddress;
import io.pathlore.cli.config.ConfigException;
import io.pathlore.cli.config.Nearest;
import io.pathlore.ingest.pcap.CaptureException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code pathlore}: parses the command line, runs one command, and turns whatever went wrong into one line and a number. */
public final class Main {
    private static final Path NOWHERE = Path.of("/nonexistent");

    private Main() {}

    public static void main(String[] args) {
        Interruption.OfProcess interruption = new Interruption.OfProcess();
        int status = run(args, Surroundings.ofThisProcess(interruption));
        interruption.ended(status);
        System.exit(status);
    }

    /** As {@link #main}, for callers who want to go on living; without environment, terminal or configuration file. */
    public static int run(String[] args, InputStream in, OutputStream out, OutputStream err) {
        return run(args, new Surroundings(in, out, err, false, false, Map.of(), NOWHERE, NOWHERE));
    }

    public static int run(String[] args, Surroundings around) {
        PrintWriter err = new PrintWriter(new OutputStreamWriter(around.err(), StandardCharsets.UTF_8), true);
        Output output = new Output(around.out());
        try {
            int status = commandLine(around, output, err).execute(args);
            output.flush();
            return status;
        } catch (Output.ClosedPipe e) {
            return ExitCode.OK;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return explain(e, around, err);
        } finally {
            err.flush();
        }
    }

    private static CommandLine commandLine(Surroundings around, Output output, PrintWriter err) {
        PrintWriter out = new PrintWriter(new OutputWriter(output), false);
        boolean plain = !around.outIsTerminal()
                || !around.environment().getOrDefault("NO_COLOR", "").isEmpty();
        CommandFactory factory = new CommandFactory(around, output);
        CommandLine line = new CommandLine(new PathloreCommand(), factory);
        GetListCommand.addTo(Objects.requireNonNull(line.getSubcommands().get("get")), factory, around, output);
        return line.setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(plain ? Ansi.OFF : Ansi.ON))
                .registerConverter(OutputFormat.class, OutputFormat::of)
                .registerConverter(InputOptions.Color.class, InputOptions.Color::of)
                .registerConverter(Endpoint.class, Endpoint::of)
                .registerConverter(ServerAddress.class, Main::server)
                .setUsageHelpLongOptionsMaxWidth(26)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler((e, args) -> misused(e, err))
                .setExecutionExceptionHandler((e, command, result) -> explain(e, around, err));
    }

    private static ServerAddress server(String text) {
        try {
            return ServerAddress.of(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    private static int misused(ParameterException e, PrintWriter err) {
        String name = e.getCommandLine().getCommandSpec().qualifiedName();
        String message = e instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched)
                : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        err.println(name + ": " + oneLine(message));
        String place = switch (e.getCause()) {
            case FilterException wrong -> wrong.place();
            case ApiException wrong -> wrong.place();
            case null, default -> "";
        };
        place.lines().forEach(line -> err.println("  " + oneLine(line)));
        err.println("Try '" + name + " --help'.");
        return ExitCode.USAGE;
    }

    private static String unknown(UnmatchedArgumentException e) {
        CommandLine command = e.getCommandLine();
        String word = e.getUnmatched().getFirst();
        List<String> known = new ArrayList<>(command.getSubcommands().keySet());
        command.getCommandSpec().options().forEach(option -> known.addAll(List.of(option.names())));
        String what = word.startsWith("-")
                ? "unknown option"
                : command.getSubcommands().isEmpty() ? "unexpected argument" : "unknown command";
        String nearest = Nearest.to(word, known);
        return what + " '" + word + "'" + (nearest == null ? "" : "; did you mean '" + nearest + "'?");
    }

    /** One line for people; the trace only for who asks for it. */
    private static int explain(Throwable e, Surroundings around, PrintWriter err) {
        if (e instanceof Output.ClosedPipe) {
            return ExitCode.OK;
        }
        Integer known = knownStatus(e);
        if (known != null) {
            err.println("pathlore: " + oneLine(String.valueOf(e.getMessage())));
            if (e instanceof ApiException api) {
                api.place().lines().forEach(line -> err.println("  " + oneLine(line)));
            }
        } else if (e instanceof OutOfMemoryError) {
            err.println("pathlore: out of memory; give it more with PATHLORE_JAVA_OPTS=-Xmx2g");
        } else {
            err.println("pathlore: " + oneLine(e.toString()) + " - this is a bug in pathlore, please report it"
                    + " (PATHLORE_DEBUG=1 shows where)");
        }
        if (!around.environment().getOrDefault("PATHLORE_DEBUG", "").isEmpty()) {
            e.printStackTrace(err);
        }
        return known == null ? ExitCode.RUNTIME : known;
    }

    private static @Nullable Integer knownStatus(Throwable e) {
        if (e instanceof ConfigException) {
            return ExitCode.USAGE;
        }
        if (e instanceof ApiException api) {
            return switch (api.kind()) {
                case UNREACHABLE -> ExitCode.UNREACHABLE;
                case NOT_AUTHORISED -> ExitCode.NOT_AUTHORISED;
                case NOT_A_COLLECTOR -> ExitCode.RUNTIME;
                case REFUSED -> api.place().isEmpty() ? ExitCode.RUNTIME : ExitCode.USAGE;
            };
        }
        return e instanceof CaptureException || e instanceof Output.Failed || e instanceof Failure
                ? ExitCode.RUNTIME
                : null;
    }

    /** What a message quotes may come from a file or a stranger: nothing of it may steer a terminal. */
    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
