package io.pathlore.bench.load;

import io.pathlore.bench.Baseline;
import io.pathlore.bench.Contestant;
import io.pathlore.bench.Machine;
import io.pathlore.bench.decode.Corpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Two processors, one to send and one to receive, and how to start who works there. What it made is removed when closed, or when
 * somebody ends the program.
 */
final class Rig implements AutoCloseable {
    /** As many datagrams as one message of the sender holds. */
    private static final int SEGMENTS = Corpus.IN_A_ROW;

    private static final int EXPORTERS = Corpus.REPORTERS;

    /** For streams: reports as a network says them, where each exporter is a switch. */
    static final int FABRIC = 0;

    private static final int REPORTS = 16_000;

    /** There is room for, as there is by default. */
    private static final int FLOWS = 1_000_000;

    private final Path directory;
    private final Path baseline;
    private final List<String> sending;
    private final List<String> receiving;
    private final List<Contestant> started = new CopyOnWriteArrayList<>();
    private final Thread onExit = new Thread(this::abort);
    private int workers;

    /** {@code parent} is on the disk that journals are written to. */
    Rig(Path parent) throws IOException, InterruptedException {
        List<Integer> processors = Machine.processors();
        if (processors.size() < 2) {
            throw new IOException("needs two processors: one sends, the other receives");
        }
        sending = Machine.on(processors.getFirst());
        receiving = Machine.on(processors.getLast());
        directory = Files.createTempDirectory(parent, "pathlore-bench-");
        Runtime.getRuntime().addShutdownHook(onExit);
        boolean done = false;
        try {
            baseline = Baseline.build(Rig.class, "load", directory);
            Corpus.write(Corpus.make(Corpus.Kind.CONFORMANT, REPORTS), corpus());
            Corpus.write(Corpus.make(Corpus.Kind.FABRIC, REPORTS), fabric());
            Corpus.write(Corpus.repeat(Corpus.make(Corpus.Kind.CONFORMANT, 1), REPORTS), oneFlow());
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private Path corpus() {
        return directory.resolve("reports");
    }

    private Path fabric() {
        return directory.resolve("fabric");
    }

    /** The sender makes as many flows of it as are asked for. */
    private Path oneFlow() {
        return directory.resolve("one-flow");
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    /** Someone who empties his socket when told to. */
    Lane drain(Entry entry, int streams) throws IOException {
        return drain(entry, streams, 0);
    }

    /** With so many flows in the reports; 0: as many as the reports have. */
    Lane drain(Entry entry, int streams, int flows) throws IOException {
        return lane(entry, streams, flows, "drain", List.of());
    }

    /** Someone who reads whatever comes. Where it is Java, it writes its pauses to this file. */
    Lane live(Entry entry, int streams, Path pauses) throws IOException {
        return lane(entry, streams, 0, "live", List.of("-Xlog:safepoint:file=" + pauses + ":none:filecount=0"));
    }

    private Lane lane(Entry entry, int streams, int flows, String mode, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(receiving);
        Path own = Files.createDirectory(directory.resolve("worker-" + workers++));
        if (entry.isJava()) {
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            // As the program's own script runs it.
            command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m", "-XX:MaxDirectMemorySize=1t", "-XX:-UsePerfData"));
            if (Machine.hasLargePages()) {
                command.add("-XX:+UseTransparentHugePages");
            }
            command.addAll(options);
            command.addAll(List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path")));
            command.addAll(List.of(Worker.class.getName(), entry.name(), mode, own.toString()));
            command.add(Integer.toString(Math.max(FLOWS, flows)));
        } else {
            String kind = entry == Entry.C ? "bare" : "told";
            command.addAll(List.of(baseline.toString(), "receive", kind, mode));
        }
        Contestant receiver = start(entry.title(), command);
        try {
            Contestant sender = sender(Integer.parseInt(receiver.read()), streams, flows);
            return new Lane(entry, receiver, sender, () -> remove(own));
        } catch (IOException | NumberFormatException e) {
            receiver.close();
            throw new IOException(entry.title() + " does not start: " + e.getMessage(), e);
        }
    }

    private Contestant sender(int port, int streams, int flows) throws IOException {
        List<String> command = new ArrayList<>(sending);
        command.addAll(List.of(baseline.toString(), "send", Integer.toString(port)));
        boolean network = streams == FABRIC;
        command.add((network ? fabric() : flows == 0 ? corpus() : oneFlow()).toString());
        for (int number :
                new int[] {EXPORTERS, network ? EXPORTERS : streams, SEGMENTS, flows, Corpus.innerSourceOffset()}) {
            command.add(Integer.toString(number));
        }
        Contestant sender = start("sender", command);
        if (!sender.read().equals("ready")) {
            throw new IOException("the sender is not ready");
        }
        return sender;
    }

    private Contestant start(String name, List<String> command) throws IOException {
        Contestant contestant = new Contestant(name, command);
        started.add(contestant);
        return contestant;
    }

    String describe() {
        return String.format(
                Locale.ROOT,
                "sender %s, receiver %s; reports of %d octets, %d exporters, %d datagrams a message",
                String.join(" ", sending),
                String.join(" ", receiving),
                Corpus.Kind.CONFORMANT.datagramBytes(),
                EXPORTERS,
                SEGMENTS);
    }

    /** Journals are large: nothing of them stays behind, however this ends. */
    private void abort() {
        started.forEach(Contestant::abort);
        try {
            remove(directory);
        } catch (IOException e) {
            System.err.println("bench: " + directory + " is left behind: " + e.getMessage());
        }
    }

    /** One at a time: when the program is ended, who measures and who tidies up come here both. */
    private synchronized void remove(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        remove(directory);
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException e) {
            // It is running already, and finds nothing to do.
        }
    }
}
