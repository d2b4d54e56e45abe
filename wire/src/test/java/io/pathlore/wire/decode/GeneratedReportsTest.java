package io.pathlore.wire.decode;

import static io.pathlore.testkit.Property.forAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.testkit.Hex;
import io.pathlore.wire.DecodeOptions;
import io.pathlore.wire.net.PacketWalker.Start;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What the encoders write, strict decoding accepts without a word, and lenient decoding sees no differently. */
class GeneratedReportsTest {
    private static final DecodeOptions STRICT = DecodedJson.strict().withDomains(RandomReports.DOMAINS);
    private static final DecodeOptions LENIENT = DecodedJson.lenient().withDomains(RandomReports.DOMAINS);

    private final JsonLines strict = new JsonLines(STRICT);
    private final JsonLines lenient = new JsonLines(LENIENT);

    /** Bytes, and how many INT headers and IOAM options are in them. */
    private record Generated(ByteBuffer bytes, int ints, int ioams) {
        static Generated report(RandomGenerator random) {
            RandomReports reports = new RandomReports(random);
            ByteBuffer bytes = reports.report();
            return new Generated(bytes, reports.ints, reports.ioams);
        }

        static Generated frame(RandomGenerator random) {
            RandomReports reports = new RandomReports(random);
            ByteBuffer bytes = reports.ethernetFrame();
            return new Generated(bytes, reports.ints, reports.ioams);
        }

        @Override
        public String toString() {
            return ints + " INT headers, " + ioams + " IOAM options in " + Hex.text(bytes);
        }
    }

    @Test
    void reportsAreAcceptedAsWritten() {
        forAll(5_000, Generated::report, report -> {
            String lines = strict.reports(report.bytes, 0, report.bytes.capacity());
            assertThat(lines)
                    .doesNotContain("\"warnings\"")
                    .doesNotContain("\"error\"")
                    .doesNotContain("\"cutAt\"");
            assertThat(lenient.reports(report.bytes, 0, report.bytes.capacity()))
                    .isEqualTo(lines);
            Counter counter = new Counter();
            new ReportDecoder(STRICT).decode(report.bytes, 0, report.bytes.capacity(), new Exporter(), counter);
            assertThat(counter.ints).isEqualTo(report.ints);
            assertThat(counter.ioams).isEqualTo(report.ioams);
        });
    }

    private static final class Counter implements ReportSink {
        private int ints;
        private int ioams;

        @Override
        public void onReport(ReportView report) {
            ints += report.packet().ints();
            ioams += report.packet().ioams();
        }

        @Override
        public void onRejected(Fault fault, int offset) {
            throw new AssertionError(fault + " at " + offset);
        }
    }

    @Test
    void packetsAreAcceptedAsWritten() {
        forAll(5_000, Generated::frame, frame -> {
            int end = frame.bytes.capacity();
            String line = strict.packet(Start.ETHERNET, frame.bytes, 0, end);
            assertThat(line).doesNotContain("\"warnings\"").doesNotContain("\"cutAt\"");
            assertThat(lenient.packet(Start.ETHERNET, frame.bytes, 0, end)).isEqualTo(line);
            ReportDecoder decoder = new ReportDecoder(STRICT);
            decoder.decodePacket(frame.bytes, 0, end, Start.ETHERNET, new Exporter());
            assertThat(decoder.packet().ints()).isEqualTo(frame.ints);
            assertThat(decoder.packet().ioams()).isEqualTo(frame.ioams);
        });
    }
}
