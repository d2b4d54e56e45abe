package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the API is about: a collector at work, or a recording that was read to its end. */
interface Shown {
    Service service();

    /** Where the datagrams are; null where they were not kept. */
    @Nullable
    Path kept();

    /** The present: of a recording, its end. */
    long nowNanos();

    Notes notes();
}
