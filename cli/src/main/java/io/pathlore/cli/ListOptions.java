package io.pathlore.cli;

import io.pathlore.cli.config.Nearest;
import io.pathlore.cli.config.Quantities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How a list is shown: what every {@code get} takes. */
final class ListOptions {
    private static final String WATCH_INTERVAL = "2s";
    private static final long MIN_INTERVAL_NANOS = 100_000_000L;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json (one array), jsonl (one object a line), csv. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = "--sort",
            paramLabel = "KEY",
            description = "By this column or key of the JSON: most, latest or least complete first.")
    private @Nullable String sort;

    @Option(names = "--limit", paramLabel = "N", description = "Only the first N.")
    private @Nullable Integer limit;

    @Option(
            names = {"-w", "--watch"},
            paramLabel = "TIME",
            arity = "0..1",
            fallbackValue = WATCH_INTERVAL,
            description = "Again and again until Ctrl-C, every TIME. Default: 2s. Shows rates too.")
    private @Nullable String watch;

    @Option(names = "--no-header", description = "No line that names the columns (table, csv).")
    private boolean noHeader;

    OutputFormat format() {
        return format;
    }

    boolean header() {
        return !noHeader;
    }

    int limit(CommandSpec spec, ListKind kind) {
        if (limit != null && limit < 1) {
            throw InputOptions.misused(spec, "--limit: " + limit + " is not positive");
        }
        return limit != null ? limit : kind.isSortedByServer() ? ListKind.FIRST : Integer.MAX_VALUE;
    }

    /** Null: show it once. */
    @Nullable
    Duration interval(CommandSpec spec) {
        if (watch == null) {
            return null;
        }
        try {
            long nanos = Quantities.nanos(watch);
            if (nanos >= MIN_INTERVAL_NANOS) {
                return Duration.ofNanos(nanos);
            }
        } catch (IllegalArgumentException e) {
            throw InputOptions.misused(spec, "--watch: " + e.getMessage());
        }
        throw InputOptions.misused(spec, "--watch: '" + watch + "' is less than 100ms");
    }

    /** The field to sort by, which is that of the list unless another was asked for. */
    Field order(CommandSpec spec, ListKind kind) {
        String wanted = sort == null ? kind.sort() : sort;
        List<String> known = new ArrayList<>();
        for (Field field : kind.sortable()) {
            if (field.isCalled(wanted)) {
                return field;
            }
            known.add(kind.isSortedByServer() ? ListKind.serverWord(field) : field.key());
        }
        String nearest = Nearest.to(wanted, known);
        throw InputOptions.misused(
                spec,
                "--sort: there is no '" + wanted + "'; "
                        + (nearest == null
                                ? "there are " + String.join(", ", new LinkedHashSet<>(known))
                                : "did you mean '" + nearest + "'?"));
    }
}
