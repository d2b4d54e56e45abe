package io.pathlore.cli.service;

import io.pathlore.cli.config.Service;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the API is about: a collector at work, a recording that was read to its end, or what others have found. */
interface Shown {
    Service service();

    /** Where the datagrams are; null where they were not kept. */
    @Nullable
    Path kept();

    /** Why there are no datagrams, and what to do about it. */
    default String whyNothingIsKept() {
        return "the journal is off, and reports are read from it: set journal.enabled: true in the configuration"
                + " and start the collector again";
    }

    /** The present: of a recording, its end. */
    long nowNanos();

    Notes notes();
}
