package io.pathlore.wire.net;

import static io.pathlore.testkit.FrameBytes.ethernet;
import static io.pathlore.testkit.FrameBytes.ipv4;
import static io.pathlore.testkit.FrameBytes.ipv6;
import static io.pathlore.testkit.FrameBytes.join;
import static io.pathlore.testkit.FrameBytes.mplsLabel;
import static io.pathlore.testkit.FrameBytes.u16;
import static io.pathlore.testkit.FrameBytes.udp;
import static io.pathlore.testkit.FrameBytes.vlan;
import static io.pathlore.testkit.Hex.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.wire.pcap.LinkType;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class LinkLayerTest {
    private static final byte[] V4 = ipv4(17, udp(7, 8555, bytes("cafe")));
    private static final byte[] V6 = ipv6(17, udp(7, 8555, bytes("cafe")));
    private static final byte[] ARP = bytes("0001 0800 0604 0001");
    private final LinkLayer link = new LinkLayer();

    private PacketStart wrap(int linkType, byte[] frame) {
        return link.wrap(linkType, ByteBuffer.wrap(frame), 0, frame.length);
    }

    private void assertFound(int linkType, byte[] header, byte[] packet, PacketStart start) {
        assertThat(wrap(linkType, join(header, packet))).isEqualTo(start);
        assertThat(link.offset()).isEqualTo(header.length);
        assertThat(link.supported()).isTrue();
        assertThat(link.readable()).isTrue();
    }

    private void assertDescends(byte[] frame, byte[] packet, PacketStart start) {
        assertThat(wrap(LinkType.ETHERNET, frame)).isEqualTo(PacketStart.ETHERNET);
        assertThat(link.offset()).isZero();
        assertThat(link.descend()).isEqualTo(start);
        assertThat(link.offset()).isEqualTo(frame.length - packet.length);
        assertThat(link.readable()).isTrue();
    }

    private void assertUnreadable(byte[] frame) {
        assertThat(wrap(LinkType.ETHERNET, frame)).isEqualTo(PacketStart.ETHERNET);
        assertThat(link.descend()).isEqualTo(PacketStart.OTHER);
        assertThat(link.readable()).isFalse();
    }

    @Test
    void rawIpIsToldByItsVersion() {
        for (int linkType : new int[] {LinkType.RAW, LinkType.RAW_BSD, LinkType.RAW_OPENBSD}) {
            assertFound(linkType, new byte[0], V4, PacketStart.IPV4);
            assertFound(linkType, new byte[0], V6, PacketStart.IPV6);
            assertFound(linkType, new byte[0], bytes("50"), PacketStart.OTHER);
        }
        assertFound(LinkType.IPV4, new byte[0], V4, PacketStart.IPV4);
        assertFound(LinkType.IPV6, new byte[0], V6, PacketStart.IPV6);
    }

    /** Fields of the two cooked headers: packet type, hardware type, address length, address, protocol. */
    @Test
    void cookedCapturesNameTheProtocol() {
        byte[] sll = bytes("0000 0001 0006 0200000000030000");
        assertFound(LinkType.LINUX_SLL, join(sll, u16(0x0800)), V4, PacketStart.IPV4);
        assertFound(LinkType.LINUX_SLL, join(sll, u16(0x86DD)), V6, PacketStart.IPV6);
        assertFound(LinkType.LINUX_SLL, join(sll, u16(0x0806)), ARP, PacketStart.OTHER);
        byte[] sll2 = bytes("0000 00000002 0001 00 06 0200000000030000");
        assertFound(LinkType.LINUX_SLL2, join(u16(0x0800), sll2), V4, PacketStart.IPV4);
        assertFound(LinkType.LINUX_SLL2, join(u16(0x86DD), sll2), V6, PacketStart.IPV6);
        assertFound(LinkType.LINUX_SLL, join(sll, u16(0x8100), bytes("0064 0800")), V4, PacketStart.IPV4);
    }

    @Test
    void loopbackFamiliesAreOfEitherByteOrder() {
        assertFound(LinkType.NULL, bytes("02000000"), V4, PacketStart.IPV4);
        assertFound(LinkType.NULL, bytes("00000002"), V4, PacketStart.IPV4);
        for (String family : new String[] {"0a000000", "18000000", "1c000000", "1e000000", "0000001e"}) {
            assertFound(LinkType.NULL, bytes(family), V6, PacketStart.IPV6);
        }
        assertFound(LinkType.LOOP, bytes("00000002"), V4, PacketStart.IPV4);
        assertFound(LinkType.LOOP, bytes("00000018"), V6, PacketStart.IPV6);
        assertFound(LinkType.NULL, bytes("07000000"), V4, PacketStart.OTHER);
    }

    @Test
    void pppNamesItsProtocolInOneOctetOrTwo() {
        assertFound(LinkType.PPP, bytes("ff03 0021"), V4, PacketStart.IPV4);
        assertFound(LinkType.PPP, bytes("0057"), V6, PacketStart.IPV6);
        assertFound(LinkType.PPP_HDLC, bytes("ff03 21"), V4, PacketStart.IPV4);
        assertFound(LinkType.PPP, bytes("ff03 c021"), ARP, PacketStart.OTHER);
        assertFound(LinkType.PPP_ETHER, bytes("1100 0001 0020 0021"), V4, PacketStart.IPV4);
        assertFound(LinkType.PPP, bytes("ff03 0281 00064140"), V4, PacketStart.IPV4);
    }

    @Test
    void anUnknownLinkTypeSaysSo() {
        for (int linkType : new int[] {LinkType.UNKNOWN, 105, 220, 65_535}) {
            assertThat(wrap(linkType, V4)).isEqualTo(PacketStart.OTHER);
            assertThat(link.supported()).isFalse();
        }
        assertFound(LinkType.RAW, new byte[0], V4, PacketStart.IPV4);
    }

    @Test
    void ethernetLeadsToIp() {
        assertDescends(ethernet(0x0800, V4), V4, PacketStart.IPV4);
        assertDescends(ethernet(0x86DD, V6), V6, PacketStart.IPV6);
        assertDescends(ethernet(0x0806, ARP), ARP, PacketStart.OTHER);
    }

    @Test
    void ethernetLeadsToIpThroughTags() {
        assertDescends(ethernet(0x8100, vlan(100, 0x0800, V4)), V4, PacketStart.IPV4);
        for (int outer : new int[] {0x88A8, 0x9100, 0x9200, 0x8100}) {
            assertDescends(ethernet(outer, vlan(100, 0x8100, vlan(200, 0x86DD, V6))), V6, PacketStart.IPV6);
        }
    }

    @Test
    void ethernetLeadsToIpThroughLabels() {
        assertDescends(ethernet(0x8847, mplsLabel(100, true, V4)), V4, PacketStart.IPV4);
        assertDescends(ethernet(0x8848, mplsLabel(100, true, V6)), V6, PacketStart.IPV6);
        byte[] stack = mplsLabel(1, false, mplsLabel(2, false, mplsLabel(0xFFFFF, true, V4)));
        assertDescends(ethernet(0x8847, stack), V4, PacketStart.IPV4);
        assertDescends(ethernet(0x8100, vlan(7, 0x8847, stack)), V4, PacketStart.IPV4);
    }

    @Test
    void ethernetLeadsToIpThroughAPseudowire() {
        byte[] inner = join(bytes("00000000"), ethernet(0x8100, vlan(1, 0x0800, V4)));
        assertDescends(ethernet(0x8847, mplsLabel(100, true, inner)), V4, PacketStart.IPV4);
    }

    @Test
    void ethernetLeadsToIpThroughPppoeAndSnap() {
        assertDescends(ethernet(0x8864, join(bytes("1100 0001 0020 0021"), V4)), V4, PacketStart.IPV4);
        assertDescends(ethernet(0x8100, vlan(7, 0x8864, join(bytes("1100 0001 0020 0057"), V6))), V6, PacketStart.IPV6);
        assertDescends(ethernet(0x0026, join(bytes("aaaa03 000000 0800"), V4)), V4, PacketStart.IPV4);
        byte[] spanningTree = bytes("424203 0000");
        assertDescends(ethernet(0x0026, spanningTree), spanningTree, PacketStart.OTHER);
    }

    @Test
    void everyPrefixThatEndsInAHeaderIsUnreadable() {
        byte[] header = ethernet(0x8100, vlan(100, 0x8847, mplsLabel(3, false, mplsLabel(4, true, new byte[0]))));
        for (int length = 0; length <= header.length; length++) {
            byte[] frame = new byte[length];
            System.arraycopy(header, 0, frame, 0, length);
            assertUnreadable(frame);
        }
        assertThat(wrap(LinkType.PPP, bytes("ff03"))).isEqualTo(PacketStart.OTHER);
        assertThat(link.readable()).isFalse();
        int[] cooked = {LinkType.LINUX_SLL, LinkType.LINUX_SLL2, LinkType.NULL, LinkType.PPP, LinkType.RAW};
        int[] needs = {16, 20, 4, 2, 1};
        for (int i = 0; i < cooked.length; i++) {
            assertThat(wrap(cooked[i], new byte[needs[i] - 1])).isEqualTo(PacketStart.OTHER);
            assertThat(link.readable()).as("link type %d", cooked[i]).isFalse();
        }
    }

    @Test
    void layersWithoutEndAreUnreadable() {
        byte[] tags = V4;
        int type = 0x0800;
        for (int i = 0; i < 8; i++) {
            tags = vlan(i, type, tags);
            type = 0x8100;
        }
        assertDescends(ethernet(0x8100, tags), V4, PacketStart.IPV4);
        assertUnreadable(ethernet(0x8100, vlan(9, 0x8100, tags)));
        byte[] labels = V4;
        for (int i = 0; i < 17; i++) {
            labels = mplsLabel(i, i == 0, labels);
        }
        assertUnreadable(ethernet(0x8847, labels));
        byte[] wires = ethernet(0x0800, V4);
        for (int i = 0; i < 20; i++) {
            wires = ethernet(0x8847, mplsLabel(1, true, join(bytes("00000000"), wires)));
        }
        assertUnreadable(wires);
        byte[] sessions = ethernet(0x0800, V4);
        for (int i = 0; i < 20; i++) {
            byte[] wire = mplsLabel(1, true, join(bytes("00000000"), sessions));
            sessions = ethernet(0x8864, join(bytes("1100 0001 0020 0281"), wire));
        }
        assertUnreadable(sessions);
    }
}
