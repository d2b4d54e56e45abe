package io.pathlore.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.cli.Program.Ended;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.GoldenVectors;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --filter} in every command that has it. */
class FilterTest {
    private static final int PATIENCE_MILLIS = 10_000;
    /** Shown line by line in DecodeTest; the eleventh datagram has three reports. */
    private static final String[] REPORTS = {
        "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "T1", "T2", "O1", "I1"
    };

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @BeforeEach
    void capture() throws IOException {
        CaptureFile file = new CaptureFile();
        for (int i = 0; i < REPORTS.length; i++) {
            file.datagram(i == 3 ? 4 : 3, GoldenVectors.bytes(REPORTS[i]));
        }
        byte[] broken = GoldenVectors.bytes("R7");
        broken[10] = 3; // MD Length
        file.datagram(5, broken).in(directory);
        Files.writeString(directory.resolve("pathlore.yaml"), """
                inventory:
                  - { node: 3, name: leaf-3 }
                  - { node: 1, name: spine-1 }
                  - { node: 257, drop-reasons: { 15: firewall } }
                """);
    }

    private Ended run(String... args) {
        return new Program().in(directory).set("HOME", "/nonexistent").with(args);
    }

    private Ended decode(String filter, String... more) {
        String[] args = {"decode", "reports.pcap", "--filter", filter};
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return run(all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "dropped; 2 5 11",
                "congested; 4 11",
                "dropped and congested;",
                "node = leaf-3; 7 8 9",
                "node = 514; 4 5",
                "node != leaf-3; 1 2 4 5 6 10 11 11 11 12 13 14 15", // not 3, which does not say
                "exporter = 10.0.0.4; 4",
                "exporter in 10.0.0.4/31 and version >= 0.5; 4",
                "version = 0.5; 1 2 3",
                "version = 1; 4 5 6 14",
                "dialect = geant; 6",
                "dialect = spec and version = 1.0; 4 5",
                "dialect like *-*; 12 13 14",
                "src = 10.0.1.1 and sport = 5000; 1 4 14",
                "ip in 2001:db8::/32; 11 12 15",
                "ip in ::/0; 11 12 15",
                "dst in 10.10.0.0/16; 10",
                "port = 443; 10",
                "proto = icmp; 5",
                "proto = tcp and dport in (22, 443); 3 10",
                "vni = 291; 10",
                "not vni = 1; 10", // no other is in an overlay
                "path = spine-1 > 2 > leaf-3; 9",
                "path like spine-1 > 2 > *; 3 6 9 10 15",
                "path like * > 7; 15",
                "hop.node = 234; 12",
                "hop.interface = 10; 1",
                "hop.queue = 3; 1",
                "hop.occupancy > 40 and hop.occupancy < 300; 3 7 8 9",
                "hop.latency >= 300ns; 4",
                "hop.latency > 0.3us;",
                "drop.reason = acl_deny; 2 11",
                "drop.reason = 71; 5",
                "drop.reason = firewall; 13",
                "flow like *; 1 2 3 4 5 6 7 8 9 10 11 11 12 14 15",
                "tracked and not flow like *;",
                "error = TR20_MD_LENGTH_MISMATCH; 16",
                "exporter = 10.0.0.5; 16",
                "not dropped and exporter = 10.0.0.5;", // of a rejected report nothing more is known
            })
    void decodesOnlyWhatMatches(String filter, String frames) {
        Ended ended = decode(filter, "-o", "csv", "--no-header");

        assertThat(ended.status()).isZero();
        assertThat(ended.lines().stream()
                        .map(line -> line.substring(0, line.indexOf(',')))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(frames == null ? "" : frames);
    }

    /** The id of a flow, and the device, are those of the JSON form and of docs/reference/events.md. */
    @Test
    void findsAFlowAndADevice() {
        assertThat(decode("flow = 63d04c9c1d4df139", "-o", "csv", "--no-header").lines())
                .hasSize(5)
                .allMatch(line -> line.contains(",10.0.1.1,10.0.2.2,6,45678,80,"));
        String json = decode("device like *:*", "-o", "json").out();
        assertThat(json.lines()).hasSize(1);
        String device = json.substring(json.indexOf("\"sourceDevice\":\"") + 16).substring(0, 17);
        assertThat(decode("device = " + device, "-o", "json").out()).isEqualTo(json);
    }

    @Test
    void aLimitCountsWhatMatches() {
        assertThat(decode("node = leaf-3", "-c", "2", "--no-header").lines()).hasSize(2);
    }

    @Test
    void tellsHowManyWereLeftOut() {
        Ended ended = new Program().in(directory).onTerminal().with("decode", "reports.pcap", "--filter", "dropped");

        assertThat(ended.err()).endsWith("3 reports, 15 left out by the filter from 3 exporters in 16 frames\n");
        assertThat(decode("vni = 5").err()).isEqualTo("pathlore: nothing matches the filter; left out: 18\n");
    }

    @Test
    void filtersDataPackets() throws IOException {
        Ended all = run("decode", "--packets", "--port", "1", "reports.pcap", "-o", "csv", "--no-header");
        assertThat(all.lines()).hasSize(REPORTS.length + 1);
        assertThat(run("decode", "--packets", "--port", "1", "reports.pcap", "--filter", "src = 10.0.0.4", "-o", "csv")
                        .lines())
                .hasSize(2);
    }

    @Test
    void showsThePlaceThatIsWrong() {
        Ended ended = decode("node = leaf-3 and hop.latncy > 50us", "-o", "csv");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo("""
                pathlore decode: --filter: unknown field 'hop.latncy'; did you mean 'hop.latency'?
                  node = leaf-3 and hop.latncy > 50us
                                    ^~~~~~~~~~
                Try 'pathlore decode --help'.
                """);
    }

    @Test
    void refusesWhatReportsDoNotHave() {
        for (String command : new String[] {"decode", "check"}) {
            Ended ended = run(command, "reports.pcap", "--filter", "kind = loop");
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.err()).contains("reports have no 'kind'; they have node, exporter, ", "\n  ^~~~\n");
        }
    }

    // check
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void checksOnlyWhatMatches() throws IOException {
        byte[] bad = GoldenVectors.bytes("R7");
        bad[10] = 3;
        byte[] next = GoldenVectors.bytes("R7");
        next[3]++; // its number
        new CaptureFile()
                .datagram(3, GoldenVectors.bytes("R7"))
                .datagram(3, next)
                .datagram(4, bad)
                .datagram(4, GoldenVectors.bytes("R6"))
                .in(directory);

        Ended all = run("check", "reports.pcap");
        assertThat(all.status()).isEqualTo(3);
        assertThat(all.out()).contains("TR20_MD_LENGTH_MISMATCH", "A-41");

        Ended good = run("check", "reports.pcap", "--filter", "node = leaf-3");
        assertThat(good.status()).isZero();
        assertThat(good.out()).isEqualTo("""
                10.0.0.3: 2 reports, version 2.0, sequence: no loss
                2 reports of 1 exporter follow their specs
                2 left out by the filter
                """);

        Ended geant = run("check", "reports.pcap", "--filter", "dialect = geant");
        assertThat(geant.status()).isEqualTo(3);
        assertThat(geant.out()).contains("A-41").doesNotContain("TR20_MD_LENGTH_MISMATCH");

        Ended rejected = run("check", "reports.pcap", "--filter", "error like TR20_*", "-o", "json");
        assertThat(rejected.lines()).hasSize(1).first().asString().contains("TR20_MD_LENGTH_MISMATCH");
    }

    /** Numbers of reports that are left out were sent all the same. */
    @Test
    void whatIsLeftOutIsNotLost() throws IOException {
        byte[] report = GoldenVectors.bytes("R7");
        int destinationPort = HexFormat.of().formatHex(report).indexOf("b26e0050") / 2 + 3;
        CaptureFile file = new CaptureFile();
        for (int i = 0; i < 6; i++) {
            report[3] = (byte) i;
            report[destinationPort] = (byte) (i % 2 == 0 ? 80 : 81);
            file.datagram(3, report);
        }
        file.in(directory);

        assertThat(run("check", "reports.pcap", "--filter", "dport = 80").out()).isEqualTo("""
                10.0.0.3: 3 reports, version 2.0, sequence: no loss
                3 reports of 1 exporter follow their specs
                3 left out by the filter
                """);
    }

    // replay
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void replaysDatagramsWithAReportThatMatches() throws IOException {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            receiver.setSoTimeout(PATIENCE_MILLIS);
            String to = "127.0.0.1:" + receiver.getLocalPort();
            Ended ended = run("replay", "reports.pcap", "--to", to, "--max", "--filter", "congested", "-o", "json");

            assertThat(ended.err()).isEmpty();
            assertThat(Json.object(ended.out())).containsEntry("datagrams", 2L).containsEntry("leftOut", 14L);
            for (String sent : new String[] {"R4", "R11"}) {
                DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
                receiver.receive(packet);
                assertThat(Arrays.copyOf(packet.getData(), packet.getLength())).isEqualTo(GoldenVectors.bytes(sent));
            }
            assertThat(run("replay", "reports.pcap", "--to", to, "--max", "--filter", "node = leaf-3")
                            .out())
                    .startsWith("3 datagrams, ")
                    .contains("13 left out by the filter");
        }
    }

    @Test
    void replayEndsWhenNothingMatches() throws IOException {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            String to = "127.0.0.1:" + receiver.getLocalPort();
            Ended ended = run("replay", "reports.pcap", "--to", to, "--loop", "0", "--filter", "vni = 5");

            assertThat(ended.status()).isZero();
            assertThat(ended.err()).isEqualTo("pathlore: nothing matches the filter; left out: 16\n");
        }
    }

    // analyse
    // --------------------------------------------------------------------------------------------------------------

    @Test
    void analyseListsFlowsThatMatch() {
        Ended ended = run("analyse", "reports.pcap", "--filter", "dropped and proto = tcp");

        assertThat(ended.status()).isZero();
        assertThat(ended.out())
                .contains("\ntcp 10.0.1.1:45678 > 10.0.2.2:80 ")
                .doesNotContain("\nudp ", "\nicmp ")
                .endsWith(" left out by the filter\n");
        assertThat(run("analyse", "reports.pcap", "--filter", "node = 3").err())
                .contains(
                        "flows have no 'node'; they have src, dst, sport, dport, proto, vni, flow, dropped, congested");
    }
}
