package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecodeTest {
    private static final String[] REPORTS = {
        "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "T1", "T2", "O1", "I1"
    };

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private Path examples() throws IOException {
        CaptureFile file = new CaptureFile();
        for (String name : REPORTS) {
            file.datagram(3, GoldenVectors.bytes(name));
        }
        return file.in(directory);
    }

    private Ended decode(String... args) {
        String[] all = Arrays.copyOf(new String[] {"decode"}, args.length + 1);
        System.arraycopy(args, 0, all, 1, args.length);
        return new Program().in(directory).with(all);
    }

    /** Every worked example in one picture: what is not in a report is not in its line. */
    @Test
    void printsOneAlignedLinePerReport() throws IOException {
        Ended ended = decode(examples().toString());

        assertThat(ended.status()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).isEqualTo("""
                FRAME  2023-11-14 UTC      EXPORTER  NODE        SEQ         FLAG  FLOW                                              PATH
                1      22:13:20.001000000  10.0.0.3  257         7           --F   10.0.1.1:5000 > 10.0.2.2:6000 udp                 257(q3 341) in 9 out 10
                2      22:13:20.002000000  10.0.0.3  257         4294967295  D--   10.0.1.1:45678 > 10.0.2.2:80 tcp                  257 in 9 out 0  drop 80 (ACL deny)
                3      22:13:20.003000000  10.0.0.3  ?           42          --F   10.0.1.1:45678 > 10.0.2.2:22 tcp                  1(q0 5) > 2(q0 42)
                4      22:13:20.004000000  10.0.0.3  514         16          -QF   10.0.1.1:5000 > 10.0.2.2:6000 udp                 514(lat 300, q1 20) in 1 out 2
                5      22:13:20.005000000  10.0.0.3  514         17          D-F   10.0.1.1 > 10.0.2.2 icmp 8/0                      514 in 1 out 0  drop 71 (traffic manager)
                6      22:13:20.006000000  10.0.0.3  2           0           --F   10.0.1.1:4607 > 10.0.2.2:8959 udp                 1 > 2  geant  A-41 A-42
                7      22:13:20.007000000  10.0.0.3  3           5           --F-  10.0.1.1:45678 > 10.0.2.2:80 tcp                  3(q0 256) in 1 out 2
                8      22:13:20.008000000  10.0.0.3  3           6           --F-  10.0.1.1:45678 > 10.0.2.2:80 tcp                  3(q0 256) in 1 out 2
                9      22:13:20.009000000  10.0.0.3  3           4194303     --F-  10.0.1.1:45678 > 10.0.2.2:80 tcp                  1(q0 5) > 2(q0 42) > 3(q0 256)
                10     22:13:20.010000000  10.0.0.3  3232236034  9           --F-  10.10.1.1:40000 > 10.10.2.2:443 tcp vni 291       1 > 2 > 3 > 3232236034
                11     22:13:20.011000000  10.0.0.3  4294967294  1           D-F-  10.0.1.1:45678 > 10.0.2.2:80 tcp                  4294967294  drop 80 (ACL deny)
                11     22:13:20.011000000  10.0.0.3  4294967294  1           -Q--  [2001:db8::1]:5000 > [2001:db8::2]:6000 udp       4294967294(q1 900)
                11     22:13:20.011000000  10.0.0.3  4294967294  1           --FI                                                    4294967294 in 5 out 6
                12     22:13:20.012000000  10.0.0.3  347         1           ----  [2001:db8:1::2]:6680 > [2001:db8:1::29]:5792 tcp  123 > 234 > 347  transparent-security  A-28 A-29 A-32 A-30 A-31
                13     22:13:20.013000000  10.0.0.3  123         0           ----                                                    123  drop 15  count 4242 key fc2bc3f5d924da44  transparent-security  A-33
                14     22:13:20.014000000  10.0.0.3  1           0           --F   10.0.1.1:5000 > 10.0.2.2:6000 udp                 1(q0 5)  onos-basic  A-47 A-48
                15     22:13:20.015000000  10.0.0.3  7           3           --F-  [2001:db8:1::2]:1000 > [2001:db8:1::29]:2000 udp  1 > 2 > 7
                """);
    }

    @Test
    void theInventoryNamesNodesAndDropReasons() throws IOException {
        Files.writeString(directory.resolve("pathlore.yaml"), """
                inventory:
                  - { node: 3, name: leaf-3 }
                  - { node: 1, name: spine-1 }
                  - { node: 257, drop-reasons: { 80: firewall } }
                """);
        List<String> lines = decode("--no-header", examples().toString()).lines();

        assertThat(lines.get(8)).contains(" leaf-3 ").endsWith("spine-1(q0 5) > 2(q0 42) > leaf-3(q0 256)");
        assertThat(lines.get(1)).endsWith("drop 80 (firewall)");
    }

    @Test
    void jsonIsOneObjectPerReport() throws IOException {
        String path = examples().toString();
        Ended json = decode("-o", "json", path);

        assertThat(json.lines()).hasSize(17);
        json.lines().forEach(Json::object);
        assertThat(json.lines().get(6)).contains("\"frame\":7,\"time\":\"2023-11-14T22:13:20.007000000Z\"");
        assertThat(decode("-o", "jsonl", path)).isEqualTo(json);
    }

    @Test
    void csvHasOneRowPerReportAndLeavesOutWhatIsAbsent() throws IOException {
        Ended csv = decode("-o", "csv", examples().toString());

        assertThat(csv.lines().getFirst())
                .isEqualTo(
                        "frame,time,exporter,version,dialect,node_id,hw_id,sequence,dropped,congested,tracked,source,"
                                + "destination,protocol,source_port,destination_port,vni,path,hops,ingress_interface,"
                                + "egress_interface,hop_latency,queue_id,queue_occupancy,ingress_timestamp,egress_timestamp,"
                                + "drop_reason,error,warnings");
        assertThat(csv.lines().get(2))
                .isEqualTo("2,2023-11-14T22:13:20.002000000Z,10.0.0.3,0.5,,257,0,4294967295,true,false,false,10.0.1.1,"
                        + "10.0.2.2,6,45678,80,,257,,9,0,,,,100,,80,,");
        assertThat(csv.lines().get(9)).contains(",1>2>3,2,,,,0,256,,,,,");
        assertThat(csv.lines()).allSatisfy(row -> assertThat(row.split(",", -1)).hasSize(29));
        assertThat(decode("-o", "csv", "--no-header", examples().toString()).lines())
                .isEqualTo(csv.lines().subList(1, 18));
    }

    @Test
    void rejectedReportsHaveALineWithNamePlaceAndMeaning() throws IOException {
        byte[] overrun = GoldenVectors.bytes("R7");
        overrun[9] = 0x0F;
        new CaptureFile().datagram(3, overrun).in(directory);

        assertThat(decode("--no-header", "reports.pcap").out())
                .isEqualTo("1  22:13:20.001000000  10.0.0.3  TR20_REPORT_LENGTH_OVERRUN at byte 8: Report Length"
                        + " reaches beyond the datagram\n");
        assertThat(decode("--color", "always", "--no-header", "reports.pcap").out())
                .contains("\u001b[31mTR20_REPORT_LENGTH_OVERRUN");
        assertThat(decode("-o", "json", "reports.pcap").out())
                .contains("\"error\":\"TR20_REPORT_LENGTH_OVERRUN\"", "\"offset\":8");
        assertThat(decode("-o", "csv", "--no-header", "reports.pcap").out())
                .isEqualTo("1,2023-11-14T22:13:20.001000000Z,10.0.0.3,,,,,,,,,,,,,,,,,,,,,,,,,"
                        + "TR20_REPORT_LENGTH_OVERRUN,\n");
        assertThat(decode("-x", "reports.pcap").out())
                .startsWith("Frame 1, 2023-11-14T22:13:20.001000000Z, 10.0.0.3 to 10.0.0.9 port 8555, 68 bytes\n"
                        + "TR20_REPORT_LENGTH_OVERRUN at byte 8, TR 2.0 §3.3: ")
                .contains("\n0000  20 40 00 05 00 00 00 03 14 0f 02 20 50 00 00 00\n");
    }

    @Test
    void onlyStrictModeTurnsAMalformedReportIntoStatusThree() throws IOException {
        byte[] overrun = GoldenVectors.bytes("R7");
        overrun[9] = 0x0F;

        assertThat(Program.runHex(overrun, "decode").status()).isZero();
        assertThat(Program.runHex(overrun, "decode", "--strict").status()).isEqualTo(3);
        assertThat(Program.runHex(GoldenVectors.bytes("R7"), "decode", "--strict")
                        .status())
                .isZero();
        // Cut short, which a sender may do.
        byte[] cut = Arrays.copyOf(GoldenVectors.bytes("R2"), 50);
        assertThat(Program.runHex(cut, "decode", "--strict").status()).isZero();
    }

    @Test
    void aLimitStopsAfterSoManyReports() throws IOException {
        String path = examples().toString();

        assertThat(decode("-c", "2", "-o", "json", path).lines()).hasSize(2);
        assertThat(decode("--limit", "12", "-o", "json", path).lines()).hasSize(12); // inside a datagram of three
    }

    @Test
    void portsOfTheCommandLineReplaceTheDefaults() throws IOException {
        byte[] r7 = GoldenVectors.bytes("R7");
        new CaptureFile()
                .datagram(3, 556, r7, r7.length)
                .datagram(3, 32_766, r7, r7.length)
                .datagram(3, 9000, r7, r7.length)
                .in(directory);

        assertThat(decode("-o", "json", "reports.pcap").lines()).hasSize(2);
        assertThat(decode("-o", "json", "--port", "9000", "reports.pcap").lines())
                .singleElement()
                .asString()
                .contains("\"frame\":3");
        assertThat(decode("-o", "json", "--port", "9000", "--port", "556", "reports.pcap")
                        .lines())
                .hasSize(2);
    }

    @Test
    void saysWhyThereIsNothing() throws IOException {
        new CaptureFile().in(directory);
        assertThat(decode("reports.pcap").err())
                .isEqualTo("pathlore: no telemetry reports: the capture has no frames\n");

        new CaptureFile()
                .datagram(3, 6343, new byte[20], 20)
                .datagram(3, 6343, new byte[20], 20)
                .datagram(3, 53, new byte[20], 20)
                .in(directory);
        Ended ended = decode("reports.pcap");
        assertThat(ended.status()).isZero();
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .isEqualTo("pathlore: no telemetry reports: 3 frames, 3 UDP to other ports (most: 6343 x 2);"
                        + " try --port 6343\n");

        byte[] arp = new byte[42];
        arp[12] = 8;
        arp[13] = 6;
        new CaptureFile().frame(arp).in(directory);
        assertThat(decode("reports.pcap").err())
                .isEqualTo("pathlore: no telemetry reports: 1 frame, none of them UDP;"
                        + " --packets looks for INT and IOAM in data packets\n");
    }

    @Test
    void aLengthBeyondTheFrameIsAWarning() throws IOException {
        byte[] r7 = GoldenVectors.bytes("R7");
        new CaptureFile().datagram(3, 8555, r7, r7.length + 4).datagram(3, r7).in(directory);

        List<String> lines = decode("-o", "json", "reports.pcap").lines();
        assertThat(lines.get(0)).contains("\"warnings\":[\"A-27\"]");
        assertThat(lines.get(1)).doesNotContain("warnings");
    }

    @Test
    void packetsAreShownWithTheirTelemetry() throws IOException {
        CaptureFile file = new CaptureFile();
        Captures.frames("linux_ioam_packets").forEach(frame -> file.frame(frame.bytes()));
        file.datagram(3, GoldenVectors.bytes("R7")).in(directory);

        List<String> lines = decode("--packets", "--no-header", "reports.pcap").lines();
        assertThat(lines).hasSize(7);
        assertThat(lines.getFirst())
                .contains("[fd00:6::1]:7001 > [fd00:6:3::2]:8001 udp")
                .endsWith("273 > 290 > 307");
        assertThat(lines.getLast()).contains("10.0.0.3").endsWith("3(q0 256) in 1 out 2");
        assertThat(decode("--packets", "-o", "json", "reports.pcap").lines().getFirst())
                .startsWith("{\"frame\":1,")
                .doesNotContain("exporter", "\"report\"")
                .contains("\"ioam\":[{\"type\":\"preallocated-trace\"");
    }

    @Test
    void aPacketInHexIsRecognisedByItsFirstBytes() {
        String[] marks = {"decode", "--packets", "--no-header", "--set", "decode.int.udp-ports=5555"};
        for (String name : new String[] {"D8", "D4"}) {
            assertThat(Program.runHex(GoldenVectors.bytes(name), marks).out())
                    .contains(name.equals("D8") ? "100 >" : "1");
        }
        byte[] frame = GoldenVectors.vector("D8").start().frame(GoldenVectors.bytes("D8"));
        assertThat(Program.runHex(frame, marks).out()).contains("100 > 257 > 258");
    }

    @Test
    void saysWhenPacketsHaveNoTelemetry() throws IOException {
        new CaptureFile().datagram(3, 53, new byte[20], 20).in(directory);

        assertThat(decode("--packets", "reports.pcap").err())
                .isEqualTo("pathlore: no INT or IOAM found in 1 packet; marks are set in the configuration, see"
                        + " decode.int\n");
    }

    @Test
    void theSummaryIsForTerminalsOnly() throws IOException {
        String path = examples().toString();

        assertThat(new Program().onTerminal().with("decode", path).err())
                .isEqualTo("17 reports from 1 exporter in 15 frames\n");
        assertThat(new Program().onTerminal().with("decode", "-o", "json", path).err())
                .isEmpty();
    }

    @Test
    void coloursAreForTerminalsThatWantThem() throws IOException {
        String path = examples().toString();

        assertThat(new Program().onTerminal().with("decode", path).out()).contains("\u001b[");
        assertThat(new Program()
                        .onTerminal()
                        .set("NO_COLOR", "1")
                        .with("decode", path)
                        .out())
                .doesNotContain("\u001b[");
        assertThat(new Program()
                        .onTerminal()
                        .with("decode", "--color", "never", path)
                        .out())
                .doesNotContain("\u001b[");
        assertThat(new Program()
                        .set("NO_COLOR", "1")
                        .with("decode", "--color", "always", path)
                        .out())
                .contains("\u001b[");
    }

    @Test
    void aPinnedProfileReadsOneExporterByTheSpecification() throws IOException {
        byte[] wrongLength = GoldenVectors.bytes("R4"); // mended unless someone says not to
        wrongLength[0] = 0x18;
        new CaptureFile().datagram(3, wrongLength).datagram(4, wrongLength).in(directory);

        assertDialects("geant", "geant");
        assertDialects("", "geant", "--profile", "10.0.0.3=spec");
        assertDialects("", "", "--profile", "spec");
        assertDialects("geant", "", "--set", "inventory=[{addresses: [10.0.0.4], profile: spec}]");
        assertDialects("", "", "--set", "inventory=[{node: 514, profile: spec}]");
        assertDialects("geant", "", "--set", "inventory=[{node: 514, profile: spec}]", "--profile", "10.0.0.3=auto");
    }

    private void assertDialects(String first, String second, String... options) {
        String[] args = Arrays.copyOf(new String[] {"-o", "csv", "--no-header", "reports.pcap"}, 4 + options.length);
        System.arraycopy(options, 0, args, 4, options.length);
        assertThat(decode(args).lines().stream().map(row -> row.split(",", -1)[4]))
                .containsExactly(first, second);
    }
}
