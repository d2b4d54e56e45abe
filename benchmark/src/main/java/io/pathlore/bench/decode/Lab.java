package io.pathlore.bench.decode;

import io.pathlore.bench.Baseline;
import io.pathlore.bench.Contestant;
import io.pathlore.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the rounds share: the built baseline, the corpora, and how to start who takes part. Removed when closed. */
final class Lab implements AutoCloseable {
    /** As the program's own script runs it; said here because a JVM on one processor might choose otherwise. */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-XX:-UsePerfData");

    private final Path directory;
    private final List<String> pin;
    private final Path baseline;

    Lab() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("pathlore-bench-");
        pin = Machine.onOneProcessor();
        try {
            baseline = Baseline.build(Lab.class, "decode", directory);
            for (Corpus.Kind kind : List.of(Corpus.Kind.CONFORMANT, Corpus.Kind.DIALECT)) {
                Corpus.write(Corpus.make(kind, Entry.C.reports(kind)), corpus(Entry.C, kind));
                Corpus.write(Corpus.make(kind, Entry.JSON.reports(kind)), corpus(Entry.JSON, kind));
            }
        } catch (IOException | InterruptedException e) {
            close();
            throw e;
        }
    }

    private Path corpus(Entry entry, Corpus.Kind kind) {
        return directory.resolve(kind.datagramBytes() + (entry == Entry.JSON ? ".part" : ".all"));
    }

    boolean pinned() {
        return !pin.isEmpty();
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    Contestant start(Entry entry, Corpus.Kind kind) throws IOException {
        String corpus = corpus(entry, kind).toString();
        return new Contestant(
                entry.title(),
                entry.isJava()
                        ? java(Worker.class.getName(), List.of(), List.of(entry.key(), corpus))
                        : pinned(List.of(baseline.toString(), corpus)));
    }

    /** This Java with this class path, on the processor that is measured. */
    List<String> java(String main, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        return pinned(command);
    }

    private List<String> pinned(List<String> command) {
        return Stream.concat(pin.stream(), command.stream()).toList();
    }

    static List<String> jvm() {
        return JVM;
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
