package io.pathlore.bench.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The decoders that are compared do the same work. */
class ReplayTest {
    private static final int REPORTS = 16 * Columns.ROWS;

    /** As {@code decode.c} adds them up. */
    @Test
    void conformantReportsDecodeToWhatCReads() {
        ByteBuffer corpus = Corpus.make(Corpus.Kind.CONFORMANT, REPORTS);
        Tally expected = new Tally(REPORTS, 0, 0x00f5_ef03_e010_c4a2L);
        assertThat(new Replay(corpus, Reader.Variant.VIEWS).tally()).isEqualTo(expected);
        assertThat(new Replay(corpus, Reader.Variant.LENIENT).tally()).isEqualTo(expected);
    }

    @Test
    void reportsOfTheDialectDecodeToWhatCReads() {
        ByteBuffer corpus = Corpus.make(Corpus.Kind.DIALECT, REPORTS);
        Tally expected = new Tally(REPORTS, 0, 0x626a_2704_2c25_cfe7L);
        assertThat(new Replay(corpus, Reader.Variant.VIEWS).tally()).isEqualTo(expected);
        assertThat(new Replay(corpus, Reader.Variant.LENIENT).tally()).isEqualTo(expected);
    }

    @Test
    void everyReportBecomesJson() {
        for (Corpus.Kind kind : Corpus.Kind.values()) {
            Tally tally = new Replay(Corpus.make(kind, REPORTS), Reader.Variant.JSON).tally();
            assertThat(tally.reports()).isEqualTo(REPORTS);
            assertThat(tally.rejected()).isZero();
        }
    }

    @Test
    void countsWhatItRejects() {
        ByteBuffer corpus = Corpus.make(Corpus.Kind.CONFORMANT, 3);
        int second = Corpus.LENGTH_BYTES + Corpus.Kind.CONFORMANT.datagramBytes() + Corpus.LENGTH_BYTES;
        corpus.put(second, (byte) 0xF0);
        for (Reader.Variant variant : Reader.Variant.values()) {
            Tally tally = new Replay(corpus, variant).tally();
            assertThat(tally.reports()).isEqualTo(3);
            assertThat(tally.rejected()).isEqualTo(1);
        }
    }

    @Test
    void aBatchIsWhole() {
        Replay replay = new Replay(Corpus.make(Corpus.Kind.DIALECT, 2 * Columns.ROWS), Reader.Variant.VIEWS);
        for (int i = 0; i < 5; i++) {
            assertThat(replay.nextBatch()).isEqualTo(Columns.ROWS);
        }
    }
}
