package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportTest {
    private static final byte[] R7 = GoldenVectors.bytes("R7");
    private static final byte[] R9 = GoldenVectors.bytes("R9");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended run(String... args) {
        return new Program().in(directory).set("HOME", "/nonexistent").with(args);
    }

    private Ended export(String... options) {
        String[] args = {"export", "reports", "--from", "data", "--out", "x.pcap"};
        String[] all = Arrays.copyOf(args, args.length + options.length);
        System.arraycopy(options, 0, all, args.length, options.length);
        return run(all);
    }

    private JournalFolder journal() throws IOException {
        return new JournalFolder(directory.resolve("data/journal"));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** All but the number, of which a frame has another than a record. */
    private List<String> decoded(String path) {
        return run("decode", "-o", "json", path).lines().stream()
                .map(line -> line.substring(line.indexOf(",\"time\"")))
                .toList();
    }

    @Test
    void theCaptureHoldsTheSameReportsAsTheJournal() throws IOException {
        journal()
                .datagram(1, R7)
                .datagramV6(2, R9)
                .datagram(3, 8555, JournalFolder.timeOf(3) + 123_456_789, R9, R9.length)
                .datagram(4, new byte[0])
                .datagram(5, Arrays.copyOf(R7, 9))
                .close();
        Ended ended = export();
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.out()).isEmpty();
        int octets = R7.length + 2 * R9.length + 9;
        assertThat(ended.err())
                .isEqualTo("5 datagrams, " + octets
                        + " octets, received 2023-11-14T22:13:20.001000000Z to 2023-11-14T22:13:20.126456789Z\n");
        assertThat(decoded("x.pcap")).hasSizeGreaterThanOrEqualTo(5).isEqualTo(decoded("data"));
        assertThat(names()).containsExactly("data", "x.pcap");
    }

    @Test
    void onlyTheTimeAskedForIsWritten() throws IOException {
        journal()
                .datagram(1, R7)
                .datagram(2, R7)
                .datagram(3, R7)
                .datagram(4, R7)
                .close();
        String second = Instant.ofEpochSecond(0, JournalFolder.timeOf(2)).toString();
        String fourth = Instant.ofEpochSecond(0, JournalFolder.timeOf(4)).toString();
        assertThat(export("--since", second, "--until", fourth).err()).startsWith("2 datagrams, ");
        assertThat(decoded("x.pcap")).isEqualTo(decoded("data").subList(1, 3));

        Ended none = export("--since", "5m", "--force");
        assertThat(none.status()).isZero();
        assertThat(none.err()).isEqualTo("no datagrams: the journal has none of that time\n");
        assertThat(run("decode", "--no-header", "x.pcap").err()).contains("the capture has no frames");
    }

    @Test
    void anEmptyJournalGivesAnEmptyCapture() throws IOException {
        journal().close();
        Ended ended = export();
        assertThat(ended.status()).isZero();
        assertThat(ended.err()).isEqualTo("no datagrams: the journal has none\n");
        assertThat(directory.resolve("x.pcap")).hasSize(24);
    }

    @Test
    void aFileThatIsThereIsReplacedOnlyOnDemand() throws IOException {
        journal().datagram(1, R7).close();
        Files.writeString(directory.resolve("x.pcap"), "precious");
        Ended refused = export();
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).isEqualTo("pathlore: x.pcap: is there already; --force replaces it\n");
        assertThat(directory.resolve("x.pcap")).hasContent("precious");

        assertThat(export("--force").status()).isZero();
        assertThat(decoded("x.pcap")).hasSize(1);
        assertThat(names()).containsExactly("data", "x.pcap");
    }

    @Test
    void theFileBehindALinkIsReplaced() throws IOException {
        journal().datagram(1, R7).close();
        Files.writeString(directory.resolve("real.pcap"), "old");
        Files.createSymbolicLink(directory.resolve("x.pcap"), Path.of("real.pcap"));
        assertThat(export("--force").status()).isZero();
        assertThat(directory.resolve("x.pcap")).isSymbolicLink();
        assertThat(decoded("real.pcap")).hasSize(1);
    }

    @Test
    void stdoutGetsTheSameBytes() throws IOException {
        journal().datagram(1, R7).datagram(2, R9).close();
        assertThat(export().status()).isZero();
        String[] args = {"export", "reports", "--from", "data", "--out", "-"};
        assertThat(new Program().in(directory).outOf(args)).isEqualTo(Files.readAllBytes(directory.resolve("x.pcap")));
        assertThat(new Program().in(directory).with(args).err()).startsWith("2 datagrams, ");

        Ended terminal = new Program().in(directory).onTerminal().with(args);
        assertThat(terminal.status()).isEqualTo(2);
        assertThat(terminal.err()).startsWith("pathlore export: --out -: a capture is nothing for a terminal");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void aClosedPipeIsQuietAndAFullDiskIsNot() throws IOException {
        journal().datagram(1, R7).close();
        assertThat(exportTo("Broken pipe")).isEqualTo("0 ");
        assertThat(exportTo("No space left on device"))
                .isEqualTo("1 pathlore: cannot write the output: No space left on device\n");
    }

    private String exportTo(String trouble) {
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException(trouble);
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings around = new Surroundings(
                InputStream.nullInputStream(), broken, err, false, false, Map.of(), directory, directory);
        int status = Main.run(new String[] {"export", "reports", "--from", "data", "--out", "-"}, around);
        return status + " " + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theJournalIsThatOfTheConfiguredDataDirectory() throws IOException {
        new JournalFolder(directory.resolve("home/.local/share/pathlore/journal"))
                .datagram(1, R7)
                .close();
        new JournalFolder(directory.resolve("srv/journal"))
                .datagram(2, R7)
                .datagram(3, R7)
                .close();
        Files.writeString(directory.resolve("other.yaml"), "data: srv\n");
        String home = directory.resolve("home").toString();

        Program program = new Program().in(directory).set("HOME", home);
        assertThat(program.with("export", "reports", "--out", "a.pcap").err()).startsWith("1 datagram, ");
        assertThat(program.with("export", "reports", "--out", "b.pcap", "--config", "other.yaml")
                        .err())
                .startsWith("2 datagrams, ");
        assertThat(program.with("export", "reports", "--out", "c.pcap", "--set", "data=" + directory.resolve("srv"))
                        .err())
                .startsWith("2 datagrams, ");
        assertThat(program.with("export", "reports", "--out", "d.pcap", "--from", "srv/journal")
                        .err())
                .startsWith("2 datagrams, ");
    }

    @Test
    void whereThereIsNoJournalItSaysWhereItLooked() throws IOException {
        Ended configured = run("export", "reports", "--out", "x.pcap");
        assertThat(configured.status()).isEqualTo(1);
        assertThat(configured.err())
                .isEqualTo("pathlore: no journal in /nonexistent/.local/share/pathlore/journal; name the data"
                        + " directory of the collector with --from DIR, or its --config FILE\n");
        Ended named = export();
        assertThat(named.status()).isEqualTo(1);
        assertThat(named.err())
                .isEqualTo("pathlore: " + directory.resolve("data") + ": no such directory;"
                        + " --from is the data directory of a collector, or a journal\n");
        Files.createDirectory(directory.resolve("data"));
        assertThat(export().err()).startsWith("pathlore: " + directory.resolve("data") + ": no journal in it; ");
        assertThat(names()).containsExactly("data");
    }

    @Test
    void whatCannotBeWrittenIsOneLineAndLeavesNothing() throws IOException {
        journal().datagram(1, R7).close();
        Ended missing = run("export", "reports", "--from", "data", "--out", "no/x.pcap");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).isEqualTo("pathlore: cannot write no/x.pcap: no such directory\n");
        Ended folder = run("export", "reports", "--from", "data", "--out", "data", "--force");
        assertThat(folder.status()).isEqualTo(1);
        assertThat(folder.err()).isEqualTo("pathlore: cannot write data: Is a directory\n");
        assertThat(names()).containsExactly("data");
    }

    @Test
    void whatIsNoFileIsWrittenAsItIs() throws IOException {
        assumeTrue(Files.exists(Path.of("/dev/null")) && Files.exists(Path.of("/dev/full")));
        journal().datagram(1, R7).close();
        assertThat(run("export", "reports", "--from", "data", "--out", "/dev/null")
                        .status())
                .isZero();
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
        Ended full = run("export", "reports", "--from", "data", "--out", "/dev/full");
        assertThat(full.status()).isEqualTo(1);
        assertThat(full.err()).isEqualTo("pathlore: cannot write /dev/full: No space left on device\n");
    }

    @Test
    void aFileAppearsWhenItIsComplete() throws IOException {
        Path target = directory.resolve("x.pcap");
        try (WholeFile file = WholeFile.create(target, false)) {
            file.stream().write(1);
            assertThat(target).doesNotExist();
            assertThat(names()).hasSize(1);
            file.complete();
            assertThat(target).hasBinaryContent(new byte[] {1});
        }
        try (WholeFile file = WholeFile.create(target, true)) {
            file.stream().write(2);
            // The disk is full, say.
        }
        assertThat(target).hasBinaryContent(new byte[] {1});
        assertThat(names()).containsExactly("x.pcap");
    }

    @Test
    void interruptedItLeavesNothing() throws IOException {
        journal().datagram(1, R7).close();
        Interruption atOnce = stop -> {
            stop.run();
            return () -> {};
        };
        Ended ended = new Program()
                .in(directory)
                .interruptedBy(atOnce)
                .with("export", "reports", "--from", "data", "--out", "x.pcap");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err()).isEqualTo("pathlore: interrupted; x.pcap was not written\n");
        assertThat(names()).containsExactly("data");
    }

    @Test
    void whatIsDamagedIsToldAndTheRestIsWritten() throws IOException {
        JournalFolder journal = journal();
        for (int i = 1; i <= 60; i++) {
            journal.datagram(i, R7);
        }
        Path folder = journal.close();
        JournalFolder.damage(JournalFolder.segments(folder).get(1));
        Ended ended = export();
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err().lines().toList())
                .hasSize(3)
                .satisfies(lines -> assertThat(lines.get(0)).endsWith(" are no records; skipped"))
                .satisfies(lines -> assertThat(lines.get(1)).startsWith("59 datagrams, "))
                .satisfies(lines -> assertThat(lines.get(2))
                        .isEqualTo("pathlore: journal " + folder + ": 1 place is damaged; everything else was read"));
        assertThat(decoded("x.pcap")).hasSize(59).isEqualTo(decoded("data"));
    }

    @Test
    void whatACaptureCannotHoldIsLeftOutAndTold() throws IOException {
        journal()
                .datagram(1, R7)
                .datagram(2, 8555, -1, R7, R7.length)
                .datagram(3, 8555, 1L << 62, R7, R7.length)
                .datagram(4, 8555, JournalFolder.timeOf(4), new byte[65_508], 65_508)
                .datagram(5, R7)
                .close();
        Ended ended = export();
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .startsWith("2 datagrams, ")
                .endsWith("pathlore: 3 datagrams left out: a capture has no room for the length or the time\n");
        assertThat(decoded("x.pcap")).hasSize(2);
    }

    @Test
    void otherPortsAreToldToWhoWillDecode() throws IOException {
        journal()
                .datagram(1, R7)
                .datagram(2, 9999, JournalFolder.timeOf(2), R7, R7.length)
                .close();
        assertThat(export().err()).endsWith("\npathlore decode finds them with --port 8555 --port 9999\n");
        assertThat(run("decode", "--no-header", "x.pcap", "--port", "8555", "--port", "9999")
                        .lines())
                .hasSize(2);
    }

    @Test
    void wrongUsageIsOneLineAndAHint() {
        String known =
                "reports, hops_1s, hops_1m, flows_1m, paths, links_1m, drops_1s, attacks_1s, stopped, episodes, events,"
                        + " exporters_1m, nodes";
        assertMisused("what should it export? There are: " + known, "export");
        assertMisused("it cannot export 'flows'; there are: " + known, "export", "flows", "--out", "x.csv");
        assertMisused("say where to write it: --out FILE, or - for stdout", "export", "reports");
        assertMisused(
                "--since is not before --until", "export", "reports", "--out", "x", "--since", "1m", "--until", "2m");
    }

    private void assertMisused(String message, String... args) {
        Ended ended = run(args);
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.err()).isEqualTo("pathlore export: " + message + "\nTry 'pathlore export --help'.\n");
    }
}
