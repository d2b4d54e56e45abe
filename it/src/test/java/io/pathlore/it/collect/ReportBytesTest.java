package io.pathlore.it.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.testkit.reference.ReferenceDecoder;
import io.pathlore.testkit.reference.ReferenceOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the checker sends is what it thinks it sends. */
class ReportBytesTest {
    private static final ReferenceDecoder DECODER = new ReferenceDecoder(ReferenceOptions.lenientDefaults());

    private static Map<?, ?> one(byte[] datagram) {
        List<Map<String, Object>> reports = DECODER.decode(datagram);
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst()).doesNotContainKeys("error", "warnings");
        return (Map<?, ?>) Objects.requireNonNull(reports.getFirst().get("report"));
    }

    private static void has(Map<?, ?> report, String version, int hwId, long sequence) {
        assertThat(report.get("version")).isEqualTo(version);
        assertThat(report.get("hwId")).isEqualTo((long) hwId);
        assertThat(report.get("sequence")).isEqualTo(sequence);
    }

    @Test
    void everyVersionHasTheNumbersItWasGiven() {
        Map<?, ?> v20 = one(ReportBytes.v20(3, 4_194_303, 77, 5));
        has(v20, "2.0", 3, 4_194_303);
        assertThat(v20.get("nodeId")).isEqualTo(77L);
        has(one(ReportBytes.v20(0, 1L << 22, 1, 1)), "2.0", 0, 0);
        Map<?, ?> v10 = one(ReportBytes.v10(9, 0xFFFF_FFFFL, 78));
        has(v10, "1.0", 9, 0xFFFF_FFFFL);
        assertThat(v10.get("nodeId")).isEqualTo(78L);
        has(one(ReportBytes.v05(11, 12)), "0.5", 11, 12);
    }

    @Test
    void everyReportOfAGroupIsOfAnotherFlow() {
        Set<Object> flows = new HashSet<>();
        for (long first : new long[] {0, 65_530, 9_999_900}) {
            for (Map<String, Object> report : DECODER.decode(ReportBytes.v20(1, 1, 1, 1, 100, first, 0))) {
                assertThat(report).containsKey("flow").doesNotContainKeys("error", "warnings");
                flows.add(report.get("flow"));
            }
        }
        assertThat(flows).hasSize(300);
        assertThat(ReportBytes.v20(1, 1, 1, 1, 5, 1, 216))
                .hasSizeGreaterThan(1_350)
                .hasSizeLessThan(1_400);
        assertThat(DECODER.decode(ReportBytes.v20(1, 1, 1, 1, 5, 1, 216)))
                .hasSize(5)
                .allSatisfy(report -> assertThat(report).doesNotContainKeys("error", "warnings"));
    }

    /** A stream does what its plan says, or the checker would find nothing wrong with nothing. */
    @Test
    void aStreamLosesDoublesAndDelaysWhatItSays() {
        SentStream stream = new SentStream(
                SentStream.Plan.of(SentStream.Form.V20, 2_000)
                        .losing(0.1)
                        .doubling(0.01)
                        .delaying(0.05, 64)
                        .restarting(2),
                1,
                new Random(1));
        Set<Integer> marks = new HashSet<>();
        stream.shipments().forEach(each -> marks.add(each.mark()));
        assertThat(stream.lost()).isEqualTo(200);
        assertThat(marks).hasSize(1_800);
        assertThat(stream.shipments()).hasSize(1_800 + (int) stream.copies());
        assertThat(stream.copies()).isBetween(5L, 20L);
        assertThat(stream.late()).isBetween(20L, 100L);
    }
}
