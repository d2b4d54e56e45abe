package io.pathlore.wire.inband;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Property;
import io.pathlore.wire.inband.HopTable.Field;
import io.pathlore.wire.inband.HopTable.Item;
import io.pathlore.wire.inband.HopTable.Name;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Layout, encoder and view against the tables of the specifications, over random bitmaps and values. */
class HopEncoderTest {
    private static final int BITMAPS = 1 << 16;
    private static final int AROUND = 3;

    private final HopLayout layout = new HopLayout();
    private final HopView view = new HopView();

    /** A bitmap and what a node knows: often nothing, often the largest or smallest value, sometimes more than fits. */
    private record Hop(int bitmap, HopValues values) {
        static Hop random(RandomGenerator random, int bitmaps) {
            HopValues values = new HopValues();
            for (Name name : Name.values()) {
                name.set(values, value(random));
            }
            values.domainWords = random.nextInt(6);
            for (int i = 0; i < values.domainWords; i++) {
                values.domain[i] = (int) value(random);
            }
            return new Hop(random.nextInt(bitmaps), values);
        }

        private static long value(RandomGenerator random) {
            return switch (random.nextInt(8)) {
                case 0, 1 -> HopView.ABSENT;
                case 2 -> 0;
                case 3 -> 0xFF;
                case 4 -> 0xFFFF_FFFFL;
                case 5 -> random.nextLong();
                default -> random.nextInt(1 << 16);
            };
        }

        @Override
        public String toString() {
            Map<Name, Long> known = new TreeMap<>();
            for (Name name : Name.values()) {
                known.put(name, name.of(values));
            }
            return "bitmap " + Integer.toHexString(bitmap) + " " + known + " "
                    + Arrays.toString(Arrays.copyOf(values.domain, values.domainWords));
        }
    }

    @Test
    void writesAndReadsJune2016() {
        forAll(r -> Hop.random(r, BITMAPS), hop -> {
            layout.june2016(hop.bitmap);
            Expected expected = new Expected(0x7FFF_FFFF);
            expected.items(HopTable.june2016(), hop);
            expected.check(hop.values, 0);
        });
    }

    @Test
    void writesAndReadsInt05() {
        forAll(r -> Hop.random(r, BITMAPS), hop -> {
            for (int words = 1; words <= 2; words++) {
                layout.int05(hop.bitmap, words);
                Expected expected = new Expected(-1);
                expected.items(HopTable.int05(32 * words), hop);
                expected.check(hop.values, 0);
            }
        });
    }

    @Test
    void writesAndReadsInt10() {
        forAll(r -> Hop.random(r, BITMAPS), hop -> {
            for (int widths = 0; widths < 4; widths++) {
                int timestamps = 1 + (widths & 1);
                int level2 = 1 + (widths >> 1);
                layout.int10(hop.bitmap, timestamps, level2);
                Expected expected = new Expected(-1);
                expected.items(HopTable.int10(32 * timestamps, 32 * level2), hop);
                expected.items(List.of(HopTable.complement()), hop);
                assertThat(layout.length()).isEqualTo(4 * HopLayout.words(hop.bitmap, timestamps, level2));
                expected.check(hop.values, 0);
            }
        });
    }

    @Test
    void writesAndReadsInt2() {
        forAll(r -> Hop.random(r, BITMAPS), hop -> {
            for (int domainWords = 0; domainWords < 4; domainWords++) {
                layout.int2(hop.bitmap, 2, 2, domainWords);
                Expected expected = new Expected(-1);
                expected.items(HopTable.int2(64, 64), hop);
                expected.domain(domainWords, hop.values);
                expected.items(List.of(HopTable.complement()), hop);
                assertThat(layout.length()).isEqualTo(4 * (HopLayout.words(hop.bitmap, 2, 2) + domainWords));
                expected.check(hop.values, 0);
            }
        });
    }

    @Test
    void writesAndReadsTheMetadataOfReport10() {
        forAll(r -> Hop.random(r, 64), hop -> {
            layout.report10(hop.bitmap);
            Expected expected = new Expected(-1);
            expected.items(List.of(Item.of(0, Name.INGRESS_TIMESTAMP, 32)), hop);
            expected.items(HopTable.report10(), hop);
            expected.check(hop.values, 12);
        });
    }

    @Test
    void writesAndReadsTheMetadataOfReport20() {
        forAll(r -> Hop.random(r, BITMAPS), hop -> {
            layout.report20(hop.bitmap, 0);
            Expected expected = new Expected(-1);
            expected.items(HopTable.report20(false), hop);
            assertThat(layout.length()).isEqualTo(4 * HopLayout.reportWords(hop.bitmap));
            expected.check(hop.values, 0);

            layout.report20(hop.bitmap, 1);
            expected = new Expected(-1);
            expected.items(HopTable.report20(true), hop);
            expected.check(hop.values, 0);
        });
    }

    /** In v0.5 each field of all ones is absent by itself; the switch id is the report's, not the metadata's. */
    @Test
    void writesAndReadsTheMetadataOfReport05() {
        forAll(r -> Hop.random(r, 1), hop -> {
            layout.report05Plain();
            Expected plain = new Expected(-1);
            plain.perField = true;
            plain.items(List.of(Item.of(0, Name.INGRESS_TIMESTAMP, 32)), hop);
            plain.check(hop.values, 8);

            layout.report05Drop();
            Expected drop = new Expected(-1);
            drop.perField = true;
            drop.items(List.of(Item.of(0, Name.INGRESS_TIMESTAMP, 32), Item.of(0, Name.NODE_ID, 32)), hop);
            drop.items(List.of(Item.of(0, Name.INGRESS_INTERFACE, 16, Name.EGRESS_INTERFACE, 16)), hop);
            drop.items(List.of(HopTable.report10().get(4)), new Hop(0x02, hop.values));
            drop.read.put(Name.NODE_ID, HopView.ABSENT);
            drop.check(hop.values, 8);

            layout.report05Local();
            Expected local = new Expected(-1);
            local.perField = true;
            local.items(List.of(Item.of(0, Name.INGRESS_TIMESTAMP, 32), Item.of(0, Name.NODE_ID, 32)), hop);
            local.items(List.of(Item.of(0, Name.INGRESS_INTERFACE, 16, Name.EGRESS_INTERFACE, 16)), hop);
            local.items(List.of(Item.of(0, Name.QUEUE_ID, 8, Name.QUEUE_OCCUPANCY, 24)), hop);
            local.items(List.of(Item.of(0, Name.EGRESS_TIMESTAMP, 32)), hop);
            local.read.put(Name.NODE_ID, HopView.ABSENT);
            local.check(hop.values, 8);
        });
    }

    @Test
    void marksTheBottomOfTheStackAndKeepsTheValue() {
        layout.june2016(0x9000);
        HopValues values = new HopValues();
        values.nodeId = 0x8000_0001L; // the top bit is not the value's
        ByteBuffer out = ByteBuffer.allocate(8);
        HopEncoder.encode(out, 0, layout, values);
        assertThat(Hex.text(out)).isEqualTo("00000001" + "7fffffff");
        HopEncoder.markBottomOfStack(out, 4);
        assertThat(Hex.text(out)).isEqualTo("00000001" + "ffffffff");
        view.wrap(out, 0, layout);
        assertThat(view.nodeId()).isEqualTo(1);
        assertThat(view.queueOccupancy()).isEqualTo(HopView.ABSENT);
    }

    @Test
    void forgetsEverythingWhenCleared() {
        HopValues values = Hop.random(Property.random(1, 1), 1).values;
        values.clear();
        for (Name name : Name.values()) {
            assertThat(name == Name.PADDING || name.of(values) == HopView.ABSENT)
                    .as(name.name())
                    .isTrue();
        }
        assertThat(values.domainWords).isZero();
    }

    /** What one hop must look like, made from the tables field by field. */
    private final class Expected {
        private final int unknownWord;
        private final StringBuilder bits = new StringBuilder();
        private final Map<Name, Long> read = new TreeMap<>();
        private final List<Integer> domain = new ArrayList<>();
        private boolean perField;

        Expected(int unknownWord) {
            this.unknownWord = unknownWord;
        }

        /** The items whose bit is set; a mask of 0 stands for an item that is always there. */
        void items(List<Item> items, Hop hop) {
            for (Item item : items) {
                if (item.mask() == 0 || (hop.bitmap & item.mask()) != 0) {
                    item(item, hop.values);
                }
            }
        }

        private void item(Item item, HopValues values) {
            boolean june2016 = unknownWord != -1;
            boolean known = perField
                    || item.fields().stream().allMatch(field -> field.name().of(values) != HopView.ABSENT);
            StringBuilder written = new StringBuilder();
            for (Field field : item.fields()) {
                long value = known ? field.name().of(values) : HopView.ABSENT;
                written.append(binary(june2016 ? value & 0x7FFF_FFFF : value, field.bits()));
            }
            boolean allOnes = isUnknown(written.toString(), june2016);
            int at = 0;
            for (Field field : item.fields()) {
                String part = written.substring(at, at + field.bits());
                at += field.bits();
                boolean absent = allOnes || perField && isUnknown(part, false);
                // Two items of INT 0.5 have a queue id: the first that is known counts.
                read.merge(
                        field.name(),
                        absent ? HopView.ABSENT : Long.parseUnsignedLong(part, 2),
                        (before, now) -> before == HopView.ABSENT ? now : before);
            }
            bits.append(written);
        }

        private boolean isUnknown(String written, boolean june2016) {
            return written.indexOf('0', june2016 ? 1 : 0) < 0;
        }

        void domain(int words, HopValues values) {
            for (int i = 0; i < words; i++) {
                int word = i < values.domainWords ? values.domain[i] : -1;
                domain.add(word);
                bits.append(binary(word, 32));
            }
        }

        private String binary(long value, int width) {
            String all = "0".repeat(64) + Long.toBinaryString(value);
            return all.substring(all.length() - width);
        }

        /** {@code before}: octets of a report in front of its first metadata, which stay as they are. */
        void check(HopValues values, int before) {
            int bytes = bits.length() / 8;
            assertThat(layout.length()).isEqualTo(before + bytes);
            byte[] dirty = new byte[AROUND + before + bytes + AROUND];
            Arrays.fill(dirty, (byte) 0xD1);
            ByteBuffer out = ByteBuffer.wrap(dirty);
            int end = HopEncoder.encode(out, AROUND, layout, values);
            assertThat(end).isEqualTo(AROUND + before + bytes);
            assertThat(Hex.text(out)).isEqualTo("d1".repeat(AROUND + before) + hexOfBits() + "d1".repeat(AROUND));
            view.wrap(out, AROUND, layout);
            HopValues back = new HopValues();
            back.copyFrom(view);
            for (Name name : Name.values()) {
                if (name.isValue()) {
                    assertThat(name.of(back)).as(name.name()).isEqualTo(read.getOrDefault(name, HopView.ABSENT));
                }
            }
            assertThat(Arrays.stream(back.domain, 0, back.domainWords).boxed().toList())
                    .isEqualTo(domain);
        }

        private String hexOfBits() {
            StringBuilder hex = new StringBuilder();
            for (int at = 0; at < bits.length(); at += 4) {
                hex.append(Integer.toHexString(Integer.parseInt(bits.substring(at, at + 4), 2)));
            }
            return hex.toString();
        }
    }
}
