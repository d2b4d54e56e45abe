package io.pathlore.cli;

import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.ConfigLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** What {@code decode} and {@code check} read, and how. */
final class InputOptions {
    enum Color {
        AUTO,
        ALWAYS,
        NEVER;

        static Color of(String word) {
            for (Color color : values()) {
                if (color.name().equalsIgnoreCase(word)) {
                    return color;
                }
            }
            throw new TypeConversionException("'" + word + "' is not one of auto, always, never");
        }

        Ink ink(Surroundings around) {
            boolean wanted = switch (this) {
                case ALWAYS -> true;
                case NEVER -> false;
                case AUTO ->
                    around.outIsTerminal()
                            && around.environment().getOrDefault("NO_COLOR", "").isEmpty()
                            && !"dumb".equals(around.environment().get("TERM"));
            };
            return wanted ? Ink.ANSI : Ink.NONE;
        }
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description = "Capture to read: pcap or pcapng, also gzip; - for stdin. Or a directory: a collector's"
                    + " journal, or the data directory it is in.")
    private @Nullable String file;

    @Option(
            names = "--hex",
            paramLabel = "STRING",
            description = "Instead of a file: one datagram (with --packets one packet) in hex; spaces are ignored.")
    private @Nullable String hex;

    @Option(
            names = "--port",
            paramLabel = "N",
            description =
                    "UDP port that reports are sent to; repeatable. Default: 8555, 556, 32766; of a journal" + " all.")
    private List<Integer> ports = new ArrayList<>();

    @Mixin
    private final TimeOptions time = new TimeOptions();

    @Mixin
    private final FilterOption filter = new FilterOption();

    @Option(
            names = "--packets",
            description = "Also read data packets: INT and IOAM as they were on the wire, not in reports.")
    private boolean packets;

    @Option(
            names = "--profile",
            paramLabel = "[ADDRESS=]NAME",
            description = "Dialect of one exporter, or of all, instead of recognising it: auto, spec,"
                    + " transparent-security, geant, onos-basic, onos-fabric, p4-int. Repeatable.")
    private List<String> profiles = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration: marks, domains, inventory. Default: ./pathlore.yaml, then"
                    + " /etc/pathlore/pathlore.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration value, like decode.int.udp-ports=5555. Repeatable.")
    private List<String> sets = new ArrayList<>();

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "auto, always or never. Default: auto, which also heeds NO_COLOR.")
    private Color color = Color.AUTO;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    Config config(Surroundings around) {
        return new ConfigLoader(around.directory(), around.systemDirectory(), around.environment()).load(config, sets);
    }

    Ink ink(Surroundings around) {
        return color.ink(around);
    }

    ReportFilter filter(CommandSpec spec, Config config) {
        return ReportFilter.of(filter, spec, config.inventory());
    }

    /** Throws what makes the command line say how it is used. */
    Input input(CommandSpec spec, Surroundings around) {
        if (file == null && hex == null) {
            throw misused(spec, "name a capture file, - for stdin, a journal, or give --hex STRING");
        }
        if (file != null && hex != null) {
            throw misused(spec, "give either a file or --hex, not both");
        }
        if (hex != null && time.given()) {
            throw misused(spec, "--since and --until: bytes given in hex have no time");
        }
        byte[] bytes = null;
        if (hex != null) {
            try {
                bytes = HexText.parse(hex);
            } catch (IllegalArgumentException e) {
                throw misused(spec, "--hex: " + e.getMessage());
            }
        }
        return new Input(around, file, bytes, ports(spec, ports), time.span(spec), packets, teller(spec));
    }

    /** Says on stderr what is wrong with the input, while it is read. */
    static Consumer<String> teller(CommandSpec spec) {
        return text -> spec.commandLine().getErr().println("pathlore: " + text);
    }

    /** Those given. */
    static List<Integer> ports(CommandSpec spec, List<Integer> given) {
        for (int port : given) {
            if (port < 1 || port > 65_535) {
                throw misused(spec, "--port: " + port + " is not in 1 to 65535");
            }
        }
        return given;
    }

    Profiles profiles(CommandSpec spec) {
        try {
            return Profiles.parse(profiles);
        } catch (IllegalArgumentException e) {
            throw misused(spec, String.valueOf(e.getMessage()));
        }
    }

    static ParameterException misused(CommandSpec spec, String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
