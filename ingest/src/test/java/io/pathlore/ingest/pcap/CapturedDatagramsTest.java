package io.pathlore.ingest.pcap;

import static io.pathlore.ingest.pcap.CaptureFiles.golden;
import static io.pathlore.ingest.pcap.CaptureFiles.open;
import static io.pathlore.ingest.pcap.CaptureFiles.prefix;
import static io.pathlore.testkit.FrameBytes.SOURCE_V4;
import static io.pathlore.testkit.FrameBytes.SOURCE_V6_HI;
import static io.pathlore.testkit.FrameBytes.ethernet;
import static io.pathlore.testkit.FrameBytes.extension;
import static io.pathlore.testkit.FrameBytes.ipv4;
import static io.pathlore.testkit.FrameBytes.ipv6;
import static io.pathlore.testkit.FrameBytes.ipv6Fragment;
import static io.pathlore.testkit.FrameBytes.udp;
import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.pathlore.testkit.Hex;
import io.pathlore.testkit.PcapBytes;
import io.pathlore.testkit.PcapngBytes;
import io.pathlore.wire.pcap.LinkType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapturedDatagramsTest {
    private static final byte[] REPORT = bytes("20000040 00000159");
    private static final int PORT = 8555;

    private static PcapBytes pcap() {
        return new PcapBytes(ByteOrder.LITTLE_ENDIAN, true, LinkType.ETHERNET);
    }

    private static CapturedDatagrams over(PcapBytes file) throws CaptureException {
        return CapturedDatagrams.toPorts(open(file.bytes()), List.of(PORT));
    }

    private static byte[] payload(CapturedDatagrams datagrams) {
        byte[] payload = new byte[datagrams.end() - datagrams.offset()];
        datagrams.buffer().get(datagrams.offset(), payload);
        return payload;
    }

    /** Reads to the end and checks the books after every step. */
    private static List<byte[]> readAll(CapturedDatagrams datagrams) throws CaptureException {
        var payloads = new ArrayList<byte[]>();
        while (datagrams.next()) {
            payloads.add(payload(datagrams));
            assertBalanced(datagrams);
        }
        assertBalanced(datagrams);
        assertThat(datagrams.fragmentsPending()).isZero();
        assertThat(datagrams.datagrams()).isEqualTo(payloads.size());
        return payloads;
    }

    private static void assertBalanced(CapturedDatagrams datagrams) {
        long ends = datagrams.datagrams()
                + datagrams.otherPort()
                + datagrams.nonUdp()
                + datagrams.unsupportedLinkType()
                + datagrams.unreadable()
                + datagrams.fragmentsJoined()
                + datagrams.fragmentsIncomplete()
                + datagrams.fragmentsPending();
        assertThat(ends).isEqualTo(datagrams.frames());
    }

    /** Facts about the captures in the resources, taken from them with another program. */
    @ParameterizedTest
    @CsvSource({
        "fabric_v05_reports,           32766, 8, 0, c0a86301, 70,  02200002, 1700001000000000000",
        "geant_int10_reports,          8555,  6, 0, 0afe0405, 230, 14000040, 1794768844973039000",
        "onos_basic_int10_reports,     8555,  6, 0, 0afe00cc, 178, 14001001, 1794767609832470000",
        "p4int_md_v20_reports,         8555,  3, 0, 0afe0133, 210, 20400000, 1794768895793378000",
        "p4int_mx_v20_reports,         8555,  6, 0, 0afe0111, 110, 10400000, 1794768594773637000",
        "transparent_security_reports, 556,   8, 8, 0a030001, 119, 20000040, 1794767904037126000",
        "transparent_security_tofino,  8555,  5, 0, 0a3700ea, 132, 23411040, 1700000000000000000",
    })
    void readsTheReportsOfOtherPeoplesSwitches(
            String name, int port, int count, int clamped, String source, int length, String start, long time)
            throws CaptureException {
        var datagrams = CapturedDatagrams.toPorts(open(golden(name)), List.of(port));
        int clampedSeen = 0;
        for (int i = 1; i <= count; i++) {
            assertThat(datagrams.next()).isTrue();
            assertThat(datagrams.frame()).isEqualTo(i);
            assertThat(datagrams.destinationPort()).isEqualTo(port);
            assertThat(datagrams.v6()).isFalse();
            clampedSeen += datagrams.clamped() ? 1 : 0;
            if (i == 1) {
                assertThat(datagrams.sourceLo()).isEqualTo(Long.parseLong(source, 16));
                assertThat(datagrams.timeNanos()).isEqualTo(time);
                assertThat(payload(datagrams)).hasSize(length).startsWith(bytes(start));
            }
        }
        assertThat(datagrams.next()).isFalse();
        assertThat(clampedSeen).isEqualTo(clamped);
        assertThat(datagrams.datagrams()).isEqualTo(count);
        assertBalanced(datagrams);
    }

    /** Frames 7 and 8 were cut to 200 bytes after the lengths in them were set. */
    @Test
    void aReportThatItsSwitchCutEndsWithItsFrame() throws CaptureException {
        var datagrams = CapturedDatagrams.toPorts(open(golden("transparent_security_reports")), List.of(556));
        List<byte[]> payloads = readAll(datagrams);
        assertThat(payloads)
                .extracting(payload -> payload.length)
                .containsExactly(119, 119, 122, 139, 142, 156, 158, 158);
    }

    /** Linux's IOAM packets: hop-by-hop options, then UDP to the port of whatever was traced. */
    @Test
    void findsUdpBehindHopByHopOptions() throws CaptureException {
        var datagrams = CapturedDatagrams.toAnyPort(open(golden("linux_ioam_packets")));
        assertThat(datagrams.next()).isTrue();
        assertThat(datagrams.v6()).isTrue();
        assertThat(datagrams.sourceHi()).isEqualTo(0xFD00_0006_0000_0000L);
        assertThat(datagrams.destinationHi()).isEqualTo(0xFD00_0006_0003_0000L);
        assertThat(datagrams.destinationPort()).isEqualTo(8001);
        assertThat(payload(datagrams)).isEqualTo("ioam-basic-0".getBytes(StandardCharsets.US_ASCII));
        assertThat(datagrams.clamped()).isFalse();
    }

    @Test
    void everyFrameEndsInOneCounter() throws CaptureException {
        byte[] report = ethernet(0x0800, ipv4(17, udp(1, PORT, REPORT)));
        byte[] file = new PcapngBytes()
                .section(ByteOrder.LITTLE_ENDIAN)
                .describe(LinkType.ETHERNET, 0)
                .describe(105, 0)
                .enhanced(0, 1, report)
                .enhanced(0, 2, ethernet(0x0800, ipv4(17, udp(1, 53, REPORT))))
                .enhanced(0, 3, ethernet(0x0800, ipv4(6, REPORT)))
                .enhanced(0, 4, ethernet(0x0806, REPORT))
                .enhanced(0, 5, prefix(report, 30))
                .enhanced(1, 6, report)
                .enhanced(9, 6, report)
                .enhanced(0, 7, ethernet(0x0800, ipv4(1, 0x2000, 17, REPORT)))
                .simple(report, report.length)
                .bytes();
        var datagrams = CapturedDatagrams.toPorts(open(file), List.of(PORT, 556));
        assertThat(readAll(datagrams)).hasSize(2);
        assertThat(datagrams.frames()).isEqualTo(9);
        assertThat(datagrams.otherPort()).isEqualTo(1);
        assertThat(datagrams.nonUdp()).isEqualTo(2);
        assertThat(datagrams.unreadable()).isEqualTo(1);
        assertThat(datagrams.unsupportedLinkType()).isEqualTo(2);
        assertThat(datagrams.fragmentsSeen()).isEqualTo(1);
        assertThat(datagrams.fragmentsIncomplete()).isEqualTo(1);
        assertThat(datagrams.timeNanos()).isEqualTo(CaptureReader.TIME_UNKNOWN);
    }

    @Test
    void theBooksBalanceAlsoWhenTheFileIsCut() throws CaptureException {
        byte[] file = pcap().frame(1, 0, ethernet(0x0800, ipv4(1, 0x2000, 17, REPORT)))
                .frame(2, 0, ethernet(0x0800, ipv4(17, udp(1, PORT, REPORT))))
                .frame(3, 0, REPORT)
                .bytes();
        var datagrams = CapturedDatagrams.toAnyPort(open(prefix(file, file.length - 1)));
        assertThat(datagrams.next()).isTrue();
        assertThat(datagrams.fragmentsPending()).isEqualTo(1);
        assertBalanced(datagrams);
        assertThatThrownBy(datagrams::next).hasMessageContaining("the 2 frames before it were read");
        assertThat(datagrams.fragmentsPending()).isZero();
        assertThat(datagrams.fragmentsIncomplete()).isEqualTo(1);
        assertThat(datagrams.frames()).isEqualTo(2);
        assertBalanced(datagrams);
    }

    @Test
    void takesEveryPortAndNothingElse() throws CaptureException {
        CaptureReader reader = open(pcap().frame(1, 0, ethernet(0x0800, ipv4(17, udp(1, 0, REPORT))))
                .frame(2, 0, ethernet(0x0800, ipv4(17, udp(1, 65_535, REPORT))))
                .bytes());
        assertThat(readAll(CapturedDatagrams.toPorts(reader, List.of(0, 65_535))))
                .hasSize(2);
        for (int port : new int[] {-1, 65_536, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> CapturedDatagrams.toPorts(reader, List.of(port)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static byte[] big(int length) {
        byte[] payload = new byte[length];
        new SplittableRandom(length).nextBytes(payload);
        return payload;
    }

    /** A UDP datagram in IPv4 fragments of that size. */
    private static List<byte[]> fragmentsV4(int id, byte[] packet, int size) {
        var fragments = new ArrayList<byte[]>();
        for (int at = 0; at < packet.length; at += size) {
            int end = Math.min(at + size, packet.length);
            int flags = (end < packet.length ? 0x2000 : 0) | at / 8;
            fragments.add(ethernet(0x0800, ipv4(id, flags, 17, Arrays.copyOfRange(packet, at, end))));
        }
        return fragments;
    }

    private static List<byte[]> fragmentsV6(int id, int nextHeader, byte[] packet, int size) {
        var fragments = new ArrayList<byte[]>();
        for (int at = 0; at < packet.length; at += size) {
            int end = Math.min(at + size, packet.length);
            byte[] part = Arrays.copyOfRange(packet, at, end);
            fragments.add(ethernet(0x86DD, ipv6(44, ipv6Fragment(nextHeader, at, end < packet.length, id, part))));
        }
        return fragments;
    }

    private static PcapBytes file(List<byte[]> frames) {
        var file = pcap();
        for (int i = 0; i < frames.size(); i++) {
            file.frame(i / 1_000, i % 1_000, frames.get(i));
        }
        return file;
    }

    @Test
    void putsFragmentsTogether() throws CaptureException {
        byte[] payload = big(4_000);
        List<byte[]> frames = fragmentsV4(7, udp(1, PORT, payload), 1_480);
        var datagrams = over(file(frames));
        assertThat(datagrams.next()).isTrue();
        assertThat(payload(datagrams)).isEqualTo(payload);
        assertThat(datagrams.reassembled()).isTrue();
        assertThat(datagrams.clamped()).isFalse();
        assertThat(datagrams.frame()).isEqualTo(3);
        assertThat(datagrams.timeNanos()).isEqualTo(2);
        assertThat(datagrams.sourceLo()).isEqualTo(SOURCE_V4);
        assertThat(datagrams.next()).isFalse();
        assertThat(datagrams.fragmentsSeen()).isEqualTo(3);
        assertThat(datagrams.fragmentsJoined()).isEqualTo(2);
        assertThat(datagrams.fragmentsIncomplete()).isZero();
        assertBalanced(datagrams);
    }

    @Test
    void putsIpv6FragmentsTogetherAlsoBehindTheirOwnOptions() throws CaptureException {
        byte[] payload = big(3_001);
        var frames = new ArrayList<>(fragmentsV6(0xFEDCBA98, 17, udp(1, PORT, payload), 1_448));
        frames.addAll(fragmentsV6(0xFEDCBA99, 60, extension(17, udp(1, PORT, payload)), 1_448));
        var datagrams = over(file(frames));
        assertThat(datagrams.next()).isTrue();
        assertThat(datagrams.v6()).isTrue();
        assertThat(datagrams.sourceHi()).isEqualTo(SOURCE_V6_HI);
        assertThat(payload(datagrams)).isEqualTo(payload);
        assertThat(datagrams.next()).isTrue();
        assertThat(payload(datagrams)).isEqualTo(payload);
        assertThat(datagrams.next()).isFalse();
        assertBalanced(datagrams);
    }

    /** Both families, any sizes, many packets at once, in any order and some of it twice. */
    @Test
    void putsFragmentsTogetherInWhateverOrderTheyCome() throws CaptureException {
        forAll(300, RandomGenerator::nextLong, seed -> {
            var random = new Random(seed);
            var frames = new ArrayList<byte[]>();
            var sent = new ArrayList<String>();
            int packets = 1 + random.nextInt(Reassembly.MAX_PACKETS);
            for (int id = 0; id < packets; id++) {
                byte[] payload = new byte[50 + random.nextInt(random.nextInt(20) == 0 ? 65_000 : 3_000)];
                random.nextBytes(payload);
                int size = 8 * (1 + random.nextInt(payload.length > 3_000 ? 1_000 : 5));
                byte[] packet = udp(id, PORT, payload);
                if (size >= packet.length) {
                    continue;
                }
                frames.addAll(random.nextBoolean() ? fragmentsV4(id, packet, size) : fragmentsV6(id, 17, packet, size));
                sent.add(Hex.text(payload));
            }
            Collections.shuffle(frames, random);
            // A second copy right behind the first, of any but the last: that one may come to a packet already
            // delivered.
            var twice = new ArrayList<byte[]>();
            for (int i = 0; i < frames.size(); i++) {
                twice.add(frames.get(i));
                if (i < frames.size() / 4) {
                    twice.add(frames.get(random.nextInt(i + 1)));
                }
            }
            var datagrams = over(file(twice));
            var received = new ArrayList<String>();
            while (datagrams.next()) {
                received.add(Hex.text(payload(datagrams)));
            }
            assertBalanced(datagrams);
            assertThat(received).as("seed %d", seed).containsAll(sent);
            assertThat(datagrams.frames()).isEqualTo(twice.size());
        });
    }

    @Test
    void aFragmentThatNeverComesIsCounted() throws CaptureException {
        byte[] payload = big(4_000);
        for (int lost = 0; lost < 3; lost++) {
            List<byte[]> frames = fragmentsV4(7, udp(1, PORT, payload), 1_480);
            frames.remove(lost);
            var datagrams = over(file(frames));
            assertThat(readAll(datagrams)).isEmpty();
            assertThat(datagrams.fragmentsIncomplete()).isEqualTo(2);
        }
    }

    @Test
    void whatWaitsLongerThanThirtySecondsIsGivenUp() throws CaptureException {
        List<byte[]> frames = fragmentsV4(7, udp(1, PORT, big(2_000)), 1_480);
        for (int seconds : new int[] {30, 31}) {
            var datagrams = over(pcap().frame(100, 0, frames.get(0)).frame(100 + seconds, 0, frames.get(1)));
            assertThat(readAll(datagrams)).hasSize(seconds == 30 ? 1 : 0);
            assertThat(datagrams.fragmentsIncomplete()).isEqualTo(seconds == 30 ? 0 : 2);
        }
    }

    @Test
    void theOldestMakesRoom() throws CaptureException {
        var frames = new ArrayList<byte[]>();
        for (int id = 0; id <= Reassembly.MAX_PACKETS; id++) {
            frames.add(fragmentsV4(id, udp(1, PORT, big(2_000)), 1_480).get(0));
        }
        // The second oldest is still there. The oldest is not, and its rest drives out another.
        frames.add(fragmentsV4(1, udp(1, PORT, big(2_000)), 1_480).get(1));
        frames.add(fragmentsV4(0, udp(1, PORT, big(2_000)), 1_480).get(1));
        var datagrams = over(file(frames));
        assertThat(readAll(datagrams)).hasSize(1);
        assertThat(datagrams.fragmentsJoined()).isEqualTo(1);
        assertThat(datagrams.fragmentsIncomplete()).isEqualTo(Reassembly.MAX_PACKETS + 1);
    }

    @Test
    void packetsThatDifferInTheirProtocolOrHostsAreNotMixed() throws CaptureException {
        byte[] packet = udp(1, PORT, big(2_000));
        var frames = new ArrayList<byte[]>();
        frames.add(fragmentsV4(7, packet, 1_480).get(0));
        byte[] otherSource = fragmentsV4(7, packet, 1_480).get(1);
        otherSource[29] ^= 1;
        frames.add(otherSource);
        byte[] otherProtocol = fragmentsV4(7, packet, 1_480).get(1);
        otherProtocol[23] = 51;
        frames.add(otherProtocol);
        var datagrams = over(file(frames));
        assertThat(readAll(datagrams)).isEmpty();
        assertThat(datagrams.fragmentsIncomplete()).isEqualTo(3);
    }

    @Test
    void whereIpv4FragmentsOverlapTheFirstWins() throws CaptureException {
        byte[] packet = udp(1, PORT, big(100));
        byte[] forged = packet.clone();
        Arrays.fill(forged, 8, forged.length, (byte) 0xEE);
        byte[] first = ethernet(0x0800, ipv4(7, 0x2000, 17, Arrays.copyOf(packet, 56)));
        byte[] overlapping = ethernet(0x0800, ipv4(7, 0x2000 | 3, 17, Arrays.copyOfRange(forged, 24, 72)));
        byte[] last = ethernet(0x0800, ipv4(7, 7, 17, Arrays.copyOfRange(packet, 56, 108)));
        var datagrams = over(file(List.of(first, overlapping, last)));
        assertThat(datagrams.next()).isTrue();
        byte[] expected = Arrays.copyOfRange(packet, 8, 108);
        Arrays.fill(expected, 48, 64, (byte) 0xEE);
        assertThat(payload(datagrams)).isEqualTo(expected);
        assertThat(datagrams.next()).isFalse();
        assertBalanced(datagrams);
    }

    /** [RFC 5722]: and what still comes of it must not start it anew. */
    @Test
    void whereIpv6FragmentsOverlapThePacketIsGivenUp() throws CaptureException {
        byte[] packet = udp(1, PORT, big(100));
        List<byte[]> parts = fragmentsV6(7, 17, packet, 56);
        byte[] overlapping =
                ethernet(0x86DD, ipv6(44, ipv6Fragment(17, 24, true, 7, Arrays.copyOfRange(packet, 24, 72))));
        var datagrams = over(file(List.of(parts.get(0), overlapping, parts.get(1), parts.get(0), parts.get(1))));
        assertThat(readAll(datagrams)).isEmpty();
        assertThat(datagrams.fragmentsIncomplete()).isEqualTo(5);
    }

    @Test
    void anIpv6FragmentThatComesTwiceIsNoOverlap() throws CaptureException {
        byte[] payload = big(100);
        List<byte[]> parts = fragmentsV6(7, 17, udp(1, PORT, payload), 56);
        var datagrams = over(file(List.of(parts.get(0), parts.get(0), parts.get(1))));
        assertThat(readAll(datagrams)).containsExactly(payload);
        assertThat(datagrams.fragmentsJoined()).isEqualTo(2);
        byte[] changed = parts.get(0).clone();
        changed[changed.length - 1] ^= 1;
        datagrams = over(file(List.of(parts.get(0), changed, parts.get(1))));
        assertThat(readAll(datagrams)).isEmpty();
    }

    @Test
    void fragmentsThatContradictEachOtherAreGivenUp() throws CaptureException {
        byte[] packet = udp(1, PORT, big(200));
        byte[] start = ethernet(0x0800, ipv4(7, 0x2000, 17, Arrays.copyOf(packet, 56)));
        byte[] endsHere = ethernet(0x0800, ipv4(7, 7, 17, Arrays.copyOfRange(packet, 56, 100)));
        byte[] endsThere = ethernet(0x0800, ipv4(7, 7, 17, Arrays.copyOfRange(packet, 56, 101)));
        byte[] goesOn = ethernet(0x0800, ipv4(7, 0x2000 | 7, 17, Arrays.copyOfRange(packet, 56, 152)));
        byte[] tooFar = ethernet(0x0800, ipv4(7, 0x1FFF, 17, Arrays.copyOf(packet, 80)));
        for (List<byte[]> frames : List.of(
                List.of(endsHere, endsThere, start),
                List.of(endsHere, goesOn, start),
                List.of(goesOn, endsHere, start),
                List.of(tooFar, start, endsHere))) {
            var datagrams = over(file(frames));
            assertThat(readAll(datagrams)).isEmpty();
            assertThat(datagrams.fragmentsIncomplete()).isEqualTo(3);
        }
    }

    /** The capture kept only the start of each frame: of the last fragment that is the report's end, else a hole. */
    @Test
    void aCutLastFragmentClampsTheDatagram() throws CaptureException {
        byte[] payload = big(2_000);
        List<byte[]> parts = fragmentsV4(7, udp(1, PORT, payload), 1_480);
        byte[] cut = prefix(parts.get(1), parts.get(1).length - 9);
        var datagrams = over(file(List.of(parts.get(0), cut)));
        assertThat(datagrams.next()).isTrue();
        assertThat(payload(datagrams)).isEqualTo(prefix(payload, 1_991));
        assertThat(datagrams.clamped()).isTrue();
        datagrams = over(file(List.of(prefix(parts.get(0), 1_000), parts.get(1))));
        assertThat(readAll(datagrams)).isEmpty();
        assertThat(datagrams.fragmentsIncomplete()).isEqualTo(2);
    }

    /** The IP length of the first fragment is 0, as a sender's network card leaves it: all of the frame. */
    @Test
    void aClampedFragmentClampsTheDatagram() throws CaptureException {
        byte[] payload = big(2_000);
        List<byte[]> parts = fragmentsV4(7, udp(1, PORT, payload), 1_480);
        parts.get(0)[16] = 0;
        parts.get(0)[17] = 0;
        var datagrams = over(file(parts));
        assertThat(datagrams.next()).isTrue();
        assertThat(payload(datagrams)).isEqualTo(payload);
        assertThat(datagrams.clamped()).isTrue();
    }

    @Test
    void aReassembledDatagramToAnotherPortCountsAsOne() throws CaptureException {
        var frames = new ArrayList<>(fragmentsV4(7, udp(1, 53, big(2_000)), 1_480));
        frames.addAll(fragmentsV6(8, 60, extension(6, big(2_000)), 1_480));
        frames.addAll(fragmentsV6(9, 60, extension(44, ipv6Fragment(17, 8, false, 1, big(2_000))), 1_480));
        var datagrams = over(file(frames));
        assertThat(readAll(datagrams)).isEmpty();
        assertThat(datagrams.otherPort()).isEqualTo(1);
        assertThat(datagrams.nonUdp()).isEqualTo(1);
        assertThat(datagrams.unreadable()).isEqualTo(1);
        assertThat(datagrams.fragmentsJoined()).isEqualTo(3);
    }

    @Test
    void theBooksBalanceWhateverTheBytes() throws IOException {
        var good = new ArrayList<byte[]>();
        good.addAll(fragmentsV4(7, udp(1, PORT, big(300)), 64));
        good.addAll(fragmentsV6(7, 17, udp(1, PORT, big(300)), 64));
        good.add(ethernet(0x0800, ipv4(17, udp(1, PORT, REPORT))));
        forAll(2_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            var file = pcap();
            for (int i = 0; i < 60; i++) {
                byte[] frame = good.get(random.nextInt(good.size())).clone();
                if (random.nextInt(3) == 0) {
                    frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
                }
                file.frame(random.nextInt(40), 0, prefix(frame, frame.length - random.nextInt(2)));
            }
            readAll(over(file));
        });
    }

    @Test
    void readsOnWithoutAllocating() throws CaptureException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var file = pcap();
        List<byte[]> parts = fragmentsV4(7, udp(1, PORT, big(2_000)), 1_480);
        for (int i = 0; i < 10_000; i++) {
            file.frame(i, 0, ethernet(0x0800, ipv4(17, udp(1, PORT, REPORT))));
            file.frame(i, 1, parts.get(0));
            file.frame(i, 2, parts.get(1));
        }
        var datagrams = over(file);
        long before = 0;
        while (datagrams.next()) {
            if (datagrams.datagrams() == 1_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
        }
        assertThat(datagrams.datagrams()).isEqualTo(20_000);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
    }
}
