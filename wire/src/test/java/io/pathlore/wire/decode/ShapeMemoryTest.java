package io.pathlore.wire.decode;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.pathlore.model.Fault;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.json.Origin;
import io.pathlore.wire.json.ReportJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A remembered shape must never show: every result is what decoding from scratch gives. */
class ShapeMemoryTest {
    private static final List<byte[]> DATAGRAMS = datagrams();

    private final DecodeOptions options =
            DecodeOptions.lenient().withMarks(DecodeOptions.IntMarks.LENIENT.withUdpPorts(List.of(555, 5555)));

    private record Pair(byte[] taught, byte[] next) {
        @Override
        public String toString() {
            return Hex.text(taught) + " then " + Hex.text(next);
        }
    }

    @Test
    void givesWhatDecodingFromScratchGives() {
        forAll(100_000, ShapeMemoryTest::pair, pair -> {
            Exporter exporter = new Exporter();
            ReportDecoder remembering = new ReportDecoder(options, true);
            for (int i = 0; i < 4; i++) {
                decode(remembering, exporter, pair.taught);
            }
            Exporter other = new Exporter();
            ReportDecoder forgetful = new ReportDecoder(options, false);
            decode(forgetful, other, pair.taught);
            assertThat(decode(remembering, exporter, pair.next)).isEqualTo(decode(forgetful, other, pair.next));
        });
    }

    /** Its header would start where the datagram ends. */
    @Test
    void looksAtNothingBehindADestinationHeader() {
        byte[] datagram = Hex.bytes("20000001 00000003 040a0020 45000028 00014000 40110000 0a000101"
                + "0a000202 03e812b6 00140000 0c000082 00012300 20000003");
        assertThat(decode(new ReportDecoder(options, true), new Exporter(), datagram))
                .first(STRING)
                .contains("\"type\":\"destination\"");
        ByteBuffer exact = ByteBuffer.wrap(datagram);
        ReportDecoder remembering = new ReportDecoder(options, true);
        assertThatNoException()
                .isThrownBy(() -> remembering.decode(exact, 0, datagram.length, new Exporter(), NOTHING));
    }

    @Test
    void recognisesAReportThatDiffersInValuesOnly() {
        ByteBuffer first = ByteBuffer.wrap(GoldenVectors.bytes("R9"));
        ByteBuffer second = ByteBuffer.wrap(GoldenVectors.bytes("R9"));
        second.putInt(4, 0x7777).putInt(0, 0x2FC0_0001).put(11, (byte) 0xB0).putInt(36, 0x0A00_0109);
        ShapeMemory shapes = new ShapeMemory(options, true);
        Exporter exporter = new Exporter();
        DatagramDecoder decoder = new DatagramDecoder(options);
        for (int i = 0; i < 3; i++) {
            decoder.decode(first, 0, first.capacity(), exporter, NOTHING);
            shapes.consider(first, 0, first.capacity(), exporter, decoder.report());
        }
        ReportView recalled = shapes.recall(second, 0, second.capacity(), exporter);
        assertThat(recalled).isNotNull();
        assertThat(recalled.nodeId()).isEqualTo(0x7777);
        assertThat(recalled.hwId()).isEqualTo(63);
        assertThat(recalled.dropped()).isTrue();
        assertThat(recalled.packet().flow().sourceLow()).isEqualTo(0x0A00_0109L);
    }

    private static final ReportSink NOTHING = new ReportSink() {
        @Override
        public void onReport(ReportView report) {}

        @Override
        public void onRejected(Fault fault, int offset) {}
    };

    private static Pair pair(RandomGenerator random) {
        byte[] taught = DATAGRAMS.get(random.nextInt(DATAGRAMS.size()));
        byte[] next = random.nextInt(8) == 0 ? DATAGRAMS.get(random.nextInt(DATAGRAMS.size())) : taught.clone();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(Math.min(next.length, 140));
            next[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) (next[at] ^ 1 << random.nextInt(8));
                case 1 -> (byte) random.nextInt(256);
                case 2 -> 0;
                default -> (byte) (next[at] + 1);
            };
        }
        if (random.nextInt(4) == 0) {
            next = Arrays.copyOf(next, Math.max(1, next.length + random.nextInt(-40, 12)));
        }
        return new Pair(taught, next);
    }

    /** Somewhere inside a larger buffer, so that offsets must really move. */
    private static List<String> decode(ReportDecoder decoder, Exporter exporter, byte[] datagram) {
        List<String> lines = new ArrayList<>();
        int from = datagram.length % 13;
        ByteBuffer buffer = ByteBuffer.allocate(from + datagram.length + 7).put(from, datagram);
        ReportJson json = new ReportJson();
        decoder.decode(buffer, from, from + datagram.length, exporter, new ReportSink() {
            @Override
            public void onReport(ReportView report) {
                json.report(new Origin(), report);
                lines.add(text(json));
                for (int i = 0; i < report.warnings().count(); i++) {
                    lines.add(report.warnings().name(i) + " at "
                            + (report.warnings().offset(i) - from));
                }
                for (int i = 0; i < report.packet().layers(); i++) {
                    lines.add(report.packet().layer(i).label() + " at "
                            + (report.packet().layerOffset(i) - from));
                }
            }

            @Override
            public void onRejected(Fault fault, int offset) {
                json.rejected(new Origin(), fault, offset - from, decoder.warnings());
                lines.add(text(json));
            }
        });
        return lines;
    }

    private static String text(ReportJson json) {
        return new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII);
    }

    /** Reports around INT on a UDP port weigh most: they are what is remembered. */
    private static List<byte[]> datagrams() {
        List<byte[]> datagrams = new ArrayList<>();
        for (GoldenVectors.Vector vector : GoldenVectors.all()) {
            if (vector.start() == Start.REPORT) {
                datagrams.add(vector.bytes());
            }
        }
        for (String capture : Captures.names()) {
            if (!capture.startsWith("linux")) {
                Captures.frames(capture).forEach(frame -> datagrams.add(frame.datagram()));
            }
        }
        List<byte[]> remembered = List.of(
                GoldenVectors.bytes("R9"),
                GoldenVectors.bytes("R10"),
                GoldenVectors.bytes("T1"),
                inReport("140f0020 00000000 00000000", "D8"),
                withVlan(inReport("04000020", "D8")));
        for (int i = 0; i < 12; i++) {
            datagrams.addAll(remembered);
        }
        return datagrams;
    }

    /** An IPv4 example inside a v2.0 report with this individual header; its length is filled in. */
    private static byte[] inReport(String individual, String example) {
        byte[] header = Hex.bytes("20000001 00000009" + individual);
        byte[] packet = GoldenVectors.bytes(example);
        byte[] datagram = Arrays.copyOf(header, header.length + packet.length);
        System.arraycopy(packet, 0, datagram, header.length, packet.length);
        datagram[9] = (byte) ((datagram.length - 12) / 4);
        return datagram;
    }

    /** The same as Ethernet with one VLAN tag, two padding octets in front of nothing: 18 octets of Ethernet are no words. */
    private static byte[] withVlan(byte[] ipv4Report) {
        byte[] ethernet = Hex.bytes("000000000202 000000000101 8100 0064 0800");
        byte[] datagram = new byte[ipv4Report.length + ethernet.length + 2];
        System.arraycopy(ipv4Report, 0, datagram, 0, 12);
        System.arraycopy(ethernet, 0, datagram, 12, ethernet.length);
        System.arraycopy(ipv4Report, 12, datagram, 12 + ethernet.length, ipv4Report.length - 12);
        datagram[8] = 0x03;
        datagram[9] = (byte) ((datagram.length - 12) / 4);
        return datagram;
    }
}
