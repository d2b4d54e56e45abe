package io.pathlore.cli;

import io.pathlore.cli.client.ApiException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The time that is asked about. The collector reads it, for it knows how far its stream is. */
final class SpanOptions {
    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "From then on: 5m (before the end), or RFC 3339. Default: 5m.")
    private @Nullable String since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "To then. Default: now, which is as far as the collector has stored.")
    private @Nullable String until;

    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        put(parameters, "since", since);
        put(parameters, "until", until);
        return parameters;
    }

    private static void put(Map<String, String> parameters, String name, @Nullable String value) {
        if (value != null) {
            parameters.put(name, value);
        }
    }

    /** What the collector finds wrong with an option is wrong usage. */
    static RuntimeException blamed(CommandSpec spec, ApiException e) {
        String wrong = e.wrongParameter();
        String option = "--" + wrong.substring(0, Math.max(0, wrong.indexOf(": ")));
        return spec.findOption(option) == null ? e : new ParameterException(spec.commandLine(), "--" + wrong, e);
    }
}
