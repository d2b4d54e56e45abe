package io.pathlore.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AmountTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void countsAreGrouped() {
        assertThat(Amount.count(0)).isEqualTo("0");
        assertThat(Amount.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Amount.count(1, "datagram")).isEqualTo("1 datagram");
        assertThat(Amount.count(2_000, "datagram")).isEqualTo("2,000 datagrams");
    }

    @Test
    void bytesHaveAUnit() {
        assertThat(Amount.bytes(0)).isEqualTo("0 B");
        assertThat(Amount.bytes(1_023)).isEqualTo("1023 B");
        assertThat(Amount.bytes(1_024)).isEqualTo("1 KiB");
        assertThat(Amount.bytes(1_536)).isEqualTo("1.5 KiB");
        assertThat(Amount.bytes(16 << 20)).isEqualTo("16 MiB");
        assertThat(Amount.bytes(212_992)).isEqualTo("208 KiB");
        assertThat(Amount.bytes(Long.MAX_VALUE)).isEqualTo("8 EiB");
    }

    /** All and nothing are said only of all and nothing. */
    @Test
    void sharesAreNotRoundedToAllOrNothing() {
        assertThat(Amount.share(0, 5)).isEqualTo("0 %");
        assertThat(Amount.share(5, 5)).isEqualTo("100 %");
        assertThat(Amount.share(999_999, 1_000_000)).isEqualTo("99.99 %");
        assertThat(Amount.share(1, 1_000_000)).isEqualTo("< 0.01 %");
        assertThat(Amount.share(0.5)).isEqualTo("50.00 %");
        assertThat(Amount.share(0.9991)).isEqualTo("99.91 %");
    }

    @Test
    void timesAreAsFineAsTheyMatter() {
        assertThat(Amount.seconds(0.44)).isEqualTo("0.4 s");
        assertThat(Amount.seconds(9.99)).isEqualTo("9.9 s");
        assertThat(Amount.seconds(10)).isEqualTo("10 s");
        assertThat(Amount.seconds(119)).isEqualTo("119 s");
        assertThat(Amount.seconds(120)).isEqualTo("2 min");
        assertThat(Amount.seconds(7_199)).isEqualTo("119 min");
        assertThat(Amount.seconds(7_200)).isEqualTo("2 h");
        assertThat(Amount.seconds(200_000)).isEqualTo("2 d");
    }

    @Test
    void agesBecomeDates() {
        assertThat(Amount.age(100 * SECOND, 142 * SECOND)).isEqualTo("42 s ago");
        assertThat(Amount.age(200 * SECOND, 100 * SECOND)).isEqualTo("0.0 s ago");
        assertThat(Amount.until(340 * SECOND, 100 * SECOND)).isEqualTo("in 4 min");
        assertThat(Amount.until(100 * SECOND, 142 * SECOND)).isEqualTo("42 s ago");
        assertThat(Amount.age(1_577_934_245 * SECOND, 1_577_934_245 * SECOND + 172_800 * SECOND))
                .isEqualTo("2020-01-02 03:04");
    }

    @Test
    void latenciesHaveAUnitThatFits() {
        assertThat(Amount.nanos(0)).isEqualTo("0 ns");
        assertThat(Amount.nanos(-4)).isEqualTo("-4 ns");
        assertThat(Amount.nanos(999)).isEqualTo("999 ns");
        assertThat(Amount.nanos(1_000)).isEqualTo("1.0 us");
        assertThat(Amount.nanos(12_345)).isEqualTo("12.3 us");
        assertThat(Amount.nanos(123_456)).isEqualTo("123 us");
        assertThat(Amount.nanos(1_200_000)).isEqualTo("1.2 ms");
        assertThat(Amount.nanos(2_500_000_000L)).isEqualTo("2.5 s");
        assertThat(Amount.nanos(7_200_000_000_000L)).isEqualTo("7200 s");
    }
}
