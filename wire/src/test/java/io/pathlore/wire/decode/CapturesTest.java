package io.pathlore.wire.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.testkit.vectors.Captures;
import io.pathlore.testkit.vectors.Captures.Frame;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.net.PacketWalker.Start;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reports of other people's switches decode, with no configuration at all, to everything that is known of them. */
class CapturesTest {
    /** Of the capture or of the frame around the report; of the emitter's habits, which the values show. */
    private static final Set<String> NOT_IN_THE_REPORT = Set.of(
            "index",
            "time",
            "capture_time",
            "name",
            "case",
            "outer",
            "frame_bytes",
            "frame_truncated_to_200",
            "outer_mpls_label",
            "inner_truncated_to",
            "f_bit_position",
            "ingress_tstamp_unit",
            "timestamp_words",
            "level2_words",
            "stack_reliable",
            // what a faulty reader makes of the drop key
            "dropHdr.dropKey",
            "drop_key_misread_by_peer");

    /** Data packets rather than reports. */
    private static final String PACKETS = "linux_ioam_packets";

    static List<String> names() {
        return Captures.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void decodesToWhatIsTrueOfIt(String name) {
        assertCapture(name, new Exporter());
    }

    /** The layout that verified for the last report is tried first for the next; nothing may come of it but speed. */
    @ParameterizedTest
    @MethodSource("names")
    void decodesToTheSameWhenTheExporterIsKnown(String name) {
        Exporter exporter = new Exporter();
        assertCapture(name, exporter);
        assertCapture(name, exporter);
    }

    @ParameterizedTest
    @MethodSource("names")
    void decodesToTheSameWhenEveryReportIsTheFirst(String name) {
        assertCapture(name, null);
    }

    /** One exporter for all captures, as when a collector sits behind an address translator. */
    @ParameterizedTest
    @MethodSource("names")
    void decodesToTheSameAfterAnyOtherDialect(String name) {
        for (String other : Captures.names()) {
            Exporter exporter = new Exporter();
            assertCapture(other, exporter);
            assertCapture(name, exporter);
        }
    }

    private static void assertCapture(String name, @Nullable Exporter exporter) {
        List<Frame> frames = Captures.frames(name);
        if (!(Captures.expected(name).get("packets") instanceof List<?> expected)) {
            throw new AssertionError("nothing is known of " + name);
        }
        assertThat(frames).hasSize(expected.size());
        for (int i = 0; i < frames.size(); i++) {
            Exporter known = exporter == null ? new Exporter() : exporter;
            Map<String, @Nullable Object> decoded =
                    name.equals(PACKETS) ? packet(frames.get(i), known) : report(frames.get(i), known);
            assertValue(name + "[" + i + "]", expected.get(i), decoded);
        }
    }

    private static Map<String, @Nullable Object> packet(Frame frame, Exporter exporter) {
        byte[] bytes = frame.bytes();
        ReportDecoder decoder = new ReportDecoder(DecodeOptions.lenient());
        decoder.decodePacket(ByteBuffer.wrap(bytes), 0, bytes.length, Start.ETHERNET, exporter);
        assertThat(decoder.warnings().count()).isZero();
        return CapturedValues.of(decoder.packet());
    }

    private static Map<String, @Nullable Object> report(Frame frame, Exporter exporter) {
        byte[] bytes = frame.datagram();
        List<Map<String, @Nullable Object>> reports = new ArrayList<>();
        Fault fault = new ReportDecoder(DecodeOptions.lenient())
                .decode(ByteBuffer.wrap(bytes), 0, bytes.length, exporter, new ReportSink() {
                    @Override
                    public void onReport(ReportView report) {
                        reports.add(CapturedValues.of(report));
                    }

                    @Override
                    public void onRejected(Fault fault, int offset) {
                        throw new AssertionError(fault + " at " + offset);
                    }
                });
        assertThat(fault).isEqualTo(Fault.NONE);
        assertThat(reports).hasSize(1);
        return reports.getFirst();
    }

    private static void assertObject(String at, Map<?, ?> expected, Map<?, ?> decoded) {
        expected.forEach((key, value) -> {
            if (!NOT_IN_THE_REPORT.contains((String) key)) {
                assertThat(decoded.containsKey(key))
                        .as("%s.%s is looked at", at, key)
                        .isTrue();
                assertValue(at + "." + key, value, decoded.get(key));
            }
        });
    }

    private static void assertValue(String at, @Nullable Object expected, @Nullable Object decoded) {
        switch (expected) {
            case Map<?, ?> object when decoded instanceof Map<?, ?> found -> assertObject(at, object, found);
            case List<?> list
            when at.endsWith("path_travel_order") && decoded instanceof List<?> found ->
                // The truth knows the whole path; a stack that was cut has lost its oldest hops.
                assertThat(found).as(at).isEqualTo(list.subList(list.size() - found.size(), list.size()));
            case null, default -> assertThat(decoded).as(at).isEqualTo(expected);
        }
    }
}
