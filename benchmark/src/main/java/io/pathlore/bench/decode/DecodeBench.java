package io.pathlore.bench.decode;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One report, by each variant over each corpus. Run with the gc profiler it tells what is allocated for a report. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecodeBench {
    @Param({"views", "lenient", "json"})
    public String variant = "views";

    @Param({"conformant", "dialect"})
    public String corpus = "conformant";

    private Replay replay = new Replay(Corpus.make(Corpus.Kind.CONFORMANT, 0), Reader.Variant.VIEWS);

    @Setup
    public void fill() {
        Corpus.Kind kind = Corpus.Kind.valueOf(corpus.toUpperCase(Locale.ROOT));
        replay =
                new Replay(Corpus.make(kind, kind.reports()), Reader.Variant.valueOf(variant.toUpperCase(Locale.ROOT)));
    }

    /** As both parameters together name a run. */
    static String key(Entry entry, Corpus.Kind kind) {
        return entry.key() + " " + kind.name().toLowerCase(Locale.ROOT);
    }

    @Benchmark
    @OperationsPerInvocation(Columns.ROWS)
    public int decode() {
        return replay.nextBatch();
    }
}
