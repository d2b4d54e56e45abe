package io.pathlore.wire.tr20;

import static io.pathlore.testkit.Hex.hex;
import static io.pathlore.testkit.Property.forAll;
import static io.pathlore.testkit.Property.random;
import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class IndividualReportTest {
    private final IndividualReport report = new IndividualReport();

    /** Hand-made from the figures in [TR 2.0 §3.3, §3.3.1]; every field of RepType 1 has its top bit set. */
    @Test
    void decodesTheGoldenReport() {
        // 0001 1100 10000010 10000000 1 0 1 0 0000 | 0x8001 domain 0x9234 | DSMdBits 0xa001 status 0xb004
        ByteBuffer golden = hex("1c82 80a0 8001 9234 a001 b004" + "00".repeat(4 * 128));
        assertThat(report.wrap(golden, 0, golden.capacity())).isEqualTo(Fault.NONE);
        assertThat(report.repType()).isEqualTo(IndividualReport.TYPE_INT);
        assertThat(report.inType()).isEqualTo(0b1100);
        assertThat(report.reportLength()).isEqualTo(130);
        assertThat(report.mdLength()).isEqualTo(128);
        assertThat(report.dropped()).isTrue();
        assertThat(report.congested()).isFalse();
        assertThat(report.tracked()).isTrue();
        assertThat(report.intermediate()).isFalse();
        assertThat(report.repMdBits()).isEqualTo(0x8001);
        assertThat(report.domainId()).isEqualTo(0x9234);
        assertThat(report.dsMdBits()).isEqualTo(0xA001);
        assertThat(report.dsMdStatus()).isEqualTo(0xB004);
        assertThat(report.metadataOffset()).isEqualTo(12);
        assertThat(report.innerOffset()).isEqualTo(12 + 4 * 128);
        assertThat(report.end()).isEqualTo(golden.capacity());
    }

    /** Only RepType 1 has main contents: its inner contents start right behind the first word, whatever MD Length says. */
    @Test
    void hasNoMainContentsForOtherTypes() {
        ByteBuffer golden = hex("a301 fff5 ffff ffff"); // 1010 0011 00000001 11111111 1111 0101
        assertThat(report.wrap(golden, 0, 8)).isEqualTo(Fault.NONE);
        assertThat(report.repType()).isEqualTo(0b1010);
        assertThat(report.inType()).isEqualTo(IndividualReport.IN_ETHERNET);
        assertThat(report.mdLength()).isEqualTo(255);
        assertThat(report.repMdBits()).isZero();
        assertThat(report.domainId()).isZero();
        assertThat(report.innerOffset()).isEqualTo(4);
        assertThat(report.dropped()).isTrue();
        assertThat(report.congested()).isTrue();
        assertThat(report.tracked()).isTrue();
        assertThat(report.intermediate()).isTrue();
    }

    @Test
    void decodesWhatItEncodes() {
        record Fields(
                int repType,
                int inType,
                int reportLength,
                int mdLength,
                boolean dropped,
                boolean congested,
                boolean tracked,
                boolean intermediate) {}
        record Main(int repMdBits, int domainId, int dsMdBits, int dsMdStatus) {}
        record Both(Fields fields, Main main) {}
        forAll(
                r -> {
                    int md = r.nextInt(253);
                    return new Both(
                            new Fields(
                                    1,
                                    r.nextInt(16),
                                    2 + md + r.nextInt(253 - md),
                                    md,
                                    r.nextBoolean(),
                                    r.nextBoolean(),
                                    r.nextBoolean(),
                                    r.nextBoolean()),
                            new Main(r.nextInt(1 << 16), r.nextInt(1 << 16), r.nextInt(1 << 16), r.nextInt(1 << 16)));
                },
                both -> {
                    Fields f = both.fields;
                    Main m = both.main;
                    ByteBuffer buffer = ByteBuffer.allocate(1024 + 5);
                    int at = IndividualReport.encode(
                            buffer,
                            5,
                            f.repType,
                            f.inType,
                            f.reportLength,
                            f.mdLength,
                            f.dropped,
                            f.congested,
                            f.tracked,
                            f.intermediate);
                    at = IndividualReport.encodeMain(buffer, at, m.repMdBits, m.domainId, m.dsMdBits, m.dsMdStatus);
                    assertThat(at).isEqualTo(5 + 12);
                    int end = 5 + 4 + 4 * f.reportLength;
                    assertThat(report.wrap(buffer, 5, end)).isEqualTo(Fault.NONE);
                    assertThat(new Fields(
                                    report.repType(),
                                    report.inType(),
                                    report.reportLength(),
                                    report.mdLength(),
                                    report.dropped(),
                                    report.congested(),
                                    report.tracked(),
                                    report.intermediate()))
                            .isEqualTo(f);
                    assertThat(new Main(report.repMdBits(), report.domainId(), report.dsMdBits(), report.dsMdStatus()))
                            .isEqualTo(m);
                    assertThat(report.end()).isEqualTo(end);
                });
    }

    @Test
    void writesALengthThatDoesNotFitAsToTheEnd() {
        ByteBuffer buffer = ByteBuffer.allocate(4 + 1021);
        IndividualReport.encode(buffer, 0, 1, 4, 400, 0, false, false, false, false);
        assertThat(report.wrap(buffer, 0, buffer.capacity())).isEqualTo(Fault.NONE);
        assertThat(report.reportLength()).isEqualTo(IndividualReport.LENGTH_TO_END);
        assertThat(report.end()).isEqualTo(buffer.capacity());
        assertThat(report.wrap(buffer, 0, 4 + 1019)).isEqualTo(Fault.TR20_FF_TOO_SHORT);
    }

    @Test
    void rejectsEveryPrefix() {
        ByteBuffer golden = hex("1406 0220 5000 0000 0000 0000 0001 0002 0000 0100 4500 0000 0000 0000");
        assertThat(report.wrap(golden, 0, golden.capacity())).isEqualTo(Fault.NONE);
        for (int length = 0; length < golden.capacity(); length++) {
            assertThat(report.wrap(golden, 0, length))
                    .isEqualTo(length < 4 ? Fault.TR20_NO_REPORTS : Fault.TR20_REPORT_LENGTH_OVERRUN);
        }
    }

    @Test
    void rejectsMetadataThatDoesNotFitTheReport() {
        ByteBuffer buffer = ByteBuffer.allocate(64);
        buffer.putInt(0, 0x1401_0020);
        assertThat(report.wrap(buffer, 0, 64)).isEqualTo(Fault.TR20_MAIN_CONTENTS_TRUNCATED);
        buffer.putInt(0, 0x1403_0220);
        assertThat(report.wrap(buffer, 0, 64)).isEqualTo(Fault.TR20_MD_OVERRUNS_REPORT);
    }

    @Test
    void neverThrowsWhateverTheBytes() {
        forAll(r -> random(r, r.nextInt(1200)), raw -> {
            Fault fault = report.wrap(raw, 0, raw.capacity());
            if (fault == Fault.NONE) {
                assertThat(report.end()).isBetween(report.innerOffset(), raw.capacity());
                assertThat(report.repMdBits() | report.domainId() | report.dsMdBits() | report.dsMdStatus())
                        .isBetween(0, 0xFFFF);
            }
        });
    }
}
