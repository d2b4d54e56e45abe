package io.pathlore.cli.config;

import io.pathlore.cli.client.ServerAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A collector that has reports in its journal, for who shows what others have found.
 *
 * @param tokenFile null where none is shown
 * @param authority certificates that are trusted there, and no others; null: those that the system trusts
 */
public record EdgeSetting(
        String name,
        ServerAddress server,
        @Nullable Path tokenFile,
        @Nullable Path authority,
        Duration timeout) {}
