package io.pathlore.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ReportRowTest {
    @Test
    void aCopyOfOneHopSaysTheSameOfItAndOfThePacket() {
        ByteBuffer in = ByteBuffer.allocate(ReportRow.MAX_LENGTH);
        int from = 16;
        ReportRow.begin(in, from, ReportRow.TRACKED, 20, 5, 0, 6, 12);
        ReportRow.flow(in, from, false, false, 17, 0, 1, 0, 2, 3, 4, -1, 7);
        ReportRow.packet(in, from, 8, 60, 100, 9);
        for (int hop = 0; hop < 3; hop++) {
            ReportRow.hop(in, from, hop, 10 + hop, 20 + hop, 30, -1, -1, -1, -1, -1, -1, 64);
        }
        ReportRow.way(in, from, 0, ReportRow.STACK | ReportRow.REPORTER, 3);
        ByteBuffer out = ByteBuffer.allocate(8 + ReportRow.LENGTH + ReportRow.HOP_LENGTH);
        ReportRow.copyOfHop(in, from, 1, out, 8);
        ReportRow row = new ReportRow().wrap(out, 8);
        assertThat(row.length()).isEqualTo(ReportRow.LENGTH + ReportRow.HOP_LENGTH);
        assertThat(row.hopNode(0)).isEqualTo(11);
        assertThat(row.ingress(0)).isEqualTo(21);
        assertThat(row.node()).isEqualTo(12);
        assertThat(row.flowHash()).isEqualTo(ReportRow.flowHash(in, from));
        assertThat(row.packetPrint()).isEqualTo(8);
        assertThat(row.way()).isEqualTo(ReportRow.STACK | ReportRow.REPORTER);
    }
}
