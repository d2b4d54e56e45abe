package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code decode}, {@code check} and {@code replay} of a journal, and of a span of time. */
class JournalInputTest {
    private static final int PATIENCE_MILLIS = 10_000;
    private static final byte[] R7 = GoldenVectors.bytes("R7");
    private static final byte[] R9 = GoldenVectors.bytes("R9");
    /** MD Length is 3 where 2 is right. */
    private static final byte[] WRONG = R7.clone();

    static {
        WRONG[10] = 3;
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended run(String... args) {
        return new Program().in(directory).set("HOME", "/nonexistent").with(args);
    }

    private Path journal(byte[]... payloads) throws IOException {
        JournalFolder journal = new JournalFolder(directory.resolve("data/journal"));
        for (int i = 0; i < payloads.length; i++) {
            journal.datagram(i + 1, payloads[i]);
        }
        return journal.close();
    }

    /** What a capture of the same datagrams gives, numbered by positions instead of frames. */
    private List<String> asIfCaptured(List<String> lines) {
        List<String> numbered = new ArrayList<>();
        for (String line : lines) {
            int comma = line.indexOf(',');
            long frame = Long.parseLong(line.substring("{\"frame\":".length(), comma));
            numbered.add("{\"id\":\"" + (frame - 1) + "\"" + line.substring(comma));
        }
        return numbered;
    }

    @Test
    void aJournalIsDecodedAsACaptureOfTheSameDatagrams() throws IOException {
        byte[] broken = Arrays.copyOf(R9, 9);
        Path journal = journal(R7, R9, broken, R7);
        new CaptureFile()
                .datagram(1, R7)
                .datagram(2, R9)
                .datagram(3, broken)
                .datagram(4, R7)
                .in(directory);
        List<String> captured = run("decode", "-o", "json", "reports.pcap").lines();
        assertThat(captured).hasSize(4);

        for (String path : List.of("data", "data/journal", journal.toString())) {
            Ended ended = run("decode", "-o", "json", path);
            assertThat(ended.err()).isEmpty();
            assertThat(ended.status()).isZero();
            assertThat(ended.lines()).isEqualTo(asIfCaptured(captured));
        }
        assertThat(run("decode", "-c", "1", "-o", "json", "data").lines()).hasSize(1);
    }

    @Test
    void recordsAreNumberedByTheirPositionInEveryFormat() throws IOException {
        journal(R7, R7);
        // The second run of the collector.
        new JournalFolder(directory.resolve("data/journal")).datagram(3, R9).close();
        long second = 1L << 40;

        List<String> lines = run("decode", "data").lines();
        assertThat(lines.getFirst()).startsWith("ID             2023-11-14 UTC");
        assertThat(lines.getLast()).startsWith(second + "  22:13:20.001000000  10.0.0.3 ");
        List<String> rows = run("decode", "-o", "csv", "data").lines();
        assertThat(rows.getFirst()).startsWith("id,time,exporter,version,");
        assertThat(rows.getLast()).startsWith(second + ",2023-11-14T22:13:20.001000000Z,10.0.0.3,");
        assertThat(run("decode", "-v", "data").lines())
                .contains("Id " + second + ", 2023-11-14T22:13:20.001000000Z, 10.0.0.3 to 10.0.0.9 port 8555, "
                        + R9.length + " bytes");
        assertThat(run("decode", "-o", "json", "data").lines().getLast())
                .startsWith(
                        "{\"id\":\"" + second + "\",\"time\":\"2023-11-14T22:13:20.001000000Z\",\"exporter\":"
                                + "{\"address\":\"10.0.0.3\",\"port\":0},\"collector\":{\"address\":\"10.0.0.9\",\"port\":8555}");
    }

    @Test
    void aJournalIsChecked() throws IOException {
        journal(R7, WRONG);
        Ended text = run("check", "data");
        assertThat(text.status()).isEqualTo(3);
        assertThat(text.out()).startsWith("id 1  10.0.0.2  TR20_MD_LENGTH_MISMATCH  at byte ");
        assertThat(text.out()).contains("1 violation in 2 reports of 2 exporters");
        assertThat(run("check", "-o", "json", "data").out())
                .startsWith("{\"id\":\"1\",\"exporter\":\"10.0.0.2\",\"rule\":\"TR20_MD_LENGTH_MISMATCH\",");
        assertThat(run("check", "-o", "csv", "data").lines())
                .hasSize(2)
                .satisfies(rows -> assertThat(rows.get(0)).startsWith("id,exporter,rule,"))
                .satisfies(rows -> assertThat(rows.get(1)).startsWith("1,10.0.0.2,TR20_MD_LENGTH_MISMATCH,"));
    }

    @Test
    void aJournalIsReplayed() throws IOException {
        journal(R7, R9, R7);
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            receiver.setSoTimeout(PATIENCE_MILLIS);
            String to = "127.0.0.1:" + receiver.getLocalPort();
            String third = time(JournalFolder.timeOf(3));
            Ended all = run("replay", "data", "--to", to, "--loop", "2");
            assertThat(all.err()).isEmpty();
            assertThat(all.out()).startsWith("6 datagrams, ");
            Ended last = run("replay", "data", "--to", to, "--max", "--since", third);
            assertThat(last.out()).startsWith("1 datagram, ");
            for (byte[] expected : List.of(R7, R9, R7, R7, R9, R7, R7)) {
                DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                receiver.receive(packet);
                assertThat(Arrays.copyOf(packet.getData(), packet.getLength())).isEqualTo(expected);
            }
        }
    }

    @Test
    void aJournalIsAnalysedAsACaptureOfTheSameDatagrams() throws IOException {
        journal(R7, R9, R7, R9);
        new CaptureFile()
                .datagram(1, R7)
                .datagram(2, R9)
                .datagram(3, R7)
                .datagram(4, R9)
                .in(directory);
        for (String[] span : new String[][] {{}, {"--since", time(JournalFolder.timeOf(3))}}) {
            Ended journal = analyse("data", span);
            assertThat(journal.status()).isZero();
            assertThat(journal.err()).isEmpty();
            assertThat(journal.out())
                    .contains("10.0.0.4")
                    .isEqualTo(analyse("reports.pcap", span).out());
            assertThat(journal.out().contains("10.0.0.1")).isEqualTo(span.length == 0);
        }
    }

    private Ended analyse(String path, String[] span) {
        List<String> args = new ArrayList<>(List.of("analyse", "-o", "json", path));
        args.addAll(List.of(span));
        return run(args.toArray(String[]::new));
    }

    @Test
    void addressesOfEitherKindAreThere() throws IOException {
        JournalFolder journal = new JournalFolder(directory.resolve("data/journal"));
        journal.datagramV6(3, R7).datagramToUnknown(4, R7).close();
        List<String> lines = run("decode", "-o", "json", "data").lines();
        assertThat(lines.getFirst())
                .contains("\"exporter\":{\"address\":\"2001:db8::3\",\"port\":4000},"
                        + "\"collector\":{\"address\":\"2001:db8::9\",\"port\":8555}");
        // Absent is not 0.0.0.0.
        assertThat(lines.getLast())
                .contains("\"exporter\":{\"address\":\"10.0.0.4\",\"port\":0},\"collector\":{\"port\":8555}");
        assertThat(run("decode", "-v", "data").out())
                .contains("2001:db8::3 to 2001:db8::9 port 8555", "10.0.0.4 to port 8555");
    }

    @Test
    void everyPortOfAJournalIsAReportPortUnlessSomeAreAskedFor() throws IOException {
        new JournalFolder(directory.resolve("data/journal"))
                .datagram(1, 9999, JournalFolder.timeOf(1), R7, R7.length)
                .datagram(2, 8555, JournalFolder.timeOf(2), R7, R7.length)
                .close();
        assertThat(run("decode", "--no-header", "data").lines()).hasSize(2);
        assertThat(run("decode", "--no-header", "--port", "9999", "data").lines())
                .hasSize(1);
        Ended none = run("decode", "--no-header", "--port", "556", "data");
        assertThat(none.status()).isZero();
        assertThat(none.err())
                .isEqualTo("pathlore: no telemetry reports: 2 datagrams, 2 UDP to other ports (most: 8555 x 1);"
                        + " try --port 8555\n");
    }

    @Test
    void aJournalIsReadWhileItIsWritten() throws IOException {
        JournalFolder journal = new JournalFolder(directory.resolve("data/journal"));
        assertThat(run("decode", "--no-header", "data").err())
                .isEqualTo("pathlore: no telemetry reports: the journal has none\n");
        for (int i = 1; i <= 50; i++) {
            journal.datagram(i, R7);
        }
        journal.write();
        Ended ended = run("decode", "--no-header", "data");
        assertThat(ended.status()).isZero();
        assertThat(ended.lines()).hasSize(50);
        assertThat(ended.err()).isEmpty();
        journal.close();
    }

    private static String time(long nanos) {
        return Instant.ofEpochSecond(0, nanos).toString();
    }

    @Test
    void sinceIsIncludedAndUntilIsNot() throws IOException {
        journal(R7, R7, R7, R7, R7);
        new CaptureFile()
                .datagram(1, R7)
                .datagram(2, R7)
                .datagram(3, R7)
                .datagram(4, R7)
                .datagram(5, R7)
                .in(directory);
        String second = time(JournalFolder.timeOf(2));
        String fourth = time(JournalFolder.timeOf(4));
        for (String path : List.of("data", "reports.pcap")) {
            assertThat(exporters(path, "--since", second, "--until", fourth)).containsExactly("10.0.0.2", "10.0.0.3");
            assertThat(exporters(path, "--since", fourth)).containsExactly("10.0.0.4", "10.0.0.5");
            assertThat(exporters(path, "--until", second)).containsExactly("10.0.0.1");
            assertThat(exporters(path, "--since", time(JournalFolder.timeOf(4) + 1)))
                    .containsExactly("10.0.0.5");
            assertThat(exporters(path, "--until", time(JournalFolder.timeOf(2) + 1)))
                    .containsExactly("10.0.0.1", "10.0.0.2");
            // 22:13:20.002Z
            assertThat(exporters(path, "--since", "2023-11-15T00:13:20.002+02:00", "--until", "now"))
                    .hasSize(4);
        }
        assertThat(exporters("reports.pcap", "--packets", "--since", second, "--until", fourth))
                .containsExactly("10.0.0.2", "10.0.0.3");
    }

    private List<String> exporters(String path, String... options) {
        List<String> args = new ArrayList<>(List.of("decode", "-o", "csv", "--no-header", path));
        args.addAll(List.of(options));
        Ended ended = run(args.toArray(String[]::new));
        assertThat(ended.status()).as(ended.err()).isZero();
        return ended.lines().stream().map(line -> line.split(",", 4)[2]).toList();
    }

    @Test
    void aDurationIsCountedBackFromNow() throws IOException {
        long now = System.currentTimeMillis() * JournalFolder.MILLI;
        long minute = 60_000 * JournalFolder.MILLI;
        new JournalFolder(directory.resolve("data/journal"))
                .datagram(1, 8555, now - 100 * minute, R7, R7.length)
                .datagram(2, 8555, now - 50 * minute, R7, R7.length)
                .close();
        assertThat(exporters("data", "--since", "70m")).containsExactly("10.0.0.2");
        assertThat(exporters("data", "--until", "70m")).containsExactly("10.0.0.1");
        assertThat(exporters("data", "--since", "2h", "--until", "now")).hasSize(2);
        assertThat(exporters("data", "--since", "1d", "--until", "1.5h")).containsExactly("10.0.0.1");
    }

    @Test
    void whereThereIsNothingOfThatTimeTheTimesThereAreAreTold() throws IOException {
        journal(R7, R7);
        new CaptureFile().datagram(1, R7).datagram(2, R7).in(directory);
        Ended capture = run("decode", "--no-header", "--since", "5m", "reports.pcap");
        assertThat(capture.status()).isZero();
        assertThat(capture.err())
                .isEqualTo("pathlore: no telemetry reports: 2 frames, 2 of other times"
                        + " (2023-11-14T22:13:20.001000000Z to 2023-11-14T22:13:20.002000000Z)\n");
        Ended journal = run("check", "--since", "5m", "data");
        assertThat(journal.status()).isZero();
        assertThat(journal.err()).isEqualTo("pathlore: no telemetry reports: the journal has none of that time\n");
    }

    @Test
    void aTimeThatIsNoneIsWrongUsage() {
        String[][] wrong = {
            {"--since", "yesterday", "--since: 'yesterday' is no time; 5m (ago), now and 2026-11-15T18:00:00Z are"},
            {"--until", "2026-11-15", "--until: '2026-11-15' is no time; 5m (ago), now and 2026-11-15T18:00:00Z are"},
            {"--since", "5 parsecs", "--since: '5 parsecs' is not a duration, like 200ms, 5s or 10m"},
            {"--since", "9999-01-01T00:00:00Z", "--since: '9999-01-01T00:00:00Z' is too far away"}
        };
        for (String command : List.of("decode", "check", "replay")) {
            for (String[] options : wrong) {
                Ended ended = command.equals("replay")
                        ? run(command, "x.pcap", "--to", "127.0.0.1:9", options[0], options[1])
                        : run(command, "x.pcap", options[0], options[1]);
                assertThat(ended.status()).isEqualTo(2);
                assertThat(ended.err()).startsWith("pathlore " + command + ": " + options[2] + "\n");
            }
        }
        assertThat(run("decode", "x.pcap", "--since", "now", "--until", "5m").err())
                .startsWith("pathlore decode: --since is not before --until\n");
        assertThat(run("decode", "x.pcap", "--since", "now", "--until", "now").status())
                .isEqualTo(2);
        assertThat(run("decode", "--hex", "00", "--since", "5m").err())
                .startsWith("pathlore decode: --since and --until: bytes given in hex have no time\n");
    }

    @Test
    void aDirectoryWithoutAJournalIsOneLine() throws IOException {
        Files.createDirectory(directory.resolve("captures"));
        for (String command : List.of("decode", "check")) {
            Ended ended = run(command, "captures");
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.err())
                    .isEqualTo("pathlore: " + directory.resolve("captures") + ": a directory without a journal;"
                            + " name a capture file, a journal, or the data directory of a collector\n");
        }
        Files.createDirectory(directory.resolve("captures/journal"));
        Ended empty = run("decode", "--no-header", "captures");
        assertThat(empty.status()).isZero();
        assertThat(empty.err()).isEqualTo("pathlore: no telemetry reports: the journal has none\n");
    }

    @Test
    void whatIsDamagedIsToldAndTheRestIsRead() throws IOException {
        byte[][] many = new byte[100][];
        Arrays.fill(many, R7);
        Path journal = journal(many);
        List<Path> segments = JournalFolder.segments(journal);
        assertThat(segments.size()).isGreaterThan(3);
        JournalFolder.damage(segments.get(1));
        Files.delete(segments.get(2));

        Ended decoded = run("decode", "-o", "json", "data");
        assertThat(decoded.status()).isEqualTo(1);
        List<String> messages = decoded.err().lines().toList();
        assertThat(messages).hasSize(3);
        assertThat(messages.get(0))
                .startsWith("pathlore: " + segments.get(1).getFileName() + ": ")
                .endsWith(" are no records; skipped");
        assertThat(messages.get(1))
                .startsWith("pathlore: " + segments.get(3).getFileName() + ": records after ")
                .endsWith(" are missing before it");
        assertThat(messages.get(2))
                .isEqualTo("pathlore: journal " + journal + ": 2 places are damaged; everything else was read");
        assertThat(decoded.lines()).hasSizeBetween(50, 98);
        assertThat(decoded.lines().getLast()).startsWith("{\"id\":\"99\",");

        Ended checked = run("check", "data");
        assertThat(checked.status()).isEqualTo(1);
        assertThat(checked.out()).contains(decoded.lines().size() + " reports of ");
        assertThat(checked.err()).isEqualTo(decoded.err());

        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            Ended sent = run("replay", "data", "--max", "--to", "127.0.0.1:" + receiver.getLocalPort());
            assertThat(sent.status()).isEqualTo(1);
            assertThat(sent.out()).startsWith(decoded.lines().size() + " datagrams, ");
            assertThat(sent.err()).isEqualTo(decoded.err());
        }
    }

    @Test
    void muchDamageIsNotToldEndlessly() throws IOException {
        byte[][] many = new byte[500][];
        Arrays.fill(many, R7);
        List<Path> segments = JournalFolder.segments(journal(many));
        // All but the last, in which what is no record is the end.
        for (Path segment : segments.subList(0, segments.size() - 1)) {
            JournalFolder.damage(segment);
        }
        int damaged = segments.size() - 1;
        assertThat(damaged).isGreaterThan(12);
        Ended ended = run("decode", "-o", "json", "data");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.lines()).hasSize(500 - damaged);
        assertThat(ended.err().lines().toList())
                .hasSize(12)
                .endsWith(
                        "pathlore: … and " + (damaged - 10) + " more",
                        "pathlore: journal " + directory.resolve("data/journal") + ": " + damaged
                                + " places are damaged; everything else was read");
    }

    @Test
    void aJournalOfALaterFormatIsOneLine() throws IOException {
        Path journal = journal(R7);
        Path segment = JournalFolder.segments(journal).getFirst();
        byte[] bytes = Files.readAllBytes(segment);
        bytes[9] = 2;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, 60);
        ByteBuffer.wrap(bytes).putInt(60, (int) crc.getValue());
        Files.write(segment, bytes);
        Ended ended = run("decode", "data");
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.err())
                .hasLineCount(1)
                .startsWith("pathlore: journal " + journal + ": ")
                .contains("has format 2");
    }

    @Test
    void whatWasCutWhenItWasReceivedIsTold() throws IOException {
        new JournalFolder(directory.resolve("data/journal"))
                .datagram(1, 8555, JournalFolder.timeOf(1), R7, R7.length + 1)
                .close();
        Ended ended = run("decode", "--no-header", "data");
        assertThat(ended.status()).isZero();
        assertThat(ended.lines()).hasSize(1);
        assertThat(ended.err()).isEqualTo("pathlore: 1 report was cut when received\n");
    }
}
