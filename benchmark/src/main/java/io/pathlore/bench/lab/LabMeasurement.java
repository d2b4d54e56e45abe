package io.pathlore.bench.lab;

import io.pathlore.bench.Machine;
import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.Spread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command {@code lab run} as a user has it: every packet of a leaf-spine fabric carries INT-MD and is reported. All on one
 * processor, compiler and collector included; the rate is the command's own, over the wall time of the run.
 */
public final class LabMeasurement implements Measurement {
    private static final double GOAL = 100_000;
    private static final Pattern RATE = Pattern.compile("([0-9,]+) reports/s");
    private static final Pattern REPORTS = Pattern.compile("reports +([0-9,]+) in");

    /** What is written beside the run. */
    private enum Output {
        NOTHING("nothing written"),
        PCAP("a capture"),
        ALL("capture, truth, inventory");

        private final String title;

        Output(String title) {
            this.title = title;
        }

        private String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        private List<String> options(Path directory) {
            return switch (this) {
                case NOTHING -> List.of();
                case PCAP -> List.of("--pcap", directory.resolve("lab.pcap").toString());
                case ALL ->
                    List.of(
                            "--pcap",
                            directory.resolve("lab.pcap").toString(),
                            "--truth",
                            directory.resolve("lab.jsonl").toString(),
                            "--inventory",
                            directory.resolve("lab.yaml").toString());
            };
        }
    }

    @Override
    public String name() {
        return "lab";
    }

    @Override
    public String about() {
        return "reports of the virtual network per second, on one processor";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        int rounds = quick ? 1 : 5;
        Path directory = Files.createTempDirectory("pathlore-bench-");
        Results results = new Results();
        try {
            out.printf(
                    "lab: %d rounds of the scenario quiet, traffic times 100, 60 s, all on one processor%n%n", rounds);
            out.printf("%-28s %12s %-22s %10s  %s%n", "", "reports/s", "[min..max]", "reports", "goal");
            for (Output output : Output.values()) {
                List<Double> rates = new ArrayList<>();
                double reports = 0;
                for (int round = 0; round < rounds; round++) {
                    System.err.printf("bench: %s, round %d%n", output.title, round + 1);
                    String text = lab(output.options(directory));
                    rates.add(number(RATE, text));
                    reports = number(REPORTS, text);
                }
                Spread spread = Spread.of(rates);
                out.printf(
                        "  %-26s %,12.0f %-22s %,10.0f  %,.0f: %s%n",
                        output.title,
                        spread.median(),
                        "[%,.0f..%,.0f]".formatted(spread.min(), spread.max()),
                        reports,
                        GOAL,
                        spread.median() >= GOAL ? "ok" : "below");
                results.put(output.key() + ".reportsPerSecond", spread.median());
            }
            return results;
        } finally {
            for (String file : List.of("lab.pcap", "lab.jsonl", "lab.yaml")) {
                Files.deleteIfExists(directory.resolve(file));
            }
            Files.delete(directory);
        }
    }

    private static String lab(List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(Machine.onOneProcessor());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.pathlore.cli.Main"));
        command.addAll(List.of("lab", "run", "quiet", "--scale", "100", "--duration", "60s"));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        StringBuilder text = new StringBuilder();
        try (var in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            in.lines().forEach(line -> text.append(line).append('\n'));
        }
        if (process.waitFor() != 0) {
            throw new IOException("lab run failed: " + text);
        }
        return text.toString();
    }

    private static double number(Pattern pattern, String text) throws IOException {
        Matcher found = pattern.matcher(text);
        if (!found.find()) {
            throw new IOException("lab run said nothing of " + pattern + ": " + text);
        }
        return Double.parseDouble(found.group(1).replace(",", ""));
    }
}
