package io.pathlore.bench.decode;

import io.pathlore.model.Fault;
import java.nio.ByteBuffer;

/** Hands the datagrams of a corpus to a reader, over and over. Hot path. */
final class Replay {
    private final ByteBuffer corpus;
    private final Reader reader;
    private final Columns columns = new Columns();
    private int at;
    private long rejected;

    Replay(ByteBuffer corpus, Reader.Variant variant) {
        this.corpus = corpus;
        reader = variant.over(columns);
    }

    private boolean atEnd() {
        return at >= corpus.capacity();
    }

    /** Fills the columns from the start and returns how many rows, fewer only at the end of the corpus. */
    private int batch() {
        columns.clear();
        int size = corpus.capacity();
        while (at < size && columns.rows() < Columns.ROWS) {
            int from = at + Corpus.LENGTH_BYTES;
            int end = from + (corpus.getShort(at) & 0xFFFF);
            if (reader.read(corpus, from, end) != Fault.NONE) {
                rejected++;
            }
            at = end;
        }
        return columns.rows();
    }

    /** One batch, from the start again when the corpus is at its end. */
    int nextBatch() {
        if (atEnd()) {
            at = 0;
        }
        return batch();
    }

    /** Once through the corpus. */
    void pass() {
        at = 0;
        while (!atEnd()) {
            batch();
        }
    }

    /** Once through the corpus, with everything that was decoded added up. */
    Tally tally() {
        at = 0;
        rejected = 0;
        long accepted = 0;
        long sum = 0;
        while (!atEnd()) {
            accepted += batch();
            sum = columns.checksum(sum);
        }
        return new Tally(accepted + rejected, rejected, sum);
    }
}
