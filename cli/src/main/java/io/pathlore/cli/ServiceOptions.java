package io.pathlore.cli;

import io.pathlore.cli.config.Config;
import io.pathlore.cli.config.ConfigLoader;
import io.pathlore.cli.config.Service;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which configuration holds, for commands that need more of it than decoding does. */
final class ServiceOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration of the collector. Default: ./pathlore.yaml, then /etc/pathlore/pathlore.yaml.")
    private @Nullable Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "One configuration value, like http.port=9090. Repeatable.")
    private List<String> sets = new ArrayList<>();

    private @Nullable Service loaded;

    @Nullable
    Path file() {
        return config;
    }

    List<String> sets() {
        return sets;
    }

    boolean given() {
        return config != null || !sets.isEmpty();
    }

    static ConfigLoader loader(Surroundings around) {
        return new ConfigLoader(around.directory(), around.systemDirectory(), around.environment());
    }

    /** Only how reports are read and nodes are named: needs no place for data. */
    Config config(Surroundings around) {
        return loader(around).load(config, sets);
    }

    /** Read once, when it is first asked for. */
    Service load(Surroundings around) {
        if (loaded == null) {
            loaded = loader(around).loadService(config, sets);
        }
        return loaded;
    }
}
