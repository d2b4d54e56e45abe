package io.pathlore.dataplane.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pathlore.dataplane.packet.Packet;
import io.pathlore.testkit.vectors.GoldenVectors;
import io.pathlore.wire.decode.ReportVersion;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AllocationTest {
    private static final int WARM = 20_000;
    private static final int REPORTS = 100_000;

    private long octets;

    @ParameterizedTest
    @EnumSource(ReportVersion.class)
    void aWarmStreamAllocatesNothing(ReportVersion version) {
        long delay = version == ReportVersion.V2_0 ? 1_000 : 0;
        ReportStream stream = new ReportStream(
                ReportFormat.of(version, 7, ReportDestination.ipv4(1, 2)).withCoalescing(1452, delay));
        ReportOutput out = (buffer, from, end, port) -> octets += end - from;
        Packet packet = new Packet(200);
        byte[] report = GoldenVectors.bytes("R2");
        packet.copyFrom(Arrays.copyOfRange(report, 24, report.length));
        ReportContent content = new ReportContent();
        content.tracked = true;
        content.instructions = 0x5C00;
        content.own.ingressInterface = 1;
        content.own.egressInterface = 2;
        content.own.queueId = 0;
        content.own.queueOccupancy = 3;
        content.own.ingressTimestamp = 4;
        content.own.egressTimestamp = 5;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < WARM + REPORTS; i++) {
            if (i == WARM) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            stream.add(content, packet, i, out);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
        assertThat(octets).isGreaterThan(REPORTS * 60L);
    }
}
