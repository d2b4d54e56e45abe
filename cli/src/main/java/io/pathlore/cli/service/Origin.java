package io.pathlore.cli.service;

import io.pathlore.serve.JsonText;
import io.pathlore.serve.Sources;
import io.pathlore.serve.metrics.MetricWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where what is served comes from. */
interface Origin extends AutoCloseable {
    /** Where the datagrams are; null where others have them. */
    @Nullable
    Path kept();

    /** The present: of what is over, its end. */
    long nowNanos();

    /** Tells of itself, in the status of the API. */
    void status(JsonText json);

    void write(MetricWriter out);

    List<Sources.Check> checks();

    /** Said once, when it begins. */
    String greeting();

    /** Gives the tables nothing any more. */
    void stop();

    /** After the tables are closed. */
    @Override
    void close();
}
