package io.pathlore.cli;

import io.pathlore.analysis.filter.Field;
import io.pathlore.analysis.filter.Filter;
import io.pathlore.analysis.filter.FilterException;
import io.pathlore.cli.config.Inventory;
import io.pathlore.cli.filter.InventoryNames;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which of what was found is wanted. */
final class FilterOption {
    @Option(
            names = "--filter",
            paramLabel = "EXPR",
            description = "Only what matches, like 'dropped and dst in 10.2.0.0/16' or 'hop.latency > 50us'.")
    private @Nullable String text;

    boolean given() {
        return text != null;
    }

    /** As it was given, for who asks a collector; empty where it was not. */
    String text() {
        return text == null ? "" : text;
    }

    /** Throws what makes the command line show the place that is wrong. */
    Filter filter(CommandSpec spec, Inventory inventory, Set<Field> known, String things) {
        if (text == null) {
            return Filter.ALL;
        }
        try {
            return Filter.parse(text, InventoryNames.of(inventory)).only(known, things);
        } catch (FilterException e) {
            throw new ParameterException(spec.commandLine(), "--filter: " + e.getMessage(), e);
        }
    }
}
