package io.pathlore.wire.pcap;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.PcapngBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The blocks of pcapng, hand-made from the figures of its sections 3 and 4. */
class PcapngTest {
    private final PcapngBlock block = new PcapngBlock();
    private final SectionHeader section = new SectionHeader();
    private final InterfaceDescription description = new InterfaceDescription();
    private final PacketBlock packet = new PacketBlock();

    private void wrapBlock(ByteBuffer buffer, ByteOrder order) {
        assertThat(block.wrap(buffer, 0, buffer.capacity(), order)).isTrue();
        assertThat(block.lengthPossible()).isTrue();
        assertThat(block.totalLength()).isEqualTo(buffer.capacity());
        assertThat(PcapngBlock.trailer(buffer, block.bodyEnd(), order)).isEqualTo(block.totalLength());
    }

    @Test
    void decodesTheGoldenSectionHeader() {
        ByteBuffer golden = hex("0a0d0d0a 1c000000 4d3c2b1a 0100 0200 ffffffffffffffff 1c000000");
        assertThat(SectionHeader.order(golden, 8, 28)).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        wrapBlock(golden, ByteOrder.LITTLE_ENDIAN);
        assertThat(block.type()).isEqualTo(PcapngBlock.SECTION_HEADER);
        assertThat(section.wrap(golden, block.bodyOffset(), block.bodyEnd())).isTrue();
        assertThat(section.versionMajor()).isEqualTo(1);
        assertThat(section.versionMinor()).isEqualTo(2);
    }

    @Test
    void decodesTheGoldenSectionHeaderOfABigEndianFile() {
        ByteBuffer golden = hex("0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c");
        assertThat(SectionHeader.order(golden, 8, 28)).isEqualTo(ByteOrder.BIG_ENDIAN);
        wrapBlock(golden, ByteOrder.BIG_ENDIAN);
        assertThat(section.wrap(golden, block.bodyOffset(), block.bodyEnd())).isTrue();
        assertThat(section.versionMajor()).isEqualTo(1);
        assertThat(section.versionMinor()).isZero();
    }

    @Test
    void findsNoByteOrderWhereThereIsNoMagic() {
        assertThat(SectionHeader.order(hex("1a2b3c4e"), 0, 4)).isNull();
        assertThat(SectionHeader.order(hex("1a2b3c4d"), 0, 3)).isNull();
        assertThat(section.wrap(hex("1a2b3c4d 0001 0000 ffffffff"), 0, 12)).isFalse();
        assertThat(section.wrap(hex("00000000 0001 0000 ffffffffffffffff"), 0, 16))
                .isFalse();
    }

    /** Ethernet, snap length 0x80000010; if_name "eth0", if_tsresol 2^-10, if_tsoffset -2 s. */
    @Test
    void decodesTheGoldenInterface() {
        ByteBuffer golden = hex("00000001 0000003c 0071 0000 80000010 0002 0004 65746830"
                + "0009 0001 8a 000000 000e 0008 fffffffffffffffe 0000 0000 00000000 00000000 0000003c");
        wrapBlock(golden, ByteOrder.BIG_ENDIAN);
        assertThat(block.type()).isEqualTo(PcapngBlock.INTERFACE_DESCRIPTION);
        assertThat(description.wrap(golden, block.bodyOffset(), block.bodyEnd(), ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.linkType()).isEqualTo(LinkType.LINUX_SLL);
        assertThat(description.snapLength()).isEqualTo(0x8000_0010L);
        assertThat(description.clock().nanos(5 * 1024 + 512)).isEqualTo(3_500_000_000L);
    }

    @Test
    void anInterfaceThatSaysNothingCountsMicroseconds() {
        ByteBuffer golden = hex("01000000 14000000 0100 0000 00000400 14000000");
        wrapBlock(golden, ByteOrder.LITTLE_ENDIAN);
        assertThat(description.wrap(golden, block.bodyOffset(), block.bodyEnd(), ByteOrder.LITTLE_ENDIAN))
                .isTrue();
        assertThat(description.linkType()).isEqualTo(LinkType.ETHERNET);
        assertThat(description.snapLength()).isEqualTo(262_144);
        assertThat(description.clock().nanos(7)).isEqualTo(7_000);
    }

    @Test
    void optionsThatRunPastTheirBlockEndTheList() {
        ByteBuffer body = hex("0001 0000 00000000 0009 0001 09000000 0002 0040 6574");
        assertThat(description.wrap(body, 0, body.capacity(), ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.clock().nanos(7)).isEqualTo(7);
    }

    @Test
    void anOptionMayEndWithItsBlockButNotBehindIt() {
        ByteBuffer body = hex("0001 0000 00000000 000e 0008 0000000000000005");
        assertThat(description.wrap(body, 0, body.capacity(), ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.clock().nanos(0)).isEqualTo(5_000_000_000L);
        assertThat(description.wrap(body, 0, body.capacity() - 1, ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.clock().nanos(0)).isZero();
        ByteBuffer cut = hex("0001 0000 00000000 0009 0001");
        assertThat(description.wrap(cut, 0, cut.capacity(), ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.clock().nanos(7)).isEqualTo(7_000);
    }

    @Test
    void lengthsAreCountedFromWhereTheBodyStarts() {
        ByteBuffer zeros = ByteBuffer.allocate(40);
        assertThat(description.wrap(zeros, 33, 40, ByteOrder.BIG_ENDIAN)).isFalse();
        assertThat(description.wrap(zeros, 32, 40, ByteOrder.BIG_ENDIAN)).isTrue();
        assertThat(packet.wrap(6, zeros, 21, 40, ByteOrder.BIG_ENDIAN)).isFalse();
        assertThat(packet.wrap(6, zeros, 20, 40, ByteOrder.BIG_ENDIAN)).isTrue();
        assertThat(packet.dataOffset()).isEqualTo(40);
        assertThat(block.wrap(zeros, 33, 40, ByteOrder.BIG_ENDIAN)).isFalse();
        assertThat(block.wrap(zeros, 32, 40, ByteOrder.BIG_ENDIAN)).isTrue();
    }

    @Test
    void optionsOfTheWrongLengthAreNotRead() {
        ByteBuffer body = hex("0001 0000 00000000 0009 0002 0909 0000 000e 0004 00000001 0000 0000");
        assertThat(description.wrap(body, 0, body.capacity(), ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.clock().nanos(7)).isEqualTo(7_000);
    }

    @Test
    void forgetsTheClockOfTheInterfaceBefore() {
        ByteBuffer nanos = hex("0001 0000 00000000 0009 0001 09000000");
        assertThat(description.wrap(nanos, 0, nanos.capacity(), ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(description.wrap(nanos, 0, 8, ByteOrder.BIG_ENDIAN)).isTrue();
        assertThat(description.clock().nanos(7)).isEqualTo(7_000);
    }

    @Test
    void decodesTheGoldenEnhancedPacket() {
        ByteBuffer golden =
                hex("00000006 00000028 80000002 00000001 80000003 00000005 fffffff0 aabbccdd ee000000 00000028");
        wrapBlock(golden, ByteOrder.BIG_ENDIAN);
        assertThat(wrapPacket(golden, ByteOrder.BIG_ENDIAN)).isTrue();
        assertThat(packet.interfaceId()).isEqualTo(0x8000_0002L);
        assertThat(packet.hasTicks()).isTrue();
        assertThat(packet.ticks()).isEqualTo(0x1_8000_0003L);
        assertThat(packet.originalLength()).isEqualTo(0xFFFF_FFF0L);
        assertThat(packet.capturedLength(2)).isEqualTo(5);
        assertThat(packet.dataOffset()).isEqualTo(28);
    }

    @Test
    void decodesTheGoldenObsoletePacket() {
        ByteBuffer golden = hex("02000000 24000000 feff 0700 01000000 03000080 03000000 09000000 aabbcc00 24000000");
        wrapBlock(golden, ByteOrder.LITTLE_ENDIAN);
        assertThat(wrapPacket(golden, ByteOrder.LITTLE_ENDIAN)).isTrue();
        assertThat(packet.interfaceId()).isEqualTo(0xFFFE);
        assertThat(packet.ticks()).isEqualTo(0x1_8000_0003L);
        assertThat(packet.originalLength()).isEqualTo(9);
        assertThat(packet.capturedLength(0)).isEqualTo(3);
        assertThat(packet.dataOffset()).isEqualTo(28);
    }

    @Test
    void decodesTheGoldenSimplePacket() {
        ByteBuffer golden = hex("03000000 18000000 06000000 aabbccdd eeff0000 18000000");
        wrapBlock(golden, ByteOrder.LITTLE_ENDIAN);
        assertThat(wrapPacket(golden, ByteOrder.LITTLE_ENDIAN)).isTrue();
        assertThat(packet.interfaceId()).isZero();
        assertThat(packet.hasTicks()).isFalse();
        assertThat(packet.originalLength()).isEqualTo(6);
        assertThat(packet.capturedLength(0)).isEqualTo(6);
        assertThat(packet.capturedLength(5)).isEqualTo(5);
        assertThat(packet.dataOffset()).isEqualTo(12);
    }

    @Test
    void aPacketIsNeverLongerThanItsBlock() {
        ByteBuffer golden = hex("00000006 00000024 00000000 00000000 00000000 ffffffff ffffffff aabbccdd 00000024");
        wrapBlock(golden, ByteOrder.BIG_ENDIAN);
        assertThat(wrapPacket(golden, ByteOrder.BIG_ENDIAN)).isTrue();
        assertThat(packet.capturedLength(0)).isEqualTo(4);
    }

    @Test
    void rejectsPacketsCutShortAndOtherBlocks() {
        for (int type : new int[] {2, 3, 6}) {
            int needed = type == 3 ? 4 : 20;
            for (int end = 0; end <= needed; end++) {
                assertThat(packet.wrap(type, ByteBuffer.allocate(end), 0, end, ByteOrder.BIG_ENDIAN))
                        .isEqualTo(end == needed);
            }
        }
        assertThat(packet.wrap(1, ByteBuffer.allocate(64), 0, 64, ByteOrder.BIG_ENDIAN))
                .isFalse();
        assertThat(description.wrap(ByteBuffer.allocate(7), 0, 7, ByteOrder.BIG_ENDIAN))
                .isFalse();
    }

    @Test
    void knowsWhichLengthsCannotBe() {
        for (String length : new String[] {"00000000", "0000000b", "0000000d", "ffffffff"}) {
            assertThat(block.wrap(hex("00000006" + length), 0, 8, ByteOrder.BIG_ENDIAN))
                    .isTrue();
            assertThat(block.lengthPossible()).as(length).isFalse();
        }
        assertThat(block.wrap(hex("00000006 fffffffc"), 0, 8, ByteOrder.BIG_ENDIAN))
                .isTrue();
        assertThat(block.lengthPossible()).isTrue();
        assertThat(block.wrap(hex("00000006 fffffffc"), 0, 7, ByteOrder.BIG_ENDIAN))
                .isFalse();
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(20_000, RandomGenerator::nextLong, seed -> {
            var random = new SplittableRandom(seed);
            byte[] raw = new byte[random.nextInt(64)];
            random.nextBytes(raw);
            if (random.nextBoolean()) {
                for (int i = 0; i < raw.length; i++) {
                    raw[i] &= 0x0F; // more of what looks like lengths and codes
                }
            }
            ByteBuffer buffer = ByteBuffer.wrap(raw);
            ByteOrder order = random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            if (description.wrap(buffer, 0, raw.length, order)) {
                description.clock().nanos(random.nextLong());
            }
            section.wrap(buffer, 0, raw.length);
            int type = new int[] {2, 3, 6}[random.nextInt(3)];
            if (packet.wrap(type, buffer, 0, raw.length, order)) {
                int end = packet.dataOffset() + packet.capturedLength(random.nextInt(100));
                assertThat(end).isBetween(packet.dataOffset(), raw.length);
                assertThat(packet.interfaceId()).isNotNegative();
            }
        });
    }

    @Test
    void readsWhatTheTestkitWrites() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            var file = new PcapngBytes().section(order);
            int start = file.size();
            ByteBuffer written =
                    ByteBuffer.wrap(file.describe(LinkType.RAW, 96, 9, 5).bytes());
            assertThat(block.wrap(written, start, written.capacity(), order)).isTrue();
            assertThat(description.wrap(written, block.bodyOffset(), block.bodyEnd(), order))
                    .isTrue();
            assertThat(description.linkType()).isEqualTo(LinkType.RAW);
            assertThat(description.clock().nanos(1)).isEqualTo(5_000_000_001L);
        }
    }

    private boolean wrapPacket(ByteBuffer buffer, ByteOrder order) {
        return packet.wrap(block.type(), buffer, block.bodyOffset(), block.bodyEnd(), order);
    }
}
