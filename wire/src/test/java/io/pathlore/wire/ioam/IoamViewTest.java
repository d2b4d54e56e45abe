package io.pathlore.wire.ioam;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.testkit.Hex;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class IoamViewTest {
    private static final long ABSENT = IoamNodeView.ABSENT;
    private static final int SNAPSHOTS = 0x02;

    private final IoamView option = new IoamView();
    private final IoamNodeView node = new IoamNodeView();

    private Fault wrap(ByteBuffer body, int type) {
        return option.wrap(body, type, 0, body.capacity(), body.capacity());
    }

    // ---- golden bodies: every field has its top bit set, where sign bugs live

    /** From the figures in [RFC 9197 §4.4]: 65 free words, then a node with all fields of bits 0 to 21. */
    @Test
    void decodesTheGoldenTrace() {
        ByteBuffer golden = hex(
                "8001 cf41 ffff fc00" // 11001 1110 1000001
                        + "00".repeat(4 * 65)
                        + "81800002 80038004 80000005 80000006 70000007 80000008 80000009 8000000a"
                        + "8b80000000 00000c 8000000d 8000000e 8000000000 00000f 80000010" + "ff".repeat(4 * 10));
        assertThat(wrap(golden, IoamView.PREALLOCATED_TRACE)).isEqualTo(Fault.NONE);
        assertThat(option.namespace()).isEqualTo(0x8001);
        assertThat(option.nodeLen()).isEqualTo(25);
        assertThat(option.overflow()).isTrue();
        assertThat(option.loopback()).isTrue();
        assertThat(option.active()).isTrue();
        assertThat(option.remainingLen()).isEqualTo(65);
        assertThat(option.traceType()).isEqualTo(0xFF_FFFC);
        assertThat(option.nodes()).isEqualTo(1);
        option.node(0, node);
        assertThat(node.hopLimit()).isEqualTo(0x81);
        assertThat(node.nodeId()).isEqualTo(0x80_0002);
        assertThat(node.ingressInterface()).isEqualTo(0x8003);
        assertThat(node.egressInterface()).isEqualTo(0x8004);
        assertThat(node.timestampSeconds()).isEqualTo(0x8000_0005L);
        assertThat(node.timestampFraction()).isEqualTo(0x8000_0006L);
        assertThat(node.transitDelay()).isEqualTo(0x7000_0007L);
        assertThat(node.namespaceData()).isEqualTo(0x8000_0008L);
        assertThat(node.queueDepth()).isEqualTo(0x8000_0009L);
        assertThat(node.checksumComplement()).isEqualTo(0x8000_000AL);
        assertThat(node.nodeIdWide()).isEqualTo(0x80_0000_0000_000CL);
        assertThat(node.ingressInterfaceWide()).isEqualTo(0x8000_000DL);
        assertThat(node.egressInterfaceWide()).isEqualTo(0x8000_000EL);
        assertThat(node.hasNamespaceDataWide()).isTrue();
        assertThat(node.namespaceDataWide()).isEqualTo(0x8000_0000_0000_000FL);
        assertThat(node.bufferOccupancy()).isEqualTo(0x8000_0010L);
        assertThat(node.hasSnapshot()).isFalse();
    }

    /** 31 bits were not enough [RFC 9197 §4.4.2.5]. */
    @Test
    void doesNotKnowATransitDelayThatOverflowed() {
        assertThat(wrap(hex("0001 0800 0800 0000 8000 0000"), IoamView.INCREMENTAL_TRACE))
                .isEqualTo(Fault.NONE);
        option.node(0, node);
        assertThat(node.transitDelay()).isEqualTo(ABSENT);
    }

    /** Where a trace has only the wide id, that is the node's. */
    @Test
    void takesTheWideNodeIdWhereThereIsNoOther() {
        assertThat(wrap(hex("0001 1000 0080 0000 3f00 0000 0000 0102"), IoamView.INCREMENTAL_TRACE))
                .isEqualTo(Fault.NONE);
        option.node(0, node);
        assertThat(node.hopLimit()).isEqualTo(63);
        assertThat(node.nodeId()).isEqualTo(0x102);
    }

    /** With snapshots the elements differ in length; without a schema Linux writes length 0 and id 0xFFFFFF. */
    @Test
    void walksSnapshots() {
        ByteBuffer golden = hex("0001 0800 8000 0200" + "3e000002 02800001 11111111 22222222" + "3f000001 00ffffff");
        assertThat(wrap(golden, IoamView.INCREMENTAL_TRACE)).isEqualTo(Fault.NONE);
        assertThat(option.nodes()).isEqualTo(2);
        option.node(0, node);
        assertThat(node.nodeId()).isEqualTo(1);
        assertThat(node.snapshotSchema()).isEqualTo(ABSENT);
        assertThat(node.snapshotBytes()).isZero();
        option.node(1, node);
        assertThat(node.nodeId()).isEqualTo(2);
        assertThat(node.snapshotSchema()).isEqualTo(0x80_0001);
        assertThat(node.snapshotBytes()).isEqualTo(8);
        assertThat(node.snapshotOffset()).isEqualTo(12);
    }

    @Test
    void decodesTheGoldenEdgeToEdgeOption() {
        ByteBuffer golden = hex("8001 b000 8000 0000 0000 0002 8000 0003 8000 0004");
        assertThat(wrap(golden, IoamView.EDGE_TO_EDGE)).isEqualTo(Fault.NONE);
        assertThat(option.namespace()).isEqualTo(0x8001);
        assertThat(option.e2eType()).isEqualTo(0xB000);
        assertThat(option.e2eItem(0)).isEqualTo(4);
        assertThat(option.e2eItem(1)).isEqualTo(-1);
        assertThat(option.e2eItem(2)).isEqualTo(12);
        assertThat(option.e2eItem(3)).isEqualTo(16);
    }

    /** Every set extension bit adds a word, known or not. */
    @Test
    void decodesTheGoldenDirectExportOption() {
        ByteBuffer golden = hex("8001 82c1 8000 0100 8000 0002 8000 0003 8000 0004");
        assertThat(wrap(golden, IoamView.DIRECT_EXPORT)).isEqualTo(Fault.NONE);
        assertThat(option.dexFlags()).isEqualTo(0x82);
        assertThat(option.extensionFlags()).isEqualTo(0xC1);
        assertThat(option.traceType()).isEqualTo(0x80_0001);
        assertThat(option.dexItem(0)).isEqualTo(8);
        assertThat(option.dexItem(1)).isEqualTo(12);
        assertThat(option.dexItem(7)).isEqualTo(16);
        assertThat(option.dexItem(2)).isEqualTo(-1);
    }

    @Test
    void decodesTheGoldenProofOfTransit() {
        ByteBuffer golden = hex("8001 0081 8000 0000 0000 0002 8000 0000 0000 0003");
        assertThat(wrap(golden, IoamView.PROOF_OF_TRANSIT)).isEqualTo(Fault.NONE);
        assertThat(option.namespace()).isEqualTo(0x8001);
        assertThat(option.potType()).isZero();
        assertThat(option.potFlags()).isEqualTo(0x81);
        assertThat(option.offset()).isZero();
        assertThat(option.end()).isEqualTo(20);
    }

    // ---- what is written is read

    private record Trace(boolean preAllocated, int traceType, int free, List<IoamNodeValues> nodes, ByteBuffer body) {
        @Override
        public String toString() {
            return Integer.toHexString(traceType) + " free " + free + " nodes " + nodes.size() + " " + Hex.text(body);
        }
    }

    private static long value(RandomGenerator random) {
        return switch (random.nextInt(6)) {
            case 0 -> ABSENT;
            case 1 -> 0;
            case 2 -> random.nextLong();
            default -> random.nextInt(1 << 15);
        };
    }

    private static IoamNodeValues nodeValues(RandomGenerator random) {
        IoamNodeValues values = new IoamNodeValues();
        values.hopLimit = value(random);
        values.nodeId = value(random);
        values.ingressInterface = value(random);
        values.egressInterface = value(random);
        values.timestampSeconds = value(random);
        values.timestampFraction = value(random);
        values.transitDelay = random.nextInt(4) == 0 ? ABSENT : random.nextLong(1L << 33);
        values.namespaceData = value(random);
        values.queueDepth = value(random);
        values.checksumComplement = value(random);
        values.nodeIdWide = value(random);
        values.ingressInterfaceWide = value(random);
        values.egressInterfaceWide = value(random);
        values.namespaceDataWide = value(random);
        values.bufferOccupancy = value(random);
        values.snapshotSchema = value(random);
        values.snapshotWords = random.nextInt(4);
        for (int i = 0; i < values.snapshotWords; i++) {
            values.snapshot[i] = random.nextInt();
        }
        return values;
    }

    private static Trace trace(RandomGenerator random) {
        boolean preAllocated = random.nextBoolean();
        int traceType = Math.max(SNAPSHOTS, random.nextInt(1 << 24) & 0xFF_FFFE);
        int free = preAllocated ? random.nextInt(128) : 0;
        List<IoamNodeValues> nodes = new ArrayList<>();
        ByteBuffer out = ByteBuffer.allocate(2048);
        int at = IoamEncoder.trace(out, 0, 1, traceType, false, true, false, free);
        at = IoamEncoder.free(out, at, free);
        for (int count = random.nextInt(6); count > 0; count--) {
            IoamNodeValues values = nodeValues(random);
            nodes.addFirst(values);
            at = IoamEncoder.node(out, at, traceType, values);
        }
        byte[] body = new byte[at];
        out.get(0, body);
        return new Trace(preAllocated, traceType, free, nodes, ByteBuffer.wrap(body));
    }

    private static int type(Trace trace) {
        return trace.preAllocated ? IoamView.PREALLOCATED_TRACE : IoamView.INCREMENTAL_TRACE;
    }

    @Test
    void decodesTheTracesItEncodes() {
        forAll(2_000, IoamViewTest::trace, trace -> {
            assertThat(wrap(trace.body, type(trace))).isEqualTo(Fault.NONE);
            assertThat(option.traceType()).isEqualTo(trace.traceType);
            assertThat(option.remainingLen()).isEqualTo(trace.free);
            assertThat(option.loopback()).isTrue();
            assertThat(option.overflow()).isFalse();
            assertThat(option.nodes()).isEqualTo(trace.nodes.size());
            for (int i = 0; i < option.nodes(); i++) {
                option.node(i, node);
                assertNode(trace.traceType, trace.nodes.get(i), trace.body);
            }
        });
    }

    private void assertNode(int traceType, IoamNodeValues values, ByteBuffer body) {
        Expected expected = new Expected(traceType);
        boolean narrow = expected.has(0);
        boolean noLimit = bits(values.hopLimit, 8) == ABSENT;
        // Of the two fields with a hop limit the first that is not all ones counts.
        boolean available = narrow && !(noLimit && bits(values.nodeId, 24) == ABSENT)
                || expected.has(8) && !(noLimit && bits(values.nodeIdWide, 56) == ABSENT);
        assertThat(node.hopLimit()).isEqualTo(available ? values.hopLimit & 0xFF : ABSENT);
        assertThat(node.nodeId()).isEqualTo(narrow ? bits(values.nodeId, 24) : expected.of(8, values.nodeIdWide, 56));
        assertThat(node.ingressInterface()).isEqualTo(expected.of(1, values.ingressInterface, 16));
        assertThat(node.egressInterface()).isEqualTo(expected.of(1, values.egressInterface, 16));
        assertThat(node.timestampSeconds()).isEqualTo(expected.of(2, values.timestampSeconds, 32));
        assertThat(node.timestampFraction()).isEqualTo(expected.of(3, values.timestampFraction, 32));
        long delay = values.transitDelay > Integer.MAX_VALUE ? ABSENT : values.transitDelay;
        assertThat(node.transitDelay()).isEqualTo(expected.of(4, delay, 32));
        assertThat(node.namespaceData()).isEqualTo(expected.of(5, values.namespaceData, 32));
        assertThat(node.queueDepth()).isEqualTo(expected.of(6, values.queueDepth, 32));
        assertThat(node.checksumComplement()).isEqualTo(expected.of(7, values.checksumComplement, 32));
        assertThat(node.nodeIdWide()).isEqualTo(expected.of(8, values.nodeIdWide, 56));
        assertThat(node.ingressInterfaceWide()).isEqualTo(expected.of(9, values.ingressInterfaceWide, 32));
        assertThat(node.egressInterfaceWide()).isEqualTo(expected.of(9, values.egressInterfaceWide, 32));
        assertThat(node.hasNamespaceDataWide()).isEqualTo(expected.has(10) && values.namespaceDataWide != ABSENT);
        if (node.hasNamespaceDataWide()) {
            assertThat(node.namespaceDataWide()).isEqualTo(values.namespaceDataWide);
        }
        assertThat(node.bufferOccupancy()).isEqualTo(expected.of(11, values.bufferOccupancy, 32));
        assertThat(node.hasSnapshot()).isEqualTo(expected.has(22));
        if (node.hasSnapshot()) {
            assertThat(node.snapshotSchema()).isEqualTo(bits(values.snapshotSchema, 24));
            assertThat(node.snapshotBytes()).isEqualTo(4 * values.snapshotWords);
            for (int i = 0; i < values.snapshotWords; i++) {
                assertThat(body.getInt(node.snapshotOffset() + 4 + 4 * i)).isEqualTo(values.snapshot[i]);
            }
        }
    }

    /** What a field of that many bits shows of a value: all ones is absent. */
    private static long bits(long value, int width) {
        long mask = (1L << width) - 1;
        return (value & mask) == mask ? ABSENT : value & mask;
    }

    private record Expected(int traceType) {
        boolean has(int bit) {
            return (traceType & 0x80_0000 >>> bit) != 0;
        }

        long of(int bit, long value, int width) {
            return has(bit) ? bits(value, width) : ABSENT;
        }
    }

    @Test
    void decodesTheEdgeToEdgeOptionsItEncodes() {
        record Fields(int type, long sequence, long seconds, long fraction) {}
        forAll(
                r -> new Fields(
                        new int[] {0x0000, 0x8000, 0x4000}[r.nextInt(3)] | r.nextInt(4) << 12,
                        r.nextLong(),
                        r.nextLong(1L << 32),
                        r.nextLong(1L << 32)),
                f -> {
                    ByteBuffer body = ByteBuffer.allocate(32);
                    int end = IoamEncoder.edgeToEdge(body, 0, 9, f.type, f.sequence, f.seconds, f.fraction);
                    assertThat(option.wrap(body, IoamView.EDGE_TO_EDGE, 0, end, end))
                            .isEqualTo(Fault.NONE);
                    assertThat(option.e2eType()).isEqualTo(f.type);
                    assertWord(body, option.e2eItem(1), (f.type & 0x4000) != 0, f.sequence);
                    assertWord(body, option.e2eItem(2), (f.type & 0x2000) != 0, f.seconds);
                    assertWord(body, option.e2eItem(3), (f.type & 0x1000) != 0, f.fraction);
                    if ((f.type & 0x8000) != 0) {
                        assertThat(body.getLong(option.e2eItem(0))).isEqualTo(f.sequence);
                    }
                });
    }

    private static void assertWord(ByteBuffer body, int at, boolean present, long value) {
        assertThat(at >= 0).isEqualTo(present);
        if (present) {
            assertThat(body.getInt(at)).isEqualTo((int) value);
        }
    }

    @Test
    void decodesTheDirectExportOptionsItEncodes() {
        record Fields(int flags, int extensions, int traceType, long flowId, long sequence) {}
        forAll(
                r -> new Fields(
                        r.nextInt(256),
                        r.nextInt(4) << 6,
                        r.nextInt(1 << 24),
                        r.nextLong(1L << 32),
                        r.nextLong(1L << 32)),
                f -> {
                    ByteBuffer body = ByteBuffer.allocate(32);
                    int end = IoamEncoder.directExport(
                            body, 0, 9, f.flags, f.extensions, f.traceType, f.flowId, f.sequence);
                    assertThat(option.wrap(body, IoamView.DIRECT_EXPORT, 0, end, end))
                            .isEqualTo(Fault.NONE);
                    assertThat(option.dexFlags()).isEqualTo(f.flags);
                    assertThat(option.extensionFlags()).isEqualTo(f.extensions);
                    assertThat(option.traceType()).isEqualTo(f.traceType);
                    assertWord(body, option.dexItem(0), (f.extensions & 0x80) != 0, f.flowId);
                    assertWord(body, option.dexItem(1), (f.extensions & 0x40) != 0, f.sequence);
                });
    }

    @Test
    void writesProofOfTransit() {
        ByteBuffer body = ByteBuffer.allocate(20);
        assertThat(IoamEncoder.proofOfTransit(body, 0, 0x8001, 0x81, 0x8000_0000_0000_0002L, 3))
                .isEqualTo(20);
        assertThat(Hex.text(body)).isEqualTo("80010081" + "8000000000000002" + "0000000000000003");
    }

    // ---- the IPv6 header around it

    /** A 4n aligned option behind two octets of PadN; the end is padded to whole units of 8. */
    @Test
    void padsTheOptionsHeader() {
        for (int bodyBytes = 0; bodyBytes < 40; bodyBytes++) {
            ByteBuffer out = ByteBuffer.allocate(64);
            int at = IoamEncoder.optionsHeader(out, 8, 17);
            at = IoamEncoder.option(out, at, IoamEncoder.OPTION_MUST_NOT_CHANGE, IoamView.EDGE_TO_EDGE, bodyBytes);
            assertThat(at % 4).isZero();
            int end = IoamEncoder.finishOptionsHeader(out, 8, at + bodyBytes);
            assertThat(end - at - bodyBytes).isBetween(0, 7);
            assertThat(out.get(8)).isEqualTo((byte) 17);
            assertThat((out.get(9) + 1) * 8).isEqualTo(end - 8);
            assertThat(out.get(13)).isEqualTo((byte) (bodyBytes + 2));
            int option = 10;
            while (option < end) {
                option += out.get(option) == 0 ? 1 : 2 + out.get(option + 1);
            }
            assertThat(option).isEqualTo(end);
        }
    }

    // ---- what is cut or wrong

    /** What the carrier's length promises but the packet does not have is a cut, and shows only whole nodes. */
    @Test
    void showsOnlyWholeNodesOfEveryPrefix() {
        forAll(300, IoamViewTest::trace, trace -> {
            int size = trace.body.capacity();
            assertThat(wrap(trace.body, type(trace))).isEqualTo(Fault.NONE);
            List<Integer> ends = new ArrayList<>();
            for (int i = option.nodes() - 1; i >= 0; i--) {
                option.node(i, node);
                ends.add(node.offset() + node.length() + (node.hasSnapshot() ? 4 + node.snapshotBytes() : 0));
            }
            for (int present = 0; present < size; present++) {
                int last = present;
                assertThat(option.wrap(trace.body, type(trace), 0, size, present))
                        .isEqualTo(Fault.NONE);
                assertThat(option.usable()).isEqualTo(present >= IoamEncoder.TRACE_LENGTH);
                assertThat(option.truncated()).isTrue();
                long whole = ends.stream().filter(end -> end <= last).count();
                assertThat(option.nodes()).isEqualTo((int) (option.usable() ? whole : 0));
            }
        });
    }

    /** What its own length cuts short is a fault. */
    @Test
    void rejectsAnOptionShorterThanItsFixedPart() {
        int[] fixed = {8, 8, 20, 4, 8};
        for (int type = 0; type < fixed.length; type++) {
            for (int length = 0; length < fixed[type]; length++) {
                assertThat(option.wrap(ByteBuffer.allocate(32), type, 0, length, length))
                        .as("type %d, %d bytes", type, length)
                        .isEqualTo(Fault.IOAM_OPTION_TRUNCATED);
            }
        }
    }

    @Test
    void rejectsAnOptionShorterThanWhatItsFlagsPromise() {
        assertThat(wrap(hex("0001 7000 0000 0063 6553 f102"), IoamView.EDGE_TO_EDGE))
                .isEqualTo(Fault.IOAM_OPTION_TRUNCATED);
        assertThat(wrap(hex("0001 00c0 f000 0000 0000 0abc"), IoamView.DIRECT_EXPORT))
                .isEqualTo(Fault.IOAM_OPTION_TRUNCATED);
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        record Raw(ByteBuffer bytes, int type, int present) {}
        forAll(
                5_000,
                r -> {
                    ByteBuffer bytes = random(r, r.nextInt(100));
                    return new Raw(bytes, r.nextInt(6), r.nextInt(bytes.capacity() + 1));
                },
                raw -> {
                    // The option may say that it goes on behind the last byte.
                    int end = raw.bytes.capacity();
                    ByteBuffer cut = raw.bytes.slice(0, raw.present);
                    Fault fault = option.wrap(cut, raw.type, 0, end, raw.present);
                    if (fault == Fault.NONE && option.usable()) {
                        for (int i = 0; i < option.nodes(); i++) {
                            option.node(i, node);
                            int snapshot = node.hasSnapshot() ? 4 + node.snapshotBytes() : 0;
                            assertThat(node.offset() + node.length() + snapshot).isLessThanOrEqualTo(raw.present);
                        }
                    }
                });
    }
}
