package io.pathlore.bench.decode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The program itself: {@code pathlore decode -o json} over a capture, from its start to its end. */
final class Command {
    private static final String MAIN = "io.pathlore.cli.Main";

    /** POSIX: the second line of {@code times} is what the children took, in user and in kernel mode. */
    private static final String TIMED = "\"$@\" >/dev/null 2>&1 && times";

    private static final Pattern TIME = Pattern.compile("(\\d+)m([\\d.]+)s");

    private Command() {}

    /** Seconds of processor time for every report of this kind, or null when this build has no such command. */
    static @Nullable Double seconds(Lab lab, Corpus.Kind kind) throws IOException, InterruptedException {
        if (Command.class.getResource("/" + MAIN.replace('.', '/') + ".class") == null) {
            return null;
        }
        String capture = lab.file("reports.pcap").toString();
        Capture.write(Corpus.make(kind, kind.reports()), lab.file("reports.pcap"));
        List<String> command = lab.java(MAIN, List.of("-Xmx512m"), List.of("decode", "-o", "json", capture));
        List<String> timed = Stream.concat(Stream.of("sh", "-c", TIMED, "sh"), command.stream())
                .toList();
        Process process = new ProcessBuilder(timed)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines;
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))) {
            lines = out.lines().toList();
        }
        return process.waitFor() == 0 && lines.size() == 2 ? sum(lines.getLast()) : null;
    }

    private static double sum(String times) {
        double seconds = 0;
        Matcher time = TIME.matcher(times);
        while (time.find()) {
            seconds += 60 * Double.parseDouble(time.group(1)) + Double.parseDouble(time.group(2));
        }
        return seconds;
    }
}
