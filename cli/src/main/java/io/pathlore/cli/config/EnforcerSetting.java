package io.pathlore.cli.config;

import io.pathlore.analysis.filter.Filter;
import io.pathlore.mitigate.notice.Grouping;
import io.pathlore.mitigate.notice.Maintenance;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who can make a rule hold, as the configuration has it.
 *
 * @param nodes it serves; empty: all
 */
public record EnforcerSetting(String name, List<Long> nodes, Duration timeout, Kind kind) {
    public EnforcerSetting {
        nodes = List.copyOf(nodes);
    }

    public boolean serves(long node) {
        return nodes.isEmpty() || nodes.contains(node);
    }

    /** What it is, with what only that needs. */
    public sealed interface Kind {}

    /** The controller of a Transparent Security network; {@code deltas} where it reports what was dropped since the last report. */
    public record TransparentSecurity(String url, boolean deltas) implements Kind {}

    public record FlowSpec(InetSocketAddress peer, long localAs, long peerAs, String routerId, int holdSeconds)
            implements Kind {}

    public record Webhook(String url, Path secretFile, boolean privateAllowed) implements Kind {}

    public record Command(List<String> words) implements Kind {
        public Command {
            words = List.copyOf(words);
        }
    }

    /** Who is told of attacks and of what is done about them, as far as the filter lets it through. */
    public record Notify(
            String url, @Nullable Path secretFile, boolean privateAllowed, Grouping grouping, Filter filter) {}

    /** When nobody is told of what the filter lets through. */
    public record Quiet(String name, Maintenance.Times times, Filter filter) {}
}
