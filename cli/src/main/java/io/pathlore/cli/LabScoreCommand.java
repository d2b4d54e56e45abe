package io.pathlore.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pathlore.cli.config.Quantities;
import io.pathlore.dataplane.truth.Observed;
import io.pathlore.dataplane.truth.Score;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "score",
        header = {
            "Compare detected events with what really happened.",
            "",
            "Examples:",
            "  pathlore lab score truth.jsonl events.jsonl",
            "  pathlore lab score -v truth.jsonl events.jsonl         with what was missed and what was false",
            "  pathlore lab score -o json truth.jsonl events.jsonl | jq .recall",
            ""
        },
        synopsisHeading = "Usage: ",
        customSynopsis = "pathlore lab score [OPTIONS] TRUTH EVENTS",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:fine, whatever the score", "1:a file cannot be read", "2:wrong usage"},
        footerHeading = "%n",
        footer = {
            "An event matches a fact of its kind and identity that began before it and that reports showed",
            "no later than its tolerance before; one to one. Facts that no report showed do not count."
        })
final class LabScoreCommand implements Callable<Integer> {
    private static final String DEFAULT_SILENT_AFTER = "30s";

    @Parameters(index = "0", arity = "0..1", paramLabel = "TRUTH", description = "Of 'lab run --truth'.")
    private @Nullable String truth;

    @Parameters(index = "1", arity = "0..1", paramLabel = "EVENTS", description = "JSON Lines of a detector.")
    private @Nullable String events;

    @Option(
            names = {"-v", "--verbose"},
            description = "Also every fact missed, every false event, and what no report showed.")
    private boolean verbose;

    @Option(
            names = "--silent-after",
            paramLabel = "TIME",
            description = "The detector's analysis.silent-after. Default: 30s.")
    private String silentAfter = DEFAULT_SILENT_AFTER;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, json. Default: text.")
    private OutputFormat format = OutputFormat.TEXT;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli does
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final Surroundings around;
    private final Output out;
    private final ObjectMapper mapper = new ObjectMapper();

    LabScoreCommand(Surroundings around, Output out) {
        this.around = around;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (truth == null || events == null) {
            throw InputOptions.misused(spec, "name the truth and the events: two files of JSON Lines");
        }
        if (format == OutputFormat.CSV) {
            throw InputOptions.misused(spec, "--output: csv is not for a score; text or json is");
        }
        long silent;
        try {
            silent = Quantities.nanos(silentAfter);
        } catch (IllegalArgumentException e) {
            throw InputOptions.misused(spec, "--silent-after: " + e.getMessage());
        }
        Score score = Score.of(read(truth), read(events), silent);
        Text text = new Text();
        if (format.isText()) {
            print(text, score);
        } else {
            json(text, score);
        }
        out.write(text);
        return ExitCode.OK;
    }

    private List<Observed> read(String file) {
        List<Observed> all = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(around.directory().resolve(file))) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    add(all, file, number, line);
                }
            }
            return all;
        } catch (NoSuchFileException e) {
            throw new Failure(file + ": no such file");
        } catch (IOException e) {
            throw new Failure(file + ": cannot be read: " + e.getMessage());
        }
    }

    private void add(List<Observed> all, String file, int number, String line) {
        try {
            Map<String, Object> json = mapper.readValue(line, new TypeReference<>() {});
            Observed.of(json).ifPresent(all::add);
        } catch (JsonProcessingException e) {
            throw new Failure(file + ":" + number + ": not a JSON object");
        } catch (IllegalArgumentException e) {
            throw new Failure(file + ":" + number + ": " + e.getMessage());
        }
    }

    private void print(Text text, Score score) {
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "%-18s %6s %6s %6s  %9s %6s  %s",
                        "KIND",
                        "FOUND",
                        "FALSE",
                        "MISSED",
                        "PRECISION",
                        "RECALL",
                        "DELAY"));
        for (Score.KindScore kind : score.kinds()) {
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "%-18s %6d %6d %6d  %9.3f %6.3f  %s",
                            kind.kind().label(),
                            kind.truePositives(),
                            kind.falsePositives(),
                            kind.falseNegatives(),
                            kind.precision(),
                            kind.recall(),
                            delay(kind.delay())));
        }
        line(
                text,
                String.format(
                        Locale.ROOT,
                        "%-18s %6d %6d %6d  %9.3f %6.3f  %s",
                        "all",
                        score.pairs().size(),
                        score.falseOnes().size(),
                        score.missed().size(),
                        score.precision(),
                        score.recall(),
                        delay(score.delay())));
        if (!score.invisible().isEmpty()) {
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "%s that no report showed %s not counted",
                            Input.count(score.invisible().size(), "fact", "facts"),
                            score.invisible().size() == 1 ? "is" : "are"));
        }
        if (verbose) {
            list(text, "missed", score.missed());
            list(text, "false", score.falseOnes());
            list(text, "not shown", score.invisible());
            list(text, "not judged", score.unjudged());
        }
    }

    private static void list(Text text, String what, List<Observed> all) {
        for (Observed one : all) {
            text.add(String.format(Locale.ROOT, "%-10s  ", what));
            text.timestamp(one.span().startNanos());
            text.add("  " + one.kind().label() + "  " + one.identity()).line();
        }
    }

    private static String delay(Score.@Nullable Delay delay) {
        return delay == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%.3f s median, %.3f s p95, %.3f s max",
                        delay.medianNanos() / 1e9,
                        delay.p95Nanos() / 1e9,
                        delay.maxNanos() / 1e9);
    }

    private static void line(Text text, String line) {
        text.add(line.stripTrailing()).line();
    }

    private static void json(Text text, Score score) {
        text.add(String.format(Locale.ROOT, "{\"precision\":%.6f,\"recall\":%.6f", score.precision(), score.recall()));
        numbers(
                text,
                score.pairs().size(),
                score.falseOnes().size(),
                score.missed().size(),
                score.delay());
        text.add(",\"invisible\":").decimal(score.invisible().size());
        text.add(",\"unjudged\":").decimal(score.unjudged().size());
        text.add(",\"kinds\":{");
        String comma = "";
        for (Score.KindScore kind : score.kinds()) {
            text.add(comma).add("\"" + kind.kind().label() + "\":{");
            text.add(String.format(Locale.ROOT, "\"precision\":%.6f,\"recall\":%.6f", kind.precision(), kind.recall()));
            numbers(text, kind.truePositives(), kind.falsePositives(), kind.falseNegatives(), kind.delay());
            text.add('}');
            comma = ",";
        }
        text.add("}}").line();
    }

    private static void numbers(Text text, long found, long wrong, long missed, Score.@Nullable Delay delay) {
        text.add(",\"found\":").decimal(found);
        text.add(",\"false\":").decimal(wrong);
        text.add(",\"missed\":").decimal(missed);
        if (delay != null) {
            text.add(String.format(
                    Locale.ROOT,
                    ",\"delayNanos\":{\"median\":%d,\"p95\":%d,\"max\":%d}",
                    delay.medianNanos(),
                    delay.p95Nanos(),
                    delay.maxNanos()));
        }
    }
}
