package io.pathlore.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.wire.Warnings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OriginTest {
    private final Origin origin = new Origin();
    private final ReportJson json = new ReportJson();

    private String written() {
        json.rejected(origin, Fault.TR_EMPTY, 0, new Warnings());
        return new String(json.bytes(), 0, json.length(), StandardCharsets.US_ASCII);
    }

    @Test
    void aPlaceAmongJournalsTellsWhoseAndWhichReport() {
        origin.atPlace(0xF00D_0000_0000_0001L, 1L << 40, Origin.UNKNOWN_TIME).nth(3);
        assertThat(written()).startsWith("{\"id\":\"f00d000000000001-1099511627776-3\",\"error\"");
        origin.atPosition(7, Origin.UNKNOWN_TIME);
        assertThat(written()).startsWith("{\"id\":\"7\",\"error\"");
    }

    @Test
    void theDatagramIsShownToWhoAsksAndNotWithTheNextOne() {
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {9, 0x20, (byte) 0xFF, 9});
        origin.at(1, Origin.UNKNOWN_TIME).with(buffer, 1, 3);
        assertThat(written()).endsWith("\"raw\":\"20ff\"}\n");
        origin.at(2, Origin.UNKNOWN_TIME);
        assertThat(written()).doesNotContain("raw");
    }
}
