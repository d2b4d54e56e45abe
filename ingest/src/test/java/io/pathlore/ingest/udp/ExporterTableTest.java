package io.pathlore.ingest.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.pathlore.model.Fault;
import io.pathlore.model.Profile;
import io.pathlore.wire.decode.Exporter;
import org.junit.jupiter.api.Test;

class ExporterTableTest {
    @Test
    void tellsOfEachExporterWhatItSent() {
        var table = new ExporterTable(4, 0, ExporterTable.Profiles.AUTO, 1);
        int slot = table.slotOf(false, 0, 0x0A000001, 100);
        table.onDatagram(slot, 200, 100);
        table.onReport(slot);
        table.onDatagram(table.slotOf(false, 0, 0x0A000001, 300), 40, 300);
        table.onUndecodable(slot, Fault.TR_UNKNOWN_VERSION);
        int other = table.slotOf(true, 0xFD00L << 48, 1, 400);
        table.onDatagram(other, 8, 400);
        table.onRejectedReport(other, Fault.TR20_TRAILING_BYTES);
        assertThat(table.rows())
                .containsExactly(
                        new ExporterTable.Row("10.0.0.1", 100, 300, 2, 240, 1, 0, 1, 0, Fault.TR_UNKNOWN_VERSION),
                        new ExporterTable.Row("fd00::1", 400, 400, 1, 8, 0, 1, 0, 0, Fault.TR20_TRAILING_BYTES));
    }

    @Test
    void aSweepDoesNotPushOutThoseThatReallySend() {
        var table = new ExporterTable(64, 0, ExporterTable.Profiles.AUTO, 1);
        for (int sweep = 0; sweep < 10_000; sweep++) {
            if (sweep % 20 == 0) {
                for (int real = 1; real <= 10; real++) {
                    table.onDatagram(table.slotOf(false, 0, real, sweep), 1, sweep);
                }
            }
            table.slotOf(false, 0, 1_000_000 + sweep, sweep);
        }
        assertThat(table.size()).isEqualTo(64);
        assertThat(table.evicted()).isEqualTo(10_010 - 64);
        assertThat(table.rows().stream().filter(row -> row.datagrams() == 500)).hasSize(10);
    }

    @Test
    void aPlaceThatIsGivenAwayIsForgotten() {
        var table = new ExporterTable(1, 1, ExporterTable.Profiles.AUTO, 1);
        int slot = table.slotOf(false, 0, 1, 0);
        Exporter first = table.exporter(slot);
        table.onDatagram(slot, 10, 0);
        table.onSpeaksFor(slot, 7);
        assertThat(table.speaksFor(slot, 7)).isTrue();
        assertThat(table.withinRate(slot, 0)).isTrue();
        assertThat(table.withinRate(slot, 0)).isFalse();
        assertThat(table.slotOf(false, 0, 2, 5)).isEqualTo(slot);
        assertThat(table.exporter(slot)).isSameAs(first);
        assertThat(table.withinRate(slot, 5)).isTrue();
        assertThat(table.speaksFor(slot, 7)).isFalse();
        assertThat(table.rows().getFirst().datagrams()).isZero();
        assertThat(table.rows().getFirst().address()).isEqualTo("0.0.0.2");
        assertThat(table.evicted()).isEqualTo(1);
    }

    @Test
    void readsAnExporterAsTheOperatorSaid() {
        var table = new ExporterTable(1, 0, (v6, hi, lo) -> lo == 1 ? Profile.TRANSPARENT_SECURITY : Profile.AUTO, 1);
        assertThat(table.exporter(table.slotOf(false, 0, 1, 0)).profile()).isEqualTo(Profile.TRANSPARENT_SECURITY);
        assertThat(table.exporter(table.slotOf(false, 0, 2, 0)).profile()).isEqualTo(Profile.AUTO);
    }
}
