package io.pathlore.cli;

import io.pathlore.serve.access.TokenException;
import io.pathlore.serve.access.TokenStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The tokens of a data directory, for commands: whatever goes wrong is a {@link Failure} of one line. */
final class TokenFiles {
    private static final long NANOS = 1_000_000_000L;

    private final Path directory;

    TokenFiles(Path directory) {
        this.directory = directory;
    }

    @FunctionalInterface
    interface Work<T> {
        T on(TokenStore store) throws IOException, TokenException;
    }

    static long nowNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    Path directory() {
        return directory;
    }

    /** Makes the directory where it is missing: tokens may be handed out before the collector first runs. */
    <T> T make(Work<T> work) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw failure(e);
        }
        return open(work);
    }

    /** Of a collector that has run: looking must not be what makes the first token. */
    <T> T use(Work<T> work) {
        if (!Files.exists(directory.resolve(TokenStore.FILE))) {
            throw new Failure("there are no tokens in " + directory
                    + ": no collector has run with this data directory; --config or --set data=DIR names another");
        }
        return open(work);
    }

    private <T> T open(Work<T> work) {
        try {
            return work.on(TokenStore.open(directory, nowNanos()));
        } catch (TokenException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private Failure failure(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return new Failure(denied.getFile() + ": no permission; do this as the user that the collector runs as");
        }
        return new Failure("the tokens of " + directory + " cannot be read or changed: " + e.getMessage());
    }
}
