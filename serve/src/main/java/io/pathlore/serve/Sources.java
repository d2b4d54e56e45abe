package io.pathlore.serve;

import io.pathlore.serve.metrics.MetricSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the standard routes need from the running process. Each is asked by many threads at once. */
public record Sources(Status status, Ledgers ledgers, ExporterList exporters, Health health, MetricSource metrics) {
    @FunctionalInterface
    public interface Status {
        String statusJson();
    }

    @FunctionalInterface
    public interface Ledgers {
        String ledgerJson() throws Problem;
    }

    @FunctionalInterface
    public interface ExporterList {
        /** Throws a {@link Problem} of status 400 for a cursor that it did not give out. */
        String exportersJson(Page page) throws Problem;
    }

    /** Which part of a list: so many, from where the last part ended. */
    public record Page(int limit, @Nullable String cursor) {}

    @FunctionalInterface
    public interface Health {
        List<Check> checks();
    }

    /** A vital one that fails makes the process unhealthy: start it again. Any that fails makes it not ready. */
    public record Check(String name, boolean vital, boolean good, String detail) {}
}
