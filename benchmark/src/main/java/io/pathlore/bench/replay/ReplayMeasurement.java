package io.pathlore.bench.replay;

import io.pathlore.bench.Baseline;
import io.pathlore.bench.Contestant;
import io.pathlore.bench.Machine;
import io.pathlore.bench.Measurement;
import io.pathlore.bench.Results;
import io.pathlore.bench.Spread;
import io.pathlore.ingest.pcap.CaptureWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Datagrams over loopback to one receiver in C, sent by C and by Java in turns, and by the command {@code replay}. */
public final class ReplayMeasurement implements Measurement {
    private static final int LENGTH = 204;
    /** As many as one message of the kernel holds, and no more than 64. */
    private static final int SEGMENTS = 64;

    private static final int WARM_TURNS = 10;
    private static final double GOAL = 0.8;
    /** Less than this arrived: the receiver does not keep up. */
    private static final double LOSS = 0.99;

    private static final Pattern PER_SECOND = Pattern.compile("\"perSecond\":([0-9.]+)");

    private record Score(double perSecond, double arrived, double ratio) {}

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public String about() {
        return "datagrams sent over loopback, beside C";
    }

    @Override
    public Results run(boolean quick, PrintStream out) throws IOException, InterruptedException {
        int turns = quick ? 15 : 60;
        Path directory = Files.createTempDirectory("pathlore-bench-");
        try {
            Path program = Baseline.build(ReplayMeasurement.class, "replay", directory);
            List<String> pin = Machine.onOneProcessor();
            out.printf("replay: %d turns, datagrams of %d octets, one receiver%n", turns, LENGTH);
            try (var sink = new Contestant("sink", List.of(program.toString(), "sink"))) {
                int port = Integer.parseInt(sink.read());
                Results results = new Results();
                Map<Entry, List<Score>> scores = measure(program, pin, sink, port, turns);
                table(out, scores, results);
                Spread baseline = Spread.of(scores.getOrDefault(Entry.C_SEGMENTS, List.of()).stream()
                        .map(Score::perSecond)
                        .toList());
                command(out, directory, sink, port, quick ? 10 : 50, baseline.median(), results);
                return results;
            }
        } finally {
            try (Stream<Path> paths = Files.walk(directory)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static Map<Entry, List<Score>> measure(Path program, List<String> pin, Contestant sink, int port, int turns)
            throws IOException {
        Map<Entry, Contestant> contestants = new EnumMap<>(Entry.class);
        Map<Entry, List<Score>> scores = new EnumMap<>(Entry.class);
        try {
            for (Entry entry : Entry.values()) {
                Contestant contestant = new Contestant(entry.title(), command(entry, program, pin, port));
                contestants.put(entry, contestant);
                if (!contestant.read().equals("ready")) {
                    throw new IOException(entry.title() + " is not ready");
                }
            }
            Random random = new Random(1);
            List<Entry> order = new ArrayList<>(List.of(Entry.values()));
            for (int turn = -WARM_TURNS; turn < turns; turn++) {
                Collections.shuffle(order, random);
                Map<Entry, Score> ofTurn = new EnumMap<>(Entry.class);
                for (Entry entry : order) {
                    sink.work("count");
                    double seconds = work(contestants, entry, "send " + entry.datagrams()) / 1e9;
                    double arrived = (double) sink.work("count") / entry.datagrams();
                    ofTurn.put(entry, new Score(entry.datagrams() / seconds, arrived, 1));
                }
                if (turn >= 0) {
                    ofTurn.forEach((entry, score) -> {
                        Score base = ofTurn.getOrDefault(entry.baseline(), score);
                        scores.computeIfAbsent(entry, each -> new ArrayList<>())
                                .add(new Score(score.perSecond, score.arrived, score.perSecond / base.perSecond));
                    });
                }
            }
            return scores;
        } finally {
            for (Contestant contestant : contestants.values()) {
                contestant.close();
            }
        }
    }

    private static long work(Map<Entry, Contestant> contestants, Entry entry, String command) throws IOException {
        Contestant contestant = contestants.get(entry);
        if (contestant == null) {
            throw new IllegalStateException(entry + " does not take part");
        }
        return contestant.work(command);
    }

    private static List<String> command(Entry entry, Path program, List<String> pin, int port) {
        List<String> command = new ArrayList<>(pin);
        if (entry.isJava()) {
            command.addAll(java(Worker.class.getName()));
            command.addAll(
                    List.of(entry.name().toLowerCase(Locale.ROOT), Integer.toString(port), Integer.toString(LENGTH)));
        } else {
            command.addAll(List.of(
                    program.toString(),
                    "send",
                    Integer.toString(port),
                    Integer.toString(LENGTH),
                    Integer.toString(entry == Entry.C_SEGMENTS ? SEGMENTS : 1)));
        }
        return command;
    }

    private static List<String> java(String main) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main);
    }

    private static void table(PrintStream out, Map<Entry, List<Score>> scores, Results results) {
        out.printf("%n%-34s %9s   %-19s %8s   %s%n", "", "M/s sent", "speed of C = 1", "arrived", "goal");
        scores.forEach((entry, all) -> {
            Spread rate = Spread.of(all.stream().map(Score::perSecond).toList());
            Spread ratio = Spread.of(all.stream().map(Score::ratio).toList());
            Spread arrived = Spread.of(all.stream().map(Score::arrived).toList());
            results.put(entry.key() + ".perSecond", rate.median());
            results.put(entry.key() + ".arrived", arrived.median());
            String goal = "";
            if (entry.isJava()) {
                results.put(entry.key() + ".ratio", ratio.median());
                results.put(entry.key() + ".ratioMin", ratio.min());
                results.put(entry.key() + ".ratioMax", ratio.max());
            }
            if (entry == Entry.SEGMENTS || entry == Entry.MESSAGES) {
                goal = "%.2f: %s".formatted(GOAL, ratio.median() >= GOAL ? "ok" : "below");
            }
            out.printf(
                    Locale.ROOT,
                    "  %-32s %9.2f   %-19s %7.0f%%   %s%n",
                    entry.title(),
                    rate.median() / 1e6,
                    "%.2f [%.2f..%.2f]".formatted(ratio.median(), ratio.min(), ratio.max()),
                    100 * arrived.median(),
                    goal);
        });
    }

    /**
     * The program itself. It saturates the receiver when datagrams are lost there. Its ratio to C is that of two runs one after the
     * other, not of turns.
     */
    private static void command(
            PrintStream out, Path directory, Contestant sink, int port, int loops, double baseline, Results results)
            throws IOException, InterruptedException {
        Path capture = directory.resolve("reports.pcap");
        int datagrams = 200_000;
        write(capture, datagrams);
        List<String> command = new ArrayList<>(java("io.pathlore.cli.Main"));
        command.addAll(List.of("replay", capture.toString(), "--to", "127.0.0.1:" + port, "--max", "-o", "json"));
        command.addAll(List.of("--loop", Integer.toString(loops)));
        sink.work("count");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String summary;
        try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            summary = String.valueOf(reader.readLine());
        }
        Matcher perSecond = PER_SECOND.matcher(summary);
        if (process.waitFor() != 0 || !perSecond.find()) {
            throw new IOException("replay failed: " + summary);
        }
        double rate = Double.parseDouble(perSecond.group(1));
        double arrived = (double) sink.work("count") / ((double) datagrams * loops);
        results.put("command.perSecond", rate);
        results.put("command.arrived", arrived);
        boolean saturates = arrived < LOSS;
        results.put("command.saturates", saturates ? 1 : 0);
        results.put("command.ofC", rate / baseline);
        out.printf(
                Locale.ROOT,
                "%nreplay --max, the whole command over a capture: %.2f M/s sent, %.2f of C, %.0f%% arrived   goal saturate: %s%n",
                rate / 1e6,
                rate / baseline,
                100 * arrived,
                saturates ? "ok" : "not reached, the receiver kept up");
    }

    private static void write(Path capture, int datagrams) throws IOException {
        byte[] payload = new byte[LENGTH];
        Arrays.fill(payload, (byte) 0x20);
        var from = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.3"), 1234);
        var to = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.9"), 8555);
        try (CaptureWriter writer = CaptureWriter.create(capture)) {
            for (int i = 0; i < datagrams; i++) {
                writer.writeDatagram(1_700_000_000_000_000_000L + i * 1000L, from, to, payload);
            }
        }
    }
}
