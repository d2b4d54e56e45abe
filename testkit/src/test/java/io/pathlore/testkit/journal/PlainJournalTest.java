package io.pathlore.testkit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlainJournalTest {
    /** The check value that catalogues of checksums give. */
    @Test
    void computesTheChecksumOfThePage() {
        assertThat(PlainJournal.crc("123456789".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(0xE306_9283);
    }

    @Test
    void remarksOnASegmentWithoutAHeader() {
        TreeMap<String, byte[]> files = new TreeMap<>();
        files.put("0000000000000000.journal", new byte[100]);
        PlainJournal journal = PlainJournal.read(files);
        assertThat(journal.datagrams()).isEmpty();
        assertThat(journal.remarks()).containsExactly("0000000000000000.journal: no header");
    }
}
