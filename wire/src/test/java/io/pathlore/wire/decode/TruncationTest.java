package io.pathlore.wire.decode;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.Hex;
import io.pathlore.testkit.Json;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.Captures.Frame;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.testkit.vectors.GoldenVectors.Vector;
import io.pathlore.testkit.vectors.Start;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.DecodeOptions.IntMarks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reports are cut anywhere and wrong anywhere. Whatever is left of one, decoding ends with an answer, and the answer is made
 * of the bytes that are there: it is the same whatever lies in front of and behind them.
 */
class TruncationTest {
    private static final int MARGIN = 64;
    private static final int[] FILLS = {0xA5, 0x5A, 0x00, 0xFF};

    private static final List<DecodeOptions> OPTIONS = List.of(
            DecodedJson.strict().withDomains(RandomReports.DOMAINS),
            DecodedJson.lenient().withDomains(RandomReports.DOMAINS),
            DecodeOptions.strictly(),
            DecodeOptions.lenient().withMarks(IntMarks.LENIENT.withUdpPorts(List.of(555, 5555))));

    private final List<JsonLines> decoders =
            OPTIONS.stream().map(JsonLines::new).toList();
    /** Decoders that meet the same exporter again, and may go by what they remember of it. */
    private final List<JsonLines> remembering =
            OPTIONS.stream().map(JsonLines::new).toList();

    /** Bytes and the layer they start at. */
    record Input(String name, Start start, ByteBuffer bytes) {
        int length() {
            return bytes.capacity();
        }

        Input prefix(int length) {
            return new Input(name + " cut at " + length, start, copy(length));
        }

        private ByteBuffer copy(int length) {
            byte[] copy = new byte[length];
            bytes.get(0, copy);
            return ByteBuffer.wrap(copy);
        }

        @Override
        public String toString() {
            return name + " " + Hex.text(bytes);
        }
    }

    /** Every worked example, and every packet of every capture. */
    static List<List<Input>> inputs() {
        List<List<Input>> inputs = new ArrayList<>();
        for (Vector vector : GoldenVectors.all()) {
            byte[] bytes = vector.bytes();
            boolean framed = switch (vector.start()) {
                case IOAM_INCREMENTAL_TRACE, IOAM_E2E, IPV6_OPTION -> true;
                case REPORT, IPV4, IPV6, GENEVE, VXLAN_GPE -> false;
            };
            ByteBuffer whole = ByteBuffer.wrap(framed ? vector.start().frame(bytes) : bytes);
            inputs.add(List.of(new Input(vector.name(), vector.start(), whole)));
        }
        for (String capture : Captures.names()) {
            List<Input> frames = new ArrayList<>();
            for (Frame frame : Captures.frames(capture)) {
                String name = capture + "[" + frames.size() + "]";
                boolean packets = capture.equals("linux_ioam_packets");
                byte[] bytes = packets ? frame.bytes() : frame.datagram();
                frames.add(new Input(name, packets ? Start.IPV6_OPTION : Start.REPORT, ByteBuffer.wrap(bytes)));
            }
            inputs.add(frames);
        }
        return inputs;
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void everyPrefixIsDecodedFromItsOwnBytes(List<Input> inputs) {
        for (Input input : inputs) {
            for (int length = input.length(); length >= 0; length--) {
                assertOwnBytes(input.prefix(length));
            }
        }
    }

    /** Hops are in path order and a cut costs the oldest: what is left is the end of the whole list, value by value. */
    @ParameterizedTest
    @MethodSource("inputs")
    void everyPrefixShowsTheNewestHopsOrNone(List<Input> inputs) {
        for (Input input : inputs) {
            for (JsonLines decoder : decoders.subList(0, 2)) {
                Hops whole = Hops.of(decoder.of(input.start, input.bytes, 0, input.length()));
                for (int length = 0; length < input.length(); length++) {
                    Hops cut = Hops.of(decoder.of(input.start, input.bytes, 0, length));
                    assertNewest(input.name + " cut at " + length, cut.ints, whole.ints);
                    assertNewest(input.name + " cut at " + length, cut.ioams, whole.ioams);
                }
            }
        }
    }

    private static void assertNewest(String what, List<List<?>> left, List<List<?>> whole) {
        assertThat(left.size()).as(what).isLessThanOrEqualTo(whole.size());
        for (int i = 0; i < left.size(); i++) {
            List<?> all = whole.get(i);
            List<?> some = left.get(i);
            assertThat(some.size()).as(what).isLessThanOrEqualTo(all.size());
            for (int hop = 1; hop <= some.size(); hop++) {
                assertPart(what, some.get(some.size() - hop), all.get(all.size() - hop));
            }
        }
    }

    /** The source's hop may lack what was cut from it; what it has it has from its own bytes. */
    static void assertPart(String what, @Nullable Object part, @Nullable Object whole) {
        if (part instanceof Map<?, ?> some && whole instanceof Map<?, ?> all) {
            assertThat(all.keySet().containsAll(some.keySet())).as(what).isTrue();
            some.forEach((key, value) -> assertPart(what + " " + key, value, all.get(key)));
        } else if (part instanceof List<?> some && whole instanceof List<?> all) {
            assertThat(some.size()).as(what).isLessThanOrEqualTo(all.size());
            assertThat(some).as(what).isEqualTo(all.subList(0, some.size()));
        } else {
            assertThat(part).as(what).isEqualTo(whole);
        }
    }

    /** The hop lists of all INT and of all IOAM headers of all reports, in order. */
    private record Hops(List<List<?>> ints, List<List<?>> ioams) {
        static Hops of(String lines) {
            Hops hops = new Hops(new ArrayList<>(), new ArrayList<>());
            for (String line : lines.split("\n", -1)) {
                if (line.contains("\"hops\"")) {
                    Map<String, Object> object = Json.object(line);
                    collect(object.get("int"), hops.ints);
                    collect(object.get("ioam"), hops.ioams);
                }
            }
            return hops;
        }

        private static void collect(@Nullable Object headers, List<List<?>> into) {
            if (headers instanceof List<?> list) {
                for (Object header : list) {
                    if (header instanceof Map<?, ?> map && map.get("hops") instanceof List<?> hops) {
                        into.add(hops);
                    }
                }
            }
        }
    }

    /** A good report with a few bytes changed, cut anywhere, gets further than random bytes do. */
    @Test
    void whateverHappensToAGoodReportItIsDecodedFromItsOwnBytes() {
        List<Input> all = inputs().stream().flatMap(List::stream).toList();
        forAll(20_000, random -> damaged(random, all.get(random.nextInt(all.size()))), this::assertOwnBytes);
    }

    private static Input damaged(RandomGenerator random, Input input) {
        Input damaged = input.prefix(input.length() - (random.nextBoolean() ? 0 : random.nextInt(input.length())));
        // Lengths, types and bitmaps are in front more often than behind.
        int reach = Math.min(damaged.length(), 160);
        for (int edits = random.nextInt(4); edits >= 0; edits--) {
            int at = random.nextInt(reach);
            switch (random.nextInt(3)) {
                case 0 -> damaged.bytes.put(at, (byte) random.nextInt());
                case 1 -> damaged.bytes.put(at, (byte) (damaged.bytes.get(at) ^ 1 << random.nextInt(8)));
                default -> damaged.bytes.put(at, (byte) (damaged.bytes.get(at) + random.nextInt(-2, 3)));
            }
        }
        return damaged;
    }

    /** Reports of all kinds, more than the examples have. */
    private static Input generated(RandomGenerator random) {
        RandomReports reports = new RandomReports(random);
        return random.nextBoolean()
                ? new Input("report", Start.REPORT, reports.report())
                : new Input("frame", Start.IPV6_OPTION, reports.ethernetFrame());
    }

    @Test
    void everyPrefixOfAGeneratedReportIsDecodedFromItsOwnBytes() {
        forAll(100, TruncationTest::generated, input -> {
            for (int length = input.length(); length >= 0; length--) {
                assertOwnBytes(input.prefix(length));
            }
        });
    }

    @Test
    void everyPrefixOfAGeneratedReportShowsTheNewestHopsOrNone() {
        forAll(50, TruncationTest::generated, input -> everyPrefixShowsTheNewestHopsOrNone(List.of(input)));
    }

    @Test
    void whateverHappensToAGeneratedReportItIsDecodedFromItsOwnBytes() {
        forAll(10_000, random -> damaged(random, generated(random)), this::assertOwnBytes);
    }

    @Test
    void whateverTheBytesTheyAreDecodedFromThemselves() {
        forAll(
                5_000,
                random -> {
                    byte[] bytes = new byte[random.nextInt(200)];
                    random.nextBytes(bytes);
                    Start[] starts = Start.values();
                    if (bytes.length > 0) {
                        bytes[0] &= 0x2F; // a version there is
                    }
                    return new Input("random", starts[random.nextInt(starts.length)], ByteBuffer.wrap(bytes));
                },
                this::assertOwnBytes);
    }

    private void assertOwnBytes(Input input) {
        byte[] bytes = new byte[input.length()];
        input.bytes.get(0, bytes);
        for (int i = 0; i < decoders.size(); i++) {
            String alone = decoders.get(i).of(input.start, input.bytes, 0, bytes.length);
            Exporter exporter = new Exporter();
            JsonLines decoder = remembering.get(i);
            for (int fill : FILLS) {
                byte[] poisoned = new byte[bytes.length + 2 * MARGIN];
                Arrays.fill(poisoned, (byte) fill);
                System.arraycopy(bytes, 0, poisoned, MARGIN, bytes.length);
                ByteBuffer buffer = ByteBuffer.wrap(poisoned);
                assertThat(decoder.of(input.start, buffer, MARGIN, MARGIN + bytes.length, exporter))
                        .as("%s between %02x", input.name, fill)
                        .isEqualTo(alone);
            }
        }
    }
}
