package io.pathlore.wire.net;

import static io.pathlore.testkit.FrameBytes.DESTINATION_V4;
import static io.pathlore.testkit.FrameBytes.DESTINATION_V6_HI;
import static io.pathlore.testkit.FrameBytes.DESTINATION_V6_LO;
import static io.pathlore.testkit.FrameBytes.SOURCE_V4;
import static io.pathlore.testkit.FrameBytes.SOURCE_V6_HI;
import static io.pathlore.testkit.FrameBytes.SOURCE_V6_LO;
import static io.pathlore.testkit.FrameBytes.ethernet;
import static io.pathlore.testkit.FrameBytes.extension;
import static io.pathlore.testkit.FrameBytes.ipv4;
import static io.pathlore.testkit.FrameBytes.ipv6;
import static io.pathlore.testkit.FrameBytes.ipv6Fragment;
import static io.pathlore.testkit.FrameBytes.join;
import static io.pathlore.testkit.FrameBytes.mplsLabel;
import static io.pathlore.testkit.FrameBytes.udp;
import static io.pathlore.testkit.FrameBytes.vlan;
import static io.pathlore.testkit.Hex.bytes;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.testkit.Poison;
import io.pathlore.wire.net.OuterHeaders.Kind;
import io.pathlore.wire.pcap.LinkType;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OuterHeadersTest {
    private static final byte[] PAYLOAD = bytes("2000 0040 0000 0159");
    private final OuterHeaders headers = new OuterHeaders();
    private byte[] frame = new byte[0];

    private Kind wrap(byte[] frame) {
        return wrap(LinkType.ETHERNET, frame);
    }

    private Kind wrap(int linkType, byte[] frame) {
        this.frame = frame;
        return headers.wrap(linkType, ByteBuffer.wrap(frame), 0, frame.length);
    }

    private byte[] payload() {
        return Arrays.copyOfRange(frame, headers.payloadOffset(), headers.payloadEnd());
    }

    private void assertPayload(byte[] frame, boolean clamped) {
        assertThat(wrap(frame)).isEqualTo(Kind.UDP);
        assertThat(payload()).isEqualTo(PAYLOAD);
        assertThat(headers.clamped()).isEqualTo(clamped);
    }

    /** Headers as a BMv2 switch sent them, the report cut to 8 octets and lengths and checksum made to fit. */
    @Test
    void decodesAFrameFromASwitch() {
        byte[] golden = bytes("02cc00000001 02aa00000005 0800 4500 0024 0000 0000 4011 5bcb 0afe0405 0afe04fe"
                + "0000 216b 0010 0000 1400 0040 0000 03ed");
        assertThat(wrap(golden)).isEqualTo(Kind.UDP);
        assertThat(headers.isUdp()).isTrue();
        assertThat(headers.isFragment()).isFalse();
        assertThat(headers.v6()).isFalse();
        assertThat(headers.sourceHi()).isZero();
        assertThat(headers.sourceLo()).isEqualTo(0x0AFE_0405L);
        assertThat(headers.destinationHi()).isZero();
        assertThat(headers.destinationLo()).isEqualTo(0x0AFE_04FEL);
        assertThat(headers.protocol()).isEqualTo(17);
        assertThat(headers.sourcePort()).isZero();
        assertThat(headers.destinationPort()).isEqualTo(8555);
        assertThat(headers.udpLengthField()).isEqualTo(16);
        assertThat(headers.ipOffset()).isEqualTo(14);
        assertThat(headers.payloadOffset()).isEqualTo(42);
        assertThat(headers.payloadEnd()).isEqualTo(50);
        assertThat(headers.excessLength()).isZero();
        assertThat(headers.clamped()).isFalse();
    }

    @Test
    void keepsTheTopBitsOfAddressesAndPorts() {
        byte[] golden = bytes("4500 001c 0000 4000 4011 0000 fffefdfc fbfaf9f8 fff0 8001 0008 0000");
        assertThat(wrap(LinkType.RAW, golden)).isEqualTo(Kind.UDP);
        assertThat(headers.sourceLo()).isEqualTo(0xFFFE_FDFCL);
        assertThat(headers.destinationLo()).isEqualTo(0xFBFA_F9F8L);
        assertThat(headers.sourcePort()).isEqualTo(0xFFF0);
        assertThat(headers.destinationPort()).isEqualTo(0x8001);
        assertThat(payload()).isEmpty();
        assertThat(headers.clamped()).isFalse();
    }

    @Test
    void readsBothHalvesOfIpv6Addresses() {
        assertPayload(ethernet(0x86DD, ipv6(17, udp(0xFFFE, 556, PAYLOAD))), false);
        assertThat(headers.v6()).isTrue();
        assertThat(headers.sourceHi()).isEqualTo(SOURCE_V6_HI);
        assertThat(headers.sourceLo()).isEqualTo(SOURCE_V6_LO);
        assertThat(headers.destinationHi()).isEqualTo(DESTINATION_V6_HI);
        assertThat(headers.destinationLo()).isEqualTo(DESTINATION_V6_LO);
        assertThat(headers.sourcePort()).isEqualTo(0xFFFE);
        assertThat(headers.destinationPort()).isEqualTo(556);
    }

    @Test
    void anIpv4AddressAfterAnIpv6OneHasNoUpperHalf() {
        wrap(ethernet(0x86DD, ipv6(17, udp(1, 2, PAYLOAD))));
        wrap(ethernet(0x0800, ipv4(17, udp(1, 2, PAYLOAD))));
        assertThat(headers.v6()).isFalse();
        assertThat(headers.sourceHi()).isZero();
        assertThat(headers.sourceLo()).isEqualTo(SOURCE_V4);
        assertThat(headers.destinationHi()).isZero();
        assertThat(headers.destinationLo()).isEqualTo(DESTINATION_V4);
    }

    @Test
    void findsTheDatagramUnderTagsAndLabels() {
        byte[] ip = ipv4(17, udp(1, 8555, PAYLOAD));
        assertPayload(ethernet(0x88A8, vlan(5, 0x8100, vlan(6, 0x0800, ip))), false);
        assertPayload(ethernet(0x8847, mplsLabel(100, true, ip)), false);
        assertThat(wrap(LinkType.LINUX_SLL2, join(bytes("0800 0000 00000002 0001 00 06 0200000000030000"), ip)))
                .isEqualTo(Kind.UDP);
        assertThat(payload()).isEqualTo(PAYLOAD);
    }

    @Test
    void stepsOverIpv4Options() {
        byte[] ip = bytes("4700 002c 0000 4000 4011 0000 0a000003 c0000209 94040000 01010100");
        assertPayload(ethernet(0x0800, join(ip, udp(1, 8555, PAYLOAD))), false);
    }

    @Test
    void stepsOverIpv6ExtensionHeaders() {
        byte[] udp = udp(1, 8555, PAYLOAD);
        for (int header : new int[] {0, 43, 60, 135, 139, 140}) {
            assertPayload(ethernet(0x86DD, ipv6(header, extension(17, udp))), false);
        }
        byte[] longOptions = join(bytes("1101 010c 000000000000000000000000"), udp);
        assertPayload(ethernet(0x86DD, ipv6(0, extension(43, extension(60, longOptions)))), false);
        byte[] authentication = join(bytes("1104 0000 00000001 00000002 000000000000000000000000"), udp);
        assertPayload(ethernet(0x86DD, ipv6(51, authentication)), false);
        assertPayload(ethernet(0x0800, ipv4(51, authentication)), false);
    }

    @Test
    void extensionHeadersWithoutEndAreUnreadable() {
        byte[] packet = udp(1, 8555, PAYLOAD);
        int next = 17;
        for (int i = 0; i < 8; i++) {
            packet = extension(next, packet);
            next = 60;
        }
        assertPayload(ethernet(0x86DD, ipv6(60, packet)), false);
        assertThat(wrap(ethernet(0x86DD, ipv6(60, extension(60, packet))))).isEqualTo(Kind.UNREADABLE);
        assertThat(wrap(ethernet(0x86DD, ipv6(60, bytes("11ff 0000 00000000")))))
                .isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void anExtensionHeaderLongerThanThePacketIsUnreadable() {
        byte[] tcpBehind = bytes("0601 0000 00000000");
        assertThat(wrap(ethernet(0x86DD, ipv6(60, tcpBehind)))).isEqualTo(Kind.UNREADABLE);
        assertThat(wrap(ethernet(0x86DD, ipv6(60, join(tcpBehind, new byte[7])))))
                .isEqualTo(Kind.UNREADABLE);
        assertThat(wrap(ethernet(0x86DD, ipv6(60, join(tcpBehind, new byte[8])))))
                .isEqualTo(Kind.OTHER_PROTOCOL);
    }

    @Test
    void aHeaderMayEndWithTheFrame() {
        assertThat(wrap(ethernet(0x0800, ipv4(6, new byte[0])))).isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(ethernet(0x86DD, ipv6(6, new byte[0])))).isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(ethernet(0x0800, ipv4(17, udp(1, 2, new byte[0]))))).isEqualTo(Kind.UDP);
        assertThat(wrap(ethernet(0x0800, new byte[0]))).isEqualTo(Kind.UNREADABLE);
        assertThat(wrap(ethernet(0x0806, new byte[0]))).isEqualTo(Kind.OTHER_PROTOCOL);
    }

    @Test
    void whatIsNotUdpIsAnotherProtocol() {
        assertThat(wrap(ethernet(0x0806, bytes("0001 0800")))).isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(ethernet(0x0800, ipv4(6, PAYLOAD)))).isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(headers.protocol()).isEqualTo(6);
        assertThat(wrap(ethernet(0x86DD, ipv6(58, PAYLOAD)))).isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(ethernet(0x86DD, ipv6(59, new byte[0])))).isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(ethernet(0x0800, ipv4(1, 0x2000, 6, PAYLOAD)))).isEqualTo(Kind.OTHER_PROTOCOL);
        // Hop-by-hop options are IPv6's; the same number in IPv4 is nothing we know.
        assertThat(wrap(ethernet(0x0800, ipv4(0, extension(17, udp(1, 2, PAYLOAD))))))
                .isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(LinkType.UNKNOWN, PAYLOAD)).isEqualTo(Kind.UNSUPPORTED_LINK_TYPE);
    }

    /** The reports of Transparent Security: IP length right, UDP length counted from something else. */
    @Test
    void aUdpLengthBeyondIpEndsWithIp() {
        byte[] ip = ipv4(17, udp(0, 556, 65_516, PAYLOAD));
        assertPayload(ethernet(0x0800, ip), true);
        assertThat(headers.udpLengthField()).isEqualTo(65_516);
        assertPayload(ethernet(0x0800, join(ip, bytes("0000 0000"))), true);
    }

    @Test
    void anIpLengthBeyondTheFrameEndsWithTheFrame() {
        byte[] whole = ethernet(0x0800, ipv4(17, udp(0, 556, join(PAYLOAD, new byte[90]))));
        assertPayload(Arrays.copyOf(whole, whole.length - 90), true);
        whole = ethernet(0x86DD, ipv6(17, udp(0, 556, join(PAYLOAD, new byte[90]))));
        assertPayload(Arrays.copyOf(whole, whole.length - 90), true);
    }

    @Test
    void anIpLengthOfNothingIsTheRestOfTheFrame() {
        byte[] v4 = ethernet(0x0800, ipv4(17, udp(0, 556, PAYLOAD)));
        v4[17] = 0;
        assertPayload(v4, true);
        v4[17] = 19;
        assertPayload(v4, true);
        byte[] v6 = ethernet(0x86DD, ipv6(17, udp(0, 556, PAYLOAD)));
        v6[19] = 0;
        assertPayload(v6, true);
    }

    @Test
    void aUdpLengthThatCannotBeIsTheRestOfThePacket() {
        for (int length = 0; length < 8; length++) {
            assertPayload(ethernet(0x0800, join(ipv4(17, udp(0, 556, length, PAYLOAD)), bytes("0000"))), true);
        }
    }

    @Test
    void paddingIsNotPayload() {
        assertPayload(ethernet(0x0800, join(ipv4(17, udp(0, 556, PAYLOAD)), new byte[10])), false);
        assertThat(headers.excessLength()).isZero();
    }

    /** A Tofino program leaves octets between the end of UDP and that of IP. */
    @Test
    void whatFollowsTheUdpLengthIsNotPayload() {
        assertPayload(ethernet(0x0800, ipv4(17, udp(0, 556, 16, join(PAYLOAD, bytes("deadbeef00"))))), false);
        assertThat(headers.excessLength()).isEqualTo(5);
    }

    /** A switch program that never set the field; no socket sees such a packet. */
    @Test
    void aVersionOfZeroIsTakenForWhatTheEtherTypeSays() {
        byte[] v6 = ethernet(0x86DD, ipv6(17, udp(0, 556, PAYLOAD)));
        v6[14] = 0;
        assertPayload(v6, true);
        assertThat(headers.v6()).isTrue();
        byte[] v4 = ethernet(0x0800, ipv4(17, udp(0, 556, PAYLOAD)));
        v4[14] = 0x05;
        assertPayload(v4, true);
        assertThat(headers.v6()).isFalse();
        v4[14] = 0x65;
        assertThat(wrap(v4)).isEqualTo(Kind.UNREADABLE);
        v6[14] = 0x45;
        assertThat(wrap(v6)).isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void aHeaderLengthThatCannotBeIsUnreadable() {
        byte[] v4 = ethernet(0x0800, ipv4(17, udp(0, 556, PAYLOAD)));
        v4[14] = 0x44;
        assertThat(wrap(v4)).isEqualTo(Kind.UNREADABLE);
        v4[14] = 0x4F;
        assertThat(wrap(v4)).isEqualTo(Kind.UNREADABLE);
    }

    @Test
    void forgetsThatTheFrameBeforeWasClamped() {
        wrap(ethernet(0x0800, ipv4(17, udp(0, 556, 0, PAYLOAD))));
        assertThat(headers.clamped()).isTrue();
        wrap(ethernet(0x0806, PAYLOAD));
        assertThat(headers.clamped()).isFalse();
    }

    @Test
    void tellsWhereAnIpv4FragmentBelongs() {
        byte[] fragment = ethernet(0x0800, join(ipv4(0xFEDC, 0x2000 | 185, 17, PAYLOAD), bytes("0000")));
        assertThat(wrap(fragment)).isEqualTo(Kind.FRAGMENT);
        assertThat(headers.isFragment()).isTrue();
        assertThat(headers.fragmentId()).isEqualTo(0xFEDC);
        assertThat(headers.fragmentOffset()).isEqualTo(1480);
        assertThat(headers.moreFragments()).isTrue();
        assertThat(headers.protocol()).isEqualTo(17);
        assertThat(payload()).isEqualTo(PAYLOAD);
        assertThat(wrap(ethernet(0x0800, ipv4(1, 0x1FFF, 17, PAYLOAD)))).isEqualTo(Kind.FRAGMENT);
        assertThat(headers.fragmentOffset()).isEqualTo(65_528);
        assertThat(headers.moreFragments()).isFalse();
        // Not to be fragmented is no fragment.
        assertThat(wrap(ethernet(0x0800, ipv4(1, 0x4000, 17, udp(1, 2, PAYLOAD)))))
                .isEqualTo(Kind.UDP);
    }

    @Test
    void tellsWhereAnIpv6FragmentBelongs() {
        byte[] fragment = ethernet(0x86DD, ipv6(0, extension(44, ipv6Fragment(17, 1448, true, 0xFEDCBA98, PAYLOAD))));
        assertThat(wrap(fragment)).isEqualTo(Kind.FRAGMENT);
        assertThat(headers.fragmentId()).isEqualTo(0xFEDCBA98);
        assertThat(headers.fragmentOffset()).isEqualTo(1448);
        assertThat(headers.moreFragments()).isTrue();
        assertThat(headers.protocol()).isEqualTo(17);
        assertThat(payload()).isEqualTo(PAYLOAD);
        assertThat(wrap(ethernet(0x86DD, ipv6(44, ipv6Fragment(60, 65_528, false, 1, PAYLOAD)))))
                .isEqualTo(Kind.FRAGMENT);
        assertThat(headers.fragmentOffset()).isEqualTo(65_528);
        assertThat(headers.moreFragments()).isFalse();
        assertThat(headers.protocol()).isEqualTo(60);
        assertThat(wrap(ethernet(0x86DD, ipv6(44, ipv6Fragment(6, 8, false, 1, PAYLOAD)))))
                .isEqualTo(Kind.OTHER_PROTOCOL);
        assertThat(wrap(ethernet(0x86DD, ipv6(44, bytes("1100 0000 0000"))))).isEqualTo(Kind.UNREADABLE);
    }

    /** [RFC 6946]. */
    @Test
    void aFragmentThatIsTheWholePacketIsADatagram() {
        assertPayload(ethernet(0x86DD, ipv6(44, ipv6Fragment(17, 0, false, 9, udp(1, 2, PAYLOAD)))), false);
    }

    @Test
    void readsWhatFragmentsGaveTogether() {
        wrap(ethernet(0x86DD, ipv6(44, ipv6Fragment(60, 8, false, 9, PAYLOAD))));
        frame = extension(17, udp(3, 4, PAYLOAD));
        assertThat(headers.wrapReassembled(60, ByteBuffer.wrap(frame), 0, frame.length))
                .isEqualTo(Kind.UDP);
        assertThat(payload()).isEqualTo(PAYLOAD);
        assertThat(headers.sourcePort()).isEqualTo(3);
        assertThat(headers.sourceHi()).isEqualTo(SOURCE_V6_HI);
        assertThat(headers.clamped()).isFalse();
    }

    @Test
    void everyPrefixIsUnreadableOrClamped() {
        byte[] ip4 = ipv4(17, udp(1, 8555, PAYLOAD));
        byte[] ip6 = ipv6(0, extension(17, udp(1, 8555, PAYLOAD)));
        for (byte[] whole : new byte[][] {ethernet(0x8100, vlan(9, 0x0800, ip4)), ethernet(0x86DD, ip6)}) {
            for (int length = 0; length < whole.length; length++) {
                Kind kind = wrap(Arrays.copyOf(whole, length));
                if (length < whole.length - PAYLOAD.length) {
                    assertThat(kind).as("%d octets", length).isEqualTo(Kind.UNREADABLE);
                } else {
                    assertThat(kind).as("%d octets", length).isEqualTo(Kind.UDP);
                    assertThat(headers.clamped()).isTrue();
                    assertThat(headers.payloadEnd()).isEqualTo(length);
                }
            }
        }
    }

    @Test
    void staysInsideTheFrameWhateverTheBytes() {
        int[] linkTypes = {0, 1, 9, 12, 14, 50, 51, 101, 108, 113, 228, 229, 276, -1};
        forAll(200_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            byte[] raw = new byte[random.nextInt(96)];
            random.nextBytes(raw);
            int start = raw.length == 0 ? 0 : random.nextInt(raw.length);
            assertStaysInside(linkTypes[random.nextInt(linkTypes.length)], raw, start, seed);
        });
    }

    @Test
    void staysInsideTheFrameWhicheverBytesAreChanged() {
        byte[][] good = {
            ethernet(0x8100, vlan(9, 0x0800, ipv4(17, udp(1, 8555, PAYLOAD)))),
            ethernet(0x8847, mplsLabel(1, false, mplsLabel(2, true, ipv4(17, udp(1, 8555, PAYLOAD))))),
            ethernet(0x86DD, ipv6(0, extension(60, extension(44, ipv6Fragment(17, 8, true, 1, PAYLOAD))))),
            ethernet(0x8864, join(bytes("1100 0001 0020 0057"), ipv6(51, extension(17, udp(1, 8555, PAYLOAD))))),
        };
        forAll(100_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            byte[] raw = good[random.nextInt(good.length)].clone();
            for (int changes = random.nextInt(1, 5); changes > 0; changes--) {
                raw[random.nextInt(raw.length)] = (byte) random.nextInt(256);
            }
            assertStaysInside(LinkType.ETHERNET, Arrays.copyOf(raw, random.nextInt(raw.length + 1)), 0, seed);
        });
    }

    private void assertStaysInside(int linkType, byte[] raw, int start, long seed) {
        Kind kind = headers.wrap(linkType, ByteBuffer.wrap(raw), start, raw.length);
        int offset = headers.payloadOffset();
        int end = headers.payloadEnd();
        boolean found = kind == Kind.UDP || kind == Kind.FRAGMENT;
        if (found) {
            assertThat(offset).as("seed %d", seed).isBetween(start, end);
            assertThat(end).as("seed %d", seed).isLessThanOrEqualTo(raw.length);
            assertThat(headers.excessLength()).isNotNegative();
        }
        // What lies around a frame can be read without an exception, so it must not make a difference.
        try (Poison poison = Poison.heap(raw)) {
            assertThat(headers.wrap(linkType, poison.buffer(), poison.offset() + start, poison.end()))
                    .as("seed %d", seed)
                    .isEqualTo(kind);
            if (found) {
                assertThat(headers.payloadOffset() - poison.offset()).isEqualTo(offset);
                assertThat(headers.payloadEnd() - poison.offset()).isEqualTo(end);
            }
        }
    }

    @Test
    void allocatesNothing() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ByteBuffer v4 = ByteBuffer.wrap(ethernet(0x8100, vlan(9, 0x0800, ipv4(17, udp(1, 8555, PAYLOAD)))));
        ByteBuffer v6 = ByteBuffer.wrap(ethernet(0x86DD, ipv6(0, extension(17, udp(1, 8555, PAYLOAD)))));
        long before = 0;
        for (int i = 0; i < 200_000; i++) {
            if (i == 100_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            headers.wrap(LinkType.ETHERNET, v4, 0, v4.capacity());
            headers.wrap(LinkType.ETHERNET, v6, 0, v6.capacity());
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
    }
}
