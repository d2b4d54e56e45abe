package io.pathlore.cli;

import io.pathlore.dataplane.live.Pace;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How fast {@code replay} sends. */
final class PaceOptions {
    @Option(
            names = "--speed",
            paramLabel = "X",
            description = "At X times the captured pace. Default: 1, the captured pace itself.")
    private @Nullable Double speed;

    @Option(names = "--rate", paramLabel = "N", description = "Evenly, N datagrams per second.")
    private @Nullable Double rate;

    @Option(names = "--max", description = "As fast as it goes.")
    private boolean max;

    Pace pace(CommandSpec spec) {
        int given = (speed == null ? 0 : 1) + (rate == null ? 0 : 1) + (max ? 1 : 0);
        if (given > 1) {
            throw InputOptions.misused(spec, "give only one of --speed, --rate and --max");
        }
        if (max) {
            return new Pace.Unbounded();
        }
        if (rate != null) {
            return new Pace.PerSecond(positive(spec, "--rate", rate));
        }
        return new Pace.Stamped(speed == null ? 1 : positive(spec, "--speed", speed));
    }

    static double positive(CommandSpec spec, String option, double number) {
        if (!(number > 0) || Double.isInfinite(number)) {
            throw InputOptions.misused(spec, option + ": " + number + " is not a positive number");
        }
        return number;
    }
}
