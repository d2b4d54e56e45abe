package io.pathlore.ingest.pcap;

import static io.pathlore.ingest.pcap.CaptureFiles.golden;
import static io.pathlore.ingest.pcap.CaptureFiles.gzip;
import static io.pathlore.ingest.pcap.CaptureFiles.open;
import static io.pathlore.ingest.pcap.CaptureFiles.prefix;
import static io.pathlore.ingest.pcap.CaptureFiles.read;
import static io.pathlore.testkit.FrameBytes.ethernet;
import static io.pathlore.testkit.FrameBytes.ipv4;
import static io.pathlore.testkit.FrameBytes.ipv6;
import static io.pathlore.testkit.FrameBytes.join;
import static io.pathlore.testkit.FrameBytes.udp;
import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.ingest.pcap.CaptureFiles.Outcome;
import io.pathlore.ingest.pcap.CaptureFiles.Read;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.PcapBytes;
import io.pathlore.testkit.PcapngBytes;
import io.pathlore.wire.net.PacketStart;
import io.pathlore.wire.pcap.LinkType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureReaderTest {
    private static final ByteOrder[] ORDERS = {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN};
    private static final byte[] FIRST = bytes("00112233445566");
    private static final byte[] SECOND = bytes("ffeeddcc");

    @TempDir
    Path directory = Path.of("");

    private static Read frame(long number, long timeNanos, int linkType, byte[] data) {
        return new Read(number, timeNanos, linkType, Hex.text(data), data.length);
    }

    @Test
    void readsPcapOfEveryOrderAndResolution() {
        for (ByteOrder order : ORDERS) {
            for (boolean nanos : new boolean[] {false, true}) {
                var file = new PcapBytes(order, nanos, LinkType.LINUX_SLL)
                        .frame(1_794_767_904L, 999_999, FIRST)
                        .frame(0xFFFF_FFFFL, 0, SECOND, 4, 1_500);
                long fraction = nanos ? 999_999 : 999_999_000;
                Read cut = new Read(2, 4_294_967_295_000_000_000L, LinkType.LINUX_SLL, "ffeeddcc", 1_500);
                assertThat(read(file.bytes()))
                        .as("%s, nanoseconds %s", order, nanos)
                        .isEqualTo(new Outcome(
                                List.of(
                                        frame(1, 1_794_767_904_000_000_000L + fraction, LinkType.LINUX_SLL, FIRST),
                                        cut),
                                null));
            }
        }
    }

    @Test
    void readsPcapngOfEveryOrderAndResolution() {
        for (ByteOrder order : ORDERS) {
            for (int resolution : new int[] {0, 3, 6, 9, 12, 0x80 | 10, 0x80 | 32}) {
                boolean binary = resolution >= 0x80;
                long perSecond = binary ? 1L << (resolution & 0x7F) : Math.round(Math.pow(10, resolution));
                byte[] file = new PcapngBytes()
                        .section(order)
                        .describe(LinkType.ETHERNET, 0, resolution, 1_794_767_000)
                        .enhanced(0, 904 * perSecond + perSecond / 2, FIRST)
                        .bytes();
                long half = perSecond == 1 ? 0 : 500_000_000;
                assertThat(read(file))
                        .as("%s, if_tsresol %d", order, resolution)
                        .isEqualTo(new Outcome(
                                List.of(frame(1, 1_794_767_904_000_000_000L + half, LinkType.ETHERNET, FIRST)), null));
            }
        }
    }

    @Test
    void interfacesKeepTheirOwnLinkTypeAndClock() {
        byte[] file = new PcapngBytes()
                .section(ByteOrder.LITTLE_ENDIAN)
                .describe(LinkType.ETHERNET, 0)
                .describe(LinkType.RAW, 0, 9, 0)
                .enhanced(1, 5, FIRST)
                .enhanced(0, 5, SECOND)
                .describe(LinkType.LINUX_SLL2, 0, 3, 0)
                .enhanced(2, 5, FIRST)
                .obsolete(1, 3, 0x1_0000_0005L, SECOND)
                .bytes();
        assertThat(read(file).frames())
                .containsExactly(
                        frame(1, 5, LinkType.RAW, FIRST),
                        frame(2, 5_000, LinkType.ETHERNET, SECOND),
                        frame(3, 5_000_000, LinkType.LINUX_SLL2, FIRST),
                        frame(4, 0x1_0000_0005L, LinkType.RAW, SECOND));
    }

    @Test
    void aSectionCountsItsInterfacesAnewInItsOwnOrder() {
        byte[] file = new PcapngBytes()
                .section(ByteOrder.BIG_ENDIAN)
                .describe(LinkType.RAW, 0, 9, 0)
                .enhanced(0, 7, FIRST)
                .section(ByteOrder.LITTLE_ENDIAN)
                .enhanced(0, 7, FIRST)
                .describe(LinkType.ETHERNET, 0)
                .enhanced(0, 7, SECOND)
                .section(ByteOrder.BIG_ENDIAN)
                .describe(LinkType.NULL, 0)
                .enhanced(0, 8, SECOND)
                .bytes();
        assertThat(read(file))
                .isEqualTo(new Outcome(
                        List.of(
                                frame(1, 7, LinkType.RAW, FIRST),
                                frame(2, CaptureReader.TIME_UNKNOWN, LinkType.UNKNOWN, FIRST),
                                frame(3, 7_000, LinkType.ETHERNET, SECOND),
                                frame(4, 8_000, LinkType.NULL, SECOND)),
                        null));
    }

    @Test
    void aFrameOfAnInterfaceNobodyDescribedIsStillAFrame() {
        byte[] file = new PcapngBytes()
                .section(ByteOrder.LITTLE_ENDIAN)
                .describe(LinkType.ETHERNET, 0)
                .enhanced(1, 7, FIRST)
                .enhanced(-1, 7, FIRST)
                .enhanced(0, 7, SECOND)
                .bytes();
        assertThat(read(file).frames())
                .containsExactly(
                        frame(1, CaptureReader.TIME_UNKNOWN, LinkType.UNKNOWN, FIRST),
                        frame(2, CaptureReader.TIME_UNKNOWN, LinkType.UNKNOWN, FIRST),
                        frame(3, 7_000, LinkType.ETHERNET, SECOND));
    }

    @Test
    void simplePacketsHaveNoTime() {
        byte[] file = new PcapngBytes()
                .section(ByteOrder.BIG_ENDIAN)
                .describe(LinkType.ETHERNET, 5)
                .describe(LinkType.RAW, 0)
                .simple(SECOND, 4)
                .simple(prefix(FIRST, 5), 1_500)
                .bytes();
        assertThat(read(file).frames())
                .containsExactly(
                        frame(1, CaptureReader.TIME_UNKNOWN, LinkType.ETHERNET, SECOND),
                        new Read(2, CaptureReader.TIME_UNKNOWN, LinkType.ETHERNET, "0011223344", 1_500));
    }

    @Test
    void aFrameLongerThanItsBlockIsWhatTheBlockHolds() {
        byte[] file = new PcapngBytes()
                .section(ByteOrder.BIG_ENDIAN)
                .describe(LinkType.ETHERNET, 0)
                .enhanced(0, 1, SECOND, Integer.MAX_VALUE, 9_000)
                .enhanced(0, 2, SECOND)
                .bytes();
        assertThat(read(file).frames())
                .containsExactly(
                        new Read(1, 1_000, LinkType.ETHERNET, "ffeeddcc", 9_000),
                        frame(2, 2_000, LinkType.ETHERNET, SECOND));
    }

    @Test
    void stepsOverBlocksItDoesNotKnow() {
        byte[] file = new PcapngBytes()
                .section(ByteOrder.LITTLE_ENDIAN)
                .block(5, new byte[100])
                .describe(LinkType.ETHERNET, 0)
                .block(0x0BAD, new byte[3_000_000])
                .enhanced(0, 1, FIRST)
                .block(4, new byte[0])
                .bytes();
        assertThat(read(file)).isEqualTo(new Outcome(List.of(frame(1, 1_000, LinkType.ETHERNET, FIRST)), null));
        assertThat(read(file, 64)).isEqualTo(read(file));
    }

    /** More than any capture has; their blocks are read, but what they say is not kept. */
    @Test
    void interfacesWithoutEndAreNotKept() {
        var file = new PcapngBytes().section(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i <= PcapngFrames.MAX_INTERFACES; i++) {
            file.describe(LinkType.ETHERNET, 0);
        }
        file.enhanced(PcapngFrames.MAX_INTERFACES - 1, 1, FIRST).enhanced(PcapngFrames.MAX_INTERFACES, 1, FIRST);
        assertThat(read(file.bytes()).frames())
                .containsExactly(
                        frame(1, 1_000, LinkType.ETHERNET, FIRST),
                        frame(2, CaptureReader.TIME_UNKNOWN, LinkType.UNKNOWN, FIRST));
    }

    @Test
    void readsTheSameThroughAWindowOfAnySize() {
        byte[] pcapng = manyBlocks();
        for (int window : new int[] {4, 5, 16, 33, 100, 1_000}) {
            assertThat(read(pcapng, window)).isEqualTo(read(pcapng));
            for (String name : CaptureFiles.GOLDEN) {
                assertThat(read(golden(name), window)).isEqualTo(read(golden(name)));
            }
        }
    }

    private static byte[] manyBlocks() {
        var file = new PcapngBytes().section(ByteOrder.BIG_ENDIAN).describe(LinkType.ETHERNET, 0);
        var random = new SplittableRandom(5);
        for (int i = 0; i < 200; i++) {
            byte[] data = new byte[random.nextInt(200)];
            random.nextBytes(data);
            switch (random.nextInt(4)) {
                case 0 -> file.simple(data, data.length);
                case 1 -> file.block(0x0BAD, data);
                case 2 -> file.obsolete(0, 0, i, data);
                default -> file.enhanced(0, i, data);
            }
        }
        return file.bytes();
    }

    @Test
    void readsGzipOfOneMemberOrMany() {
        for (byte[] plain : new byte[][] {golden("geant_int10_reports"), manyBlocks()}) {
            assertThat(read(gzip(plain))).isEqualTo(read(plain));
            int half = plain.length / 2;
            byte[] rest = Arrays.copyOfRange(plain, half, plain.length);
            byte[] members = join(gzip(prefix(plain, half)), gzip(new byte[0]), gzip(rest));
            assertThat(read(members)).isEqualTo(read(plain));
            assertThat(read(members, 8)).isEqualTo(read(plain));
        }
    }

    @Test
    void readsALongFrameByLettingTheWindowGrow() {
        byte[] big = new byte[PcapFrames.MAX_FRAME];
        big[big.length - 1] = 7;
        var file = new PcapBytes(ByteOrder.LITTLE_ENDIAN, true, LinkType.ETHERNET)
                .frame(1, 0, FIRST)
                .frame(2, 0, big)
                .frame(3, 0, SECOND);
        assertThat(read(file.bytes(), 64).frames())
                .containsExactly(
                        frame(1, 1_000_000_000L, LinkType.ETHERNET, FIRST),
                        frame(2, 2_000_000_000L, LinkType.ETHERNET, big),
                        frame(3, 3_000_000_000L, LinkType.ETHERNET, SECOND));
    }

    @Test
    void takesLongerFramesWhereTheFileAnnouncesThem() {
        byte[] big = new byte[300_000];
        byte[] announced = new PcapBytes(ByteOrder.BIG_ENDIAN, true, LinkType.ETHERNET, 400_000)
                .frame(2, 0, big)
                .bytes();
        assertThat(read(announced).frames()).hasSize(1);
        byte[] not = new PcapBytes(ByteOrder.BIG_ENDIAN, true, LinkType.ETHERNET)
                .frame(2, 0, big)
                .bytes();
        assertThat(read(not).frames()).isEmpty();
    }

    @Test
    void everyPrefixGivesItsWholeFramesAndThenAnError() {
        byte[] pcap = golden("transparent_security_reports");
        assertEveryPrefix(pcap, read(pcap).frames(), pcapBoundaries(pcap));
        var file = new PcapngBytes().section(ByteOrder.LITTLE_ENDIAN);
        var boundaries = new TreeSet<Integer>(List.of(file.size()));
        file.describe(LinkType.ETHERNET, 0, 9, 0);
        boundaries.add(file.size());
        for (int i = 0; i < 5; i++) {
            boundaries.add(file.enhanced(0, i, FIRST).size());
            boundaries.add(file.block(0x0BAD, SECOND).size());
            boundaries.add(file.simple(SECOND, 4).size());
        }
        assertEveryPrefix(file.bytes(), read(file.bytes()).frames(), boundaries);
    }

    private static Set<Integer> pcapBoundaries(byte[] pcap) {
        var boundaries = new TreeSet<Integer>();
        for (int at = 24; at <= pcap.length; ) {
            boundaries.add(at);
            if (at == pcap.length) {
                break;
            }
            at += 16 + Byte.toUnsignedInt(pcap[at + 8]) + (Byte.toUnsignedInt(pcap[at + 9]) << 8);
        }
        return boundaries;
    }

    private static void assertEveryPrefix(byte[] file, List<Read> frames, Set<Integer> boundaries) {
        int complete = 0;
        for (int length = 1; length <= file.length; length++) {
            Outcome outcome = read(prefix(file, length));
            assertThat(outcome.frames())
                    .as("%d bytes", length)
                    .isEqualTo(frames.subList(0, outcome.frames().size()));
            assertThat(outcome.frames().size()).isBetween(complete, complete + 1);
            complete = outcome.frames().size();
            if (boundaries.contains(length)) {
                assertThat(outcome.error()).as("%d bytes", length).isNull();
            } else if (length < 4) {
                assertThat(outcome.error()).contains("not a capture file");
            } else {
                assertThat(outcome.error()).as("%d bytes", length).startsWith("x.pcap: cut short at offset ");
                assertThat(outcome.error())
                        .contains(
                                complete == 0
                                        ? "no frame"
                                        : complete == 1 ? "the frame" : "the " + complete + " frames");
            }
        }
        assertThat(complete).isEqualTo(frames.size());
    }

    @Test
    void everyPrefixOfAGzipFileGivesGoodFramesAndThenAnError() {
        byte[] plain = golden("transparent_security_reports");
        List<Read> frames = read(plain).frames();
        byte[] packed = gzip(plain);
        int complete = 0;
        for (int length = 2; length < packed.length; length++) {
            Outcome outcome = read(prefix(packed, length));
            assertThat(outcome.frames())
                    .isEqualTo(frames.subList(0, outcome.frames().size()));
            assertThat(outcome.frames().size()).isGreaterThanOrEqualTo(complete);
            complete = outcome.frames().size();
            assertThat(outcome.error()).as("%d bytes", length).contains("the gzip data is cut short at offset");
        }
        assertThat(complete).isEqualTo(frames.size());
    }

    @Test
    void endsWhateverTheBytes() {
        byte[][] good = {
            golden("geant_int10_reports"),
            manyBlocks(),
            gzip(golden("fabric_v05_reports")),
            new PcapngBytes()
                    .section(ByteOrder.BIG_ENDIAN)
                    .describe(LinkType.RAW, 0, 9, 0)
                    .enhanced(0, 7, FIRST)
                    .section(ByteOrder.LITTLE_ENDIAN)
                    .describe(LinkType.ETHERNET, 0, 0x8A, -1)
                    .enhanced(0, 7, SECOND)
                    .bytes(),
        };
        forAll(20_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            byte[] raw = good[random.nextInt(good.length)].clone();
            for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
                raw[random.nextInt(random.nextBoolean() ? raw.length : Math.min(raw.length, 100))] =
                        (byte) random.nextInt(256);
            }
            Outcome outcome = read(raw, 512);
            if (outcome.error() != null) {
                assertThat(outcome.error())
                        .as("seed %d", seed)
                        .startsWith("x.pcap: ")
                        .doesNotContain("\n");
            }
        });
    }

    @Test
    void tellsWhereThePacketStarts() throws IOException {
        byte[] ip = ipv4(17, udp(1, 2, FIRST));
        byte[] ip6 = ipv6(17, udp(1, 2, FIRST));
        byte[] file = new PcapngBytes()
                .section(ByteOrder.LITTLE_ENDIAN)
                .describe(LinkType.ETHERNET, 0)
                .describe(LinkType.LINUX_SLL2, 0)
                .describe(LinkType.RAW, 0)
                .describe(105, 0)
                .enhanced(0, 1, ethernet(0x0800, ip))
                .enhanced(1, 1, join(bytes("86dd 0000 00000002 0001 00 06 0200000000030000"), ip6))
                .enhanced(2, 1, ip)
                .enhanced(3, 1, ip)
                .bytes();
        try (CaptureReader reader = open(file)) {
            PacketStart[] starts = {PacketStart.ETHERNET, PacketStart.IPV6, PacketStart.IPV4, PacketStart.OTHER};
            int[] headers = {0, 20, 0, 0};
            for (int i = 0; i < starts.length; i++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.packetStart()).isEqualTo(starts[i]);
                assertThat(reader.packetOffset() - reader.offset()).isEqualTo(headers[i]);
            }
            assertThat(reader.next()).isFalse();
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void tellsHowFarItIs() throws IOException {
        byte[] plain = golden("geant_int10_reports");
        for (byte[] bytes : new byte[][] {plain, gzip(plain)}) {
            Path path = Files.write(directory.resolve("some.pcap"), bytes);
            try (CaptureReader reader = CaptureReader.open(path)) {
                assertThat(reader.totalBytes()).isEqualTo(bytes.length);
                assertThat(reader.bytesRead()).isBetween(1L, (long) bytes.length);
                while (reader.next()) {
                    assertThat(reader.bytesRead()).isLessThanOrEqualTo(bytes.length);
                }
                assertThat(reader.frame()).isEqualTo(6);
                assertThat(reader.bytesRead()).isEqualTo(bytes.length);
            }
        }
        try (CaptureReader reader = open(plain)) {
            assertThat(reader.totalBytes()).isEqualTo(-1);
            assertThat(reader.frame()).isZero();
        }
    }

    @Test
    void closesTheStreamAlsoWhenItIsNoCapture() throws IOException {
        boolean[] closed = {false};
        for (byte[] bytes : new byte[][] {golden("geant_int10_reports"), bytes("00"), gzip(bytes("00")), new byte[0]}) {
            closed[0] = false;
            InputStream stream = new ByteArrayInputStream(bytes) {
                @Override
                public void close() {
                    closed[0] = true;
                }
            };
            try (CaptureReader reader = CaptureReader.open(stream, "x.pcap")) {
                assertThat(reader.next()).isTrue();
            } catch (CaptureException e) {
                assertThat(e).hasMessageStartingWith("x.pcap: ");
            }
            assertThat(closed[0]).isTrue();
        }
    }

    @Test
    void readsOnWithoutAllocating() throws IOException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var pcap = new PcapBytes(ByteOrder.LITTLE_ENDIAN, true, LinkType.ETHERNET);
        var pcapng = new PcapngBytes().section(ByteOrder.LITTLE_ENDIAN).describe(LinkType.ETHERNET, 0);
        byte[] frame = ethernet(0x0800, ipv4(17, udp(1, 8555, FIRST)));
        for (int i = 0; i < 50_000; i++) {
            pcap.frame(i, 0, frame);
            pcapng.enhanced(0, i, frame);
        }
        for (byte[] file : new byte[][] {pcap.bytes(), pcapng.bytes()}) {
            try (CaptureReader reader = open(file)) {
                long before = 0;
                while (reader.next()) {
                    if (reader.frame() == 1_000) {
                        before = threads.getCurrentThreadAllocatedBytes();
                    }
                }
                assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
                assertThat(reader.frame()).isEqualTo(50_000);
            }
        }
    }
}
