package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.it.collect.RunningCollector.Setup;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.generate.ReportGenerator;
import io.pathlore.testkit.reference.ReferenceOptions;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.testkit.vectors.Triggers;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is sent to a running collector is counted under one name, and the good report beside it is analysed. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadInputIT {
    private static final byte[] GOOD = GoldenVectors.bytes("R7");
    private static final int REPORT = 8;
    private static final int PACKET = 28;
    private static final int FEW_LINES = 12;
    private static final int TOGETHER = 200;
    private static final int LONG = 1_500;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path temp;

    @SuppressWarnings("NullAway.Init")
    private RunningCollector collector;

    @SuppressWarnings("NullAway.Init")
    private Expectation expectation;

    @SuppressWarnings("NullAway.Init")
    private Sender honest;

    private int honestReports;
    private int strangers;
    private int window;

    @BeforeAll
    void start() throws IOException {
        collector = Setup.in(temp)
                .small()
                .set("listen.addresses=127.0.0.1,::1", "journal.sync=1ms")
                .start();
        window = collector.api().metrics().window();
        expectation = new Expectation(ReferenceOptions.lenientDefaults());
        honest = Sender.from("127.0.0.2");
    }

    @AfterEach
    void itSaysLittleAndNothingOfItsInsides() throws IOException {
        assertThat(collector.errors()).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(collector.errors().lines()).hasSizeLessThan(FEW_LINES);
    }

    @AfterAll
    void theLedgerBalancesInTheEnd() throws IOException {
        JavaProcess.Ended ended = collector.stop();
        assertThat(ended.status()).as(ended.err()).isZero();
        honest.close();
    }

    /** Nobody has sent from this address before: what a decoder remembers of an exporter is of no influence. */
    private Sender stranger() throws IOException {
        int number = ++strangers;
        return Sender.from("127.%d.%d.%d".formatted(1 + (number >> 16), number >> 8 & 0xFF, number & 0xFF));
    }

    private static void count(SortedMap<String, Long> terms, String term) {
        Expectation.add(terms, term, 1);
    }

    private byte[] honestReport(SortedMap<String, Long> terms) {
        int number = ++honestReports;
        byte[] bytes = ReportBytes.v20(1, number, 1, number);
        Expectation.add(terms, "bytesRead", bytes.length);
        for (String term : List.of("datagramsRead", "accepted", "journalled", "decodedDatagrams")) {
            count(terms, term);
        }
        for (String term : List.of("reportsSeen", "reportsDecoded", "analysed")) {
            count(terms, term);
        }
        return bytes;
    }

    /** Sends them, each from another address, with a good report behind each. */
    private void check(List<byte[]> datagrams, Function<byte[], SortedMap<String, Long>> wanted) throws IOException {
        for (int from = 0; from < datagrams.size(); from += TOGETHER) {
            Reading before = collector.api().ledger();
            SortedMap<String, Long> terms = new TreeMap<>();
            long sent = before.accountedFor();
            int waiting = 0;
            for (byte[] datagram : datagrams.subList(from, Math.min(datagrams.size(), from + TOGETHER))) {
                try (Sender stranger = stranger()) {
                    stranger.send(collector.port(), datagram);
                }
                Expectation.addAll(terms, wanted.apply(datagram));
                honest.send(collector.port(), honestReport(terms));
                sent += 2;
                waiting += 2;
                if (waiting >= window || datagram.length > LONG) {
                    collector.untilRead(sent);
                    waiting = 0;
                }
            }
            assertThat(collector.atRest(sent).since(before)).isEqualTo(terms);
        }
    }

    /** One row of the table: what is sent, and what is counted for it beside what is counted for all. */
    record Row(String id, byte[] bytes, String term, int goodReports) {
        @Override
        public String toString() {
            return id + " " + term;
        }

        private SortedMap<String, Long> terms() {
            SortedMap<String, Long> terms = new TreeMap<>();
            count(terms, "datagramsRead");
            Expectation.add(terms, "bytesRead", bytes.length);
            if (!term.isEmpty()) {
                count(terms, term);
            }
            boolean rejected = term.startsWith("rejected.");
            boolean undecodable = term.startsWith("undecodable.");
            Expectation.add(terms, "accepted", rejected ? 0 : 1);
            Expectation.add(terms, "journalled", rejected ? 0 : 1);
            Expectation.add(terms, "decodedDatagrams", rejected || undecodable ? 0 : 1);
            Expectation.add(terms, "reportsSeen", goodReports + (term.startsWith("reportsRejected.") ? 1 : 0));
            Expectation.add(terms, "reportsDecoded", goodReports);
            Expectation.add(terms, "analysed", goodReports);
            return terms;
        }
    }

    private static byte[] edit(byte[] bytes, int at, int... values) {
        byte[] edited = bytes.clone();
        for (int i = 0; i < values.length; i++) {
            edited[at + i] = (byte) values[i];
        }
        return edited;
    }

    /** The good datagram with one more report behind the first, whose start is changed. */
    private static byte[] beforeAGoodOne(int at, int... values) {
        byte[] two = Arrays.copyOf(GOOD, 2 * GOOD.length - REPORT);
        System.arraycopy(GOOD, REPORT, two, GOOD.length, GOOD.length - REPORT);
        return edit(two, at, values);
    }

    /** MD Length says something in a report that has no metadata. */
    private static byte[] innerOnlyBeforeAGoodOne() {
        return ByteBuffer.allocate(REPORT + 4 + GOOD.length - PACKET + GOOD.length - REPORT)
                .put(GOOD, 0, REPORT)
                .put(Hex.bytes("040aff20"))
                .put(GOOD, PACKET, GOOD.length - PACKET)
                .put(GOOD, REPORT, GOOD.length - REPORT)
                .array();
    }

    static List<Row> table() {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("B-01 0 octets", new byte[0], "rejected.empty", 0));
        for (int length = 1; length <= 7; length++) {
            rows.add(new Row("B-01 " + length, Arrays.copyOf(GOOD, length), "undecodable.TR_TRUNCATED_HEADER", 0));
        }
        for (int length = 8; length <= 11; length++) {
            rows.add(new Row("B-01 " + length, Arrays.copyOf(GOOD, length), "undecodable.TR20_NO_REPORTS", 0));
        }
        rows.add(new Row("B-04", innerOnlyBeforeAGoodOne(), "", 2));
        rows.add(new Row("B-05 127", edit(GOOD, 9, 0x7F), "reportsRejected.TR20_REPORT_LENGTH_OVERRUN", 0));
        rows.add(new Row("B-05 128", edit(GOOD, 9, 0x80), "reportsRejected.TR20_REPORT_LENGTH_OVERRUN", 0));
        rows.add(new Row("B-05 254", edit(GOOD, 9, 0xFE), "reportsRejected.TR20_REPORT_LENGTH_OVERRUN", 0));
        rows.add(new Row("B-05 255", edit(GOOD, 9, 0xFF), "reportsRejected.TR20_FF_TOO_SHORT", 0));
        rows.add(new Row("B-06", beforeAGoodOne(10, 0x0D), "reportsRejected.TR20_MD_OVERRUNS_REPORT", 1));
        rows.add(new Row("B-07", beforeAGoodOne(12, 0x7F), "reportsRejected.TR20_MD_LENGTH_MISMATCH", 1));
        rows.add(new Row("B-08", edit(GOOD, 11, 0x2F), "", 1));
        rows.add(new Row("B-09", edit(GOOD, 20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF), "", 1));
        rows.add(new Row("B-10 IOAM", beforeAGoodOne(8, 0x24), "", 2)); // opaque, and kept
        for (int type = 3; type <= 15; type++) {
            rows.add(new Row(
                    "B-10 RepType " + type,
                    beforeAGoodOne(8, type << 4 | 4),
                    "reportsRejected.TR20_RESERVED_REPTYPE",
                    1));
        }
        for (int type = 6; type <= 15; type++) {
            rows.add(new Row(
                    "B-10 InType " + type, beforeAGoodOne(8, 0x10 | type), "reportsRejected.TR20_RESERVED_INTYPE", 1));
        }
        for (int version = 3; version <= 15; version++) {
            rows.add(new Row(
                    "B-10 version " + version, edit(GOOD, 0, version << 4), "undecodable.TR_UNKNOWN_VERSION", 0));
        }
        for (int more = 1; more <= 3; more++) {
            rows.add(new Row("B-12 " + more + " more", Arrays.copyOf(GOOD, GOOD.length + more), "", 1));
            rows.add(new Row(
                    "B-12 " + more + " less",
                    Arrays.copyOf(GOOD, GOOD.length - more),
                    "reportsRejected.TR20_REPORT_LENGTH_OVERRUN",
                    0));
        }
        rows.add(new Row(
                "B-20 DNS",
                Hex.bytes("a1b20100000100000000000003777777076578616d706c6503636f6d0000010001"),
                "undecodable.TR_UNKNOWN_VERSION",
                0));
        rows.add(new Row(
                "B-20 TLS",
                Arrays.copyOf(Hex.bytes("8016fefd000000000000000000c8010000"), 213),
                "undecodable.TR_UNKNOWN_VERSION",
                0));
        return rows;
    }

    @ParameterizedTest
    @MethodSource("table")
    void hasOneName(Row row) throws IOException {
        check(List.of(row.bytes), _ -> row.terms());
    }

    /** As many empty reports as fit: it stops at the limit. */
    @Test
    void reportsWithoutLengthEndAtTheLimit() throws IOException {
        byte[] many = new byte[REPORT + 4 * 16_374];
        many[0] = 0x20;
        for (int at = REPORT; at < many.length; at += 4) {
            many[at] = 0x10;
        }
        SortedMap<String, Long> wanted = expectation.of(many);
        assertThat(wanted)
                .containsEntry("reportsRejected.TR20_TOO_MANY_REPORTS", 1L)
                .containsEntry("reportsSeen", 1_025L);
        check(List.of(many), _ -> wanted);
    }

    @Test
    void tlvsWithoutLengthComeToAnEnd() throws IOException {
        byte[] tlvs = new byte[REPORT + 4 + 4 * 254];
        tlvs[0] = 0x20;
        tlvs[REPORT] = 0x01;
        tlvs[REPORT + 1] = (byte) 254;
        check(List.of(tlvs), expectation::of);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void everySizeIsCountedToTheOctet(int size) throws IOException {
        check(List.of(ReportBytes.sized(GOOD, size)), expectation::of);
    }

    static List<Integer> sizes() {
        return List.of(0, 1, 7, 8, 11, 12, 1_472, 8_972, 65_507);
    }

    @Test
    void allOfItIsTheSameOverIpv6() throws IOException {
        try (Sender six = Sender.from("::1")) {
            Reading before = collector.api().ledger();
            SortedMap<String, Long> terms = new TreeMap<>();
            long sent = before.accountedFor();
            for (byte[] datagram :
                    List.of(new byte[0], Arrays.copyOf(GOOD, 5), GOOD, ReportBytes.sized(GOOD, 65_527))) {
                six.send(collector.port(), datagram);
                Expectation.addAll(terms, expectation.of(datagram));
                sent++;
            }
            assertThat(collector.atRest(sent).since(before)).isEqualTo(terms);
        }
    }

    @Test
    void whatIsNoTelemetryIsCounted() throws IOException {
        check(
                List.of(
                        Arrays.copyOf(Hex.bytes("0005001e0000000000000000"), 24 + 48), // NetFlow 5
                        Arrays.copyOf(Hex.bytes("0009000100000000"), 20 + 40), // NetFlow 9
                        Arrays.copyOf(Hex.bytes("000a0040"), 64), // IPFIX
                        Arrays.copyOf(Hex.bytes("00000005000000010a000001"), 200), // sFlow
                        Arrays.copyOf(Hex.bytes("16fefd000000000000000000c8010000"), 213)), // DTLS
                expectation::of);
    }

    /** A switch that reports about the reports it sends here. */
    @Test
    void aReportAboutAReportIsNotAnalysed() throws IOException {
        ByteBuffer about = ByteBuffer.wrap(GOOD.clone());
        about.put(PACKET + 9, (byte) 17); // UDP
        about.put(PACKET + 16, InetAddress.ofLiteral("127.0.0.1").getAddress());
        about.putShort(PACKET + 22, (short) collector.port());
        SortedMap<String, Long> terms = expectation.of(about.array());
        terms.remove("analysed");
        count(terms, "shed.self");
        check(List.of(about.array(), about.array()), _ -> terms);
        assertThat(collector.errors().lines().filter(line -> line.contains("reports about report packets")))
                .hasSize(1);
    }

    /** Of every example of every version, cut at every octet. */
    @Test
    void everyCutIsCounted() throws IOException {
        List<byte[]> cuts = new ArrayList<>();
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            for (int length = 0; vector.start() == Start.REPORT && length <= vector.bytes().length; length++) {
                cuts.add(Arrays.copyOf(vector.bytes(), length));
            }
        }
        assertThat(cuts).hasSizeGreaterThan(500);
        check(cuts, expectation::of);
    }

    @Test
    void everyKnownTriggerIsCounted() throws IOException {
        List<byte[]> triggers = Triggers.all().stream()
                .filter(trigger -> trigger.start() == Start.REPORT)
                .map(Triggers.Trigger::bytes)
                .toList();
        assertThat(triggers).hasSizeGreaterThan(20);
        check(triggers, expectation::of);
    }

    @Test
    void brokenReportsOfEveryKindAreCounted() throws IOException {
        broken(2_000);
    }

    @Test
    @Tag("slow")
    @Timeout(1_800)
    void aMillionBrokenReportsAreCounted() throws IOException {
        broken(1_000_000);
    }

    private void broken(int count) throws IOException {
        Random random = new Random(20_26);
        ReportGenerator generator = new ReportGenerator(false);
        for (int from = 0; from < count; from += TOGETHER) {
            List<byte[]> broken = new ArrayList<>();
            for (int i = 0; i < TOGETHER; i++) {
                broken.add(random.nextBoolean() ? generator.mutate(random) : noise(random));
            }
            check(broken, expectation::of);
        }
    }

    private static byte[] noise(Random random) {
        byte[] noise = new byte[random.nextInt(300)];
        random.nextBytes(noise);
        return noise;
    }
}
