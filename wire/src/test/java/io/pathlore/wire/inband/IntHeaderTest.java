package io.pathlore.wire.inband;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.Dscp;
import io.pathlore.wire.DecodeOptions.IntMarks;
import io.pathlore.wire.decode.Exporter;
import io.pathlore.wire.decode.ReportDecoder;
import io.pathlore.wire.inband.IntHeader.Flags;
import io.pathlore.wire.net.PacketEncoder;
import io.pathlore.wire.net.PacketView;
import io.pathlore.wire.net.PacketWalker.Start;
import io.pathlore.wire.net.TunnelEncoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Metadata headers of every version, each in a carrier that its version has. */
class IntHeaderTest {
    private static final int UDP = 17;
    private static final int DSCP_MARK = 0x17;
    private static final int GENEVE_CLASS_2016 = 0x00AB;
    private static final int GPE_1_0 = 0x08;
    private static final int GPE_2 = 0x82;
    /** A next protocol that nobody has: the walk ends behind INT. */
    private static final int NOTHING_NEXT = 0;

    private static final IntMarks MARKS = IntMarks.STRICT
            .withDscp(List.of(new Dscp(DSCP_MARK, 0x3F)))
            .withJune2016(List.of(IntMarks.GENEVE_CLASS, GENEVE_CLASS_2016));

    private final ReportDecoder strict =
            new ReportDecoder(DecodeOptions.strictly().withMarks(MARKS));
    private final ReportDecoder lenient =
            new ReportDecoder(DecodeOptions.lenient().withMarks(MARKS));

    private static PacketView decode(ReportDecoder decoder, ByteBuffer packet, int end, Start start) {
        decoder.decodePacket(packet, 0, end, start, new Exporter());
        return decoder.packet();
    }

    private IntHeaderView only(ByteBuffer packet, Start start) {
        PacketView view = decode(strict, packet, packet.capacity(), start);
        assertThat(strict.warnings().count()).isZero();
        assertThat(view.ints()).isEqualTo(1);
        return view.intHeader(0);
    }

    // ---- golden headers: every field has its top bit set, where sign bugs live

    private static final String GPE_NEW_SHIM = "0c00 0082 0000 0000";

    /** From the figure in [INT 2.1 §5.8]: Hop ML 18 = 13 words of 0xFF81 and 5 of the domain. */
    @Test
    void decodesTheGoldenMdHeader() {
        IntHeaderView header = only(hex(GPE_NEW_SHIM + "1003 0000" + "2e00 1281 ff81 8123 8001 8002"), Start.VXLAN_GPE);
        assertThat(header.version()).isEqualTo(IntVersion.V2);
        assertThat(header.type()).isEqualTo(IntShim.TYPE_MD);
        assertThat(header.discard()).isTrue();
        assertThat(header.hopLimitExceeded()).isTrue();
        assertThat(header.mtuExceeded()).isTrue();
        assertThat(header.hopMl()).isEqualTo(18);
        assertThat(header.remainingHops()).isEqualTo(0x81);
        assertThat(header.instructions()).isEqualTo(0xFF81);
        assertThat(header.domainId()).isEqualTo(0x8123);
        assertThat(header.dsInstructions()).isEqualTo(0x8001);
        assertThat(header.dsFlags()).isEqualTo(0x8002);
        assertThat(header.maxHops()).isEqualTo(HopView.ABSENT);
        assertThat(header.replica()).isFalse();
        assertThat(header.hops()).isZero();
    }

    /** One bit at a time, so that no flag is read for its neighbour. */
    @Test
    void tellsTheFlagsOfAnMdHeaderApart() {
        for (int bit = 0; bit < 3; bit++) {
            String first = "%02x".formatted(0x20 | 0x08 >> bit);
            IntHeaderView header =
                    only(hex(GPE_NEW_SHIM + "1003 0000" + first + "00 0107 8000 0000 0000 0000"), Start.VXLAN_GPE);
            assertThat(List.of(header.discard(), header.hopLimitExceeded(), header.mtuExceeded()))
                    .isEqualTo(List.of(bit == 0, bit == 1, bit == 2));
        }
    }

    /** From the figure in [INT 2.1 §5.9]. */
    @Test
    void decodesTheGoldenMxHeader() {
        IntHeaderView header =
                only(hex(GPE_NEW_SHIM + "3004 0000" + "2800 0000 ff80 8123 8001 8002 9000 0001"), Start.VXLAN_GPE);
        assertThat(header.type()).isEqualTo(IntShim.TYPE_MX);
        assertThat(header.discard()).isTrue();
        assertThat(header.hopMl()).isEqualTo(HopView.ABSENT);
        assertThat(header.remainingHops()).isEqualTo(HopView.ABSENT);
        assertThat(header.hopLimitExceeded()).isFalse();
        assertThat(header.mtuExceeded()).isFalse();
        assertThat(header.instructions()).isEqualTo(0xFF80);
        assertThat(header.domainId()).isEqualTo(0x8123);
        assertThat(header.dsInstructions()).isEqualTo(0x8001);
        assertThat(header.dsFlags()).isEqualTo(0x8002);
        assertThat(header.insertedWords()).isEqualTo(1);
        assertThat(header.insertedWord(0)).isEqualTo(0x9000_0001);
    }

    /** INT 1.0: Ver 1, Rep 2, C, E, M; Hop ML 10 is the most the bits with a meaning can ask for. */
    @Test
    void decodesTheGoldenHeaderOfVersion10() {
        IntHeaderView header = only(hex("0c00 0008 0000 0000" + "0100 0300" + "1b80 0a81 ff01 0000"), Start.VXLAN_GPE);
        assertThat(header.version()).isEqualTo(IntVersion.V1_0);
        assertThat(header.replica()).isTrue();
        assertThat(header.hopLimitExceeded()).isTrue();
        assertThat(header.mtuExceeded()).isTrue();
        assertThat(header.discard()).isFalse();
        assertThat(header.hopMl()).isEqualTo(10);
        assertThat(header.remainingHops()).isEqualTo(0x81);
        assertThat(header.instructions()).isEqualTo(0xFF01);
        assertThat(header.domainId()).isEqualTo(HopView.ABSENT);
    }

    /** INT 0.5: Ver 0, Rep 2, C, E; Instruction Count 8, Max 0x82, Total 0. */
    @Test
    void decodesTheGoldenHeaderOfVersion05() {
        String ip = "455c 0000 0001 0000 4011 0000 0a00 0101 0a00 0202";
        String udp = "1388 1770 0000 0000";
        IntHeaderView header = only(hex(ip + udp + "0100 0400" + "0b08 8200 ff00 0000" + "1180 0132"), Start.IPV4);
        assertThat(header.version()).isEqualTo(IntVersion.V0_5);
        assertThat(header.replica()).isTrue();
        assertThat(header.hopLimitExceeded()).isTrue();
        assertThat(header.mtuExceeded()).isFalse();
        assertThat(header.maxHops()).isEqualTo(0x82);
        assertThat(header.totalHops()).isZero();
        assertThat(header.instructions()).isEqualTo(0xFF00);
        assertThat(header.hopMl()).isEqualTo(HopView.ABSENT);
        assertThat(header.originalDscp()).isEqualTo(0x32);
        assertThat(strict.packet().flow().destinationPort()).isEqualTo(0x8001);
    }

    /** June 2016: Ver in two bits, Rep 2, C, E; Max 0x82, Total 0. */
    @Test
    void decodesTheGoldenHeaderOfJune2016() {
        IntHeaderView header = only(hex("0300 1234 0000 0000" + "00ab 0102" + "2c08 8200 ff00 0000"), Start.GENEVE);
        assertThat(header.version()).isEqualTo(IntVersion.JUNE_2016);
        assertThat(header.replica()).isTrue();
        assertThat(header.hopLimitExceeded()).isTrue();
        assertThat(header.maxHops()).isEqualTo(0x82);
        assertThat(header.totalHops()).isZero();
        assertThat(header.instructions()).isEqualTo(0xFF00);
    }

    // ---- what is written is read

    /** A packet with one INT header, and what must be found in it. */
    private record Packet(
            Start start,
            ByteBuffer bytes,
            IntVersion version,
            int type,
            Flags flags,
            int instructions,
            int hopBytes,
            int hops,
            int stackAt,
            long first,
            long second,
            long domain) {
        @Override
        public String toString() {
            return version + " " + flags + " hops " + hops + " " + Hex.text(bytes);
        }
    }

    private static Flags flags(RandomGenerator random) {
        return new Flags(
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(4));
    }

    /** Hops with random values, some unknown, newest first. Returns the offset past them. */
    private static int stack(RandomGenerator random, ByteBuffer out, int offset, HopLayout layout, int hops) {
        int at = offset;
        HopValues values = new HopValues();
        for (int hop = 0; hop < hops; hop++) {
            values.nodeId = random.nextInt(5) == 0 ? HopView.ABSENT : random.nextInt(1 << 24);
            values.ingressInterface = random.nextInt(5) == 0 ? HopView.ABSENT : random.nextInt(1 << 16);
            values.egressInterface = random.nextInt(1 << 16);
            values.hopLatency = random.nextInt(1 << 30);
            values.queueId = random.nextInt(256);
            values.queueOccupancy = random.nextInt(5) == 0 ? HopView.ABSENT : random.nextInt(1 << 24);
            values.queueCongestion = random.nextInt(1 << 24);
            values.ingressTimestamp = random.nextLong();
            values.egressTimestamp = random.nextLong();
            values.level2IngressInterface = random.nextLong(1L << 32);
            values.level2EgressInterface = random.nextLong(1L << 32);
            values.txUtilization = random.nextInt(5) == 0 ? HopView.ABSENT : random.nextInt(1 << 30);
            values.bufferId = random.nextInt(256);
            values.bufferOccupancy = random.nextInt(1 << 24);
            values.checksumComplement = random.nextInt(1 << 16);
            values.domainWords = 31;
            for (int i = 0; i < 31; i++) {
                values.domain[i] = random.nextInt();
            }
            at = HopEncoder.encode(out, at, layout, values);
        }
        return at;
    }

    private static ByteBuffer cutAt(ByteBuffer buffer, int end) {
        byte[] bytes = new byte[end];
        buffer.get(0, bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static Packet md(RandomGenerator random) {
        int bitmap = random.nextInt(1 << 16) & 0xFF81;
        boolean domain = random.nextBoolean();
        int domainWords = domain ? random.nextInt(10) : 0;
        int dsInstructions = domain ? 1 + random.nextInt(0xFFFF) : 0;
        HopLayout layout = new HopLayout();
        layout.int2(bitmap, 2, 2, domainWords);
        int hops = layout.length() == 0 ? 0 : random.nextInt(9);
        int dsFlags = random.nextInt(1 << 16);
        int remaining = random.nextInt(256);
        Flags flags = flags(random);
        int domainId = domain ? 0xABCD : 0;
        ByteBuffer out = ByteBuffer.allocate(2048);
        int at = TunnelEncoder.vxlanGpe(out, 0, GPE_2, 7);
        at = IntShim.encodeGpe(
                out, at, IntShim.TYPE_MD, 3 + hops * layout.length() / 4, random.nextBoolean(), NOTHING_NEXT);
        at = IntHeader.encodeMd(
                out, at, flags, layout.length() / 4, remaining, bitmap, domainId, dsInstructions, dsFlags);
        int end = stack(random, out, at, layout, hops);
        return new Packet(
                Start.VXLAN_GPE,
                cutAt(out, end),
                IntVersion.V2,
                IntShim.TYPE_MD,
                flags,
                bitmap,
                layout.length(),
                hops,
                at,
                layout.length() / 4,
                remaining,
                (long) domainId << 32 | (long) dsInstructions << 16 | dsFlags);
    }

    private static Packet v10(RandomGenerator random) {
        int bitmap = random.nextInt(1 << 16) & 0xFF01;
        HopLayout layout = new HopLayout();
        layout.int10(bitmap, 1, 2);
        int hops = layout.length() == 0 ? 0 : random.nextInt(9);
        int remaining = random.nextInt(256);
        Flags flags = flags(random);
        ByteBuffer out = ByteBuffer.allocate(2048);
        int at = TunnelEncoder.vxlanGpe(out, 0, GPE_1_0, 7);
        at = IntShim.encodeOld(out, at, IntShim.TYPE_MD, 3 + hops * layout.length() / 4, NOTHING_NEXT);
        at = IntHeader.encode10(out, at, flags, layout.length() / 4, remaining, bitmap);
        int end = stack(random, out, at, layout, hops);
        return new Packet(
                Start.VXLAN_GPE,
                cutAt(out, end),
                IntVersion.V1_0,
                IntShim.TYPE_MD,
                flags,
                bitmap,
                layout.length(),
                hops,
                at,
                layout.length() / 4,
                remaining,
                HopView.ABSENT);
    }

    private static Packet v05(RandomGenerator random) {
        int bitmap = (1 + random.nextInt(0xFF)) << 8;
        HopLayout layout = new HopLayout();
        layout.int05(bitmap, 1);
        int hops = random.nextInt(9);
        int max = hops + random.nextInt(256 - hops);
        Flags flags = flags(random);
        ByteBuffer out = ByteBuffer.allocate(2048);
        int at = PacketEncoder.ipv4(out, 0, DSCP_MARK << 2, 1, true, 64, UDP, 0x0A00_0101, 0x0A00_0202);
        at = PacketEncoder.udp(out, at, 5000, 6000);
        at = IntShim.encodeOld(out, at, IntShim.TYPE_MD, 4 + hops * layout.length() / 4, 0);
        at = IntHeader.encode05(out, at, flags, max, hops, bitmap);
        int tail = stack(random, out, at, layout, hops);
        int end = IntShim.encodeTail(out, tail, UDP, 6000, 0);
        PacketEncoder.finishIpv4(out, 0, end);
        return new Packet(
                Start.IPV4,
                cutAt(out, end),
                IntVersion.V0_5,
                IntShim.TYPE_MD,
                flags,
                bitmap,
                layout.length(),
                hops,
                at,
                max,
                hops,
                HopView.ABSENT);
    }

    private static Packet june2016(RandomGenerator random) {
        int bitmap = (1 + random.nextInt(0xFF)) << 8;
        HopLayout layout = new HopLayout();
        layout.june2016(bitmap);
        int hops = random.nextInt(1 + 29 / Integer.bitCount(bitmap));
        int max = hops + random.nextInt(256 - hops);
        Flags flags = flags(random);
        int words = 2 + hops * layout.length() / 4;
        ByteBuffer out = ByteBuffer.allocate(2048);
        int at = TunnelEncoder.geneve(out, 0, 1 + words, 0x1234, 7);
        at = TunnelEncoder.geneveOption(out, at, GENEVE_CLASS_2016, IntShim.TYPE_MD, words);
        at = IntHeader.encode2016(out, at, flags, max, hops, bitmap);
        int end = stack(random, out, at, layout, hops);
        if (hops > 0) {
            HopEncoder.markBottomOfStack(out, end - 4);
        }
        return new Packet(
                Start.GENEVE,
                cutAt(out, end),
                IntVersion.JUNE_2016,
                IntShim.TYPE_MD,
                flags,
                bitmap,
                layout.length(),
                hops,
                at,
                max,
                hops,
                HopView.ABSENT);
    }

    @Test
    void decodesTheMdHeadersItEncodes() {
        forAll(IntHeaderTest::md, this::assertDecoded);
    }

    @Test
    void decodesTheHeadersOfVersion10ItEncodes() {
        forAll(IntHeaderTest::v10, this::assertDecoded);
    }

    @Test
    void decodesTheHeadersOfVersion05ItEncodes() {
        forAll(IntHeaderTest::v05, this::assertDecoded);
    }

    @Test
    void decodesTheHeadersOfJune2016ItEncodes() {
        forAll(IntHeaderTest::june2016, this::assertDecoded);
    }

    private void assertDecoded(Packet packet) {
        assertDecoded(packet, strict);
        assertDecoded(packet, lenient);
    }

    private static void assertDecoded(Packet packet, ReportDecoder decoder) {
        PacketView view = decode(decoder, packet.bytes, packet.bytes.capacity(), packet.start);
        assertThat(decoder.warnings().count()).isZero();
        assertThat(view.ints()).isEqualTo(1);
        IntHeaderView header = view.intHeader(0);
        assertThat(header.version()).isEqualTo(packet.version);
        assertThat(header.type()).isEqualTo(packet.type);
        assertThat(header.instructions()).isEqualTo(packet.instructions);
        boolean counted = packet.version == IntVersion.JUNE_2016 || packet.version == IntVersion.V0_5;
        boolean v2 = packet.version == IntVersion.V2;
        Flags flags = packet.flags;
        assertThat(header.discard()).isEqualTo(v2 && flags.discard());
        assertThat(header.hopLimitExceeded()).isEqualTo(flags.hopLimitExceeded());
        assertThat(header.mtuExceeded()).isEqualTo(!counted && flags.mtuExceeded());
        assertThat(header.replica()).isEqualTo(!v2 && flags.replica());
        assertThat(counted ? header.maxHops() : header.hopMl()).isEqualTo(packet.first);
        assertThat(counted ? header.totalHops() : header.remainingHops()).isEqualTo(packet.second);
        assertThat(counted ? header.hopMl() : header.maxHops()).isEqualTo(HopView.ABSENT);
        assertThat(
                        v2
                                ? header.domainId() << 32 | header.dsInstructions() << 16 | header.dsFlags()
                                : header.domainId() & header.dsInstructions() & header.dsFlags())
                .isEqualTo(packet.domain);
        assertThat(header.hops()).isEqualTo(packet.hops);
        assertThat(header.truncated()).isFalse();
        assertHops(packet, header);
        assertWalk(header);
    }

    /** Reading a hop and writing it again gives its bytes: nothing was lost, moved or made up. */
    private static void assertHops(Packet packet, IntHeaderView header) {
        HopView hop = new HopView();
        HopValues values = new HopValues();
        for (int index = 0; index < header.hops(); index++) {
            header.hop(index, hop);
            int at = packet.stackAt + (header.hops() - 1 - index) * packet.hopBytes;
            assertThat(hop.offset()).isEqualTo(at);
            values.copyFrom(hop);
            ByteBuffer again = ByteBuffer.allocate(packet.hopBytes);
            assertThat(HopEncoder.encode(again, 0, hop.layout(), values)).isEqualTo(packet.hopBytes);
            byte[] wire = new byte[packet.hopBytes];
            packet.bytes.get(at, wire);
            boolean bottom = packet.version == IntVersion.JUNE_2016 && index == 0;
            if (bottom) {
                HopEncoder.markBottomOfStack(again, packet.hopBytes - 4);
            }
            assertThat(Hex.text(again)).isEqualTo(Hex.text(wire));
        }
    }

    /** Instructions and inserted words; there are no hops. */
    @Test
    void decodesTheMxHeadersItEncodes() {
        record Mx(boolean discard, int bitmap, int ds, int dsFlags, int words) {}
        forAll(
                r -> new Mx(
                        r.nextBoolean(),
                        r.nextInt(1 << 16) & 0xFF80,
                        1 + r.nextInt(0xFFFF),
                        r.nextInt(1 << 16),
                        r.nextInt(9)),
                mx -> {
                    ByteBuffer out = ByteBuffer.allocate(256);
                    int at = TunnelEncoder.vxlanGpe(out, 0, GPE_2, 7);
                    at = IntShim.encodeGpe(out, at, IntShim.TYPE_MX, 3 + mx.words, false, NOTHING_NEXT);
                    at = IntHeader.encodeMx(out, at, mx.discard, mx.bitmap, 0xABCD, mx.ds, mx.dsFlags);
                    for (int i = 0; i < mx.words; i++) {
                        out.putInt(at + 4 * i, 0x8000_0000 | i);
                    }
                    for (ReportDecoder decoder : List.of(strict, lenient)) {
                        PacketView view = decode(decoder, out, at + 4 * mx.words, Start.VXLAN_GPE);
                        assertThat(decoder.warnings().count()).isZero();
                        IntHeaderView header = view.intHeader(0);
                        assertThat(header.type()).isEqualTo(IntShim.TYPE_MX);
                        assertThat(new Mx(
                                        header.discard(),
                                        header.instructions(),
                                        (int) header.dsInstructions(),
                                        (int) header.dsFlags(),
                                        header.insertedWords()))
                                .isEqualTo(mx);
                        assertThat(header.hops()).isZero();
                        for (int i = 0; i < mx.words; i++) {
                            assertThat(header.insertedWord(i)).isEqualTo(0x8000_0000 | i);
                        }
                    }
                });
    }

    // ---- what is cut or wrong

    /** Newest hops first: a cut costs the oldest, and no hop is made of bytes that are not there. */
    @Test
    void showsOnlyWholeHopsOfEveryPrefix() {
        forAll(200, IntHeaderTest::v05, packet -> assertPrefixes(packet));
        forAll(200, IntHeaderTest::md, packet -> assertPrefixes(inIpv4(packet)));
    }

    private void assertPrefixes(Packet packet) {
        int size = packet.bytes.capacity();
        for (int length = 0; length < size; length++) {
            for (ReportDecoder decoder : List.of(strict, lenient)) {
                PacketView view = decode(decoder, packet.bytes, length, packet.start);
                assertThat(decoder.warnings().count() > 0 || view.cutAt() != null || length >= packet.stackAt)
                        .as("a cut at %d is noticed", length)
                        .isTrue();
                if (view.ints() == 1) {
                    IntHeaderView header = view.intHeader(0);
                    int whole = packet.hopBytes == 0 ? 0 : (length - packet.stackAt) / packet.hopBytes;
                    assertThat(header.truncated()).isTrue();
                    assertThat(header.hops()).isEqualTo(Math.min(packet.hops, whole));
                }
            }
        }
    }

    /** The same behind IPv4 and UDP, whose length says that bytes are missing. */
    private static Packet inIpv4(Packet packet) {
        ByteBuffer out = ByteBuffer.allocate(2100);
        int at = PacketEncoder.ipv4(out, 0, 0, 1, true, 64, UDP, 0x0A00_0101, 0x0A00_0202);
        int gpe = PacketEncoder.udp(out, at, 5000, 4790);
        byte[] bytes = new byte[packet.bytes.capacity()];
        packet.bytes.get(0, bytes);
        out.put(gpe, bytes);
        int end = gpe + bytes.length;
        PacketEncoder.finishIpv4(out, 0, end);
        return new Packet(
                Start.IPV4,
                cutAt(out, end),
                packet.version,
                packet.type,
                packet.flags,
                packet.instructions,
                packet.hopBytes,
                packet.hops,
                gpe + packet.stackAt,
                packet.first,
                packet.second,
                packet.domain);
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(5_000, r -> random(r, r.nextInt(120)), raw -> {
            for (Start start : Start.values()) {
                assertInside(raw, start, strict);
                assertInside(raw, start, lenient);
            }
        });
    }

    /** A good packet with a few bytes changed gets further than random bytes do. */
    @Test
    void neverThrowsWhateverHappensToAGoodPacket() {
        forAll(
                5_000,
                r -> {
                    Packet packet = switch (r.nextInt(4)) {
                        case 0 -> md(r);
                        case 1 -> v10(r);
                        case 2 -> v05(r);
                        default -> june2016(r);
                    };
                    for (int i = r.nextInt(4); i >= 0; i--) {
                        packet.bytes.put(r.nextInt(packet.stackAt), (byte) r.nextInt());
                    }
                    return packet;
                },
                packet -> {
                    assertInside(packet.bytes, packet.start, strict);
                    assertInside(packet.bytes, packet.start, lenient);
                });
    }

    private static void assertInside(ByteBuffer raw, Start start, ReportDecoder decoder) {
        PacketView view = decode(decoder, raw, raw.capacity(), start);
        HopView hop = new HopView();
        HopValues values = new HopValues();
        for (int i = 0; i < view.ints(); i++) {
            IntHeaderView header = view.intHeader(i);
            for (int index = 0; index < header.hops(); index++) {
                header.hop(index, hop);
                assertThat(hop.offset() + hop.layout().length()).isLessThanOrEqualTo(raw.capacity());
                values.copyFrom(hop);
            }
            assertWalk(header);
        }
    }

    /** Hop after hop comes to the same as hops by their index. */
    private static void assertWalk(IntHeaderView header) {
        HopView walking = new HopView();
        HopView indexed = new HopView();
        boolean more = header.firstHop(walking);
        for (int index = 0; index < header.hops(); index++) {
            header.hop(index, indexed);
            assertThat(more).isTrue();
            assertThat(walking.offset()).isEqualTo(indexed.offset());
            assertThat(walking.layout()).isSameAs(indexed.layout());
            more = header.nextHop(walking);
        }
        assertThat(more).isFalse();
    }
}
