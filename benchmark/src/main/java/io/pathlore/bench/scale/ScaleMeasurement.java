package io.pathlore.bench.scale;

import io.pathlore.bench.Contestant;
import io.pathlore.bench.Machine;
import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.decode.Corpus;
import io.pathlore.cli.scale.Parts;
import io.pathlore.cli.scale.Stage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The parts that the job for many machines is made of, on one processor, beside the analysis in one piece. Without what moves blocks between
 * machines: no job is faster than its parts.
 */
public final class ScaleMeasurement implements Measurement {
    /** The last line of who measures. */
    static final String END = "end";

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String about() {
        return "the parts of the analysis, for many machines, beside the analysis in one piece";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        int warm = quick ? 1 : 2;
        int rounds = quick ? 1 : 4;
        List<String> pin = Machine.onOneProcessor();
        out.printf("scale: %s%n", Machine.describe());
        out.printf(
                Locale.ROOT,
                """
                one process%s, one thread, by turns of a second of stream time; %d s measured after %d s
                reports of a fabric as in whole: %,d of %d octets again and again, %d exporters, a report a datagram, %,d in a second of stream time
                time is told every %d ms of stream time, state is taken every %d s; %d parts of datagrams, of flows, of attacks and of hops, one of verdicts
                without Flink: its serialisation, network and state backend come on top, so this is the ceiling of the job
                """,
                pin.isEmpty() ? "" : " on one processor",
                rounds * Worker.ROUND_SECONDS,
                warm * Worker.ROUND_SECONDS,
                Traffic.REPORTS,
                Traffic.DATAGRAM,
                Corpus.REPORTERS,
                Worker.PER_SECOND,
                Ticks.STEP / 1_000_000,
                Worker.ROUND_SECONDS,
                Parts.DEFAULT);
        Map<String, Double> measured = measure(pin, warm, rounds);
        stages(out, measured);
        states(out, measured);
        Results results = new Results();
        measured.forEach(results::put);
        results.put("loadAverage", Machine.load());
        return results;
    }

    private static Map<String, Double> measure(List<String> pin, int warm, int rounds) throws IOException {
        List<String> command = new ArrayList<>(pin);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // As the program's own script runs it, with room for a million flows and for what is between stages.
        command.addAll(List.of("-XX:+UseSerialGC", "-Xms8g", "-Xmx8g", "-Xmn3g", "-XX:MaxDirectMemorySize=1t"));
        command.add("-XX:-UsePerfData");
        if (Machine.hasLargePages()) {
            command.add("-XX:+UseTransparentHugePages");
        }
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName(),
                Integer.toString(warm),
                Integer.toString(rounds)));
        Map<String, Double> measured = new LinkedHashMap<>();
        try (var worker = new Contestant("scale", command)) {
            for (String line = worker.read(); !line.equals(END); line = worker.read()) {
                int space = line.indexOf(' ');
                measured.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
            }
        }
        return measured;
    }

    private static double of(Map<String, Double> measured, String name) {
        Double number = measured.get(name);
        if (number == null) {
            throw new IllegalStateException("nobody measured " + name);
        }
        return number;
    }

    private static void stages(PrintStream out, Map<String, Double> measured) {
        out.printf(
                "%n%-30s %9s %12s %11s %11s %12s %11s%n",
                "of a report", "ns of CPU", "k/s per core", "allocated", "told it", "taking state", "state");
        row(out, measured, "embedded, in one piece", "embedded", false);
        double state = 0;
        double least = Double.MAX_VALUE;
        for (Stage stage : Stage.values()) {
            String key = Worker.key(stage);
            row(out, measured, "part: " + key, key, true);
            double ofState = of(measured, key + ".state.ns");
            state += ofState;
            if (stage == Stage.VERDICTS) {
                least = Math.min(least, 1e9 / (of(measured, key + ".ns") + ofState));
            }
        }
        row(out, measured, "job: all of them, with state", "job", false);
        out.printf(
                Locale.ROOT,
                """

                job, per core: %.2f [%.2f..%.2f] of embedded; %.1f %% of its time is taking state
                verdicts are one part: whatever the number of cores, a job has at most %.0f k/s
                collecting garbage, not in the above: embedded %.0f ns, job %.0f ns (of what the measurement keeps between stages, too)
                rows: embedded %.4f a report, counted; job %.4f, written as JSON
                an envelope: %.0f octets a report
                """,
                of(measured, "job.ratio"),
                of(measured, "job.ratioMin"),
                of(measured, "job.ratioMax"),
                100 * state / of(measured, "job.ns"),
                least / 1e3,
                of(measured, "embedded.collecting.ns"),
                of(measured, "job.collecting.ns"),
                of(measured, "embedded.rows"),
                of(measured, "job.rows"),
                of(measured, "envelope.octets"));
        measured.put("job.most.perSecond", least);
    }

    private static void row(PrintStream out, Map<String, Double> measured, String title, String key, boolean part) {
        double nanos = of(measured, key + ".ns");
        String more = "";
        if (part) {
            double state = of(measured, key + ".state.ns");
            double told = key.equals(Worker.key(Stage.DATAGRAMS))
                    ? of(measured, "envelope.octets")
                    : of(measured, key + ".block.octets");
            more = String.format(
                    Locale.ROOT,
                    " %9.0f B %10.1f %% %8.2f MB",
                    told,
                    100 * state / (nanos + state),
                    of(measured, key + ".state.octets") / 1e6);
        }
        out.printf(
                Locale.ROOT,
                "  %-28s %9.0f %12.0f %9.0f B%s%n",
                title,
                nanos,
                1e6 / nanos,
                of(measured, key + ".allocated"),
                more);
    }

    private static void states(PrintStream out, Map<String, Double> measured) {
        out.printf(
                "%n%-30s %9s %12s %11s %11s %12s%n",
                "state of flows, " + Parts.DEFAULT + " parts",
                "known",
                "B per known",
                "MB",
                "ms to write",
                "to restore");
        for (int flows : Worker.FLOWS) {
            String key = "flows." + flows;
            out.printf(
                    Locale.ROOT,
                    "  %-28s %9.0f %12.0f %11.1f %11.0f %12.0f%n",
                    String.format(Locale.ROOT, "%,d flows", flows),
                    of(measured, key + ".known"),
                    of(measured, key + ".octetsPerFlow"),
                    of(measured, key + ".octets") / 1e6,
                    of(measured, key + ".writeMillis"),
                    of(measured, key + ".restoreMillis"));
        }
    }
}
