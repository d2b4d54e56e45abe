package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.model.Fault;
import io.pathlore.model.Quirk;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.testkit.vectors.Triggers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Ended check(String... args) {
        String[] all = Arrays.copyOf(new String[] {"check", "reports.pcap"}, args.length + 2);
        System.arraycopy(args, 0, all, 2, args.length);
        return new Program().in(directory).with(all);
    }

    private static byte[] changed(String vector, int at, int value) {
        byte[] bytes = GoldenVectors.bytes(vector);
        bytes[at] = (byte) value;
        return bytes;
    }

    @Test
    void goodReportsHaveNoFindings() throws IOException {
        CaptureFile file = new CaptureFile();
        String[] good = {"R1", "R2", "R3", "R4", "R5", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "I1"};
        for (int i = 0; i < good.length; i++) {
            file.datagram(100 + i, GoldenVectors.bytes(good[i]));
        }
        file.in(directory);
        Ended ended = check();

        assertThat(ended.status()).isZero();
        assertThat(ended.out())
                .endsWith("\n15 reports of 13 exporters follow their specs\n")
                .doesNotContain("frame ");
        assertThat(ended.err()).isEmpty();
        assertThat(check("-o", "json").out()).isEmpty();
    }

    @Test
    void aFindingNamesFrameExporterRulePlaceAndClause() throws IOException {
        new CaptureFile()
                .datagram(3, GoldenVectors.bytes("R7"))
                .datagram(3, changed("R7", 10, 3))
                .in(directory);
        Ended ended = check();

        assertThat(ended.status()).isEqualTo(3);
        assertThat(ended.out()).isEqualTo("""
                frame 2  10.0.0.3  TR20_MD_LENGTH_MISMATCH  at byte 10  TR 2.0 §3.3.1: MD Length is not what the bitmaps ask for (MD Length 3, needs 2)

                10.0.0.3: 2 reports, version 2.0
                  TR20_MD_LENGTH_MISMATCH          1         TR 2.0 §3.3.1: MD Length is not what the bitmaps ask for
                1 violation in 2 reports of 1 exporter
                """);
        assertThat(check("-o", "json").out())
                .isEqualTo("{\"frame\":2,\"exporter\":\"10.0.0.3\",\"rule\":\"TR20_MD_LENGTH_MISMATCH\","
                        + "\"clause\":\"TR 2.0 §3.3.1\",\"offset\":10,\"detail\":\"MD Length is not what the bitmaps ask for"
                        + " (MD Length 3, needs 2)\"}\n");
        assertThat(check("-o", "csv").out()).isEqualTo("""
                frame,exporter,rule,clause,offset,detail,note
                2,10.0.0.3,TR20_MD_LENGTH_MISMATCH,TR 2.0 §3.3.1,10,"MD Length is not what the bitmaps ask for (MD Length 3, needs 2)",false
                """);
    }

    @Test
    void bytesAroundTheFindingAreShownOnDemand() throws IOException {
        new CaptureFile().datagram(3, changed("R7", 10, 3)).in(directory);

        assertThat(check("-x").out()).contains("""
                    0000  20 40 00 05 00 00 00 03 14 0e 03 20 50 00 00 00
                                                        ^^
                    0010  00 00 00 00 00 01 00 02 00 00 01 00 45 00 00 28
                """);
    }

    @Test
    void findingsOfOneRuleAreCollapsed() throws IOException {
        CaptureFile file = new CaptureFile();
        for (int i = 0; i < 8; i++) {
            file.datagram(3, changed("R7", 10, 3));
        }
        file.datagram(4, changed("R7", 10, 3)).in(directory);
        Ended ended = check();

        assertThat(ended.lines().stream().filter(line -> line.startsWith("frame ")))
                .hasSize(6);
        assertThat(ended.out()).contains("\n… and 3 more TR20_MD_LENGTH_MISMATCH of 10.0.0.3\n");
        assertThat(check("--all").lines().stream().filter(line -> line.startsWith("frame ")))
                .hasSize(9);
        assertThat(check("-o", "json").lines()).hasSize(9);
    }

    /** A dialect is found by its own number; what the strict decoder sees inside a report it cannot read is not told. */
    @Test
    void aDialectIsRecognisedAndItsDeparturesNamed() throws IOException {
        new CaptureFile().datagram(3, GoldenVectors.bytes("T1")).in(directory);
        Ended ended = check("-o", "json");

        assertThat(ended.lines().stream().map(line -> Json.object(line).get("rule")))
                .containsExactly("A-28", "A-29", "A-32", "A-30", "A-31", "PKT_IP_VERSION_MISMATCH");
        assertThat(check().out()).contains("\n10.0.0.3: 1 report, version 2.0 transparent-security\n");
    }

    @Test
    void whatWasCutIsANoteAndNoViolation() {
        Ended ended = Program.runHex(Arrays.copyOf(GoldenVectors.bytes("R2"), 50), "check");

        assertThat(ended.status()).isZero();
        assertThat(ended.out())
                .contains("PKT_TRUNCATED_L3  at byte 38  note: TR 2.0 §2.6: the IP header is cut")
                .endsWith("1 report follows its spec\n");
        assertThat(Program.runHex(Arrays.copyOf(GoldenVectors.bytes("R2"), 50), "check", "-o", "json")
                        .out())
                .contains("\"note\":true");
    }

    /** DSCP 0x17 on an ordinary packet: the strict decoder alone would call it broken INT. */
    @Test
    void anOrdinaryPacketWithAMarkIsNoViolation() {
        byte[] marked = changed("R7", 29, 0x17 << 2);
        Ended ended = Program.runHex(marked, "check", "-o", "json");

        assertThat(ended.status()).as(ended.out()).isZero();
        assertThat(ended.lines()).allSatisfy(line -> assertThat(line).contains("INT_FALSE_POSITIVE"));
    }

    @Test
    void everyTriggerOfAReportIsFound() {
        for (Triggers.Trigger trigger : Triggers.all()) {
            Fault fault = Fault.valueOf(trigger.error());
            if (trigger.start() != Start.REPORT || fault.level() != Fault.Level.REPORT || !trigger.strict()) {
                continue;
            }
            Ended ended = Program.runHex(trigger.bytes(), "check", "-o", "json");
            assertThat(ended.lines().stream().map(line -> Json.object(line).get("rule")))
                    .as(trigger.toString())
                    .contains(trigger.error());
            assertThat(ended.status()).as(trigger.toString()).isEqualTo(3);
        }
    }

    @Test
    void theSummaryTellsLossAndConstantCounters() throws IOException {
        CaptureFile file = new CaptureFile();
        for (int sequence : new int[] {5, 6, 9, 10}) {
            file.datagram(3, changed("R7", 3, sequence));
        }
        for (int i = 0; i < 4; i++) {
            file.datagram(4, changed("R7", 7, 4));
        }
        file.in(directory);

        assertThat(check().out())
                .contains("10.0.0.3: 4 reports, version 2.0, sequence: 2 lost of 6\n")
                .contains("10.0.0.4: 4 reports, version 2.0, sequence: constant, so loss cannot be seen\n");
    }

    @Test
    void packetsAreCheckedToo() {
        byte[] bad = GoldenVectors.bytes("D7");
        bad[29] = 2;
        Ended ended = Program.runHex(bad, "check", "--packets", "--set", "decode.int.udp-ports=5555", "-o", "json");

        assertThat(ended.status()).isEqualTo(3);
        Map<String, Object> finding = Json.object(ended.lines().getFirst());
        assertThat(finding).containsEntry("rule", "INT_SHIM_LENGTH_TOO_SMALL").doesNotContainKey("exporter");
    }

    /** The JSON of a finding is put together without escaping. */
    @Test
    void noTextOfARuleNeedsEscaping() {
        for (Fault fault : Fault.values()) {
            assertThat(fault.clause() + fault.meaning()).as(fault.name()).doesNotContain("\"", "\\");
        }
        for (Quirk quirk : Quirk.values()) {
            assertThat(quirk.clause() + quirk.meaning()).as(quirk.name()).doesNotContain("\"", "\\");
        }
    }
}
