package io.pathlore.bench.decode;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** How many bytes a report costs on the heap, as JMH's gc profiler counts them. */
final class Allocation {
    private static final String BYTES_PER_OPERATION = "gc.alloc.rate.norm";

    private final Map<String, Double> bytes = new HashMap<>();

    /** Runs {@link DecodeBench}, one fork for each variant and corpus. */
    Allocation(int iterationMillis) throws IOException {
        // Another JMH on this machine makes times worthless, but not these numbers.
        System.setProperty("jmh.ignoreLock", "true");
        TimeValue time = TimeValue.milliseconds(iterationMillis);
        var options = new OptionsBuilder()
                .include(DecodeBench.class.getName())
                .addProfiler(GCProfiler.class)
                .forks(1)
                .warmupIterations(3)
                .warmupTime(time)
                .measurementIterations(2)
                .measurementTime(time)
                .jvmArgs(Lab.jvm().toArray(String[]::new))
                .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow") // JMH itself
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        try {
            for (RunResult run : new Runner(options).run()) {
                bytes.put(
                        run.getParams().getParam("variant") + " "
                                + run.getParams().getParam("corpus"),
                        bytes(run));
            }
        } catch (RunnerException e) {
            throw new IOException("JMH failed: " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("rawtypes") // as JMH declares it
    private static double bytes(RunResult run) throws IOException {
        for (Map.Entry<String, Result> each : run.getSecondaryResults().entrySet()) {
            if (each.getKey().endsWith(BYTES_PER_OPERATION)) {
                return each.getValue().getScore();
            }
        }
        throw new IOException("JMH tells no " + BYTES_PER_OPERATION);
    }

    double perReport(Entry entry, Corpus.Kind kind) {
        return bytes.getOrDefault(DecodeBench.key(entry, kind), Double.NaN);
    }
}
